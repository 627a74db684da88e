// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_REALTIME_H
#define TCPSWEEP_REALTIME_H

#include "traffic/durations.h"
#include "traffic/traffic.h"

#include <ns3/event-id.h>
#include <ns3/random-variable-stream.h>
#include <ns3/socket.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace tcpsweep
{

/// UDP flows with a rate, constant or on and off.
struct RealtimeParameters
{
    ns3::DataRate rate;   //!< rate of a flow's UDP payload while it is on
    uint32_t packetBytes; //!< payload of each packet
    Durations on;         //!< how long it is on
    Durations off;        //!< how long it is off; zero for always on
    ns3::Time bound;      //!< the one-way delay above which a packet is late
    TrafficTimes times;   //!< when it begins and ends

    /// @return the options of this kind
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @param place the group's surroundings
     * @return their values
     * @throws UsageError
     */
    static RealtimeParameters FromOptions(const Options& options, const TrafficPlace& place);
};

/**
 * Real-time traffic, such as calls: UDP packets that are only useful within a bound on their delay.
 * Each source node has a flow; the i-th flow goes to the i-th destination, and destinations repeat
 * in turn. Flow i of n begins i/n of a packet interval after the first. A packet's delay is
 * measured from the sending application to the receiving one.
 */
class Realtime : public Traffic
{
  public:
    /**
     * @param parameters the parameters
     * @param place its surroundings
     * @param rows not used, because it has no transfers
     */
    Realtime(const RealtimeParameters& parameters, const TrafficPlace& place, TransferRows* rows);

  private:
    /// A flow.
    struct Flow
    {
        uint32_t index{0};                          //!< its number here
        TrafficNode from;                           //!< its sender
        TrafficNode to;                             //!< its receiver
        ns3::Ptr<ns3::Socket> socket;               //!< the sender's socket
        ns3::Ptr<ns3::UniformRandomVariable> draws; //!< random numbers for its times
        ns3::Time since;                            //!< when it was last switched on
        ns3::Time until;                            //!< when it is switched off
        uint64_t burst{0};                          //!< packets sent since it was last switched on
        uint64_t sent{0};                           //!< packets sent
        uint64_t received{0};                       //!< packets received
        uint64_t late{0};                           //!< received packets that were late
        double delays{0};                 //!< the sum of the received packets' delays, in s
        ns3::Time longest;                //!< the longest of these delays
        std::deque<int64_t> justSent;     //!< send times of packets that may still arrive in time
        std::deque<int64_t> justReceived; //!< send times of those that have arrived
    };

    void EndAll() override;
    void WriteKind(JsonWriter& json) const override;

    /// @param flow a flow that is switched on
    void SwitchOn(Flow& flow);

    /// @param flow a flow that sends a packet, and waits for the next
    void Send(Flow& flow);

    /// @param socket a receiver's socket with new packets
    void Receive(ns3::Ptr<ns3::Socket> socket);

    /// @param node a node that receives from now on
    void Listen(ns3::Ptr<ns3::Node> node);

    /**
     * @param times times, in ascending order
     * @return the times that are less than the bound ago
     */
    std::deque<int64_t>& Recent(std::deque<int64_t>& times) const;

    RealtimeParameters m_parameters;                       //!< the parameters
    std::vector<std::unique_ptr<Flow>> m_flows;            //!< the flows
    std::map<uint32_t, ns3::Ptr<ns3::Socket>> m_receivers; //!< the receivers' sockets, by node
};

} // namespace tcpsweep

#endif // TCPSWEEP_REALTIME_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CROSS_TRAFFIC_H
#define TCPSWEEP_CROSS_TRAFFIC_H

#include "network/flow-ends.h"
#include "options/options.h"
#include "output/json.h"

#include <ns3/data-rate.h>
#include <ns3/nstime.h>
#include <ns3/packet.h>

#include <cstdint>
#include <vector>

namespace tcpsweep
{

/// UDP flows of a constant bit rate.
struct CbrParameters
{
    uint32_t count;       //!< how many
    ns3::DataRate rate;   //!< UDP payload of each
    uint32_t packetBytes; //!< payload of each packet
    ns3::Time start;      //!< when they begin
    ns3::Time stop;       //!< when they end; zero for never

    /**
     * @param options the options in force
     * @return what they say
     * @throws UsageError
     */
    static CbrParameters FromOptions(const Options& options);
};

/// The UDP flows of a simulation.
class CrossTraffic
{
  public:
    /**
     * Install the flows' applications. Flow i of n begins i/n of a packet interval after the first,
     * as packets that always came together would be one burst.
     *
     * @param parameters what determines the flows
     * @param ends where each begins and ends, nodes that have their addresses
     */
    CrossTraffic(const CbrParameters& parameters, const std::vector<FlowEnds>& ends);

    CrossTraffic(const CrossTraffic&) = delete;
    CrossTraffic& operator=(const CrossTraffic&) = delete;

    /**
     * Write a list of the flows: their ends, when they began, what was sent and received.
     *
     * @param json where it goes, as a value
     */
    void Write(JsonWriter& json) const;

  private:
    /// A flow and its counts.
    struct Flow
    {
        FlowEnds ends;               //!< from where to where
        uint16_t destinationPort;    //!< the receiver's port
        ns3::Time start;             //!< when it begins
        uint64_t sentPackets{0};     //!< packets sent
        uint64_t receivedPackets{0}; //!< packets received
    };

    /// @param i the flow that sends or receives a packet
    void Sent(std::size_t i, ns3::Ptr<const ns3::Packet>);
    /// @param i the flow that sends or receives a packet
    void Received(std::size_t i, ns3::Ptr<const ns3::Packet>, const ns3::Address&);

    CbrParameters m_parameters; //!< what determines the flows
    std::vector<Flow> m_flows;  //!< the flows
};

} // namespace tcpsweep

#endif // TCPSWEEP_CROSS_TRAFFIC_H

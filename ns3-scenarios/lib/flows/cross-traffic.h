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

/// UDP flows with a constant bit rate.
struct CbrParameters
{
    uint32_t count{0};    //!< the number of flows
    ns3::DataRate rate;   //!< rate of the UDP payload of each
    uint32_t packetBytes; //!< payload of each packet
    ns3::Time start;      //!< when they begin
    ns3::Time stop;       //!< when they end; zero for never

    /**
     * @param options the options in force
     * @param mostBytes payload of the largest packet that all links carry
     * @return their values
     * @throws UsageError
     */
    static CbrParameters FromOptions(const Options& options, uint32_t mostBytes);
};

/// The UDP flows of a simulation.
class CrossTraffic
{
  public:
    /**
     * Install the flows' applications. Flow i of n begins i/n of a packet interval after the first,
     * so that their packets do not form bursts.
     *
     * @param parameters the flows' parameters
     * @param ends the ends of each flow, nodes with addresses
     */
    CrossTraffic(const CbrParameters& parameters, const std::vector<FlowEnds>& ends);

    CrossTraffic(const CrossTraffic&) = delete;
    CrossTraffic& operator=(const CrossTraffic&) = delete;

    /**
     * Write a list of the flows: their ends, starts, and packets sent and received.
     *
     * @param json the writer, which receives a value
     */
    void Write(JsonWriter& json) const;

  private:
    /// A flow and its counts.
    struct Flow
    {
        FlowEnds ends;               //!< its ends
        uint16_t destinationPort;    //!< the receiver's port
        ns3::Time start;             //!< when it begins
        uint64_t sentPackets{0};     //!< packets sent
        uint64_t receivedPackets{0}; //!< packets received
    };

    // ns-3 3.37 needs the type of `i` to be that of the bound value.
    /// @param i the flow that sends a packet
    void Sent(uint32_t i, ns3::Ptr<const ns3::Packet>);
    /// @param i the flow that receives a packet
    void Received(uint32_t i, ns3::Ptr<const ns3::Packet>, const ns3::Address&);

    CbrParameters m_parameters; //!< the flows' parameters
    std::vector<Flow> m_flows;  //!< the flows
};

} // namespace tcpsweep

#endif // TCPSWEEP_CROSS_TRAFFIC_H

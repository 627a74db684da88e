// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_FLOW_COUNTERS_H
#define TCPSWEEP_FLOW_COUNTERS_H

#include "network/flow-ends.h"
#include "output/json.h"

#include <ns3/nstime.h>
#include <ns3/packet.h>

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/**
 * Counts a flow's packets at its hosts' IP, its data and its acknowledgments, as FlowMonitor does,
 * which takes three times as long. A packet that arrives again, as in a mesh, counts again.
 */
class FlowCounters
{
  public:
    /**
     * @param ends the flow's hosts; its data have a FlowTag when they reach IP
     * @param flow the flow's index
     * @param port the port that its acknowledgments come from; nothing if they have a FlowTag too
     * @param until packets that were sent by then and do not arrive are lost; others may be on the
     *              way
     */
    FlowCounters(const FlowEnds& ends,
                 uint32_t flow,
                 std::optional<uint16_t> port,
                 ns3::Time until);

    FlowCounters(const FlowCounters&) = delete;
    FlowCounters& operator=(const FlowCounters&) = delete;

    /// @param json the writer, which receives the counts as an object
    void Write(JsonWriter& json) const;

  private:
    using Segment = ns3::Ptr<const ns3::Packet>;

    /// Packets of one direction.
    struct Way
    {
        uint64_t sentPackets{0};     //!< packets sent
        uint64_t sentBytes{0};       //!< their IP bytes
        uint64_t receivedPackets{0}; //!< packets received
        uint64_t receivedBytes{0};   //!< their IP bytes
        int64_t due{0};              //!< sent early enough to arrive, and not received
        int64_t delays{0};           //!< sum of the delays, in nanoseconds
        int64_t delayChanges{0};     //!< sum of the changes of the delay, in nanoseconds
        int64_t lastDelay{-1};       //!< the last delay; negative before the first
    };

    /**
     * @param way the packet's direction
     * @param bytes its IP bytes
     */
    void Send(Way& way, uint32_t bytes);

    /**
     * @param way the packet's direction
     * @param sent when it was sent
     * @param bytes its IP bytes
     */
    void Receive(Way& way, ns3::Time sent, uint32_t bytes);

    ns3::Time m_until; //!< see FlowCounters()
    Way m_data;        //!< from the flow's sender
    Way m_acks;        //!< from its receiver
};

} // namespace tcpsweep

#endif // TCPSWEEP_FLOW_COUNTERS_H

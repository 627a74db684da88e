// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DELIVERY_TRACE_H
#define TCPSWEEP_DELIVERY_TRACE_H

#include "traces/output-files.h"
#include "traces/received-ranges.h"

#include <ns3/node.h>
#include <ns3/packet.h>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace tcpsweep
{

/// Writes the bytes of a flow's packets at the receiver's IP layer, their one-way delays, and the
/// payload that the receiver already had. The packets need a FlowTag.
class DeliveryTrace
{
  public:
    /**
     * @param files the files for the traces
     * @param flow the flow's index
     * @param receiver the flow's receiver
     */
    DeliveryTrace(OutputFiles& files, uint32_t flow, ns3::Ptr<ns3::Node> receiver);

    /**
     * @param payload called with the payload bytes of each packet that the receiver did not have
     * before
     */
    void
    WhenNew(std::function<void(uint32_t payload)> payload)
    {
        m_whenNew = std::move(payload);
    }

    /// @return payload that has arrived and that no application can read, because bytes before it
    /// are missing
    uint64_t WaitingBytes() const;

    DeliveryTrace(const DeliveryTrace&) = delete;
    DeliveryTrace& operator=(const DeliveryTrace&) = delete;

  private:
    /**
     * @param protocol its protocol
     * @param segment a segment or datagram that has arrived
     * @param ipBytes the size of its IP packet
     */
    void Deliver(uint8_t protocol, const ns3::Ptr<const ns3::Packet>& segment, uint32_t ipBytes);

    /**
     * @param segment a TCP segment that has arrived
     * @return the bytes of its payload that are new
     */
    uint32_t CountDuplicate(const ns3::Ptr<const ns3::Packet>& segment);

    int32_t m_flow;               //!< the flow's index
    uint64_t m_received{0};       //!< IP bytes, headers included
    TraceSeries* m_bytesRows;     //!< received IP bytes
    TraceSeries* m_delayRows;     //!< one-way delays
    TraceSeries* m_duplicateRows; //!< duplicate payload
    /// which payload has arrived, by both ports of a connection
    std::map<uint32_t, ReceivedRanges> m_ranges;
    std::function<void(uint32_t)> m_whenNew; //!< called with new payload
    uint64_t m_duplicate{0};                 //!< duplicate payload
};

} // namespace tcpsweep

#endif // TCPSWEEP_DELIVERY_TRACE_H

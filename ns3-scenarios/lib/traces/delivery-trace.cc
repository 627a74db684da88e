// SPDX-License-Identifier: GPL-2.0-only
#include "traces/delivery-trace.h"

#include "network/internet.h"
#include "traces/flow-tag.h"

#include <ns3/simulator.h>
#include <ns3/tcp-header.h>

#include <array>
#include <cstddef>

namespace tcpsweep
{

DeliveryTrace::DeliveryTrace(OutputFiles& files, uint32_t flow, ns3::Ptr<ns3::Node> receiver)
    : m_flow(static_cast<int32_t>(flow)),
      m_bytesRows(files.Trace("ip_received_bytes")),
      m_delayRows(files.Trace("owd_s")),
      m_duplicateRows(files.Trace("duplicate_bytes"))
{
    FollowTransport(receiver,
                    "LocalDeliver",
                    [this](const auto& header, const auto& segment, uint32_t ipBytes)
                    {
                        if (m_bytesRows || m_delayRows || m_duplicateRows || m_whenNew)
                        {
                            Deliver(ProtocolOf(header), segment, ipBytes);
                        }
                    });
}

void
DeliveryTrace::Deliver(uint8_t protocol,
                       const ns3::Ptr<const ns3::Packet>& segment,
                       uint32_t ipBytes)
{
    FlowTag tag;
    if (!segment->PeekPacketTag(tag) || tag.Flow() != m_flow)
    {
        return;
    }
    m_received += ipBytes;
    AddRow(m_bytesRows, m_flow, m_received);
    AddRow(m_delayRows, m_flow, ns3::Simulator::Now() - tag.Sent());
    if (!m_duplicateRows && !m_whenNew)
    {
        return;
    }
    const uint32_t fresh =
        protocol == TCP_PROTOCOL ? CountDuplicate(segment) : segment->GetSize() - UDP_HEADER_BYTES;
    if (m_whenNew && fresh > 0)
    {
        m_whenNew(fresh);
    }
}

uint64_t
DeliveryTrace::WaitingBytes() const
{
    uint64_t bytes = 0;
    for (const auto& [ports, ranges] : m_ranges)
    {
        bytes += ranges.Waiting();
    }
    return bytes;
}

uint32_t
DeliveryTrace::CountDuplicate(const ns3::Ptr<const ns3::Packet>& segment)
{
    // Read only the ports, the sequence number, the header's length in words of four bytes, and the
    // flags (RFC 9293, 3.1): this runs for each packet, and PeekHeader() reads all options too.
    std::array<uint8_t, 14> header{};
    segment->CopyData(header.data(), header.size());
    const auto word = [&header](std::size_t at)
    {
        return uint32_t{header[at]} << 24 | uint32_t{header[at + 1]} << 16 |
               uint32_t{header[at + 2]} << 8 | uint32_t{header[at + 3]};
    };
    const uint32_t size = segment->GetSize() - 4 * (header[12] >> 4);
    const bool syn = header[13] & ns3::TcpHeader::SYN;
    if (size == 0 && !syn)
    {
        return 0;
    }
    const uint32_t held = m_ranges[word(0)].Add(ns3::SequenceNumber32(word(4)), size, syn);
    if (held > 0)
    {
        m_duplicate += held;
        AddRow(m_duplicateRows, m_flow, m_duplicate);
    }
    return size - held;
}

} // namespace tcpsweep

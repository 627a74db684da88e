// SPDX-License-Identifier: GPL-2.0-only
#include "traces/bottleneck-trace.h"

#include "traces/flow-tag.h"

#include <ns3/simulator.h>

namespace tcpsweep
{

namespace
{

/**
 * @param item a packet in a queue disc, still without PPP's header
 * @return its size on the wire
 */
uint32_t
WireBytes(ns3::Ptr<const ns3::QueueDiscItem> item)
{
    return item->GetSize() + PPP_HEADER_BYTES;
}

} // namespace

BottleneckTrace::BottleneckTrace(const Link& link, ns3::Ptr<ns3::QueueDisc> disc, QueueSeries* rows)
    : m_rows(rows)
{
    const auto connect = [this](auto object, const std::string& source, auto sink)
    {
        object->TraceConnectWithoutContext(source, ns3::MakeCallback(sink, this));
    };
    connect(link.left, "PhyTxBegin", &BottleneckTrace::Transmit);
    connect(link.right, "PhyRxDrop", &BottleneckTrace::Lose);
    connect(link.left->GetQueue(), "DropBeforeEnqueue", &BottleneckTrace::DeviceDrop);
    if (disc)
    {
        connect(disc, "Enqueue", &BottleneckTrace::DiscEnqueue);
        connect(disc, "DropBeforeEnqueue", &BottleneckTrace::DiscDropBefore);
        connect(disc, "DropAfterDequeue", &BottleneckTrace::DiscDropAfter);
        connect(disc, "Mark", &BottleneckTrace::DiscMark);
    }
    else
    {
        connect(link.left->GetQueue(), "Enqueue", &BottleneckTrace::DeviceEnqueue);
        connect(link.left->GetQueue(), "DropAfterDequeue", &BottleneckTrace::DeviceDropAfter);
    }
}

void
BottleneckTrace::Write(JsonWriter& json) const
{
    json.Member("sent_packets", m_counts.sentPackets)
        .Member("sent_bytes", m_counts.sentBytes)
        .Member("drop_packets", m_counts.dropPackets)
        .Member("mark_packets", m_counts.markPackets)
        .Member("loss_packets", m_counts.lossPackets);
}

void
BottleneckTrace::DeviceEnqueue(Packet packet)
{
    Enter(packet, packet->GetSize());
}

void
BottleneckTrace::DeviceDrop(Packet packet)
{
    ++m_counts.dropPackets;
    const uint32_t bytes = packet->GetSize();
    Write('d', packet, bytes, Leave(packet, bytes));
}

void
BottleneckTrace::DeviceDropAfter(Packet packet)
{
    ++m_counts.dropPackets;
    const uint32_t bytes = packet->GetSize();
    Write('e', packet, bytes, Leave(packet, bytes));
}

void
BottleneckTrace::Transmit(Packet packet)
{
    const uint32_t bytes = packet->GetSize();
    ++m_counts.sentPackets;
    m_counts.sentBytes += bytes;
    Write('t', packet, bytes, Leave(packet, bytes));
}

void
BottleneckTrace::Lose(Packet packet)
{
    ++m_counts.lossPackets;
    Write('l', packet, packet->GetSize(), ns3::Time());
}

void
BottleneckTrace::DiscEnqueue(Item item)
{
    Enter(item->GetPacket(), WireBytes(item));
}

void
BottleneckTrace::DiscDropBefore(Item item, const char*)
{
    ++m_counts.dropPackets;
    Write('d', item->GetPacket(), WireBytes(item), ns3::Time());
}

void
BottleneckTrace::DiscDropAfter(Item item, const char*)
{
    ++m_counts.dropPackets;
    const uint32_t bytes = WireBytes(item);
    Write('e', item->GetPacket(), bytes, Leave(item->GetPacket(), bytes));
}

void
BottleneckTrace::DiscMark(Item item, const char*)
{
    ++m_counts.markPackets;
    Write('m', item->GetPacket(), WireBytes(item), Waited(item->GetPacket()));
}

void
BottleneckTrace::Enter(Packet packet, uint32_t bytes)
{
    if (m_rows)
    {
        m_entered[ns3::PeekPointer(packet)] = ns3::Simulator::Now();
        m_queuedBytes += bytes;
    }
}

ns3::Time
BottleneckTrace::Waited(Packet packet) const
{
    const auto found = m_entered.find(ns3::PeekPointer(packet));
    return found == m_entered.end() ? ns3::Time() : ns3::Simulator::Now() - found->second;
}

ns3::Time
BottleneckTrace::Leave(Packet packet, uint32_t bytes)
{
    const ns3::Time waited = Waited(packet);
    if (m_entered.erase(ns3::PeekPointer(packet)))
    {
        m_queuedBytes -= bytes;
    }
    return waited;
}

void
BottleneckTrace::Write(char event, Packet packet, uint32_t bytes, ns3::Time delay)
{
    if (m_rows)
    {
        m_rows->Add(delay.GetNanoSeconds(),
                    static_cast<int64_t>(m_queuedBytes),
                    FlowOf(packet),
                    bytes,
                    static_cast<uint32_t>(m_entered.size()),
                    event);
    }
}

} // namespace tcpsweep

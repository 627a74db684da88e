// SPDX-License-Identifier: GPL-2.0-only
#include "traces/flow-tag.h"

#include "network/internet.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(FlowTag);

FlowTag::FlowTag(int32_t flow, ns3::Time sent)
    : m_flow(flow),
      m_sent(sent)
{
}

ns3::TypeId
FlowTag::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::FlowTag").SetParent<ns3::Tag>().AddConstructor<FlowTag>();
    return tid;
}

ns3::TypeId
FlowTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FlowTag::GetSerializedSize() const
{
    return sizeof(uint32_t) + sizeof(uint64_t);
}

void
FlowTag::Serialize(ns3::TagBuffer buffer) const
{
    buffer.WriteU32(static_cast<uint32_t>(m_flow));
    buffer.WriteU64(static_cast<uint64_t>(m_sent.GetTimeStep()));
}

void
FlowTag::Deserialize(ns3::TagBuffer buffer)
{
    m_flow = static_cast<int32_t>(buffer.ReadU32());
    m_sent = ns3::TimeStep(buffer.ReadU64());
}

void
FlowTag::Print(std::ostream& os) const
{
    os << "flow=" << m_flow << " sent=" << m_sent;
}

int32_t
FlowOf(ns3::Ptr<const ns3::Packet> packet)
{
    FlowTag tag;
    packet->PeekPacketTag(tag);
    return std::max(tag.Flow(), -1);
}

FlowTagger::FlowTagger(ns3::Ptr<ns3::Node> sender, uint16_t port, uint32_t flow)
    : m_port(port),
      m_flow(static_cast<int32_t>(flow))
{
    FollowSegments(sender, "SendOutgoing", [this](const auto& segment, uint32_t) { Tag(segment); });
}

void
FlowTagger::Tag(const ns3::Ptr<const ns3::Packet>& segment) const
{
    if (SourcePortOf(segment) == m_port)
    {
        segment->AddPacketTag(FlowTag(m_flow, ns3::Simulator::Now()));
    }
}

} // namespace tcpsweep

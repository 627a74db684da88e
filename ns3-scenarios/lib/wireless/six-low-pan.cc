// SPDX-License-Identifier: GPL-2.0-only
#include "wireless/six-low-pan.h"

#include "traces/flow-tag.h"

#include <ns3/icmpv6-l4-protocol.h>
#include <ns3/ipv6-header.h>
#include <ns3/ipv6-l3-protocol.h>
#include <ns3/node.h>
#include <ns3/packet.h>

namespace tcpsweep
{

namespace
{

/// @param packet a packet or a fragment that a device sends
void
TagBytes(ns3::Ptr<const ns3::Packet> packet, ns3::Ptr<ns3::SixLowPanNetDevice>, uint32_t)
{
    FlowTag tag;
    if (packet->PeekPacketTag(tag))
    {
        packet->AddByteTag(tag);
    }
}

/// @param packet an IPv6 packet that a node has received
void
TagPacket(ns3::Ptr<const ns3::Packet> packet, ns3::Ptr<ns3::Ipv6>, uint32_t)
{
    ns3::Ipv6Header header;
    packet->PeekHeader(header);
    FlowTag tag;
    if (header.GetNextHeader() == ns3::Icmpv6L4Protocol::GetStaticProtocolNumber())
    {
        ns3::ConstCast<ns3::Packet>(packet)->RemoveAllByteTags();
    }
    else if (!packet->PeekPacketTag(tag) && packet->FindFirstMatchingByteTag(tag))
    {
        packet->AddPacketTag(tag);
    }
}

} // namespace

void
KeepTags(ns3::Ptr<ns3::SixLowPanNetDevice> device)
{
    device->TraceConnectWithoutContext("Tx", ns3::MakeCallback(&TagBytes));
    device->GetNode()->GetObject<ns3::Ipv6L3Protocol>()->TraceConnectWithoutContext(
        "Rx",
        ns3::MakeCallback(&TagPacket));
}

} // namespace tcpsweep

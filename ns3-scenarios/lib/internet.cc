// SPDX-License-Identifier: GPL-2.0-only
#include "internet.h"

#include <ns3/callback.h>
#include <ns3/ipv4-address.h>
#include <ns3/ipv4-route.h>
#include <ns3/tcp-l4-protocol.h>

#include <array>

namespace tcpsweep
{

uint16_t
SourcePortOf(ns3::Ptr<const ns3::Packet> segment)
{
    // Of each packet, so not by PeekHeader(), which reads all options too: RFC 9293, 3.1.
    std::array<uint8_t, 2> port{};
    segment->CopyData(port.data(), port.size());
    return static_cast<uint16_t>(port[0] << 8 | port[1]);
}

void
SilencePort(ns3::Ptr<ns3::Node> node, uint16_t port)
{
    const auto tcp = node->GetObject<ns3::TcpL4Protocol>();
    const auto send = tcp->GetDownTarget();
    tcp->SetDownTarget(ns3::IpL4Protocol::DownTargetCallback(
        [send, port](ns3::Ptr<ns3::Packet> segment,
                     ns3::Ipv4Address source,
                     ns3::Ipv4Address destination,
                     uint8_t protocol,
                     ns3::Ptr<ns3::Ipv4Route> route)
        {
            if (SourcePortOf(segment) != port)
            {
                send(segment, source, destination, protocol, route);
            }
        }));
}

} // namespace tcpsweep

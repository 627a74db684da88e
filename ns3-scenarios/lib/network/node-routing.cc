// SPDX-License-Identifier: GPL-2.0-only
#include "network/node-routing.h"

#include "network/internet.h"

#include <ns3/hash.h>
#include <ns3/ipv4.h>
#include <ns3/output-stream-wrapper.h>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(NodeRouting);

FlowKey
FlowKey::Of(const ns3::Ipv4Header& header, ns3::Ptr<const ns3::Packet> packet)
{
    FlowKey key{header.GetSource().Get(), header.GetDestination().Get(), 0, 0};
    std::array<uint8_t, 4> ports{};
    if (packet && packet->CopyData(ports.data(), ports.size()) == ports.size())
    {
        key.sourcePort = static_cast<uint16_t>(ports[0] << 8 | ports[1]);
        key.destinationPort = static_cast<uint16_t>(ports[2] << 8 | ports[3]);
    }
    return key;
}

bool
FlowKey::operator<(const FlowKey& other) const
{
    return std::tie(source, destination, sourcePort, destinationPort) <
           std::tie(other.source, other.destination, other.sourcePort, other.destinationPort);
}

ns3::TypeId
NodeRouting::GetTypeId()
{
    static const ns3::TypeId tid = ns3::TypeId("tcpsweep::NodeRouting")
                                       .SetParent<ns3::Ipv4RoutingProtocol>()
                                       .AddConstructor<NodeRouting>();
    return tid;
}

ns3::Ptr<NodeRouting>
NodeRouting::Install(ns3::Ptr<ns3::Node> node)
{
    const auto routing = ns3::CreateObject<NodeRouting>();
    const auto ipv4 = node->GetObject<ns3::Ipv4>();
    ipv4->SetRoutingProtocol(routing);
    // Interface 0 is the loopback.
    for (uint32_t i = 1; i < ipv4->GetNInterfaces(); ++i)
    {
        routing->m_hosts[ipv4->GetAddress(i, 0).GetLocal().Get()].local = true;
    }
    routing->m_address = ipv4->GetAddress(FIRST_LINK, 0).GetLocal();
    return routing;
}

void
NodeRouting::AddHost(ns3::Ipv4Address host, const std::vector<ns3::Ptr<ns3::NetDevice>>& devices)
{
    auto& routes = m_hosts[host.Get()].routes;
    for (const auto& device : devices)
    {
        routes.push_back(RouteOver(device));
    }
}

void
NodeRouting::AddFlow(const FlowKey& flow, ns3::Ptr<ns3::NetDevice> device)
{
    m_flows[flow] = RouteOver(device);
}

void
NodeRouting::SetSalt(uint32_t salt)
{
    m_salt = salt;
}

std::size_t
NodeRouting::Turn(const FlowKey& flow, std::size_t ways) const
{
    const std::array<uint32_t, 4> hashed = {
        flow.source,
        flow.destination,
        static_cast<uint32_t>(flow.sourcePort << 16 | flow.destinationPort),
        m_salt};
    return ns3::Hash32(reinterpret_cast<const char*>(hashed.data()), sizeof(hashed)) % ways;
}

ns3::Ptr<ns3::Ipv4Route>
NodeRouting::RouteOutput(ns3::Ptr<ns3::Packet> packet,
                         const ns3::Ipv4Header& header,
                         ns3::Ptr<ns3::NetDevice>,
                         ns3::Socket::SocketErrno& error)
{
    const auto found = m_hosts.find(header.GetDestination().Get());
    const bool known = found != m_hosts.end() && !found->second.routes.empty();
    error = known ? ns3::Socket::ERROR_NOTERROR : ns3::Socket::ERROR_NOROUTETOHOST;
    return known ? Choose(found->second, header, packet) : nullptr;
}

bool
NodeRouting::RouteInput(ns3::Ptr<const ns3::Packet> packet,
                        const ns3::Ipv4Header& header,
                        ns3::Ptr<const ns3::NetDevice> device,
                        Argument<3> forward,
                        Argument<4>,
                        Argument<5> deliver,
                        Argument<6> fail)
{
    const auto found = m_hosts.find(header.GetDestination().Get());
    if (found == m_hosts.end())
    {
        fail(packet, header, ns3::Socket::ERROR_NOROUTETOHOST);
        return false;
    }
    if (found->second.local)
    {
        deliver(packet, header, static_cast<uint32_t>(m_ipv4->GetInterfaceForDevice(device)));
        return true;
    }
    forward(Choose(found->second, header, packet), packet, header);
    return true;
}

void
NodeRouting::NotifyInterfaceUp(uint32_t)
{
}

void
NodeRouting::NotifyInterfaceDown(uint32_t)
{
}

void
NodeRouting::NotifyAddAddress(uint32_t, ns3::Ipv4InterfaceAddress)
{
}

void
NodeRouting::NotifyRemoveAddress(uint32_t, ns3::Ipv4InterfaceAddress)
{
}

void
NodeRouting::SetIpv4(ns3::Ptr<ns3::Ipv4> ipv4)
{
    m_ipv4 = ipv4;
}

void
NodeRouting::PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper> stream, ns3::Time::Unit) const
{
    std::ostream& os = *stream->GetStream();
    for (const auto& [host, ways] : m_hosts)
    {
        os << ns3::Ipv4Address(host) << (ways.local ? " local" : "");
        for (const auto& route : ways.routes)
        {
            os << " " << *route;
        }
        os << "\n";
    }
}

ns3::Ptr<ns3::Ipv4Route>
NodeRouting::RouteOver(ns3::Ptr<ns3::NetDevice> device) const
{
    const auto route = ns3::Create<ns3::Ipv4Route>();
    route->SetGateway(ns3::Ipv4Address::GetAny());
    route->SetSource(m_address);
    route->SetOutputDevice(device);
    return route;
}

ns3::Ptr<ns3::Ipv4Route>
NodeRouting::Choose(const Ways& ways,
                    const ns3::Ipv4Header& header,
                    ns3::Ptr<const ns3::Packet> packet) const
{
    if (m_flows.empty() && ways.routes.size() == 1)
    {
        return ways.routes.front();
    }
    const FlowKey key = FlowKey::Of(header, packet);
    const auto own = m_flows.find(key);
    if (own != m_flows.end())
    {
        return own->second;
    }
    return ways.routes[Turn(key, ways.routes.size())];
}

} // namespace tcpsweep

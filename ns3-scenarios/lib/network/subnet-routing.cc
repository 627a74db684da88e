// SPDX-License-Identifier: GPL-2.0-only
#include "network/subnet-routing.h"

#include <ns3/ipv4-header.h>
#include <ns3/ipv4.h>
#include <ns3/output-stream-wrapper.h>
#include <ns3/packet.h>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(SubnetRouting);

namespace
{

/// The network part of an address in a /30 network.
constexpr uint32_t NETWORK_BITS = ~uint32_t{3};

/**
 * @param device a point-to-point device
 * @return the route over it, whose next hop is the node at the link's other end
 */
ns3::Ptr<ns3::Ipv4Route>
RouteOver(ns3::Ptr<ns3::NetDevice> device)
{
    const auto route = ns3::Create<ns3::Ipv4Route>();
    route->SetGateway(ns3::Ipv4Address::GetAny());
    route->SetOutputDevice(device);
    return route;
}

} // namespace

ns3::TypeId
SubnetRouting::GetTypeId()
{
    static const ns3::TypeId tid = ns3::TypeId("tcpsweep::SubnetRouting")
                                       .SetParent<ns3::Ipv4RoutingProtocol>()
                                       .AddConstructor<SubnetRouting>();
    return tid;
}

ns3::Ptr<SubnetRouting>
SubnetRouting::Install(ns3::Ptr<ns3::Node> router)
{
    const auto routing = ns3::CreateObject<SubnetRouting>();
    router->GetObject<ns3::Ipv4>()->SetRoutingProtocol(routing);
    return routing;
}

void
SubnetRouting::AddSubnet(ns3::Ipv4Address network, ns3::Ptr<ns3::NetDevice> device)
{
    m_subnets[network.Get() & NETWORK_BITS] = RouteOver(device);
}

void
SubnetRouting::SetDefault(ns3::Ptr<ns3::NetDevice> device)
{
    m_default = RouteOver(device);
}

ns3::Ptr<ns3::Ipv4Route>
SubnetRouting::RouteOutput(ns3::Ptr<ns3::Packet>,
                           const ns3::Ipv4Header& header,
                           ns3::Ptr<ns3::NetDevice>,
                           ns3::Socket::SocketErrno& error)
{
    const auto route = Find(header.GetDestination());
    error = route ? ns3::Socket::ERROR_NOTERROR : ns3::Socket::ERROR_NOROUTETOHOST;
    return route;
}

bool
SubnetRouting::RouteInput(ns3::Ptr<const ns3::Packet> packet,
                          const ns3::Ipv4Header& header,
                          ns3::Ptr<const ns3::NetDevice>,
                          Argument<3> forward,
                          Argument<4>,
                          Argument<5>,
                          Argument<6> fail)
{
    const auto route = Find(header.GetDestination());
    if (route)
    {
        forward(route, packet, header);
    }
    else
    {
        fail(packet, header, ns3::Socket::ERROR_NOROUTETOHOST);
    }
    return route != nullptr;
}

void
SubnetRouting::NotifyInterfaceUp(uint32_t)
{
}

void
SubnetRouting::NotifyInterfaceDown(uint32_t)
{
}

void
SubnetRouting::NotifyAddAddress(uint32_t, ns3::Ipv4InterfaceAddress)
{
}

void
SubnetRouting::NotifyRemoveAddress(uint32_t, ns3::Ipv4InterfaceAddress)
{
}

void
SubnetRouting::SetIpv4(ns3::Ptr<ns3::Ipv4>)
{
}

void
SubnetRouting::PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper> stream, ns3::Time::Unit) const
{
    std::ostream& os = *stream->GetStream();
    for (const auto& [network, route] : m_subnets)
    {
        os << ns3::Ipv4Address(network) << "/30 " << *route << "\n";
    }
    if (m_default)
    {
        os << "default " << *m_default << "\n";
    }
}

ns3::Ptr<ns3::Ipv4Route>
SubnetRouting::Find(ns3::Ipv4Address destination) const
{
    const auto found = m_subnets.find(destination.Get() & NETWORK_BITS);
    return found == m_subnets.end() ? m_default : found->second;
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "network/link.h"

#include <ns3/drop-tail-queue.h>
#include <ns3/ipv4-interface-address.h>
#include <ns3/ipv4-static-routing.h>
#include <ns3/ipv4.h>
#include <ns3/ipv6-interface-address.h>
#include <ns3/ipv6-static-routing.h>
#include <ns3/ipv6.h>
#include <ns3/mac48-address.h>

#include <array>
#include <limits>

namespace tcpsweep
{

ns3::Ptr<ns3::Queue<ns3::Packet>>
MakeDropTail(ns3::QueueSize size)
{
    const auto queue = ns3::CreateObject<ns3::DropTailQueue<ns3::Packet>>();
    queue->SetMaxSize(size);
    return queue;
}

ns3::Ptr<ns3::Queue<ns3::Packet>>
MakeEndlessQueue()
{
    return MakeDropTail({ns3::QueueSizeUnit::PACKETS, std::numeric_limits<uint32_t>::max()});
}

ns3::Ptr<ns3::PointToPointNetDevice>
AddDevice(ns3::Ptr<ns3::Node> node, ns3::Ptr<ns3::PointToPointNetDevice> device, ns3::DataRate rate)
{
    device->SetAddress(ns3::Mac48Address::Allocate());
    device->SetDataRate(rate);
    device->SetQueue(MakeEndlessQueue());
    node->AddDevice(device);
    return device;
}

Link
Connect(ns3::Ptr<ns3::Node> left,
        ns3::Ptr<ns3::Node> right,
        ns3::Ptr<ns3::PointToPointChannel> channel,
        ns3::DataRate rate,
        ns3::Time delay)
{
    channel->SetAttribute("Delay", ns3::TimeValue(delay));
    const auto make = [rate](ns3::Ptr<ns3::Node> node)
    {
        return AddDevice(node, ns3::CreateObject<ns3::PointToPointNetDevice>(), rate);
    };
    const Link link{make(left), make(right)};
    link.left->Attach(channel);
    link.right->Attach(channel);
    return link;
}

void
AssignAddress(ns3::Ptr<ns3::NetDevice> device, ns3::Ipv4Address address, ns3::Ipv4Mask mask)
{
    const auto ipv4 = device->GetNode()->GetObject<ns3::Ipv4>();
    const uint32_t interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, ns3::Ipv4InterfaceAddress(address, mask));
    ipv4->SetUp(interface);
}

void
AssignAddresses(const Link& link, ns3::Ipv4Address network)
{
    const ns3::Ipv4Mask mask("/30");
    AssignAddress(link.left, ns3::Ipv4Address(network.Get() + 1), mask);
    AssignAddress(link.right, ns3::Ipv4Address(network.Get() + 2), mask);
}

void
AssignAddresses(const Link& link, ns3::Ipv6Address network)
{
    AssignAddress(link.left, AddressIn(network, 1));
    AssignAddress(link.right, AddressIn(network, 2));
}

ns3::Ipv6Address
AddressIn(ns3::Ipv6Address network, uint16_t host)
{
    std::array<uint8_t, 16> bytes{};
    network.GetBytes(bytes.data());
    bytes[14] = static_cast<uint8_t>(host >> 8);
    bytes[15] = static_cast<uint8_t>(host);
    return ns3::Ipv6Address(bytes.data());
}

void
AssignAddress(ns3::Ptr<ns3::NetDevice> device, ns3::Ipv6Address address)
{
    const auto ipv6 = device->GetNode()->GetObject<ns3::Ipv6>();
    const uint32_t interface = ipv6->AddInterface(device);
    // SetUp() adds the link-local address, so that it comes first.
    ipv6->SetUp(interface);
    ipv6->AddAddress(interface, ns3::Ipv6InterfaceAddress(address, ns3::Ipv6Prefix(64)));
}

void
SetDefaultRoute(ns3::Ptr<ns3::NetDevice> device)
{
    // A link with two ends needs no named next hop.
    if (device->GetNode()->GetObject<ns3::Ipv4>())
    {
        SetDefaultRoute(device, ns3::Ipv4Address::GetAny());
    }
    else
    {
        SetDefaultRoute(device, ns3::Ipv6Address::GetAny());
    }
}

void
SetDefaultRoute(ns3::Ptr<ns3::NetDevice> device, ns3::Ipv4Address gateway)
{
    const auto ipv4 = device->GetNode()->GetObject<ns3::Ipv4>();
    const auto routing = ns3::DynamicCast<ns3::Ipv4StaticRouting>(ipv4->GetRoutingProtocol());
    routing->SetDefaultRoute(gateway, static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device)));
}

void
SetDefaultRoute(ns3::Ptr<ns3::NetDevice> device, ns3::Ipv6Address gateway)
{
    const auto ipv6 = device->GetNode()->GetObject<ns3::Ipv6>();
    const auto routing = ns3::DynamicCast<ns3::Ipv6StaticRouting>(ipv6->GetRoutingProtocol());
    routing->SetDefaultRoute(gateway, static_cast<uint32_t>(ipv6->GetInterfaceForDevice(device)));
}

} // namespace tcpsweep

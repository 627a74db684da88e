// SPDX-License-Identifier: GPL-2.0-only
#include "link.h"

#include <ns3/drop-tail-queue.h>
#include <ns3/ipv4-interface-address.h>
#include <ns3/ipv4-static-routing.h>
#include <ns3/ipv4.h>
#include <ns3/mac48-address.h>

#include <limits>
#include <sstream>

namespace tcpsweep
{

namespace
{

/**
 * @param node the node
 * @param rate its device's rate
 * @return a device of the node
 */
ns3::Ptr<ns3::PointToPointNetDevice>
MakeDevice(ns3::Ptr<ns3::Node> node, ns3::DataRate rate)
{
    const auto device = ns3::CreateObject<ns3::PointToPointNetDevice>();
    device->SetAddress(ns3::Mac48Address::Allocate());
    device->SetDataRate(rate);
    device->SetQueue(MakeEndlessQueue());
    node->AddDevice(device);
    return device;
}

} // namespace

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

Link
Connect(ns3::Ptr<ns3::Node> left,
        ns3::Ptr<ns3::Node> right,
        ns3::Ptr<ns3::PointToPointChannel> channel,
        ns3::DataRate rate,
        ns3::Time delay)
{
    channel->SetAttribute("Delay", ns3::TimeValue(delay));
    const Link link{MakeDevice(left, rate), MakeDevice(right, rate)};
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

ns3::Ipv4Address
AddressOf(ns3::Ptr<ns3::Node> node)
{
    return node->GetObject<ns3::Ipv4>()->GetAddress(ONLY_LINK, 0).GetLocal();
}

std::string
Text(ns3::Ipv4Address address)
{
    std::ostringstream text;
    address.Print(text);
    return text.str();
}

void
SetDefaultRoute(ns3::Ptr<ns3::NetDevice> device)
{
    // On a link of two ends, none has to be named as the next.
    SetDefaultRoute(device, ns3::Ipv4Address::GetAny());
}

void
SetDefaultRoute(ns3::Ptr<ns3::NetDevice> device, ns3::Ipv4Address gateway)
{
    const auto ipv4 = device->GetNode()->GetObject<ns3::Ipv4>();
    const auto routing = ns3::DynamicCast<ns3::Ipv4StaticRouting>(ipv4->GetRoutingProtocol());
    routing->SetDefaultRoute(gateway, static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device)));
}

} // namespace tcpsweep

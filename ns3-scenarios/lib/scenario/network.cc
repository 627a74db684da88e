// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/network.h"

#include "network/link-channel.h"
#include "network/opportunity-device.h"
#include "network/streams.h"

#include <ns3/boolean.h>
#include <ns3/icmpv6-l4-protocol.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/ipv6-static-routing-helper.h>

#include <initializer_list>
#include <set>
#include <utility>

namespace tcpsweep
{

namespace
{

const ns3::Ipv4Address BOTTLENECK_NETWORK("10.0.0.0");
const ns3::Ipv6Address BOTTLENECK_NETWORK6("fd00::");

/**
 * @param way a direction of a link
 * @param node the node at its beginning
 * @return the node's device there
 */
ns3::Ptr<ns3::PointToPointNetDevice>
MakeDevice(const WayParameters& way, ns3::Ptr<ns3::Node> node)
{
    if (!way.change.trace)
    {
        return AddDevice(node, ns3::CreateObject<ns3::PointToPointNetDevice>(), way.bandwidth);
    }
    const auto device = ns3::CreateObject<OpportunityDevice>();
    AddDevice(node, device, way.bandwidth);
    device->SetTrace(way.change.trace);
    return device;
}

/**
 * @param parameters a link
 * @param link its devices
 * @return the channel between them
 */
ns3::Ptr<ns3::PointToPointChannel>
MakeChannel(const LinkParameters& parameters, const Link& link)
{
    ns3::Ptr<ns3::PointToPointChannel> channel = ns3::CreateObject<ns3::PointToPointChannel>();
    if (parameters.NeedsLinkChannel())
    {
        channel = ns3::CreateObject<LinkChannel>();
    }
    channel->SetAttribute("Delay", ns3::TimeValue(parameters.forward.delay));
    link.left->Attach(channel);
    link.right->Attach(channel);
    if (parameters.forward.delay != parameters.reverse.delay)
    {
        const auto own = ns3::DynamicCast<LinkChannel>(channel);
        own->SetDelay(link.left, parameters.forward.delay);
        own->SetDelay(link.right, parameters.reverse.delay);
    }
    return channel;
}

/**
 * @param parameters a direction of a link
 * @param way its devices
 * @return its queue
 */
TracedWay
InstallBuffer(const WayParameters& parameters, const Way& way)
{
    TracedWay made;
    if (parameters.buffer)
    {
        made.disc = parameters.buffer->Install(way.sender, way.number);
    }
    const auto installed = parameters.change.conditioner.Install(way.sender, made.disc);
    made.root = installed.root;
    made.conditions = installed.counts;
    return made;
}

/**
 * @param parameters a link
 * @param link its devices, which lose packets from then on
 * @param number its number
 */
void
InstallLosses(const LinkParameters& parameters, const Link& link, uint32_t number)
{
    if (!parameters.reverseLoss)
    {
        parameters.loss.Install(link, number);
        return;
    }
    auto there = parameters.loss;
    auto back = *parameters.reverseLoss;
    there.onAcks = false;
    back.onData = false;
    back.onAcks = true;
    there.Install(link, number);
    back.Install(link, number);
}

} // namespace

ns3::NodeContainer
Network::Hosts() const
{
    ns3::NodeContainer hosts;
    std::set<uint32_t> there;
    const auto add = [&](const std::vector<FlowEnds>& ends, auto end)
    {
        for (const auto& flow : ends)
        {
            if (there.insert((flow.*end)->GetId()).second)
            {
                hosts.Add(flow.*end);
            }
        }
    };
    add(flows, &FlowEnds::sender);
    add(flows, &FlowEnds::receiver);
    add(cbr, &FlowEnds::sender);
    add(cbr, &FlowEnds::receiver);
    return hosts;
}

std::map<uint32_t, std::size_t>
Network::CountUses() const
{
    std::map<uint32_t, std::size_t> uses;
    for (const auto* all : {&flows, &cbr})
    {
        for (const auto& flow : *all)
        {
            ++uses[flow.sender->GetId()];
            ++uses[flow.receiver->GetId()];
        }
    }
    for (const auto& [name, node] : nodes)
    {
        ++uses[node->GetId()];
    }
    return uses;
}

void
InstallStack(const ns3::NodeContainer& nodes, Ip ip)
{
    ns3::InternetStackHelper stack;
    stack.SetIpv4StackInstall(ip == Ip::V4);
    stack.SetIpv6StackInstall(ip == Ip::V6);
    // By default, ns-3 also uses a second routing protocol for every packet.
    stack.SetRoutingHelper(ns3::Ipv4StaticRoutingHelper());
    stack.SetRoutingHelper(ns3::Ipv6StaticRoutingHelper());
    stack.Install(nodes);
}

void
MakeRouter(ns3::Ptr<ns3::Node> node)
{
    const auto ipv6 = node->GetObject<ns3::Ipv6L3Protocol>();
    ipv6->SetAttribute("IpForward", ns3::BooleanValue(true));
    ipv6->SetAttribute("StrongEndSystemModel", ns3::BooleanValue(false));
    node->GetObject<ns3::Icmpv6L4Protocol>()->SetAttribute("DAD", ns3::BooleanValue(false));
}

TracedLink
MakeLink(const LinkParameters& parameters,
         ns3::Ptr<ns3::Node> left,
         ns3::Ptr<ns3::Node> right,
         uint32_t number,
         uint32_t& jitters)
{
    const Link link{MakeDevice(parameters.forward, left), MakeDevice(parameters.reverse, right)};
    link.left->SetMtu(static_cast<uint16_t>(parameters.mtuBytes));
    link.right->SetMtu(static_cast<uint16_t>(parameters.mtuBytes));
    const auto ways = {std::pair(&parameters.forward, Forth(link, number)),
                       std::pair(&parameters.reverse, Back(link, number))};
    const auto channel = MakeChannel(parameters, link);
    for (const auto& [way, there] : ways)
    {
        if (way->jitter.IsStrictlyPositive())
        {
            ns3::DynamicCast<LinkChannel>(channel)->SetJitter(
                there.sender,
                way->jitter,
                StreamOf(Draw::PACKET_JITTER, jitters++));
        }
    }
    TracedLink made{parameters, link};
    made.forward = InstallBuffer(parameters.forward, Forth(link, number));
    made.reverse = InstallBuffer(parameters.reverse, Back(link, number));
    InstallLosses(parameters, link, number);
    for (const auto& [way, there] : ways)
    {
        if (way->change.gilbertElliott.IsOn())
        {
            way->change.gilbertElliott.Install(there);
        }
        if (way->change.reordering.IsOn())
        {
            way->change.reordering.Install(there);
        }
    }
    // If both directions have the same schedule, use one event for both.
    if (parameters.sameSchedule)
    {
        parameters.forward.change.schedule.Install({Forth(link, number), Back(link, number)});
    }
    else
    {
        parameters.forward.change.schedule.Install({Forth(link, number)});
        parameters.reverse.change.schedule.Install({Back(link, number)});
    }
    return made;
}

Network
ConnectBottleneck(const ScenarioParameters& p, ns3::Ptr<ns3::Node> left, ns3::Ptr<ns3::Node> right)
{
    Network network;
    uint32_t jitters = 0;
    auto bottleneck = MakeLink(p.Bottleneck(), left, right, 0, jitters);
    bottleneck.forward.isCrossed = true;
    bottleneck.reverse.isCrossed = p.flows.back().direction == Direction::REVERSE;
    const Link& link = bottleneck.link;
    if (p.ip == Ip::V4)
    {
        AssignAddresses(link, BOTTLENECK_NETWORK);
    }
    else
    {
        MakeRouter(left);
        MakeRouter(right);
        AssignAddresses(link, BOTTLENECK_NETWORK6);
    }
    network.links = {bottleneck};
    network.interfaces = {{BOTTLENECK_LEFT, link.left}, {BOTTLENECK_RIGHT, link.right}};
    return network;
}

} // namespace tcpsweep

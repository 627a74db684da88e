// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/network.h"

#include "network/jitter-channel.h"
#include "network/streams.h"

#include <ns3/boolean.h>
#include <ns3/icmpv6-l4-protocol.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/ipv6-static-routing-helper.h>

#include <algorithm>
#include <set>

namespace tcpsweep
{

namespace
{

const ns3::Ipv4Address BOTTLENECK_NETWORK("10.0.0.0");
const ns3::Ipv6Address BOTTLENECK_NETWORK6("fd00::");

/**
 * Make a node an IPv6 router, before it has addresses. It neither checks that these are unique nor
 * looks for other routers, so that the bottleneck carries only the flows' packets.
 *
 * @param node the node
 */
void
MakeRouter(ns3::Ptr<ns3::Node> node)
{
    node->GetObject<ns3::Ipv6L3Protocol>()->SetAttribute("IpForward", ns3::BooleanValue(true));
    node->GetObject<ns3::Icmpv6L4Protocol>()->SetAttribute("DAD", ns3::BooleanValue(false));
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

std::size_t
Network::CountFlowsAt(ns3::Ptr<ns3::Node> node) const
{
    const auto isThere = [&node](const FlowEnds& flow)
    {
        return flow.sender == node || flow.receiver == node;
    };
    const auto count = std::count_if(flows.begin(), flows.end(), isThere) +
                       std::count_if(cbr.begin(), cbr.end(), isThere);
    return static_cast<std::size_t>(count);
}

void
InstallStack(const ns3::NodeContainer& nodes, Ip ip)
{
    ns3::InternetStackHelper stack;
    stack.SetIpv4StackInstall(ip == Ip::V4);
    stack.SetIpv6StackInstall(ip == Ip::V6);
    // By default, ns-3 asks a second routing protocol too, for every packet.
    stack.SetRoutingHelper(ns3::Ipv4StaticRoutingHelper());
    stack.SetRoutingHelper(ns3::Ipv6StaticRoutingHelper());
    stack.Install(nodes);
}

TracedLink
MakeLink(const LinkParameters& parameters,
         ns3::Ptr<ns3::Node> left,
         ns3::Ptr<ns3::Node> right,
         uint32_t number,
         uint32_t& jitters)
{
    const auto channel = ns3::CreateObject<JitterChannel>();
    const Link link =
        Connect(left, right, channel, parameters.forward.bandwidth, parameters.delay);
    link.right->SetDataRate(parameters.reverse.bandwidth);
    const auto install = [number](const WayParameters& way, const auto& device, uint32_t direction)
    {
        return way.buffer ? way.buffer->Install(device, 2 * number + direction) : nullptr;
    };
    const TracedLink made{parameters,
                          link,
                          install(parameters.forward, link.left, 0),
                          install(parameters.reverse, link.right, 1)};
    const auto jitter = [&](const WayParameters& way, const auto& device)
    {
        if (way.jitter.IsStrictlyPositive())
        {
            channel->SetJitter(device, way.jitter, StreamOf(Draw::PACKET_JITTER, jitters++));
        }
    };
    jitter(parameters.forward, link.left);
    jitter(parameters.reverse, link.right);
    parameters.loss.Install(link, number);
    parameters.step.Schedule(link);
    return made;
}

Network
ConnectBottleneck(const ScenarioParameters& p, ns3::Ptr<ns3::Node> left, ns3::Ptr<ns3::Node> right)
{
    Network network;
    uint32_t jitters = 0;
    auto bottleneck = MakeLink(p.Bottleneck(), left, right, 0, jitters);
    bottleneck.forward = true;
    bottleneck.reverse = p.flows.back().direction == Direction::REVERSE;
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

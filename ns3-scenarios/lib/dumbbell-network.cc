// SPDX-License-Identifier: GPL-2.0-only
#include "dumbbell-network.h"

#include "jitter-channel.h"
#include "streams.h"

#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-static-routing-helper.h>

#include <string>
#include <utility>

namespace tcpsweep
{

namespace
{

const ns3::Ipv4Address BOTTLENECK_NETWORK("10.0.0.0");
const ns3::Ipv4Address LEFT_NETWORK("10.1.0.0");
const ns3::Ipv4Address RIGHT_NETWORK("10.2.0.0");
constexpr uint32_t ADDRESSES_PER_LINK = 4;

/**
 * Give a host and its router addresses on their link, and routes to each other.
 *
 * @param link the link, the router on the left
 * @param subnet its network
 * @param routing the router's routing
 */
void
AddHost(const Link& link, ns3::Ipv4Address subnet, SubnetRouting& routing)
{
    AssignAddresses(link, subnet);
    SetDefaultRoute(link.right);
    routing.AddSubnet(subnet, link.left);
}

/// A sender and its receiver.
struct Pair
{
    ns3::Ptr<ns3::Node> sender;   //!< who sends
    ns3::Ptr<ns3::Node> receiver; //!< who receives
    std::string prefix;           //!< what the interfaces' labels begin with
    std::string number;           //!< what they end with
};

/**
 * Connect a sender and its receiver with the routers.
 *
 * @param network the network, its bottleneck there; receives the interfaces
 * @param pair the nodes
 * @param i the number of the pair among all pairs
 * @param flow the flow that has the access links, or whose they are like
 * @param jitter the longest that a packet leaves the sender later
 */
void
AddAccessLinks(DumbbellNetwork& network,
               const Pair& pair,
               uint32_t i,
               const FlowParameters& flow,
               ns3::Time jitter)
{
    const bool forward = flow.direction == Direction::FORWARD;
    const auto left = network.routers.Get(0);
    const auto right = network.routers.Get(1);
    const auto channel = ns3::CreateObject<JitterChannel>();
    const Link sending = Connect(forward ? left : right,
                                 pair.sender,
                                 channel,
                                 flow.accessBandwidth,
                                 flow.accessDelay);
    if (jitter.IsStrictlyPositive())
    {
        channel->SetJitter(sending.right, jitter, StreamOf(Draw::PACKET_JITTER, i));
    }
    const Link receiving = Connect(forward ? right : left,
                                   pair.receiver,
                                   ns3::CreateObject<ns3::PointToPointChannel>(),
                                   flow.accessBandwidth,
                                   flow.accessDelay);
    const uint32_t offset = i * ADDRESSES_PER_LINK;
    const ns3::Ipv4Address leftSubnet(LEFT_NETWORK.Get() + offset);
    const ns3::Ipv4Address rightSubnet(RIGHT_NETWORK.Get() + offset);
    AddHost(forward ? sending : receiving, leftSubnet, *network.leftRouting);
    AddHost(forward ? receiving : sending, rightSubnet, *network.rightRouting);
    const std::string sender = pair.prefix + "sender" + pair.number;
    const std::string receiver = pair.prefix + "receiver" + pair.number;
    const std::vector<std::string> routers = {"left-to-", "right-to-"};
    network.interfaces.push_back({sender, sending.right});
    network.interfaces.push_back({routers[forward ? 0 : 1] + sender, sending.left});
    network.interfaces.push_back({receiver, receiving.right});
    network.interfaces.push_back({routers[forward ? 1 : 0] + receiver, receiving.left});
}

} // namespace

DumbbellNetwork
BuildNetwork(const DumbbellParameters& p)
{
    const auto count = static_cast<uint32_t>(p.flows.size());
    DumbbellNetwork network;
    network.routers.Create(2);
    const auto& routers = network.routers;
    network.senders.Create(count);
    network.receivers.Create(count);
    network.cbrSenders.Create(p.cbr.count);
    network.cbrReceivers.Create(p.cbr.count);

    ns3::InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    // ns-3's default asks a second routing protocol too, for every packet.
    stack.SetRoutingHelper(ns3::Ipv4StaticRoutingHelper());
    stack.Install(ns3::NodeContainer(routers, network.senders, network.receivers));
    stack.Install(ns3::NodeContainer(network.cbrSenders, network.cbrReceivers));

    network.bottleneck = Connect(routers.Get(0),
                                 routers.Get(1),
                                 ns3::CreateObject<ns3::PointToPointChannel>(),
                                 p.bandwidth,
                                 p.delay);
    const Link& bottleneck = network.bottleneck;
    network.disc = p.buffer.Install(bottleneck.left, StreamOf(Draw::QUEUE_DISC, 0));
    network.reverseDisc = p.buffer.Install(bottleneck.right, StreamOf(Draw::QUEUE_DISC, 1));
    AssignAddresses(bottleneck, BOTTLENECK_NETWORK);
    network.leftRouting = SubnetRouting::Install(routers.Get(0));
    network.leftRouting->SetDefault(bottleneck.left);
    network.rightRouting = SubnetRouting::Install(routers.Get(1));
    network.rightRouting->SetDefault(bottleneck.right);
    if (p.loss.probability > 0 && p.loss.onData)
    {
        p.loss.Install(bottleneck.right, StreamOf(Draw::DATA_LOSS, 0));
    }
    if (p.loss.probability > 0 && p.loss.onAcks)
    {
        p.loss.Install(bottleneck.left, StreamOf(Draw::ACK_LOSS, 0));
    }
    p.step.Schedule(bottleneck);
    network.interfaces = {{"bottleneck-left", bottleneck.left},
                          {"bottleneck-right", bottleneck.right}};
    for (uint32_t i = 0; i < count; ++i)
    {
        AddAccessLinks(network,
                       {network.senders.Get(i), network.receivers.Get(i), "", std::to_string(i)},
                       i,
                       p.flows[i],
                       p.packetJitter);
    }
    for (uint32_t i = 0; i < p.cbr.count; ++i)
    {
        auto like = p.flows[i % count];
        like.direction = Direction::FORWARD;
        AddAccessLinks(
            network,
            {network.cbrSenders.Get(i), network.cbrReceivers.Get(i), "cbr-", std::to_string(i)},
            count + i,
            like,
            p.packetJitter);
    }
    return network;
}

} // namespace tcpsweep

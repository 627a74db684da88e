// SPDX-License-Identifier: GPL-2.0-only
#include "network/jitter-channel.h"
#include "network/streams.h"
#include "network/subnet-routing.h"
#include "scenario/scenario.h"

#include <algorithm>
#include <string>
#include <utility>

/**
 * @file
 * Flows that share one link, each with a sender and a receiver of its own. Reverse flows have their
 * senders on the right and their receivers on the left:
 *
 *     sender 0 ──┐                                      ┌── receiver 0
 *                ├── left router ══════ right router ───┤
 *     sender n ──┘            bottleneck                └── receiver n
 */

namespace tcpsweep
{

namespace
{

const ns3::Ipv4Address LEFT_NETWORK("10.1.0.0");
const ns3::Ipv4Address RIGHT_NETWORK("10.2.0.0");
constexpr uint32_t ADDRESSES_PER_LINK = 4;
constexpr double ROW = 20;

/// The routers of a dumbbell.
struct Routers
{
    ns3::NodeContainer nodes;      //!< the left one, the right one
    ns3::Ptr<SubnetRouting> left;  //!< the left one's routing
    ns3::Ptr<SubnetRouting> right; //!< the right one's
};

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

/**
 * Add a flow's hosts with their access links to a dumbbell.
 *
 * @param network the network; receives interfaces and places
 * @param routers its routers
 * @param i the flow's number among all flows, with those of a constant bit rate after the others
 * @param prefix beginning of the hosts' names
 * @param number end of the names
 * @param flow the flow whose access links these are, or the like
 * @param jitter the longest random delay of a packet at the sender
 * @return where the flow begins and ends
 */
FlowEnds
AddHosts(Network& network,
         const Routers& routers,
         uint32_t i,
         const std::string& prefix,
         const std::string& number,
         const FlowParameters& flow,
         ns3::Time jitter)
{
    const bool forward = flow.direction == Direction::FORWARD;
    const FlowEnds ends{ns3::CreateObject<ns3::Node>(),
                        ns3::CreateObject<ns3::Node>(),
                        prefix + "sender" + number,
                        prefix + "receiver" + number,
                        flow.senderAccess,
                        flow.receiverAccess};
    InstallStack(ns3::NodeContainer(ends.sender, ends.receiver));
    const auto left = routers.nodes.Get(0);
    const auto right = routers.nodes.Get(1);
    const auto channel = ns3::CreateObject<JitterChannel>();
    const Link sending = Connect(forward ? left : right,
                                 ends.sender,
                                 channel,
                                 flow.senderAccess.bandwidth,
                                 flow.senderAccess.delay);
    if (jitter.IsStrictlyPositive())
    {
        channel->SetJitter(sending.right, jitter, StreamOf(Draw::PACKET_JITTER, i));
    }
    const Link receiving = Connect(forward ? right : left,
                                   ends.receiver,
                                   ns3::CreateObject<ns3::PointToPointChannel>(),
                                   flow.receiverAccess.bandwidth,
                                   flow.receiverAccess.delay);
    const uint32_t offset = i * ADDRESSES_PER_LINK;
    const ns3::Ipv4Address leftSubnet(LEFT_NETWORK.Get() + offset);
    const ns3::Ipv4Address rightSubnet(RIGHT_NETWORK.Get() + offset);
    AddHost(forward ? sending : receiving, leftSubnet, *routers.left);
    AddHost(forward ? receiving : sending, rightSubnet, *routers.right);
    const std::string senders = forward ? "left-to-" : "right-to-";
    const std::string receivers = forward ? "right-to-" : "left-to-";
    network.interfaces.push_back({ends.senderInterface, sending.right});
    network.interfaces.push_back({senders + ends.senderInterface, sending.left});
    network.interfaces.push_back({ends.receiverInterface, receiving.right});
    network.interfaces.push_back({receivers + ends.receiverInterface, receiving.left});
    const std::string kind = prefix.empty() ? "" : "CBR ";
    const double x = forward ? 0 : 3 * COLUMN;
    network.places.push_back({ends.sender, kind + "sender " + number, x, i * ROW});
    network.places.push_back({ends.receiver, kind + "receiver " + number, 3 * COLUMN - x, i * ROW});
    return ends;
}

/**
 * @param p the parameters
 * @return the network
 */
Network
Build(const ScenarioParameters& p, const Options&)
{
    Routers routers;
    routers.nodes.Create(2);
    InstallStack(routers.nodes);
    auto network = ConnectBottleneck(p, routers.nodes.Get(0), routers.nodes.Get(1));
    routers.left = SubnetRouting::Install(routers.nodes.Get(0));
    routers.left->SetDefault(network.bottleneck.left);
    routers.right = SubnetRouting::Install(routers.nodes.Get(1));
    routers.right->SetDefault(network.bottleneck.right);
    const auto count = static_cast<uint32_t>(p.flows.size());
    const double middle = ROW * (count + p.cbr.count - 1) / 2;
    network.places = {{routers.nodes.Get(0), "left router", COLUMN, middle},
                      {routers.nodes.Get(1), "right router", 2 * COLUMN, middle}};
    for (uint32_t i = 0; i < count; ++i)
    {
        network.flows.push_back(
            AddHosts(network, routers, i, "", std::to_string(i), p.flows[i], p.packetJitter));
    }
    for (uint32_t i = 0; i < p.cbr.count; ++i)
    {
        auto like = p.flows[i % count];
        like.direction = Direction::FORWARD;
        network.cbr.push_back(
            AddHosts(network, routers, count + i, "cbr-", std::to_string(i), like, p.packetJitter));
    }
    return network;
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    return tcpsweep::RunScenario({"dumbbell", 2, {}, tcpsweep::Build}, argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_NETWORK_H
#define TCPSWEEP_NETWORK_H

#include "network/flow-ends.h"
#include "network/interface.h"
#include "network/internet.h"
#include "network/link.h"
#include "output/json.h"
#include "scenario/scenario-parameters.h"
#include "traces/animation.h"

#include <ns3/node-container.h>
#include <ns3/queue-disc.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A direction of a link whose packets may queue and drop.
struct TracedWay
{
    ns3::Ptr<ns3::QueueDisc> root = {}; //!< the disc that has its packets; nullptr if there is none
    ns3::Ptr<ns3::QueueDisc> disc =
        {}; //!< the requested queue disc, which may be the child of the root disc
    std::shared_ptr<const Conditions::Counts> conditions = {}; //!< of its policer and ACK filter
    bool isCrossed{false};                                     //!< whether flows' data cross it
};

/// A link whose packets may queue and drop.
struct TracedLink
{
    LinkParameters parameters; //!< its parameters
    Link link;                 //!< its devices
    TracedWay forward = {};    //!< from left to right
    TracedWay reverse = {};    //!< from right to left
};

/// A network, ready for flows.
struct Network
{
    std::vector<TracedLink> links;        //!< the links that are traced, the bottleneck alone if
                                          //!< there is one
    std::vector<FlowEnds> flows;          //!< the ends of each flow
    std::vector<FlowEnds> cbr;            //!< the ends of each flow of a constant bit rate
    std::vector<Interface> interfaces;    //!< all interfaces, traced links' first
    std::vector<Animation::Place> places; //!< where each node is drawn
    std::map<std::string, ns3::Ptr<ns3::Node>> nodes; //!< the nodes of its traffic, by name
    std::vector<std::string> nodeNames; //!< of all its nodes by their id, if it has traffic
    /// Returns the path with the least delay from one of these nodes to another; nothing if a link
    /// follows a trace, whose opportunities are irregular.
    std::function<std::optional<std::vector<LeastStep>>(const std::string&, const std::string&)>
        leastWay;
    /// Writes, as a value, the positions of a wireless network's nodes and the nodes that they
    /// hear; empty for wired networks.
    std::function<void(JsonWriter&)> writeNodes;

    /// @return the nodes that flows begin and end at, each once
    ns3::NodeContainer Hosts() const;

    /// @return the number of flows that begin or end at each node, by its id; traffic counts as one
    std::map<uint32_t, std::size_t> CountUses() const;
};

/// The labels of a bottleneck's interfaces.
constexpr auto BOTTLENECK_LEFT = "bottleneck-left";
constexpr auto BOTTLENECK_RIGHT = "bottleneck-right";

/// Distance between columns of nodes in the animation.
constexpr double COLUMN = 100;

/**
 * @param nodes the nodes that get TCP, UDP and IP, with ns-3's static routing
 * @param ip which IP
 */
void InstallStack(const ns3::NodeContainer& nodes, Ip ip = Ip::V4);

/**
 * Make a node an IPv6 router, before it has addresses. It neither checks that addresses are unique
 * nor looks for other routers, so that links carry only the flows' packets. A packet for any of its
 * addresses may arrive over any of its links, as in IPv4.
 *
 * @param node the node
 */
void MakeRouter(ns3::Ptr<ns3::Node> node);

/**
 * Make a link: devices, buffers, losses, changes, and no addresses.
 *
 * @param parameters its parameters
 * @param left its left end, which has an Internet stack
 * @param right its right end, which has an Internet stack
 * @param number its number, from 0; each link has its own random streams
 * @param[in,out] jitters the number of directions with jitter so far
 * @return the link; the flows that cross it are not known yet
 */
TracedLink MakeLink(const LinkParameters& parameters,
                    ns3::Ptr<ns3::Node> left,
                    ns3::Ptr<ns3::Node> right,
                    uint32_t number,
                    uint32_t& jitters);

/**
 * Begin a network with the flows' shared link: its buffers, losses, step and addresses.
 *
 * @param p the parameters
 * @param left its left end, which has an Internet stack
 * @param right its right end, which has an Internet stack
 * @return the network, still without flows and positions
 */
Network
ConnectBottleneck(const ScenarioParameters& p, ns3::Ptr<ns3::Node> left, ns3::Ptr<ns3::Node> right);

} // namespace tcpsweep

#endif // TCPSWEEP_NETWORK_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_WIRED_NETWORK_H
#define TCPSWEEP_WIRED_NETWORK_H

#include "network/graph.h"
#include "network/link-parameters.h"
#include "scenario/network.h"

#include <string>
#include <vector>

namespace tcpsweep
{

/// Where packets go, by the nodes' names.
struct Journey
{
    std::string from; //!< where they begin
    std::string to;   //!< where they end
    Route route = {}; //!< their way, if it is not the shortest
};

/// Nodes between which packets go in any pair.
struct Exchange
{
    std::vector<std::string> from; //!< where data begin
    std::vector<std::string> to;   //!< where they end
};

/// A network of point-to-point links, before it is built.
struct WiredNetwork
{
    std::vector<LinkParameters> links;  //!< the links; nodes are what they are between
    std::vector<Journey> flows = {};    //!< the flows
    std::vector<Journey> cbr = {};      //!< the flows of a constant bit rate
    std::vector<Exchange> traffic = {}; //!< what other traffic there is
    bool ecmp{false};                   //!< whether flows take all shortest ways, by a hash
};

/// A spot of the animation.
struct Spot
{
    std::string node;  //!< the node's name
    std::string label; //!< the text beside it
    double x;          //!< to the right
    double y;          //!< downwards
};

/**
 * Build a network.
 *
 * Links that queue are numbered from 10.0.0.0 on, four addresses each. Those of the other links of
 * a node, which are the links to its hosts, are from 10.1.0.0 on for the first such node, from
 * 10.2.0.0 on for the second.
 *
 * @param wired what it is
 * @param spots where nodes are drawn; empty for on a circle
 * @return the network
 */
Network BuildWired(const WiredNetwork& wired, const std::vector<Spot>& spots);

} // namespace tcpsweep

#endif // TCPSWEEP_WIRED_NETWORK_H

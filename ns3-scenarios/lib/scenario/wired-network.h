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

/// The ends of a flow, by the nodes' names.
struct Journey
{
    std::string from; //!< the source
    std::string to;   //!< the destination
    Route route = {}; //!< their way, if it is not the shortest
};

/// Nodes that exchange packets in any pair.
struct Exchange
{
    std::vector<std::string> from; //!< the sources of data
    std::vector<std::string> to;   //!< the destinations of data
};

/// A network of point-to-point links, before it is built.
struct WiredNetwork
{
    std::vector<LinkParameters> links;  //!< the links, which define the nodes
    Ip ip;                              //!< the version of IP that the nodes speak
    std::vector<Journey> flows = {};    //!< the flows
    std::vector<Journey> cbr = {};      //!< the flows of a constant bit rate
    std::vector<Exchange> traffic = {}; //!< other traffic
    bool ecmp{false};                   //!< whether a hash spreads flows over all shortest paths
};

/// A position in the animation.
struct Spot
{
    std::string node;  //!< the node's name
    std::string label; //!< the text next to it
    double x;          //!< to the right
    double y;          //!< downwards
};

/**
 * Build a network.
 *
 * Links with queues have addresses from 10.0.0.0 on, four each. The other links of a node, which
 * lead to its hosts, have addresses from 10.1.0.0 on for the first such node, and from 10.2.0.0 on
 * for the second. In IPv6, each link has the network of NetworkOfNumber().
 *
 * @param wired the network's description
 * @param spots the positions of nodes in the animation; empty for a circle
 * @return the network
 */
Network BuildWired(const WiredNetwork& wired, const std::vector<Spot>& spots);

} // namespace tcpsweep

#endif // TCPSWEEP_WIRED_NETWORK_H

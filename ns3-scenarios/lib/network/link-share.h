// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINK_SHARE_H
#define TCPSWEEP_LINK_SHARE_H

#include "network/graph.h"

#include <cstddef>
#include <vector>

namespace tcpsweep
{

/// The shares of packets that cross a link, from its first node to its second, and back.
struct LinkShare
{
    double forward; //!< from its first node to its second
    double reverse; //!< from its second node to its first
};

/**
 * Compute the shares of packets that cross a link. Each packet begins at a random source, and ends
 * at a random destination other than its source.
 *
 * @param graph the network
 * @param from the sources
 * @param to the destinations
 * @param link the link's number
 * @param ecmp whether they take all paths with the fewest links, with equal probabilities at each
 * step, instead of only the shortest path
 * @return the expected shares of all packets
 */
LinkShare ShareOver(const Graph& graph,
                    const std::vector<std::size_t>& from,
                    const std::vector<std::size_t>& to,
                    std::size_t link,
                    bool ecmp);

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_SHARE_H

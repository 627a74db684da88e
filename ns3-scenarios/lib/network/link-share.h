// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINK_SHARE_H
#define TCPSWEEP_LINK_SHARE_H

#include "network/graph.h"

#include <cstddef>
#include <vector>

namespace tcpsweep
{

/// Which share of some packets crosses a link, from its first node to its second and back.
struct LinkShare
{
    double forward; //!< from its first node to its second
    double reverse; //!< from its second node to its first
};

/**
 * What crosses a link of packets from any of some nodes to any other of some: each begins at a
 * random one, and ends at a random one of those that are others.
 *
 * @param graph the network
 * @param from the nodes where they begin
 * @param to the nodes where they end
 * @param link the link's number
 * @param ecmp whether they take all ways of the fewest links, each step with equal chances, and not
 * only the first's
 * @return the expected shares of all packets
 */
LinkShare ShareOver(const Graph& graph,
                    const std::vector<std::size_t>& from,
                    const std::vector<std::size_t>& to,
                    std::size_t link,
                    bool ecmp);

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_SHARE_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINK_USE_H
#define TCPSWEEP_LINK_USE_H

#include "flows/flow-parameters.h"
#include "network/graph.h"
#include "network/link-parameters.h"
#include "scenario/scenario-parameters.h"

#include <ns3/nstime.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tcpsweep
{

/// The flows over each link of a network: their longest base round trip, and whether any uses
/// DCTCP.
class LinkUse
{
  public:
    /**
     * @param graph the network, which lives longer than this object
     * @param links its links
     * @param ecmp whether packets take all paths with the fewest links
     */
    LinkUse(const Graph& graph, const std::vector<LinkParameters>& links, bool ecmp);

    /// @param flow a flow, whose route is known
    void Add(const FlowParameters& flow);

    /// @param group traffic: from each of its nodes to each of the others
    void Add(const TrafficGroup& group);

    /// Count all other paths of packets, with the round trip of the first path.
    void AddOtherWays();

    /**
     * @param link the number of a link
     * @return the longest base round trip over it; zero if no flow crosses it
     */
    ns3::Time
    RoundTrip(std::size_t link) const
    {
        return ns3::NanoSeconds(m_longest[link]);
    }

    /**
     * @param link the number of a link
     * @return whether flows with DCTCP cross it
     */
    bool
    HasDctcp(std::size_t link) const
    {
        return m_hasDctcp[link];
    }

  private:
    /// Flows between the same two nodes that have several links.
    struct Pair
    {
        int64_t longest{0};   //!< their longest base round trip, in ns
        bool hasDctcp{false}; //!< whether DCTCP is among them
    };

    /**
     * @param link the number of a link
     * @param roundTrip a base round trip over it, in ns
     * @param isDctcp whether it belongs to DCTCP
     */
    void Note(std::size_t link, int64_t roundTrip, bool isDctcp);

    /**
     * @param from where a flow begins
     * @param to where it ends
     * @param roundTrip its base round trip, in ns
     * @param isDctcp whether it is DCTCP
     */
    void NotePair(std::size_t from, std::size_t to, int64_t roundTrip, bool isDctcp);

    const Graph& m_graph;                                        //!< as given
    bool m_ecmp;                                                 //!< as given
    std::vector<int64_t> m_lengths;                              //!< each link's round trip, in ns
    std::vector<int64_t> m_longest;                              //!< by link, in ns
    std::vector<bool> m_hasDctcp;                                //!< by link
    std::map<std::pair<std::size_t, std::size_t>, Pair> m_pairs; //!< by routers, with ECMP
};

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_USE_H

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

/// The flows over each link of a network: their longest base round trip, their largest segment, and
/// whether any uses DCTCP.
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
        return ns3::NanoSeconds(m_uses[link].roundTrip);
    }

    /**
     * @param link the number of a link
     * @return payload of the largest segment that crosses it; 0 if no flow crosses it
     */
    uint32_t
    SegmentBytes(std::size_t link) const
    {
        return m_uses[link].segmentBytes;
    }

    /**
     * @param link the number of a link
     * @return whether flows with DCTCP cross it
     */
    bool
    HasDctcp(std::size_t link) const
    {
        return m_uses[link].hasDctcp;
    }

  private:
    /// The properties of one flow, or of several together.
    struct Use
    {
        int64_t roundTrip{0};     //!< the longest base round trip, in ns
        uint32_t segmentBytes{0}; //!< payload of the largest segment
        bool hasDctcp{false};     //!< whether DCTCP is among them

        /// @param other the properties of more flows
        void Add(const Use& other);
    };

    /**
     * @param from where a flow begins
     * @param to where it ends
     * @param use its properties
     */
    void AddPair(std::size_t from, std::size_t to, const Use& use);

    const Graph& m_graph;                                       //!< as given
    bool m_ecmp;                                                //!< as given
    std::vector<int64_t> m_lengths;                             //!< each link's round trip, in ns
    std::vector<Use> m_uses;                                    //!< by link
    std::map<std::pair<std::size_t, std::size_t>, Use> m_pairs; //!< by routers, with ECMP
};

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_USE_H

// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/path-mtu.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tcpsweep
{

namespace
{

/// The smallest MTUs on paths of a network.
class PathMtus
{
  public:
    /**
     * @param graph the network
     * @param links its links
     * @param ecmp whether packets take all paths with the fewest links
     */
    PathMtus(const Graph& graph, const std::vector<LinkParameters>& links, bool ecmp)
        : m_graph(graph),
          m_links(links),
          m_ecmp(ecmp)
    {
        const auto isLess = [](const auto& a, const auto& b)
        {
            return a.mtuBytes < b.mtuBytes;
        };
        const auto [least, most] = std::minmax_element(links.begin(), links.end(), isLess);
        m_least = least->mtuBytes;
        m_differ = least->mtuBytes < most->mtuBytes;
    }

    /**
     * @param steps steps of one path or several
     * @return the smallest MTU on them
     */
    uint32_t
    Of(const std::vector<Hop>& steps) const
    {
        uint32_t mtu = m_links[steps.front().link].mtuBytes;
        for (const auto& step : steps)
        {
            mtu = std::min(mtu, m_links[step.link].mtuBytes);
        }
        return mtu;
    }

    /**
     * @param from the names of nodes
     * @param to the names of others
     * @return the smallest MTU on the paths from the first to the others
     */
    uint32_t
    Between(const std::vector<std::string>& from, const std::vector<std::string>& to)
    {
        // Most networks have one MTU, and traffic may have a million pairs of nodes.
        uint32_t mtu = m_differ ? UINT32_MAX : m_least;
        for (auto end = to.begin(); m_differ && end != to.end(); ++end)
        {
            const auto node = m_graph.NodeOf(*end);
            const auto router = m_graph.RouterOf(node);
            const auto [next, isNew] = m_next.try_emplace(router);
            if (isNew)
            {
                next->second = m_graph.Towards(router, m_ecmp);
            }
            for (const auto& begin : from)
            {
                if (begin != *end)
                {
                    mtu = std::min(mtu,
                                   Of(m_graph.AllSteps(m_graph.NodeOf(begin), node, next->second)));
                }
            }
        }
        return mtu;
    }

  private:
    const Graph& m_graph;                       //!< as given
    const std::vector<LinkParameters>& m_links; //!< as given
    bool m_ecmp;                                //!< as given
    uint32_t m_least;                           //!< the smallest MTU of all links
    bool m_differ;                              //!< whether links have several
    std::map<std::size_t, NextHops> m_next;     //!< next steps to each router
};

} // namespace

void
FitSegments(const Graph& graph, ScenarioParameters& p)
{
    PathMtus mtus(graph, p.links, p.ecmp);
    for (auto& flow : p.flows)
    {
        flow.segmentBytes = p.SegmentBytes(flow.hasOwnRoute ? mtus.Of(flow.route)
                                                            : mtus.Between({flow.from}, {flow.to}));
    }
    for (auto& group : p.traffic)
    {
        group.mtuBytes =
            std::min(mtus.Between(group.from, group.to), mtus.Between(group.to, group.from));
        group.segmentBytes = p.SegmentBytes(group.mtuBytes);
    }
}

} // namespace tcpsweep

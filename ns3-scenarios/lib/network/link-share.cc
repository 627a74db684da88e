// SPDX-License-Identifier: GPL-2.0-only
#include "network/link-share.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tcpsweep
{

namespace
{

/// The shares of packets from each node to one node that cross a link, found once for each node.
class SharesTowards
{
  public:
    /**
     * @param graph the network
     * @param to the packets' destination
     * @param next the result of Graph::Towards() for its router
     * @param link the link's number
     */
    SharesTowards(const Graph& graph, std::size_t to, const NextHops& next, std::size_t link)
        : m_graph(graph),
          m_to(to),
          m_next(next),
          m_link(link),
          m_known(graph.Nodes().size())
    {
        m_known[to] = LinkShare{0, 0};
    }

    /**
     * @param from the packets' source
     * @return their shares
     */
    LinkShare
    From(std::size_t from)
    {
        // A stack instead of recursion, because paths may be too long for it: a node waits below
        // the next nodes whose shares are not known yet.
        std::vector<std::size_t> waiting = {from};
        while (!waiting.empty())
        {
            const auto node = waiting.back();
            const auto steps = m_graph.StepsTo(node, m_to, m_next);
            const auto unknown =
                std::find_if(steps.begin(),
                             steps.end(),
                             [this](const Hop& step) { return !m_known[m_graph.EndOf(step)]; });
            if (unknown != steps.end())
            {
                waiting.push_back(m_graph.EndOf(*unknown));
                continue;
            }
            m_known[node] = Mean(steps);
            waiting.pop_back();
        }
        return *m_known[from];
    }

  private:
    /**
     * @param steps the next steps from a node, whose ends are known
     * @return the shares of packets that take one of them
     */
    LinkShare
    Mean(const std::vector<Hop>& steps) const
    {
        LinkShare found{0, 0};
        for (const auto& step : steps)
        {
            const auto& beyond = *m_known[m_graph.EndOf(step)];
            const bool crosses = step.link == m_link;
            found.forward += beyond.forward + (crosses && step.forward ? 1 : 0);
            found.reverse += beyond.reverse + (crosses && !step.forward ? 1 : 0);
        }
        const auto number = static_cast<double>(std::max<std::size_t>(1, steps.size()));
        return {found.forward / number, found.reverse / number};
    }

    const Graph& m_graph;                          //!< the network
    std::size_t m_to;                              //!< where packets end
    const NextHops& m_next;                        //!< the next steps towards its router
    std::size_t m_link;                            //!< the link's number
    std::vector<std::optional<LinkShare>> m_known; //!< the shares from each node
};

} // namespace

LinkShare
ShareOver(const Graph& graph,
          const std::vector<std::size_t>& from,
          const std::vector<std::size_t>& to,
          std::size_t link,
          bool ecmp)
{
    std::map<std::size_t, NextHops> towards; // by router, because many hosts share a router
    std::map<std::size_t, std::size_t> ends;
    for (const auto end : to)
    {
        ++ends[end];
    }
    LinkShare found{0, 0};
    for (const auto end : to)
    {
        const auto router = graph.RouterOf(end);
        const auto [next, isNew] = towards.try_emplace(router);
        if (isNew)
        {
            next->second = graph.Towards(router, ecmp);
        }
        SharesTowards shares(graph, end, next->second, link);
        for (const auto begin : from)
        {
            if (begin != end)
            {
                const auto same = ends.find(begin);
                const auto others = to.size() - (same == ends.end() ? 0 : same->second);
                const auto pairs = static_cast<double>(from.size() * others);
                const auto share = shares.From(begin);
                found.forward += share.forward / pairs;
                found.reverse += share.reverse / pairs;
            }
        }
    }
    return found;
}

} // namespace tcpsweep

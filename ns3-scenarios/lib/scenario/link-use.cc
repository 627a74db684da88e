// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/link-use.h"

#include <algorithm>
#include <set>
#include <string>

namespace tcpsweep
{

LinkUse::LinkUse(const Graph& graph, const std::vector<LinkParameters>& links, bool ecmp)
    : m_graph(graph),
      m_ecmp(ecmp),
      m_longest(links.size()),
      m_hasDctcp(links.size())
{
    for (const auto& link : links)
    {
        m_lengths.push_back(link.RoundTrip().GetNanoSeconds());
    }
}

void
LinkUse::Add(const FlowParameters& flow)
{
    const bool isDctcp = flow.variant && flow.variant->GetName() == "ns3::TcpDctcp";
    const auto roundTrip = flow.baseRtt.GetNanoSeconds();
    for (const auto& hop : flow.route)
    {
        Note(hop.link, roundTrip, isDctcp);
    }
    if (!flow.hasOwnRoute)
    {
        NotePair(m_graph.NodeOf(flow.from), m_graph.NodeOf(flow.to), roundTrip, isDctcp);
    }
}

void
LinkUse::Add(const TrafficGroup& group)
{
    const bool isDctcp = group.variant.GetName() == "ns3::TcpDctcp";
    std::vector<std::size_t> begins;
    for (const auto& name : group.from)
    {
        begins.push_back(m_graph.NodeOf(name));
    }
    std::map<std::size_t, NextHops> towards;
    for (const auto& name : group.to)
    {
        const auto to = m_graph.NodeOf(name);
        const auto router = m_graph.RouterOf(to);
        const auto [next, isNew] = towards.try_emplace(router);
        if (isNew)
        {
            next->second = m_graph.Towards(router, false);
        }
        for (const auto from : begins)
        {
            if (from == to)
            {
                continue;
            }
            const auto route = m_graph.Follow(from, to, next->second);
            int64_t roundTrip = 0;
            for (const auto& hop : route)
            {
                roundTrip += m_lengths[hop.link];
            }
            for (const auto& hop : route)
            {
                Note(hop.link, roundTrip, isDctcp);
            }
            NotePair(from, to, roundTrip, isDctcp);
        }
    }
}

void
LinkUse::AddOtherWays()
{
    for (const auto& [ends, pair] : m_pairs)
    {
        const auto [from, to] = ends;
        const auto next = m_graph.Towards(to, true);
        std::set<std::size_t> seen = {from};
        std::vector<std::size_t> left = {from};
        while (!left.empty())
        {
            const auto node = left.back();
            left.pop_back();
            if (node == to)
            {
                continue;
            }
            for (const auto& step : m_graph.StepsTo(node, to, next))
            {
                Note(step.link, pair.longest, pair.hasDctcp);
                if (seen.insert(m_graph.EndOf(step)).second)
                {
                    left.push_back(m_graph.EndOf(step));
                }
            }
        }
    }
}

void
LinkUse::Note(std::size_t link, int64_t roundTrip, bool isDctcp)
{
    m_longest[link] = std::max(m_longest[link], roundTrip);
    m_hasDctcp[link] = m_hasDctcp[link] || isDctcp;
}

void
LinkUse::NotePair(std::size_t from, std::size_t to, int64_t roundTrip, bool isDctcp)
{
    const auto first = m_graph.RouterOf(from);
    const auto last = m_graph.RouterOf(to);
    // If two hosts share a link, each is the other's router.
    if (!m_ecmp || first == last || m_graph.IsHost(first) || m_graph.IsHost(last))
    {
        return;
    }
    auto& pair = m_pairs[{first, last}];
    pair.longest = std::max(pair.longest, roundTrip);
    pair.hasDctcp = pair.hasDctcp || isDctcp;
}

} // namespace tcpsweep

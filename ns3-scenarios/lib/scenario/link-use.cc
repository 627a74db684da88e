// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/link-use.h"

#include <algorithm>
#include <string>

namespace tcpsweep
{

LinkUse::LinkUse(const Graph& graph, const std::vector<LinkParameters>& links, bool ecmp)
    : m_graph(graph),
      m_ecmp(ecmp),
      m_uses(links.size())
{
    for (const auto& link : links)
    {
        m_lengths.push_back(link.RoundTrip().GetNanoSeconds());
    }
}

void
LinkUse::Add(const FlowParameters& flow)
{
    const Use use{flow.baseRtt.GetNanoSeconds(),
                  flow.segmentBytes,
                  flow.variant && flow.variant->GetName() == "ns3::TcpDctcp"};
    for (const auto& hop : flow.route)
    {
        m_uses[hop.link].Add(use);
    }
    if (!flow.hasOwnRoute)
    {
        AddPair(m_graph.NodeOf(flow.from), m_graph.NodeOf(flow.to), use);
    }
}

void
LinkUse::Add(const TrafficGroup& group)
{
    Use use{0, group.segmentBytes, group.variant.GetName() == "ns3::TcpDctcp"};
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
            use.roundTrip = 0;
            for (const auto& hop : route)
            {
                use.roundTrip += m_lengths[hop.link];
            }
            for (const auto& hop : route)
            {
                m_uses[hop.link].Add(use);
            }
            AddPair(from, to, use);
        }
    }
}

void
LinkUse::AddOtherWays()
{
    for (const auto& [ends, use] : m_pairs)
    {
        const auto [from, to] = ends;
        for (const auto& step : m_graph.AllSteps(from, to, m_graph.Towards(to, true)))
        {
            m_uses[step.link].Add(use);
        }
    }
}

void
LinkUse::Use::Add(const Use& other)
{
    roundTrip = std::max(roundTrip, other.roundTrip);
    segmentBytes = std::max(segmentBytes, other.segmentBytes);
    hasDctcp = hasDctcp || other.hasDctcp;
}

void
LinkUse::AddPair(std::size_t from, std::size_t to, const Use& use)
{
    const auto first = m_graph.RouterOf(from);
    const auto last = m_graph.RouterOf(to);
    // If two hosts share a link, each is the other's router.
    if (!m_ecmp || first == last || m_graph.IsHost(first) || m_graph.IsHost(last))
    {
        return;
    }
    m_pairs[{first, last}].Add(use);
}

} // namespace tcpsweep

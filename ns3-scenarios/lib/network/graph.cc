// SPDX-License-Identifier: GPL-2.0-only
#include "network/graph.h"

#include "options/errors.h"
#include "options/text.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

namespace tcpsweep
{

void
Graph::AddLink(const std::string& left, const std::string& right, ns3::Time delay)
{
    const auto node = [this](const std::string& name)
    {
        const auto [found, isNew] = m_nodes.try_emplace(name, m_names.size());
        if (isNew)
        {
            m_names.push_back(name);
            m_links.emplace_back();
        }
        return found->second;
    };
    const Edge edge{node(left), node(right), delay};
    m_links[edge.left].push_back({m_edges.size(), true});
    m_links[edge.right].push_back({m_edges.size(), false});
    m_edges.push_back(edge);
}

std::size_t
Graph::NodeOf(const std::string& name) const
{
    const auto found = m_nodes.find(name);
    if (found == m_nodes.end())
    {
        throw BadValue("no link begins or ends at a node '" + name + "'" +
                       DidYouMean(name, m_names));
    }
    return found->second;
}

std::size_t
Graph::EndOf(const Hop& hop) const
{
    return hop.forward ? m_edges[hop.link].right : m_edges[hop.link].left;
}

std::size_t
Graph::RouterOf(std::size_t node) const
{
    return IsHost(node) ? EndOf(m_links[node].front()) : node;
}

NextHops
Graph::Towards(std::size_t to, bool all) const
{
    constexpr uint32_t FAR = -1;
    std::vector<uint32_t> links(m_names.size(), FAR);
    std::vector<std::size_t> order = {to};
    links[to] = 0;
    for (std::size_t place = 0; place < order.size(); ++place)
    {
        for (const auto& hop : m_links[order[place]])
        {
            const auto neighbour = EndOf(hop);
            if (links[neighbour] == FAR && !IsHost(neighbour))
            {
                links[neighbour] = links[order[place]] + 1;
                order.push_back(neighbour);
            }
        }
    }
    NextHops next(m_names.size());
    std::vector<ns3::Time> delays(m_names.size());
    // Visit nodes in the order of their distance, so that nearer nodes are known.
    for (const auto node : order)
    {
        for (const auto& hop : m_links[node])
        {
            const auto neighbour = EndOf(hop);
            if (node == to || IsHost(neighbour) || links[neighbour] + 1 != links[node])
            {
                continue;
            }
            const ns3::Time delay = delays[neighbour] + m_edges[hop.link].delay;
            if (all || next[node].empty())
            {
                delays[node] = next[node].empty() ? delay : std::min(delays[node], delay);
                next[node].push_back(hop);
            }
            else if (delay < delays[node])
            {
                delays[node] = delay;
                next[node] = {hop};
            }
        }
    }
    return next;
}

std::vector<Hop>
Graph::StepsTo(std::size_t from, std::size_t to, const NextHops& next) const
{
    if (from == to)
    {
        return {};
    }
    const auto router = RouterOf(to);
    if (from == router)
    {
        const Hop& last = m_links[to].front();
        return {{last.link, !last.forward}};
    }
    if (IsHost(from))
    {
        // To its neighbour, or beyond it if the neighbour is not a host.
        const auto neighbour = RouterOf(from);
        const bool leads = neighbour == to || neighbour == router || !next[neighbour].empty();
        return leads ? m_links[from] : std::vector<Hop>();
    }
    return next[from];
}

Route
Graph::Follow(std::size_t from, std::size_t to, const NextHops& next) const
{
    Route route;
    for (auto node = from; node != to; node = EndOf(route.back()))
    {
        const auto steps = StepsTo(node, to, next);
        if (steps.empty())
        {
            throw BadValue("no links lead from " + m_names[from] + " to " + m_names[to]);
        }
        route.push_back(steps.front());
    }
    return route;
}

std::vector<Hop>
Graph::AllSteps(std::size_t from, std::size_t to, const NextHops& next) const
{
    std::vector<Hop> all;
    std::set<std::size_t> seen = {from, to};
    for (std::vector<std::size_t> left = {from}; !left.empty();)
    {
        const auto steps = StepsTo(left.back(), to, next);
        left.pop_back();
        all.insert(all.end(), steps.begin(), steps.end());
        for (const auto& step : steps)
        {
            if (seen.insert(EndOf(step)).second)
            {
                left.push_back(EndOf(step));
            }
        }
    }
    return all;
}

Route
Graph::Along(std::size_t from, const std::vector<std::size_t>& links, std::size_t to) const
{
    Route route;
    auto node = from;
    for (const auto link : links)
    {
        const Edge& edge = m_edges[link];
        if (edge.left != node && edge.right != node)
        {
            throw BadValue("these links are no path from " + m_names[from] + " to " + m_names[to] +
                           ": number " + std::to_string(route.size() + 1) + " of them is not at " +
                           m_names[node]);
        }
        route.push_back({link, edge.left == node});
        node = EndOf(route.back());
    }
    if (node != to)
    {
        throw BadValue("these links lead from " + m_names[from] + " to " + m_names[node] +
                       ", not to " + m_names[to]);
    }
    return route;
}

} // namespace tcpsweep

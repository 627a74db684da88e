// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/wired-network.h"

#include "network/node-routing.h"
#include "network/salt.h"
#include "options/errors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace tcpsweep
{

namespace
{

constexpr uint32_t FIRST_ADDRESS = 10U << 24;
constexpr uint32_t ADDRESSES_PER_LINK = 4;
/// Addresses of the links of one kind, a /16 network.
constexpr uint32_t ADDRESSES_PER_BLOCK = 1U << 16;
constexpr uint32_t BLOCKS = 1U << 8;

/// Builds a network step by step. It lives as long as the functions in its flows' ends.
class Builder : public std::enable_shared_from_this<Builder>
{
  public:
    /// @param wired the network's description
    explicit Builder(WiredNetwork wired)
        : m_wired(std::move(wired))
    {
        for (const auto& link : m_wired.links)
        {
            m_graph.AddLink(link.left, link.right, link.RoundTrip());
            const auto left = m_graph.NodeOf(link.left);
            const auto right = m_graph.NodeOf(link.right);
            ++m_linksBetween[std::minmax(left, right)];
        }
        m_nodes.Create(static_cast<uint32_t>(m_graph.Nodes().size()));
        InstallStack(m_nodes, m_wired.ip);
        for (uint32_t i = 0; m_wired.ip == Ip::V6 && i < m_nodes.GetN(); ++i)
        {
            MakeRouter(m_nodes.Get(i));
        }
    }

    /// @return the network, without positions
    Network
    Make()
    {
        AddLinks();
        AddAddresses();
        AddRouters();
        AddJourneys(m_wired.flows, m_network.flows);
        AddJourneys(m_wired.cbr, m_network.cbr);
        AddTraffic();
        m_network.links = m_traced;
        return m_network;
    }

    /**
     * @param spots the positions of nodes in the animation; empty for a circle
     * @return their positions
     */
    std::vector<Animation::Place>
    Places(const std::vector<Spot>& spots) const
    {
        std::vector<Animation::Place> places;
        for (const auto& spot : spots)
        {
            places.push_back({Node(m_graph.NodeOf(spot.node)), spot.label, spot.x, spot.y});
        }
        const auto& names = m_graph.Nodes();
        for (std::size_t i = 0; spots.empty() && i < names.size(); ++i)
        {
            const double angle =
                2 * M_PI * static_cast<double>(i) / static_cast<double>(names.size());
            const double radius = COLUMN * std::max(1.0, static_cast<double>(names.size()) / 10);
            places.push_back({Node(i),
                              names[i],
                              radius * (1 + std::cos(angle)),
                              radius * (1 + std::sin(angle))});
        }
        return places;
    }

  private:
    /**
     * @param number a node's number
     * @return the node
     */
    ns3::Ptr<ns3::Node>
    Node(std::size_t number) const
    {
        return m_nodes.Get(static_cast<uint32_t>(number));
    }

    /// Make the links, their devices, and the devices' labels.
    void
    AddLinks()
    {
        uint32_t jitters = 0;
        for (const auto& link : m_wired.links)
        {
            const auto left = m_graph.NodeOf(link.left);
            const auto right = m_graph.NodeOf(link.right);
            const auto number = static_cast<uint32_t>(m_links.size());
            const auto made = MakeLink(link, Node(left), Node(right), number, jitters);
            m_links.push_back(made.link);
            m_labels.emplace_back(LabelOf(link, left, right), LabelOf(link, right, left));
            m_tracedAt.push_back(m_traced.size());
            auto& interfaces = link.IsTraced() ? m_network.interfaces : m_others;
            const Interface first{m_labels.back().first, made.link.left};
            const Interface second{m_labels.back().second, made.link.right};
            if (link.IsTraced())
            {
                m_traced.push_back(made);
                interfaces.insert(interfaces.end(), {first, second});
            }
            else
            {
                // The host's device before the router's.
                interfaces.insert(interfaces.end(), {second, first});
            }
        }
        m_network.interfaces.insert(m_network.interfaces.end(), m_others.begin(), m_others.end());
    }

    /**
     * @param link a link
     * @param node the number of one of its nodes
     * @param other the number of the other
     * @return the label of that node's device there
     */
    std::string
    LabelOf(const LinkParameters& link, std::size_t node, std::size_t other) const
    {
        const auto& names = m_graph.Nodes();
        if (link.IsTraced())
        {
            return link.name + "-" + names[node];
        }
        if (m_linksBetween.at(std::minmax(node, other)) > 1)
        {
            return link.name + "-" + names[node];
        }
        return m_graph.LinksAt(node).size() == 1 ? names[node]
                                                 : names[node] + "-to-" + names[other];
    }

    /// Give all devices addresses.
    void
    AddAddresses()
    {
        // The links of each block: links with queues, then the other links of each node.
        std::vector<std::vector<std::size_t>> blocks(1);
        std::map<std::string, std::size_t> blockOf;
        for (std::size_t i = 0; i < m_links.size(); ++i)
        {
            const auto& link = m_wired.links[i];
            std::size_t block = 0;
            if (!link.IsTraced())
            {
                block = blockOf.try_emplace(link.left, blocks.size()).first->second;
                blocks.resize(std::max(blocks.size(), block + 1));
            }
            blocks[block].push_back(i);
        }
        const uint32_t most = ADDRESSES_PER_BLOCK / ADDRESSES_PER_LINK;
        const bool fit = blocks.size() <= BLOCKS &&
                         std::all_of(blocks.begin(),
                                     blocks.end(),
                                     [](const auto& links) { return links.size() <= most; });
        uint32_t address = FIRST_ADDRESS;
        for (std::size_t block = 0; block < blocks.size(); ++block)
        {
            if (fit)
            {
                address = FIRST_ADDRESS + static_cast<uint32_t>(block) * ADDRESSES_PER_BLOCK;
            }
            for (const auto i : blocks[block])
            {
                if (m_wired.ip == Ip::V4)
                {
                    AssignAddresses(m_links[i], ns3::Ipv4Address(address));
                }
                else
                {
                    AssignAddresses(m_links[i], NetworkOfNumber(address));
                }
                address += ADDRESSES_PER_LINK;
            }
        }
    }

    /// Install each node's routing; a node with one link sends all packets there.
    void
    AddRouters()
    {
        for (std::size_t i = 0; i < m_graph.Nodes().size(); ++i)
        {
            const auto& links = m_graph.LinksAt(i);
            if (links.size() == 1)
            {
                SetDefaultRoute(DeviceOf(links.front()));
                continue;
            }
            auto* const routing = NodeRouting::Install(Node(i));
            routing->SetSalt(SaltOf(static_cast<uint32_t>(i)));
            m_routers[i] = routing;
        }
    }

    /**
     * @param hop a step along a link
     * @return the device through which packets leave
     */
    ns3::Ptr<ns3::PointToPointNetDevice>
    DeviceOf(const Hop& hop) const
    {
        const Link& link = m_links[hop.link];
        return hop.forward ? link.left : link.right;
    }

    /**
     * @param to a destination of packets
     * @return the next steps to its router; afterwards all routers know the node
     */
    const NextHops&
    Towards(std::size_t to)
    {
        const auto router = m_graph.RouterOf(to);
        const auto [found, isNew] = m_next.try_emplace(router);
        if (isNew)
        {
            found->second = m_graph.Towards(router, m_wired.ecmp);
        }
        if (m_known.insert(to).second)
        {
            const auto address = AddressOf(Node(to));
            for (const auto& [node, routing] : m_routers)
            {
                std::vector<ns3::Ptr<ns3::NetDevice>> devices;
                for (const auto& hop : m_graph.StepsTo(node, to, found->second))
                {
                    devices.push_back(DeviceOf(hop));
                }
                if (!devices.empty())
                {
                    routing->AddHost(address, devices);
                }
            }
        }
        return found->second;
    }

    /**
     * @param journeys the sources and destinations
     * @param[out] ends their ends
     */
    void
    AddJourneys(const std::vector<Journey>& journeys, std::vector<FlowEnds>& ends)
    {
        for (const auto& journey : journeys)
        {
            const auto from = m_graph.NodeOf(journey.from);
            const auto to = m_graph.NodeOf(journey.to);
            const auto& there = Towards(to);
            Towards(from);
            const Route route =
                journey.route.empty() ? m_graph.Follow(from, to, there) : journey.route;
            ends.push_back(EndsOf(from, to, route));
            if (!journey.route.empty())
            {
                ends.back().settle = [self = shared_from_this(),
                                      from,
                                      to,
                                      route](FlowEnds&, uint16_t source, uint16_t destination)
                {
                    self->Fix(from, to, route, source, destination);
                };
                MarkCrossed(route);
            }
            else if (m_wired.ecmp)
            {
                ends.back().settle = [self = shared_from_this(), from, to](FlowEnds& flow,
                                                                           uint16_t source,
                                                                           uint16_t destination)
                {
                    flow.path = self->StepsOf(self->Chosen(from, to, source, destination));
                };
                std::set<std::size_t> seen;
                MarkAllCrossed(from, to, there, seen);
            }
            else
            {
                MarkCrossed(route);
            }
        }
    }

    /// Install routes to the nodes of traffic, and record these nodes.
    void
    AddTraffic()
    {
        for (const auto& exchange : m_wired.traffic)
        {
            for (const auto* names : {&exchange.from, &exchange.to})
            {
                for (const auto& name : *names)
                {
                    const auto node = m_graph.NodeOf(name);
                    Towards(node);
                    m_network.nodes[name] = Node(node);
                }
            }
            for (const auto& to : exchange.to)
            {
                const auto end = m_graph.NodeOf(to);
                std::set<std::size_t> seen;
                for (const auto& from : exchange.from)
                {
                    MarkAllCrossed(m_graph.NodeOf(from), end, Towards(end), seen);
                }
            }
        }
        if (!m_wired.traffic.empty())
        {
            m_network.nodeNames = m_graph.Nodes();
            m_network.leastWay =
                [self = shared_from_this(),
                 least = std::map<std::size_t, NextHops>()](const std::string& from,
                                                            const std::string& to) mutable
            {
                const auto& graph = self->m_graph;
                const auto end = graph.NodeOf(to);
                const auto router = graph.RouterOf(end);
                const auto [there, isNew] = least.try_emplace(router);
                if (isNew)
                {
                    there->second = graph.Towards(router, false);
                }
                return self->LeastOf(graph.Follow(graph.NodeOf(from), end, there->second));
            };
        }
    }

    /// @param route a path of flows' data
    void
    MarkCrossed(const Route& route)
    {
        for (const auto& hop : route)
        {
            if (m_wired.links[hop.link].IsTraced())
            {
                auto& traced = m_traced[m_tracedAt[hop.link]];
                (hop.forward ? traced.forward : traced.reverse).isCrossed = true;
            }
        }
    }

    /**
     * @param from where packets begin
     * @param to where they end
     * @param there the next steps to its destination's router
     * @param[in,out] seen the nodes whose next steps are marked
     */
    void
    MarkAllCrossed(std::size_t from,
                   std::size_t to,
                   const NextHops& there,
                   std::set<std::size_t>& seen)
    {
        if (!seen.insert(from).second)
        {
            return;
        }
        for (std::vector<std::size_t> waiting = {from}; !waiting.empty();)
        {
            const auto node = waiting.back();
            waiting.pop_back();
            const auto steps = m_graph.StepsTo(node, to, there);
            MarkCrossed(steps);
            for (const auto& hop : steps)
            {
                if (seen.insert(m_graph.EndOf(hop)).second)
                {
                    waiting.push_back(m_graph.EndOf(hop));
                }
            }
        }
    }

    /**
     * @param from a node
     * @param to another
     * @param source the sender's port
     * @param destination the receiver's port
     * @return the key of a flow between them
     */
    FlowKey
    KeyOf(std::size_t from, std::size_t to, uint16_t source, uint16_t destination) const
    {
        const auto address = [this](std::size_t node)
        {
            return NumberOf(AddressOf(Node(node)));
        };
        return {address(from), address(to), source, destination};
    }

    /**
     * @param from where a flow begins
     * @param to where it ends
     * @param source the sender's port
     * @param destination the receiver's port
     * @return the path that routers choose for it
     */
    Route
    Chosen(std::size_t from, std::size_t to, uint16_t source, uint16_t destination)
    {
        const auto& there = Towards(to);
        const auto key = KeyOf(from, to, source, destination);
        Route route;
        for (auto node = from; node != to; node = m_graph.EndOf(route.back()))
        {
            const auto ways = m_graph.StepsTo(node, to, there);
            const auto router = m_routers.find(node);
            const bool one = router == m_routers.end() || ways.size() == 1;
            route.push_back(ways[one ? 0 : router->second->Turn(key, ways.size())]);
        }
        return route;
    }

    /**
     * Set a flow's own path, and the same path in reverse for its acknowledgments.
     *
     * @param from where it begins
     * @param to where it ends
     * @param route its way
     * @param source the sender's port
     * @param destination the receiver's port
     */
    void
    Fix(std::size_t from, std::size_t to, const Route& route, uint16_t source, uint16_t destination)
    {
        const auto there = KeyOf(from, to, source, destination);
        const auto back = KeyOf(to, from, destination, source);
        auto node = from;
        for (const auto& hop : route)
        {
            const auto add = [this](std::size_t router, const FlowKey& key, const Hop& leaving)
            {
                if (m_routers.count(router))
                {
                    m_routers.at(router)->AddFlow(key, DeviceOf(leaving));
                }
            };
            add(node, there, hop);
            node = m_graph.EndOf(hop);
            add(node, back, {hop.link, !hop.forward});
        }
    }

    /**
     * @param from where packets begin
     * @param to where they end
     * @param route their way
     * @return their ends
     */
    FlowEnds
    EndsOf(std::size_t from, std::size_t to, const Route& route) const
    {
        FlowEnds ends;
        ends.sender = Node(from);
        ends.receiver = Node(to);
        const auto& first = m_labels[route.front().link];
        const auto& last = m_labels[route.back().link];
        ends.senderInterface = route.front().forward ? first.first : first.second;
        ends.receiverInterface = route.back().forward ? last.second : last.first;
        ends.path = StepsOf(route);
        return ends;
    }

    /**
     * @param route a way
     * @return its steps
     */
    std::vector<Step>
    StepsOf(const Route& route) const
    {
        std::vector<Step> steps;
        for (const auto& hop : route)
        {
            const auto& link = m_wired.links[hop.link];
            const auto& way = hop.forward ? link.forward : link.reverse;
            steps.push_back({link.name,
                             hop.forward ? Direction::FORWARD : Direction::REVERSE,
                             {way.bandwidth, way.delay},
                             way.jitter,
                             link.Varies()});
        }
        return steps;
    }

    /**
     * @param route a way
     * @return the least delays of its steps; nothing if one follows a trace
     */
    std::optional<std::vector<LeastStep>>
    LeastOf(const Route& route) const
    {
        const auto leastDelay = [](const WayParameters& way)
        {
            auto least = way.delay;
            for (const auto& change : way.change.schedule.changes)
            {
                least = std::min(least, change.delay.value_or(least));
            }
            return least;
        };
        std::vector<LeastStep> steps;
        for (const auto& hop : route)
        {
            const auto& link = m_wired.links[hop.link];
            const auto& way = hop.forward ? link.forward : link.reverse;
            if (way.change.trace)
            {
                return std::nullopt;
            }
            auto highest = way.bandwidth;
            for (const auto& change : way.change.schedule.changes)
            {
                highest = std::max(highest, change.bandwidth.value_or(highest));
            }
            steps.push_back(
                {highest, leastDelay(way), leastDelay(hop.forward ? link.reverse : link.forward)});
        }
        return steps;
    }

    WiredNetwork m_wired; //!< the network's description
    Graph m_graph;        //!< its nodes and links
    std::map<std::pair<std::size_t, std::size_t>, uint32_t> m_linksBetween; //!< two nodes
    ns3::NodeContainer m_nodes;                                             //!< its nodes
    Network m_network;                                                      //!< the network so far
    std::vector<Link> m_links;                                              //!< the links' devices
    std::vector<TracedLink> m_traced;    //!< the links that queue
    std::vector<std::size_t> m_tracedAt; //!< each link's place among these, if it is there
    std::vector<Interface> m_others;     //!< the interfaces of the other links
    std::vector<std::pair<std::string, std::string>> m_labels; //!< of each link's two interfaces
    std::map<std::size_t, NodeRouting*> m_routers;             //!< the routing of nodes with links
    std::map<std::size_t, NextHops> m_next;                    //!< next steps to each router
    std::set<std::size_t> m_known;                             //!< the nodes that routers know
};

} // namespace

Network
BuildWired(const WiredNetwork& wired, const std::vector<Spot>& spots)
{
    const auto builder = std::make_shared<Builder>(wired);
    auto network = builder->Make();
    network.places = builder->Places(spots);
    return network;
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_GRAPH_H
#define TCPSWEEP_GRAPH_H

#include <ns3/nstime.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A step along a link.
struct Hop
{
    std::size_t link; //!< the link's number
    bool forward;     //!< whether from its first node to its second
};

/// The links that a packet crosses, in order.
using Route = std::vector<Hop>;

/// The next steps from each node towards one node.
using NextHops = std::vector<std::vector<Hop>>;

/**
 * The nodes and links of a network, and its shortest paths: the fewest links, then the least
 * propagation delay, then the links that were added first.
 */
class Graph
{
  public:
    /**
     * Add a link, and its nodes if they are new.
     *
     * @param left the name of its first node
     * @param right the name of its second node
     * @param delay its propagation delay, in both directions together
     */
    void AddLink(const std::string& left, const std::string& right, ns3::Time delay);

    /// @return the nodes' names, in the order of the links that name them
    const std::vector<std::string>&
    Nodes() const
    {
        return m_names;
    }

    /**
     * @param name a name
     * @return the node's number
     * @throws BadValue if there is no such node
     */
    std::size_t NodeOf(const std::string& name) const;

    /**
     * @param node a node
     * @return the links that begin or end there, in order
     */
    const std::vector<Hop>&
    LinksAt(std::size_t node) const
    {
        return m_links[node];
    }

    /**
     * @param hop a step
     * @return the node where it ends
     */
    std::size_t EndOf(const Hop& hop) const;

    /// @return whether a node has only one link, so that no path leads through it
    bool
    IsHost(std::size_t node) const
    {
        return m_links[node].size() == 1;
    }

    /**
     * @param node a node
     * @return the other end of its link, if it is a host; else the node itself
     */
    std::size_t RouterOf(std::size_t node) const;

    /**
     * @param to a node
     * @param all whether to return the next steps of all paths with the fewest links, instead of
     * only the shortest path
     * @return the next steps towards that node, for each node that is not a host; none for the node
     * itself and for nodes without a path
     */
    NextHops Towards(std::size_t to, bool all) const;

    /**
     * @param from a node
     * @param to another
     * @param next the result of Towards() for RouterOf(to)
     * @return the next steps from the first node to the second; none if there is no path
     */
    std::vector<Hop> StepsTo(std::size_t from, std::size_t to, const NextHops& next) const;

    /**
     * @param from a node
     * @param to another
     * @param next the result of Towards() for RouterOf(to)
     * @return the path, with the first step of each node
     * @throws BadValue if there is no path
     */
    Route Follow(std::size_t from, std::size_t to, const NextHops& next) const;

    /**
     * @param from a node
     * @param to another
     * @param next the result of Towards() for RouterOf(to)
     * @return the steps of all paths, each once
     */
    std::vector<Hop> AllSteps(std::size_t from, std::size_t to, const NextHops& next) const;

    /**
     * @param from a node
     * @param links the numbers of links
     * @param to another node
     * @return the path over these links
     * @throws BadValue if they are not a path from the first node to the second
     */
    Route Along(std::size_t from, const std::vector<std::size_t>& links, std::size_t to) const;

  private:
    /// A link's nodes and delay.
    struct Edge
    {
        std::size_t left;  //!< the first node
        std::size_t right; //!< the second node
        ns3::Time delay;   //!< the propagation delay, there and back
    };

    std::vector<Edge> m_edges;                  //!< the links
    std::vector<std::string> m_names;           //!< the nodes' names
    std::map<std::string, std::size_t> m_nodes; //!< the nodes' numbers by name
    std::vector<std::vector<Hop>> m_links;      //!< the steps from each node
};

} // namespace tcpsweep

#endif // TCPSWEEP_GRAPH_H

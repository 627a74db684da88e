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
 * The nodes and links of a network, and the shortest ways through it: of the fewest links, of these
 * the least propagation delay, of these the links that come first.
 */
class Graph
{
  public:
    /**
     * Add a link, and its nodes where they are new.
     *
     * @param left the name of its first node
     * @param right the name of its second node
     * @param delay its propagation delay, there and back
     */
    void AddLink(const std::string& left, const std::string& right, ns3::Time delay);

    /// @return the nodes' names, in the order in which links name them
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

    /// @return whether a node has one link, so that no way leads through it
    bool
    IsHost(std::size_t node) const
    {
        return m_links[node].size() == 1;
    }

    /**
     * @param node a node
     * @return the node that its link leads to, if it is a host; else the node
     */
    std::size_t RouterOf(std::size_t node) const;

    /**
     * @param to a node
     * @param all whether to tell all next steps of shortest ways by the number of links alone, not
     * only the first's
     * @return for each node that is no host the next steps towards that node; none for the node
     * itself and for those without a way
     */
    NextHops Towards(std::size_t to, bool all) const;

    /**
     * @param from a node
     * @param to another
     * @param next what Towards() told of RouterOf(to)
     * @return the next steps from the one to the other; none if there is no way
     */
    std::vector<Hop> StepsTo(std::size_t from, std::size_t to, const NextHops& next) const;

    /**
     * @param from a node
     * @param to another
     * @param next what Towards() told of RouterOf(to)
     * @return the way there, by each node's first step
     * @throws BadValue if there is none
     */
    Route Follow(std::size_t from, std::size_t to, const NextHops& next) const;

    /**
     * @param from a node
     * @param links the numbers of links
     * @param to another node
     * @return the way over these links
     * @throws BadValue if they are no way from the one to the other
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

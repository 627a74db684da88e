// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_NODE_ROUTING_H
#define TCPSWEEP_NODE_ROUTING_H

#include <ns3/ipv4-address.h>
#include <ns3/ipv4-header.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-routing-protocol.h>
#include <ns3/net-device.h>
#include <ns3/node.h>
#include <ns3/packet.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tcpsweep
{

/// The key of a flow's packets: addresses, ports, protocol.
struct FlowKey
{
    uint32_t source{0};          //!< the sender's address
    uint32_t destination{0};     //!< the receiver's address
    uint16_t sourcePort{0};      //!< the sender's port
    uint16_t destinationPort{0}; //!< the receiver's port

    /**
     * @param header a packet's IP header
     * @param packet the payload, which begins with the ports of TCP or UDP; may be nullptr
     * @return the packet's key, with ports 0 if there are none
     */
    static FlowKey Of(const ns3::Ipv4Header& header, ns3::Ptr<const ns3::Packet> packet);

    /// @return whether this key is less than another one, for maps
    bool operator<(const FlowKey& other) const;
};

/**
 * The routing of a node with several links: a packet for a host leaves through the device that
 * leads to the host.
 *
 * ns-3's static routing checks every interface and every route for every packet. At a router of
 * 50 flows, this takes a quarter of the simulation's time; with 1000 flows, three quarters. This
 * class needs one look-up per packet.
 */
class NodeRouting : public ns3::Ipv4RoutingProtocol
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    /**
     * @param node a node with an Internet stack and addresses
     * @return its new routing, still without routes
     */
    static ns3::Ptr<NodeRouting> Install(ns3::Ptr<ns3::Node> node);

    /**
     * @param host a host's address
     * @param devices the devices that lead there; if there are several, a hash of a packet's
     * addresses and ports chooses one, so that a flow keeps its path
     */
    void AddHost(ns3::Ipv4Address host, const std::vector<ns3::Ptr<ns3::NetDevice>>& devices);

    /**
     * @param flow a flow
     * @param device the device for its packets, which overrides the route to their host
     */
    void AddFlow(const FlowKey& flow, ns3::Ptr<ns3::NetDevice> device);

    /// @param salt added to the hash, so that nodes choose independently
    void SetSalt(uint32_t salt);

    /**
     * @param flow a flow
     * @param ways the number of routes to its host
     * @return the number of the route that it takes
     */
    std::size_t Turn(const FlowKey& flow, std::size_t ways) const;

    // The interface of ns-3's routing protocols.
    ns3::Ptr<ns3::Ipv4Route> RouteOutput(ns3::Ptr<ns3::Packet> packet,
                                         const ns3::Ipv4Header& header,
                                         ns3::Ptr<ns3::NetDevice> device,
                                         ns3::Socket::SocketErrno& error) override;
    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t interface) override;
    void NotifyAddAddress(uint32_t interface, ns3::Ipv4InterfaceAddress address) override;
    void NotifyRemoveAddress(uint32_t interface, ns3::Ipv4InterfaceAddress address) override;
    void SetIpv4(ns3::Ptr<ns3::Ipv4> ipv4) override;
    void PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper> stream,
                           ns3::Time::Unit unit) const override;

  private:
    /// Declared only for its type, which shows how this version of ns-3 passes callbacks.
    template <typename... Arguments>
    static std::tuple<Arguments...> ArgumentsOf(bool (ns3::Ipv4RoutingProtocol::*)(Arguments...));
    /// The type of RouteInput's I-th argument.
    template <std::size_t I>
    using Argument =
        std::tuple_element_t<I, decltype(ArgumentsOf(&ns3::Ipv4RoutingProtocol::RouteInput))>;

  public:
    bool RouteInput(ns3::Ptr<const ns3::Packet> packet,
                    const ns3::Ipv4Header& header,
                    ns3::Ptr<const ns3::NetDevice> device,
                    Argument<3> forward,
                    Argument<4> multicast,
                    Argument<5> deliver,
                    Argument<6> fail) override;

  private:
    /// The routes to a host.
    struct Ways
    {
        bool local{false};                            //!< whether the host is this node
        std::vector<ns3::Ptr<ns3::Ipv4Route>> routes; //!< the routes there
    };

    /**
     * @param device a device of this node
     * @return the route over it, whose next hop is the node at the link's other end
     */
    ns3::Ptr<ns3::Ipv4Route> RouteOver(ns3::Ptr<ns3::NetDevice> device) const;

    /**
     * @param ways the routes to the destination
     * @param header a packet's IP header
     * @param packet the payload; may be nullptr
     * @return its route
     */
    ns3::Ptr<ns3::Ipv4Route> Choose(const Ways& ways,
                                    const ns3::Ipv4Header& header,
                                    ns3::Ptr<const ns3::Packet> packet) const;

    ns3::Ptr<ns3::Ipv4> m_ipv4;                          //!< the node's IP
    ns3::Ipv4Address m_address;                          //!< the source address of its packets
    uint32_t m_salt{0};                                  //!< added to the hash
    std::unordered_map<uint32_t, Ways> m_hosts;          //!< ways by the host's address
    std::map<FlowKey, ns3::Ptr<ns3::Ipv4Route>> m_flows; //!< routes of flows of their own
};

} // namespace tcpsweep

#endif // TCPSWEEP_NODE_ROUTING_H

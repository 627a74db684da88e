// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SUBNET_ROUTING_H
#define TCPSWEEP_SUBNET_ROUTING_H

#include <ns3/ipv4-address.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-routing-protocol.h>
#include <ns3/net-device.h>
#include <ns3/node.h>

#include <cstdint>
#include <tuple>
#include <unordered_map>

namespace tcpsweep
{

/**
 * The routing of a router with a link to each of many hosts: a packet for a host leaves by the
 * host's link, all others by one default device.
 *
 * ns-3's static routing looks at every interface and every route for every packet, which at a
 * router of 50 flows takes a quarter of a simulation's time and at one of 1000 flows three
 * quarters. Here a packet costs one look-up. Such a router sends and receives nothing itself.
 */
class SubnetRouting : public ns3::Ipv4RoutingProtocol
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    /**
     * @param router a node with an Internet stack
     * @return its routing from now on, still without routes
     */
    static ns3::Ptr<SubnetRouting> Install(ns3::Ptr<ns3::Node> router);

    /**
     * @param network a /30 network
     * @param device the device that leads there
     */
    void AddSubnet(ns3::Ipv4Address network, ns3::Ptr<ns3::NetDevice> device);

    /// @param device the device for all other packets
    void SetDefault(ns3::Ptr<ns3::NetDevice> device);

    // What ns-3 asks of a routing protocol.
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
    /// Declared only for its type, which tells how this version of ns-3 passes callbacks.
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
    /**
     * @param destination an address
     * @return the route there; nullptr if there is none
     */
    ns3::Ptr<ns3::Ipv4Route> Find(ns3::Ipv4Address destination) const;

    std::unordered_map<uint32_t, ns3::Ptr<ns3::Ipv4Route>> m_subnets; //!< routes by network
    ns3::Ptr<ns3::Ipv4Route> m_default;                               //!< the default route
};

} // namespace tcpsweep

#endif // TCPSWEEP_SUBNET_ROUTING_H

// SPDX-License-Identifier: GPL-2.0-only
#include "network/node-routing.h"

#include "network/internet.h"

#include <ns3/hash.h>
#include <ns3/ipv4-address.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-routing-protocol.h>
#include <ns3/ipv4.h>
#include <ns3/ipv6-address.h>
#include <ns3/ipv6-route.h>
#include <ns3/ipv6-routing-protocol.h>
#include <ns3/ipv6.h>
#include <ns3/output-stream-wrapper.h>

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>

namespace tcpsweep
{

namespace
{

/// ns-3's routing of IPv4, without what needs routes.
class RoutingOfIpv4 : public ns3::Ipv4RoutingProtocol
{
  public:
    using Protocol = ns3::Ipv4RoutingProtocol;          //!< the interface of ns-3's
    using Header = ns3::Ipv4Header;                     //!< a packet's header
    using Route = ns3::Ipv4Route;                       //!< a route
    using InterfaceAddress = ns3::Ipv4InterfaceAddress; //!< an interface's address
    using IpAddress = ns3::Ipv4Address;                 //!< an address

    void
    SetIpv4(ns3::Ptr<ns3::Ipv4> ip) override
    {
        m_ip = ip;
    }

  protected:
    /// Let ns-3 send a packet along a route.
    template <typename Forward>
    static void
    Send(Forward forward,
         ns3::Ptr<const ns3::NetDevice>,
         ns3::Ptr<Route> route,
         ns3::Ptr<const ns3::Packet> packet,
         const Header& header)
    {
        forward(route, packet, header);
    }

    ns3::Ptr<ns3::Ipv4> m_ip; //!< the node's IP
};

/// ns-3's routing of IPv6, without what needs routes.
class RoutingOfIpv6 : public ns3::Ipv6RoutingProtocol
{
  public:
    using Protocol = ns3::Ipv6RoutingProtocol;          //!< the interface of ns-3's
    using Header = ns3::Ipv6Header;                     //!< a packet's header
    using Route = ns3::Ipv6Route;                       //!< a route
    using InterfaceAddress = ns3::Ipv6InterfaceAddress; //!< an interface's address
    using IpAddress = ns3::Ipv6Address;                 //!< an address

    void
    SetIpv6(ns3::Ptr<ns3::Ipv6> ip) override
    {
        m_ip = ip;
    }

    void
    NotifyAddRoute(IpAddress, ns3::Ipv6Prefix, IpAddress, uint32_t, IpAddress) override
    {
    }

    void
    NotifyRemoveRoute(IpAddress, ns3::Ipv6Prefix, IpAddress, uint32_t, IpAddress) override
    {
    }

  protected:
    /// Let ns-3 send a packet along a route.
    template <typename Forward>
    static void
    Send(Forward forward,
         ns3::Ptr<const ns3::NetDevice> device,
         ns3::Ptr<Route> route,
         ns3::Ptr<const ns3::Packet> packet,
         const Header& header)
    {
        forward(device, route, packet, header);
    }

    ns3::Ptr<ns3::Ipv6> m_ip; //!< the node's IP
};

/**
 * The routing of a node with several links.
 *
 * @tparam Base RoutingOfIpv4 or RoutingOfIpv6
 */
template <typename Base>
class RoutingOf : public Base, public NodeRouting
{
  public:
    using typename Base::Header;
    using typename Base::InterfaceAddress;
    using typename Base::IpAddress;
    using typename Base::Route;

    /// @return the type's id
    static ns3::TypeId
    GetTypeId()
    {
        static const ns3::TypeId tid =
            ns3::TypeId(std::string("tcpsweep::RoutingOf") +
                        (std::is_same_v<Base, RoutingOfIpv4> ? "Ipv4" : "Ipv6"))
                .SetParent<typename Base::Protocol>();
        return tid;
    }

    /// @param address the node's address: the source of its packets, of all its links
    void
    Begin(const ns3::Address& address)
    {
        m_address = IpAddress::ConvertFrom(address);
        // Interface 0 is the loopback.
        for (uint32_t i = 1; i < Base::m_ip->GetNInterfaces(); ++i)
        {
            m_hosts[NumberOf(AddressAt(Base::m_ip, i))].local = true;
        }
    }

    void
    AddHost(const ns3::Address& host, const std::vector<ns3::Ptr<ns3::NetDevice>>& devices) override
    {
        auto& routes = m_hosts[NumberOf(host)].routes;
        for (const auto& device : devices)
        {
            routes.push_back(RouteOver(device));
        }
    }

    void
    AddFlow(const FlowKey& flow, ns3::Ptr<ns3::NetDevice> device) override
    {
        m_flows[flow] = RouteOver(device);
    }

    // The interface of ns-3's routing protocols.
    ns3::Ptr<Route>
    RouteOutput(ns3::Ptr<ns3::Packet> packet,
                const Header& header,
                ns3::Ptr<ns3::NetDevice>,
                ns3::Socket::SocketErrno& error) override
    {
        const auto found = m_hosts.find(NumberOf(header.GetDestination()));
        const bool known = found != m_hosts.end() && !found->second.routes.empty();
        error = known ? ns3::Socket::ERROR_NOTERROR : ns3::Socket::ERROR_NOROUTETOHOST;
        return known ? Choose(found->second, header, packet) : nullptr;
    }

    void
    NotifyInterfaceUp(uint32_t) override
    {
    }

    void
    NotifyInterfaceDown(uint32_t) override
    {
    }

    void
    NotifyAddAddress(uint32_t, InterfaceAddress) override
    {
    }

    void
    NotifyRemoveAddress(uint32_t, InterfaceAddress) override
    {
    }

    void
    PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper> stream, ns3::Time::Unit) const override
    {
        std::ostream& os = *stream->GetStream();
        for (const auto& [host, ways] : m_hosts)
        {
            os << host << (ways.local ? " local" : "");
            for (const auto& route : ways.routes)
            {
                os << " " << *route;
            }
            os << "\n";
        }
    }

  private:
    /// Declared only for its type, which shows how this version of ns-3 passes callbacks.
    template <typename... Arguments>
    static std::tuple<Arguments...> ArgumentsOf(bool (Base::Protocol::*)(Arguments...));
    /// The type of RouteInput's I-th argument.
    template <std::size_t I>
    using Argument = std::tuple_element_t<I, decltype(ArgumentsOf(&Base::Protocol::RouteInput))>;

  public:
    bool
    RouteInput(ns3::Ptr<const ns3::Packet> packet,
               const Header& header,
               ns3::Ptr<const ns3::NetDevice> device,
               Argument<3> forward,
               Argument<4>,
               Argument<5> deliver,
               Argument<6> fail) override
    {
        const auto found = m_hosts.find(NumberOf(header.GetDestination()));
        if (found == m_hosts.end())
        {
            fail(packet, header, ns3::Socket::ERROR_NOROUTETOHOST);
            return false;
        }
        if (found->second.local)
        {
            deliver(packet,
                    header,
                    static_cast<uint32_t>(Base::m_ip->GetInterfaceForDevice(device)));
            return true;
        }
        Base::Send(forward, device, Choose(found->second, header, packet), packet, header);
        return true;
    }

  private:
    /// The routes to a host.
    struct Ways
    {
        bool local{false};                   //!< whether the host is this node
        std::vector<ns3::Ptr<Route>> routes; //!< the routes there
    };

    /**
     * @param device a device of this node
     * @return the route over it, whose next hop is the node at the link's other end
     */
    ns3::Ptr<Route>
    RouteOver(ns3::Ptr<ns3::NetDevice> device) const
    {
        const auto route = ns3::Create<Route>();
        route->SetGateway(IpAddress::GetAny());
        route->SetSource(m_address);
        route->SetOutputDevice(device);
        return route;
    }

    /**
     * @param header a packet's IP header
     * @param packet the payload, which begins with the ports of TCP or UDP; may be nullptr
     * @return the packet's key, with ports 0 if there are none
     */
    static FlowKey
    KeyOf(const Header& header, ns3::Ptr<const ns3::Packet> packet)
    {
        FlowKey key{NumberOf(header.GetSource()), NumberOf(header.GetDestination()), 0, 0};
        std::array<uint8_t, 4> ports{};
        if (packet && packet->CopyData(ports.data(), ports.size()) == ports.size())
        {
            key.sourcePort = static_cast<uint16_t>(ports[0] << 8 | ports[1]);
            key.destinationPort = static_cast<uint16_t>(ports[2] << 8 | ports[3]);
        }
        return key;
    }

    /**
     * @param ways the routes to the destination
     * @param header a packet's IP header
     * @param packet the payload; may be nullptr
     * @return its route
     */
    ns3::Ptr<Route>
    Choose(const Ways& ways, const Header& header, ns3::Ptr<const ns3::Packet> packet) const
    {
        if (m_flows.empty() && ways.routes.size() == 1)
        {
            return ways.routes.front();
        }
        const FlowKey key = KeyOf(header, packet);
        const auto own = m_flows.find(key);
        if (own != m_flows.end())
        {
            return own->second;
        }
        return ways.routes[Turn(key, ways.routes.size())];
    }

    IpAddress m_address;                        //!< the source address of its packets
    std::unordered_map<uint32_t, Ways> m_hosts; //!< ways by the number of the host's address
    std::map<FlowKey, ns3::Ptr<Route>> m_flows; //!< routes of flows of their own
};

/**
 * @tparam Base RoutingOfIpv4 or RoutingOfIpv6
 * @param node a node
 * @param ip its IP
 * @return its new routing
 */
template <typename Base, typename Ip>
NodeRouting*
InstallOn(ns3::Ptr<ns3::Node> node, ns3::Ptr<Ip> ip)
{
    const auto routing = ns3::CreateObject<RoutingOf<Base>>();
    ip->SetRoutingProtocol(routing);
    routing->Begin(AddressOf(node));
    return ns3::PeekPointer(routing);
}

} // namespace

bool
FlowKey::operator<(const FlowKey& other) const
{
    return std::tie(source, destination, sourcePort, destinationPort) <
           std::tie(other.source, other.destination, other.sourcePort, other.destinationPort);
}

NodeRouting*
NodeRouting::Install(ns3::Ptr<ns3::Node> node)
{
    if (const auto ipv4 = node->GetObject<ns3::Ipv4>())
    {
        return InstallOn<RoutingOfIpv4>(node, ipv4);
    }
    return InstallOn<RoutingOfIpv6>(node, node->GetObject<ns3::Ipv6>());
}

std::size_t
NodeRouting::Turn(const FlowKey& flow, std::size_t ways) const
{
    const std::array<uint32_t, 4> hashed = {
        flow.source,
        flow.destination,
        static_cast<uint32_t>(flow.sourcePort << 16 | flow.destinationPort),
        m_salt};
    return ns3::Hash32(reinterpret_cast<const char*>(hashed.data()), sizeof(hashed)) % ways;
}

} // namespace tcpsweep

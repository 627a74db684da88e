// SPDX-License-Identifier: GPL-2.0-only
#include "network/internet.h"

#include <ns3/inet-socket-address.h>
#include <ns3/inet6-socket-address.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv6-route.h>
#include <ns3/tcp-l4-protocol.h>

#include <array>
#include <sstream>

namespace tcpsweep
{

namespace
{

/// The index of an interface's global IPv6 address, after the link-local one.
constexpr uint32_t GLOBAL_ADDRESS = 1;

/**
 * @param address an address of IPv4 or IPv6
 * @param port a port
 * @return the address with the port
 */
ns3::Address
SocketAddress(const ns3::Address& address, uint16_t port)
{
    if (ns3::Ipv4Address::IsMatchingType(address))
    {
        return ns3::InetSocketAddress(ns3::Ipv4Address::ConvertFrom(address), port);
    }
    return ns3::Inet6SocketAddress(ns3::Ipv6Address::ConvertFrom(address), port);
}

/**
 * @param send sends a segment when TCP calls it
 * @param port a port
 * @return a callback that drops segments from the port and sends all others
 */
template <typename Address, typename Route>
auto
WithoutPort(ns3::Callback<void, ns3::Ptr<ns3::Packet>, Address, Address, uint8_t, Route> send,
            uint16_t port)
{
    return decltype(send)(
        [send, port](ns3::Ptr<ns3::Packet> segment,
                     Address source,
                     Address destination,
                     uint8_t protocol,
                     Route route)
        {
            if (SourcePortOf(segment) != port)
            {
                send(segment, source, destination, protocol, route);
            }
        });
}

} // namespace

ns3::Address
AddressAt(ns3::Ptr<ns3::Ipv4> ip, uint32_t interface)
{
    return ip->GetAddress(interface, 0).GetLocal();
}

ns3::Address
AddressAt(ns3::Ptr<ns3::Ipv6> ip, uint32_t interface)
{
    return ip->GetAddress(interface, GLOBAL_ADDRESS).GetAddress();
}

uint32_t
NumberOf(const ns3::Ipv6Address& address)
{
    std::array<uint8_t, 16> bytes{};
    address.GetBytes(bytes.data());
    const uint32_t network =
        uint32_t{bytes[4]} << 24 | uint32_t{bytes[5]} << 16 | uint32_t{bytes[6]} << 8 | bytes[7];
    return network + (uint32_t{bytes[14]} << 8 | bytes[15]);
}

uint32_t
NumberOf(const ns3::Address& address)
{
    return ns3::Ipv4Address::IsMatchingType(address)
               ? NumberOf(ns3::Ipv4Address::ConvertFrom(address))
               : NumberOf(ns3::Ipv6Address::ConvertFrom(address));
}

ns3::Ipv6Address
NetworkOfNumber(uint32_t number)
{
    std::array<uint8_t, 16> bytes{0xfd,
                                  0,
                                  0,
                                  0,
                                  static_cast<uint8_t>(number >> 24),
                                  static_cast<uint8_t>(number >> 16),
                                  static_cast<uint8_t>(number >> 8),
                                  static_cast<uint8_t>(number)};
    return ns3::Ipv6Address(bytes.data());
}

ns3::Address
AddressOf(ns3::Ptr<ns3::Node> node)
{
    if (const auto ipv4 = node->GetObject<ns3::Ipv4>())
    {
        return AddressAt(ipv4, FIRST_LINK);
    }
    return AddressAt(node->GetObject<ns3::Ipv6>(), FIRST_LINK);
}

std::string
Text(const ns3::Address& address)
{
    std::ostringstream text;
    if (ns3::Ipv4Address::IsMatchingType(address))
    {
        ns3::Ipv4Address::ConvertFrom(address).Print(text);
    }
    else
    {
        ns3::Ipv6Address::ConvertFrom(address).Print(text);
    }
    return text.str();
}

ns3::Address
SocketAddressOf(ns3::Ptr<ns3::Node> node, uint16_t port)
{
    return SocketAddress(AddressOf(node), port);
}

ns3::Address
AnyAddressOf(ns3::Ptr<ns3::Node> node, uint16_t port)
{
    if (node->GetObject<ns3::Ipv4>())
    {
        return SocketAddress(ns3::Ipv4Address::GetAny(), port);
    }
    return SocketAddress(ns3::Ipv6Address::GetAny(), port);
}

uint16_t
SourcePortOf(ns3::Ptr<const ns3::Packet> segment)
{
    // Read only the port (RFC 9293, 3.1): this runs for each packet, and PeekHeader() reads all
    // options too.
    std::array<uint8_t, 2> port{};
    segment->CopyData(port.data(), port.size());
    return static_cast<uint16_t>(port[0] << 8 | port[1]);
}

void
SilencePort(ns3::Ptr<ns3::Node> node, uint16_t port)
{
    const auto tcp = node->GetObject<ns3::TcpL4Protocol>();
    tcp->SetDownTarget(WithoutPort(tcp->GetDownTarget(), port));
    tcp->SetDownTarget6(WithoutPort(tcp->GetDownTarget6(), port));
}

} // namespace tcpsweep

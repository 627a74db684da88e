// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_INTERNET_H
#define TCPSWEEP_INTERNET_H

#include <ns3/address.h>
#include <ns3/callback.h>
#include <ns3/ipv4-address.h>
#include <ns3/ipv4-header.h>
#include <ns3/ipv4-l3-protocol.h>
#include <ns3/ipv4.h>
#include <ns3/ipv6-address.h>
#include <ns3/ipv6-header.h>
#include <ns3/ipv6-l3-protocol.h>
#include <ns3/ipv6.h>
#include <ns3/node.h>
#include <ns3/packet.h>

#include <cstdint>
#include <string>

/**
 * @file
 * The parts of IP that flows need, for both IPv4 and IPv6.
 */

namespace tcpsweep
{

/// The version of IP in a scenario.
enum class Ip
{
    V4,
    V6
};

/**
 * @param ip which IP
 * @return the bytes of its header, without options or extensions
 */
constexpr uint32_t
IpHeaderBytes(Ip ip)
{
    return ip == Ip::V4 ? 20 : 40;
}

/// The least MTU of a link that carries IPv6: RFC 8200, 5.
constexpr uint32_t LEAST_MTU_OF_IPV6 = 1280;

constexpr uint32_t UDP_HEADER_BYTES = 8;

// IANA's protocol numbers. ns-3.49 deprecates its older names for them.
constexpr uint8_t ICMP_PROTOCOL = 1;
constexpr uint8_t TCP_PROTOCOL = 6;
constexpr uint8_t UDP_PROTOCOL = 17;

/// The interface of a node to its first link; interface 0 is the loopback.
constexpr uint32_t FIRST_LINK = 1;

/**
 * @param ip a node's IP
 * @param interface one of its interfaces
 * @return the node's address there
 */
ns3::Address AddressAt(ns3::Ptr<ns3::Ipv4> ip, uint32_t interface);

/**
 * @param ip a node's IP
 * @param interface one of its interfaces
 * @return the node's global address there
 */
ns3::Address AddressAt(ns3::Ptr<ns3::Ipv6> ip, uint32_t interface);

/**
 * @param address an address
 * @return its number
 */
inline uint32_t
NumberOf(const ns3::Ipv4Address& address)
{
    return address.Get();
}

/**
 * @param address a host's address in a network of NetworkOfNumber()
 * @return the number that its network has, and the host's in it
 */
uint32_t NumberOf(const ns3::Ipv6Address& address);

/**
 * @param address an address of IPv4 or IPv6
 * @return its number, which is the same for the same host of the same network
 */
uint32_t NumberOf(const ns3::Address& address);

/**
 * @param number the number of an IPv4 network
 * @return the /64 network of IPv6 for the same link: 10.1.0.4 becomes fd00:0:a01:4::
 */
ns3::Ipv6Address NetworkOfNumber(uint32_t number);

/**
 * @param node a node with a link
 * @return its address at its first link, in IPv6 the global one
 */
ns3::Address AddressOf(ns3::Ptr<ns3::Node> node);

/**
 * @param address an address of IPv4 or IPv6
 * @return the address as text
 */
std::string Text(const ns3::Address& address);

/**
 * @param node a node with a link
 * @param port a port
 * @return its address at its first link, and the port
 */
ns3::Address SocketAddressOf(ns3::Ptr<ns3::Node> node, uint16_t port);

/**
 * @param node a node
 * @param port a port
 * @return the wildcard address of the node's IP, and the port
 */
ns3::Address AnyAddressOf(ns3::Ptr<ns3::Node> node, uint16_t port);

/**
 * @param segment a TCP segment, its header first
 * @return its source port
 */
uint16_t SourcePortOf(ns3::Ptr<const ns3::Packet> segment);

/**
 * From now on, drop segments that a node's TCP sends from a port, before they reach IP.
 *
 * @param node the node
 * @param port the port
 */
void SilencePort(ns3::Ptr<ns3::Node> node, uint16_t port);

/**
 * @param header an IP header
 * @return the protocol of its payload
 */
inline uint8_t
ProtocolOf(const ns3::Ipv4Header& header)
{
    return header.GetProtocol();
}

/// @copydoc ProtocolOf(const ns3::Ipv4Header&)
inline uint8_t
ProtocolOf(const ns3::Ipv6Header& header)
{
    return header.GetNextHeader();
}

/**
 * @tparam Header the header of IPv4 or of IPv6
 * @param sink called with the IP header of each packet, the rest of the packet, and the bytes of
 * both
 * @return a sink for ns-3's traces of IP packets
 */
template <typename Header, typename Sink>
auto
PacketsTo(Sink sink)
{
    using Packet = ns3::Ptr<const ns3::Packet>;
    return ns3::Callback<void, const Header&, Packet, uint32_t>(
        [sink](const Header& header, Packet packet, uint32_t)
        { sink(header, packet, header.GetSerializedSize() + packet->GetSize()); });
}

/**
 * Follow the packets that a node sends or receives.
 *
 * @param node the node
 * @param source the trace source of its IP, SendOutgoing or LocalDeliver
 * @param sink as in PacketsTo(), for both versions of IP
 */
template <typename Sink>
void
FollowPackets(ns3::Ptr<ns3::Node> node, const std::string& source, Sink sink)
{
    if (const auto ipv4 = node->GetObject<ns3::Ipv4L3Protocol>())
    {
        ipv4->TraceConnectWithoutContext(source, PacketsTo<ns3::Ipv4Header>(sink));
    }
    if (const auto ipv6 = node->GetObject<ns3::Ipv6L3Protocol>())
    {
        ipv6->TraceConnectWithoutContext(source, PacketsTo<ns3::Ipv6Header>(sink));
    }
}

/**
 * Follow the packets of TCP and UDP that a node sends or receives. An ICMP message that answers a
 * packet contains it, with its tags, and is left out.
 *
 * @param node the node
 * @param source the trace source of its IP, SendOutgoing or LocalDeliver
 * @param sink as in PacketsTo(), for both versions of IP
 */
template <typename Sink>
void
FollowTransport(ns3::Ptr<ns3::Node> node, const std::string& source, Sink sink)
{
    FollowPackets(node,
                  source,
                  [sink](const auto& header, const auto& packet, uint32_t ipBytes)
                  {
                      const auto protocol = ProtocolOf(header);
                      if (protocol == TCP_PROTOCOL || protocol == UDP_PROTOCOL)
                      {
                          sink(header, packet, ipBytes);
                      }
                  });
}

/**
 * Follow the TCP segments that a node sends or receives.
 *
 * @param node the node
 * @param source the trace source of its IP, SendOutgoing or LocalDeliver
 * @param sink called with each TCP segment, its header first, and with the bytes of its IP packet
 */
template <typename Sink>
void
FollowSegments(ns3::Ptr<ns3::Node> node, const std::string& source, Sink sink)
{
    FollowPackets(node,
                  source,
                  [sink](const auto& header, const auto& segment, uint32_t ipBytes)
                  {
                      if (ProtocolOf(header) == TCP_PROTOCOL)
                      {
                          sink(segment, ipBytes);
                      }
                  });
}

} // namespace tcpsweep

#endif // TCPSWEEP_INTERNET_H

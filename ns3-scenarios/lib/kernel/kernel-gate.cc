// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/kernel-gate.h"

#include "network/internet.h"

#include <ns3/ipv4-header.h>
#include <ns3/ipv4-interface.h>
#include <ns3/ipv4-l3-protocol.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-routing-protocol.h>
#include <ns3/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace tcpsweep
{

namespace
{

/// The largest packet of IPv4.
constexpr std::size_t LARGEST_PACKET = 65535;
/// The offsets of fields in the headers of IPv4 (RFC 791, 3.1), TCP and UDP.
constexpr std::size_t SERVICE = 1;
constexpr std::size_t FRAGMENT_OFFSET = 6;
constexpr std::size_t PROTOCOL = 9;
constexpr std::size_t DESTINATION = 16;
constexpr std::size_t LEAST_HEADER = 20;
constexpr std::size_t DESTINATION_PORT = 2;
/// Which bits of the field's first byte a fragment has: "more fragments", and those of its offset.
constexpr uint8_t FRAGMENT_BITS = 0x3f;

/**
 * @param bytes a segment
 * @param place the offset of a port in it
 * @return the port; 0 if there is none
 */
uint16_t
PortAt(const KernelGate::Segment& bytes, std::size_t place)
{
    return bytes.size() < place + 2 ? uint16_t{0}
                                    : static_cast<uint16_t>(bytes[place] << 8 | bytes[place + 1]);
}

/**
 * @param bytes IPv4's header
 * @param place the offset of an address in it
 * @return the address
 */
ns3::Ipv4Address
AddressAt(const uint8_t* bytes, std::size_t place)
{
    return ns3::Ipv4Address(uint32_t{bytes[place]} << 24 | uint32_t{bytes[place + 1]} << 16 |
                            uint32_t{bytes[place + 2]} << 8 | uint32_t{bytes[place + 3]});
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(KernelGate);

ns3::TypeId
KernelGate::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::KernelGate").SetParent<ns3::IpL4Protocol>();
    return tid;
}

KernelGate::KernelGate(uint8_t protocol,
                       ns3::Ptr<ns3::Node> node,
                       ns3::Ptr<ns3::IpL4Protocol> own,
                       int tun,
                       VirtualTime& clock)
    : m_protocol(protocol),
      m_node(std::move(node)),
      m_own(std::move(own)),
      m_tun(tun),
      m_clock(clock)
{
}

void
KernelGate::Visit(uint16_t port, Visitor visitor)
{
    m_visitors[port] = std::move(visitor);
}

void
KernelGate::Silence(uint16_t port)
{
    m_silent.insert(port);
}

void
KernelGate::Send(uint8_t tos, ns3::Ipv4Address destination, const Segment& segment)
{
    const auto port = PortAt(segment, 0);
    if (m_silent.count(port))
    {
        return;
    }
    if (const auto found = m_visitors.find(port); found != m_visitors.end())
    {
        found->second.sent(segment);
    }
    const auto packet =
        ns3::Create<ns3::Packet>(segment.data(), static_cast<uint32_t>(segment.size()));
    if (tos)
    {
        ns3::SocketIpTosTag tag;
        tag.SetTos(tos);
        packet->AddPacketTag(tag);
    }
    const auto ipv4 = m_node->GetObject<ns3::Ipv4L3Protocol>();
    const auto source = ns3::Ipv4Address::ConvertFrom(AddressOf(m_node));
    ns3::Ipv4Header header;
    header.SetSource(source);
    header.SetDestination(destination);
    header.SetProtocol(m_protocol);
    ns3::Socket::SocketErrno error = ns3::Socket::ERROR_NOTERROR;
    const auto route = ipv4->GetRoutingProtocol()->RouteOutput(packet, header, nullptr, error);
    if (route)
    {
        m_takenBytes += IpHeaderBytes(Ip::V4) + segment.size();
        ipv4->Send(packet, source, destination, m_protocol, route);
    }
}

int
KernelGate::GetProtocolNumber() const
{
    return m_protocol;
}

ns3::IpL4Protocol::RxStatus
KernelGate::Receive(ns3::Ptr<ns3::Packet> packet,
                    const ns3::Ipv4Header& header,
                    ns3::Ptr<ns3::Ipv4Interface> interface)
{
    std::array<uint8_t, DESTINATION_PORT + 2> ports{};
    packet->CopyData(ports.data(), ports.size());
    const auto found =
        m_visitors.find(static_cast<uint16_t>(ports[DESTINATION_PORT] << 8 | ports.back()));
    const bool isVisited = found != m_visitors.end();
    if (!isVisited && !m_takesAll)
    {
        return m_own ? m_own->Receive(packet, header, interface) : RX_ENDPOINT_UNREACH;
    }
    Segment segment(packet->GetSize());
    packet->CopyData(segment.data(), static_cast<uint32_t>(segment.size()));
    const auto whole = packet->Copy();
    auto summed = header;
    summed.EnableChecksum();
    whole->AddHeader(summed);
    std::vector<uint8_t> bytes(whole->GetSize());
    whole->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    Touch(m_takesAll ? std::numeric_limits<uint32_t>::max() : 1);
    // When this returns, the kernel's TCP has processed it.
    if (write(m_tun, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    {
        ++m_refused;
        return RX_ENDPOINT_UNREACH;
    }
    m_givenBytes += bytes.size();
    if (isVisited)
    {
        found->second.received(segment);
    }
    return RX_OK;
}

ns3::IpL4Protocol::RxStatus
KernelGate::Receive(ns3::Ptr<ns3::Packet>, const ns3::Ipv6Header&, ns3::Ptr<ns3::Ipv6Interface>)
{
    return RX_ENDPOINT_UNREACH;
}

void
KernelGate::SetDownTarget(DownTargetCallback)
{
}

void
KernelGate::SetDownTarget6(DownTargetCallback6)
{
}

ns3::IpL4Protocol::DownTargetCallback
KernelGate::GetDownTarget() const
{
    return {};
}

ns3::IpL4Protocol::DownTargetCallback6
KernelGate::GetDownTarget6() const
{
    return {};
}

std::vector<ns3::Ptr<KernelGate>>
OpenGates(ns3::Ptr<ns3::Node> node,
          int tun,
          VirtualTime& clock,
          const std::vector<uint8_t>& protocols)
{
    const auto ipv4 = node->GetObject<ns3::Ipv4L3Protocol>();
    std::vector<ns3::Ptr<KernelGate>> gates;
    for (const auto protocol : protocols)
    {
        const auto own = ipv4->GetProtocol(protocol);
        gates.push_back(ns3::CreateObject<KernelGate>(protocol, node, own, tun, clock));
        // ns-3's TCP would answer the kernel's segments with resets; it still sends as before.
        if (own)
        {
            ipv4->Remove(own);
        }
        ipv4->Insert(gates.back());
    }
    clock.Watch(tun,
                node,
                [tun, gates, &clock, id = node->GetId()](uint32_t most)
                {
                    std::array<uint8_t, LARGEST_PACKET> bytes;
                    for (uint32_t i = 0; i < most; ++i)
                    {
                        const auto got = ::read(tun, bytes.data(), bytes.size());
                        if (got <= 0)
                        {
                            return;
                        }
                        const auto size = static_cast<std::size_t>(got);
                        const std::size_t header = 4U * (bytes[0] & 0x0f);
                        const auto gate =
                            std::find_if(gates.begin(),
                                         gates.end(),
                                         [&bytes](const auto& each)
                                         { return bytes[PROTOCOL] == each->GetProtocolNumber(); });
                        if (bytes[0] >> 4 != 4 || header < LEAST_HEADER || size < header ||
                            gate == gates.end())
                        {
                            continue;
                        }
                        if (bytes[FRAGMENT_OFFSET] & FRAGMENT_BITS || bytes[FRAGMENT_OFFSET + 1])
                        {
                            throw std::runtime_error(
                                "a program sent a datagram that is larger than a packet of its "
                                "interface; have it send smaller ones");
                        }
                        clock.Happen(id,
                                     [gate = *gate,
                                      tos = bytes[SERVICE],
                                      to = AddressAt(bytes.data(), DESTINATION),
                                      segment = KernelGate::Segment(bytes.data() + header,
                                                                    bytes.data() + size)]
                                     { gate->Send(tos, to, segment); });
                    }
                });
    return gates;
}

} // namespace tcpsweep

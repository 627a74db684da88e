// SPDX-License-Identifier: MIT
#include "packet.h"

#include "bytes.h"
#include "damage.h"
#include "link-layer.h"
#include "transport.h"

#include <algorithm>
#include <string>

namespace tcpsweep
{

namespace
{

/// The payload of an IP packet, and which part of it is in this frame.
struct Carried
{
    Rest rest;    //!< the bytes after the IP headers; too many if the length is wrong
    bool isFirst; //!< whether they are the datagram's first bytes, with the transport header
    bool isLast;  //!< whether they are its last bytes
    bool isCut;   //!< whether the headers before them were not captured completely
};

/**
 * @param ip an IP packet, at its beginning
 * @param version the IP version it should be
 * @param headerBytes length of its fixed header
 * @return whether that header was captured
 * @throws Damage if it has none
 */
bool
HasHeader(const Rest& ip, int version, size_t headerBytes)
{
    if (ip.captured && ip.data[0] >> 4 != version)
    {
        throw Damage(ip.offset,
                     "IP version " + std::to_string(ip.data[0] >> 4) +
                         " where the link's header says IPv" + std::to_string(version));
    }
    if (ip.length < headerBytes)
    {
        throw Damage(ip.offset,
                     "a frame with " + std::to_string(ip.length) + " bytes for an IP packet");
    }
    return ip.captured >= headerBytes;
}

/// @throws Damage because an IP packet of this length does not fit into the frame's rest, or its
/// header into the packet
[[noreturn]] void
ThrowLength(const Rest& ip, size_t length, size_t headerBytes)
{
    throw Damage(ip.offset,
                 "an IP packet of " + std::to_string(length) + " bytes with a header of " +
                     std::to_string(headerBytes) + ", in a frame that has " +
                     std::to_string(ip.length));
}

/// @throws Damage if an IP packet of this length cannot contain its header
void
CheckLength(const Rest& ip, size_t length, size_t headerBytes)
{
    if (length < headerBytes)
    {
        ThrowLength(ip, length, headerBytes);
    }
}

/// @return the payload of an IPv4 packet (RFC 791) whose header was captured
Carried
ReadIpv4(const Rest& frame, Packet& packet)
{
    constexpr size_t LEAST_HEADER_BYTES = 20;
    const uint8_t* data = frame.data;
    const size_t headerBytes = (data[0] & 0x0f) * 4;
    if (headerBytes < LEAST_HEADER_BYTES)
    {
        throw Damage(frame.offset, "an IPv4 header of " + std::to_string(headerBytes) + " bytes");
    }
    // A packet that the device will split into segments has no length yet: use all following bytes.
    const size_t length = Read16(data + 2);
    packet.ipBytes = static_cast<uint32_t>(length ? length : frame.length);
    CheckLength(frame, packet.ipBytes, headerBytes);
    packet.ecn = data[1] & 3;
    packet.ipId = Read16(data + 4);
    packet.ttl = data[8];
    packet.ends.protocol = data[9];
    packet.ends.source.isIpv6 = packet.ends.destination.isIpv6 = false;
    std::copy_n(data + 12, 4, packet.ends.source.bytes.begin());
    std::copy_n(data + 16, 4, packet.ends.destination.bytes.begin());
    packet.hasAddresses = true;
    const uint16_t fragment = Read16(data + 6);
    const auto ip = frame.Only(packet.ipBytes);
    return {ip.Behind(headerBytes),
            !(fragment & 0x1fff),
            !(fragment & 0x2000),
            ip.captured < headerBytes};
}

/// @return whether a protocol is an IPv6 extension header with its length and a next header
bool
IsExtension(uint8_t protocol)
{
    constexpr uint8_t EXTENSIONS[] = {0, 43, 44, 51, 60, 135, 139, 140};
    return std::find(std::begin(EXTENSIONS), std::end(EXTENSIONS), protocol) !=
           std::end(EXTENSIONS);
}

/// @return the payload of an IPv6 packet after its extension headers (RFC 8200), whose header was
/// captured
Carried
ReadIpv6(const Rest& frame, Packet& packet)
{
    constexpr size_t HEADER_BYTES = 40;
    constexpr uint8_t FRAGMENT = 44;
    constexpr uint8_t AUTHENTICATION = 51;
    constexpr uint8_t NO_NEXT_HEADER = 59;
    const uint8_t* data = frame.data;
    uint8_t next = data[6];
    const size_t payloadBytes = Read16(data + 4);
    // As in IPv4, and if a jumbogram's length (RFC 2675) does not fit into this header.
    const bool isWithoutLength = !payloadBytes && next != NO_NEXT_HEADER;
    packet.ipBytes =
        static_cast<uint32_t>(isWithoutLength ? frame.length : HEADER_BYTES + payloadBytes);
    packet.ecn = data[1] >> 4 & 3;
    packet.ttl = data[7];
    packet.ends.source.isIpv6 = packet.ends.destination.isIpv6 = true;
    std::copy_n(data + 8, 16, packet.ends.source.bytes.begin());
    std::copy_n(data + 24, 16, packet.ends.destination.bytes.begin());
    packet.hasAddresses = true;
    Carried carried{frame.Only(packet.ipBytes).Behind(HEADER_BYTES), true, true, false};
    auto& rest = carried.rest;
    while (carried.isFirst && IsExtension(next))
    {
        packet.ends.protocol = next;
        if (rest.length < 8)
        {
            throw Damage(rest.offset, "an IPv6 extension header runs over the packet's end");
        }
        if (rest.captured < 8)
        {
            carried.isCut = true;
            break;
        }
        size_t bytes = (rest.data[1] + 1U) * 8;
        if (next == FRAGMENT)
        {
            bytes = 8;
            carried.isFirst = !(Read16(rest.data + 2) >> 3);
            carried.isLast = !(rest.data[3] & 1);
        }
        else if (next == AUTHENTICATION)
        {
            bytes = (rest.data[1] + 2U) * 4;
        }
        if (bytes > rest.length)
        {
            throw Damage(rest.offset, "an IPv6 extension header runs over the packet's end");
        }
        next = rest.data[0];
        carried.isCut = bytes > rest.captured;
        rest = rest.Behind(bytes);
    }
    // If the packet was cut off before, this is the last known extension header.
    packet.ends.protocol = next;
    return carried;
}

} // namespace

Decoder::Decoder(uint32_t linkType)
    : m_link(nullptr)
{
    if (!IsKnownLink(linkType))
    {
        throw Damage(20, "link type " + std::to_string(linkType) + ", expected " + KnownLinks());
    }
    m_link = &LinkOf(linkType);
}

Decoded
Decoder::Decode(const Frame& frame, Packet& packet)
{
    const Rest whole{frame.data, frame.captured, frame.length, frame.offset};
    packet.hasAddresses = false;
    const auto payload = m_link->read(whole, m_space);
    if (!payload)
    {
        return Decoded::HEADLESS;
    }
    if (payload->kind == Payload::Kind::OTHER)
    {
        m_others[payload->protocol]++;
        return Decoded::OTHER;
    }
    const bool isIpv4 = payload->kind == Payload::Kind::IPV4;
    if (!(isIpv4 ? HasHeader(payload->rest, 4, 20) : HasHeader(payload->rest, 6, 40)))
    {
        return Decoded::HEADLESS;
    }
    packet = {};
    const Rest onLink = whole.Behind(payload->captureHeaderBytes);
    packet.wireBytes = static_cast<uint32_t>(onLink.length);
    packet.capturedBytes = static_cast<uint32_t>(onLink.captured);
    packet.retry = payload->retry;
    const auto carried = isIpv4 ? ReadIpv4(payload->rest, packet) : ReadIpv6(payload->rest, packet);
    packet.isCut = carried.isCut;
    if (!carried.isCut)
    {
        packet.payloadBytes = carried.rest.length;
        if (carried.isFirst)
        {
            ReadTransport(carried.rest, !carried.isLast, packet);
        }
    }
    if (packet.ipBytes > payload->rest.length)
    {
        ThrowLength(payload->rest, packet.ipBytes, packet.ipBytes - carried.rest.length);
    }
    return Decoded::PACKET;
}

void
Decoder::AddOthers(std::map<std::string, uint64_t>& counts) const
{
    for (const auto& [protocol, count] : m_others)
    {
        counts[m_link->name(protocol)] += count;
    }
}

} // namespace tcpsweep

// SPDX-License-Identifier: MIT
#include "link-layer.h"

#include <cstdio>
#include <cstring>

namespace tcpsweep
{

namespace
{

// https://www.tcpdump.org/linktypes.html
constexpr uint32_t ETHERNET = 1;
constexpr uint32_t PPP = 9;
constexpr uint32_t RAW_IP = 101;

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint16_t ETHERTYPE_ARP = 0x0806;
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd;
constexpr uint16_t LOWEST_ETHERTYPE = 0x0600; // what is below is a length
constexpr uint16_t PPP_IPV4 = 0x0021;
constexpr uint16_t PPP_IPV6 = 0x0057;
constexpr uint32_t LLC = 0x10000; // beside the EtherTypes: an 802.3 frame without one

std::optional<Payload>
ReadEthernet(const Rest& frame)
{
    constexpr size_t ADDRESSES_BYTES = 12;
    constexpr size_t HEADER_BYTES = ADDRESSES_BYTES + 2;
    constexpr uint8_t SNAP[] = {0xaa, 0xaa, 0x03, 0, 0, 0};
    if (frame.captured < HEADER_BYTES)
    {
        return std::nullopt;
    }
    uint32_t type = Read16(frame.data + ADDRESSES_BYTES);
    Rest rest = frame.Behind(HEADER_BYTES);
    if (type < LOWEST_ETHERTYPE)
    {
        if (rest.captured < sizeof(SNAP) + 2 && rest.captured < rest.length)
        {
            return std::nullopt;
        }
        type = LLC;
        if (rest.captured >= sizeof(SNAP) + 2 && !std::memcmp(rest.data, SNAP, sizeof(SNAP)))
        {
            type = Read16(rest.data + sizeof(SNAP));
            rest = rest.Behind(sizeof(SNAP) + 2);
        }
    }
    const auto kind = type == ETHERTYPE_IPV4   ? Payload::Kind::IPV4
                      : type == ETHERTYPE_IPV6 ? Payload::Kind::IPV6
                                               : Payload::Kind::OTHER;
    return Payload{kind, type, rest};
}

std::optional<Payload>
ReadPpp(const Rest& frame)
{
    // RFC 1662: address and control may stand first, and a protocol below 256 may be one byte,
    // which is odd then.
    size_t at = 0;
    if (frame.captured >= 2 && frame.data[0] == 0xff && frame.data[1] == 0x03)
    {
        at = 2;
    }
    if (frame.captured < at + 1)
    {
        return std::nullopt;
    }
    uint32_t protocol = frame.data[at];
    if (!(protocol & 1))
    {
        if (frame.captured < at + 2)
        {
            return std::nullopt;
        }
        protocol = Read16(frame.data + at++);
    }
    const auto kind = protocol == PPP_IPV4   ? Payload::Kind::IPV4
                      : protocol == PPP_IPV6 ? Payload::Kind::IPV6
                                             : Payload::Kind::OTHER;
    return Payload{kind, protocol, frame.Behind(at + 1)};
}

std::optional<Payload>
ReadRaw(const Rest& frame)
{
    if (!frame.captured)
    {
        return std::nullopt;
    }
    const uint32_t version = frame.data[0] >> 4;
    const auto kind = version == 4   ? Payload::Kind::IPV4
                      : version == 6 ? Payload::Kind::IPV6
                                     : Payload::Kind::OTHER;
    return Payload{kind, version, frame};
}

} // namespace

bool
IsKnownLink(uint32_t linkType)
{
    return linkType == ETHERNET || linkType == PPP || linkType == RAW_IP;
}

std::optional<Payload>
ReadLinkHeader(uint32_t linkType, const Rest& frame)
{
    return linkType == ETHERNET ? ReadEthernet(frame)
           : linkType == PPP    ? ReadPpp(frame)
                                : ReadRaw(frame);
}

std::string
ProtocolName(uint32_t linkType, uint32_t protocol)
{
    char text[32];
    if (linkType == RAW_IP)
    {
        std::snprintf(text, sizeof(text), "IP version %u", protocol);
        return text;
    }
    if (linkType == ETHERNET && protocol == ETHERTYPE_ARP)
    {
        return "ARP";
    }
    if (linkType == ETHERNET && protocol == LLC)
    {
        return "LLC";
    }
    std::snprintf(text,
                  sizeof(text),
                  linkType == ETHERNET ? "EtherType 0x%04x" : "PPP protocol 0x%04x",
                  protocol);
    return text;
}

} // namespace tcpsweep

// SPDX-License-Identifier: MIT
#include "ether-type.h"

#include "ppp.h"

#include <cstdio>
#include <cstring>

namespace tcpsweep
{

namespace
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint16_t ETHERTYPE_ARP = 0x0806;
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd;

constexpr uint16_t ETHERTYPE_VLAN = 0x8100;
constexpr uint16_t ETHERTYPE_SERVICE_VLAN = 0x88a8;
constexpr uint16_t ETHERTYPE_OLD_SERVICE_VLAN = 0x9100;
constexpr uint16_t ETHERTYPE_MPLS = 0x8847;
constexpr uint16_t ETHERTYPE_MPLS_UPSTREAM = 0x8848;
constexpr uint16_t ETHERTYPE_PPPOE_SESSION = 0x8864;
constexpr uint16_t ETHERTYPE_MACSEC = 0x88e5;

// Numbers of other content, in addition to the EtherTypes and `LLC`.
constexpr uint32_t MPLS_WITHOUT_IP = 0x10001;
constexpr uint32_t MACSEC_ENCRYPTED = 0x10002;
constexpr uint32_t PPP_PROTOCOL = 0x80000000; // with the protocol

/// @return the content after a stack of MPLS labels, which do not name it: IP if it has IP's
/// version
std::optional<Payload>
ReadMpls(Rest rest)
{
    constexpr size_t LABEL_BYTES = 4;
    bool isLast = false;
    while (!isLast)
    {
        if (rest.captured < LABEL_BYTES)
        {
            return std::nullopt;
        }
        isLast = rest.data[2] & 1;
        rest = rest.Behind(LABEL_BYTES);
    }
    if (!rest.captured)
    {
        return std::nullopt;
    }
    const uint32_t version = rest.data[0] >> 4;
    const auto kind = version == 4   ? Payload::Kind::IPV4
                      : version == 6 ? Payload::Kind::IPV6
                                     : Payload::Kind::OTHER;
    return Payload{kind, MPLS_WITHOUT_IP, rest};
}

/// @return the content of a PPPoE session
std::optional<Payload>
ReadPppoe(const Rest& rest)
{
    constexpr size_t HEADER_BYTES = 6;
    if (rest.captured < HEADER_BYTES)
    {
        return std::nullopt;
    }
    auto payload = ReadPpp(rest.Behind(HEADER_BYTES));
    if (payload)
    {
        payload->protocol |= PPP_PROTOCOL;
    }
    return payload;
}

} // namespace

std::optional<Payload>
ReadEtherType(uint32_t type, const Rest& behind)
{
    constexpr size_t TAG_BYTES = 4;
    constexpr size_t MACSEC_BYTES = 6;
    constexpr size_t MACSEC_CHANNEL_BYTES = 8;
    constexpr size_t MACSEC_CHECK_BYTES = 16;
    constexpr uint8_t HAS_CHANNEL = 0x20;
    constexpr uint8_t IS_CHANGED = 0x0c;
    Rest rest = behind;
    while (true)
    {
        switch (type)
        {
        case ETHERTYPE_IPV4:
            return Payload{Payload::Kind::IPV4, type, rest};
        case ETHERTYPE_IPV6:
            return Payload{Payload::Kind::IPV6, type, rest};
        case ETHERTYPE_VLAN:
        case ETHERTYPE_SERVICE_VLAN:
        case ETHERTYPE_OLD_SERVICE_VLAN:
            if (rest.captured < TAG_BYTES)
            {
                return std::nullopt;
            }
            type = Read16(rest.data + 2);
            rest = rest.Behind(TAG_BYTES);
            break;
        case ETHERTYPE_MPLS:
        case ETHERTYPE_MPLS_UPSTREAM:
            return ReadMpls(rest);
        case ETHERTYPE_PPPOE_SESSION:
            return ReadPppoe(rest);
        case ETHERTYPE_MACSEC:
        {
            if (!rest.captured)
            {
                return std::nullopt;
            }
            if (rest.data[0] & IS_CHANGED)
            {
                return OtherPayload(MACSEC_ENCRYPTED, rest);
            }
            const size_t tagBytes =
                MACSEC_BYTES + (rest.data[0] & HAS_CHANNEL ? MACSEC_CHANNEL_BYTES : 0);
            if (rest.captured < tagBytes + 2 || rest.length < tagBytes + 2 + MACSEC_CHECK_BYTES)
            {
                return std::nullopt;
            }
            type = Read16(rest.data + tagBytes);
            rest = rest.Only(rest.length - MACSEC_CHECK_BYTES).Behind(tagBytes + 2);
            break;
        }
        default:
            return type < LOWEST_ETHERTYPE ? ReadLlc(rest) : OtherPayload(type, rest);
        }
    }
}

std::optional<Payload>
ReadLlc(const Rest& rest)
{
    constexpr uint8_t SNAP[] = {0xaa, 0xaa, 0x03, 0, 0, 0};
    constexpr size_t HEADER_BYTES = sizeof(SNAP) + 2;
    if (rest.captured < HEADER_BYTES && rest.captured < rest.length)
    {
        return std::nullopt;
    }
    if (rest.captured < HEADER_BYTES || std::memcmp(rest.data, SNAP, sizeof(SNAP)))
    {
        return OtherPayload(LLC, rest);
    }
    const uint16_t type = Read16(rest.data + sizeof(SNAP));
    const Rest behind = rest.Behind(HEADER_BYTES);
    // Numbers below the EtherTypes are other protocols here, not lengths.
    return type < LOWEST_ETHERTYPE ? OtherPayload(type, behind) : ReadEtherType(type, behind);
}

std::string
EtherTypeName(uint32_t type)
{
    if (type == ETHERTYPE_ARP)
    {
        return "ARP";
    }
    if (type == LLC)
    {
        return "LLC";
    }
    if (type == MPLS_WITHOUT_IP)
    {
        return "MPLS without IP";
    }
    if (type == MACSEC_ENCRYPTED)
    {
        return "MACsec, encrypted";
    }
    if (type & PPP_PROTOCOL)
    {
        return PppName(type & ~PPP_PROTOCOL);
    }
    char text[32];
    std::snprintf(text, sizeof(text), "EtherType 0x%04x", type);
    return text;
}

} // namespace tcpsweep

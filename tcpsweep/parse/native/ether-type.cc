// SPDX-License-Identifier: MIT
#include "ether-type.h"

#include <cstdio>
#include <cstring>

namespace tcpsweep
{

namespace
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint16_t ETHERTYPE_ARP = 0x0806;
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd;

} // namespace

Payload
PayloadOfEtherType(uint32_t type, const Rest& rest)
{
    const auto kind = type == ETHERTYPE_IPV4   ? Payload::Kind::IPV4
                      : type == ETHERTYPE_IPV6 ? Payload::Kind::IPV6
                                               : Payload::Kind::OTHER;
    return {kind, type, rest};
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
    return PayloadOfEtherType(Read16(rest.data + sizeof(SNAP)), rest.Behind(HEADER_BYTES));
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
    char text[32];
    std::snprintf(text, sizeof(text), "EtherType 0x%04x", type);
    return text;
}

} // namespace tcpsweep

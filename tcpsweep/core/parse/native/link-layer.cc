// SPDX-License-Identifier: MIT
#include "link-layer.h"

#include "ether-type.h"
#include "lr-wpan.h"
#include "ppp.h"
#include "wifi.h"

#include <algorithm>
#include <iterator>

namespace tcpsweep
{

namespace
{

using Space = std::vector<uint8_t>;

std::optional<Payload>
ReadEthernet(const Rest& frame, Space& /* space */)
{
    constexpr size_t ADDRESSES_BYTES = 12;
    constexpr size_t HEADER_BYTES = ADDRESSES_BYTES + 2;
    if (frame.captured < HEADER_BYTES)
    {
        return std::nullopt;
    }
    return ReadEtherType(Read16(frame.data + ADDRESSES_BYTES), frame.Behind(HEADER_BYTES));
}

std::optional<Payload>
ReadRaw(const Rest& frame, Space& /* space */)
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

/// Cisco's HDLC: an address byte, a control byte, and the Ethernet type.
std::optional<Payload>
ReadCiscoHdlc(const Rest& frame, Space& /* space */)
{
    constexpr size_t HEADER_BYTES = 4;
    if (frame.captured < HEADER_BYTES)
    {
        return std::nullopt;
    }
    return ReadEtherType(Read16(frame.data + 2), frame.Behind(HEADER_BYTES));
}

/// BSD's loopback: the address family in either byte order; its numbers differ between systems.
std::optional<Payload>
ReadLoopback(const Rest& frame, Space& /* space */)
{
    constexpr size_t HEADER_BYTES = 4;
    constexpr uint32_t INET = 2;
    constexpr uint32_t INET6[] = {10, 24, 28, 30}; // Linux, NetBSD and OpenBSD, FreeBSD, Darwin
    if (frame.captured < HEADER_BYTES)
    {
        return std::nullopt;
    }
    const uint32_t family =
        std::min(Read32(frame.data), Read32LittleEndian(frame.data)); // a small number
    const bool isIpv6 = std::find(std::begin(INET6), std::end(INET6), family) != std::end(INET6);
    const auto kind = family == INET ? Payload::Kind::IPV4
                      : isIpv6       ? Payload::Kind::IPV6
                                     : Payload::Kind::OTHER;
    return Payload{kind, family, frame.Behind(HEADER_BYTES)};
}

/// Linux' "cooked" header of one of its two versions.
template <size_t HEADER_BYTES, size_t PROTOCOL>
std::optional<Payload>
ReadCooked(const Rest& frame, Space& /* space */)
{
    constexpr uint16_t COOKED_LLC = 4;
    if (frame.captured < HEADER_BYTES)
    {
        return std::nullopt;
    }
    const uint16_t protocol = Read16(frame.data + PROTOCOL);
    const Rest rest = frame.Behind(HEADER_BYTES);
    if (protocol == COOKED_LLC)
    {
        return ReadLlc(rest);
    }
    return protocol < LOWEST_ETHERTYPE ? OtherPayload(protocol, rest)
                                       : ReadEtherType(protocol, rest);
}

template <bool HAS_CHECKSUM>
std::optional<Payload>
ReadLrWpanFrame(const Rest& frame, Space& space)
{
    return ReadLrWpan(frame, HAS_CHECKSUM, space);
}

template <std::optional<Payload> (*READ)(const Rest&)>
std::optional<Payload>
ReadAlone(const Rest& frame, Space& /* space */)
{
    return READ(frame);
}

std::string
VersionName(uint32_t version)
{
    return "IP version " + std::to_string(version);
}

std::string
FamilyName(uint32_t family)
{
    return "address family " + std::to_string(family);
}

// https://www.tcpdump.org/linktypes.html
constexpr Link LINKS[] = {
    {0, ReadLoopback, FamilyName, "BSD's loopback"},
    {1, ReadEthernet, EtherTypeName, "Ethernet"},
    {9, ReadAlone<ReadPpp>, PppName, "PPP"},
    {12, ReadRaw, VersionName, "raw IP"},
    {101, ReadRaw, VersionName, "raw IP"},
    {104, ReadCiscoHdlc, EtherTypeName, "Cisco HDLC"},
    {105, ReadAlone<ReadWifi>, WifiName, "802.11"},
    {108, ReadLoopback, FamilyName, "OpenBSD's loopback"},
    {113, ReadCooked<16, 14>, EtherTypeName, "Linux cooked"},
    {127, ReadAlone<ReadRadiotap>, WifiName, "802.11 with radiotap"},
    {195, ReadLrWpanFrame<true>, LrWpanName, "802.15.4"},
    {228, ReadRaw, VersionName, "IPv4"},
    {229, ReadRaw, VersionName, "IPv6"},
    {230, ReadLrWpanFrame<false>, LrWpanName, "802.15.4 without checksum"},
    {276, ReadCooked<20, 0>, EtherTypeName, "Linux cooked, version 2"},
};

const Link*
Find(uint32_t linkType)
{
    return std::find_if(std::begin(LINKS),
                        std::end(LINKS),
                        [=](const Link& link) { return link.type == linkType; });
}

} // namespace

bool
IsKnownLink(uint32_t linkType)
{
    return Find(linkType) != std::end(LINKS);
}

std::string
KnownLinks()
{
    std::string known;
    for (const auto& link : LINKS)
    {
        known += (known.empty() ? "" : ", ") + std::to_string(link.type) + " (" + link.what + ")";
    }
    return known;
}

const Link&
LinkOf(uint32_t linkType)
{
    return *Find(linkType);
}

} // namespace tcpsweep

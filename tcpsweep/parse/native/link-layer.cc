// SPDX-License-Identifier: MIT
#include "link-layer.h"

#include "ether-type.h"
#include "lr-wpan.h"
#include "wifi.h"

#include <cstdio>

namespace tcpsweep
{

namespace
{

// https://www.tcpdump.org/linktypes.html
constexpr uint32_t ETHERNET = 1;
constexpr uint32_t PPP = 9;
constexpr uint32_t RAW_IP = 101;
constexpr uint32_t IEEE802_11 = 105;
constexpr uint32_t IEEE802_11_RADIOTAP = 127;
constexpr uint32_t IEEE802_15_4_WITHFCS = 195;
constexpr uint32_t IEEE802_15_4_NOFCS = 230;

constexpr uint16_t LOWEST_ETHERTYPE = 0x0600; // what is below is a length
constexpr uint16_t PPP_IPV4 = 0x0021;
constexpr uint16_t PPP_IPV6 = 0x0057;

std::optional<Payload>
ReadEthernet(const Rest& frame)
{
    constexpr size_t ADDRESSES_BYTES = 12;
    constexpr size_t HEADER_BYTES = ADDRESSES_BYTES + 2;
    if (frame.captured < HEADER_BYTES)
    {
        return std::nullopt;
    }
    const uint16_t type = Read16(frame.data + ADDRESSES_BYTES);
    const Rest rest = frame.Behind(HEADER_BYTES);
    return type < LOWEST_ETHERTYPE ? ReadLlc(rest) : PayloadOfEtherType(type, rest);
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
    switch (linkType)
    {
    case ETHERNET:
    case PPP:
    case RAW_IP:
    case IEEE802_11:
    case IEEE802_11_RADIOTAP:
    case IEEE802_15_4_WITHFCS:
    case IEEE802_15_4_NOFCS:
        return true;
    default:
        return false;
    }
}

std::string
KnownLinks()
{
    return "1 (Ethernet), 9 (PPP), 101 (raw IP), 105 (802.11), 127 (802.11 with radiotap), 195 or "
           "230 (802.15.4)";
}

std::optional<Payload>
ReadLinkHeader(uint32_t linkType, const Rest& frame, std::vector<uint8_t>& space)
{
    switch (linkType)
    {
    case ETHERNET:
        return ReadEthernet(frame);
    case PPP:
        return ReadPpp(frame);
    case IEEE802_11:
        return ReadWifi(frame);
    case IEEE802_11_RADIOTAP:
        return ReadRadiotap(frame);
    case IEEE802_15_4_WITHFCS:
        return ReadLrWpan(frame, true, space);
    case IEEE802_15_4_NOFCS:
        return ReadLrWpan(frame, false, space);
    default:
        return ReadRaw(frame);
    }
}

std::string
ProtocolName(uint32_t linkType, uint32_t protocol)
{
    char text[32];
    switch (linkType)
    {
    case ETHERNET:
        return EtherTypeName(protocol);
    case IEEE802_11:
    case IEEE802_11_RADIOTAP:
        return WifiName(protocol);
    case IEEE802_15_4_WITHFCS:
    case IEEE802_15_4_NOFCS:
        return LrWpanName(protocol);
    case PPP:
        std::snprintf(text, sizeof(text), "PPP protocol 0x%04x", protocol);
        return text;
    default:
        std::snprintf(text, sizeof(text), "IP version %u", protocol);
        return text;
    }
}

} // namespace tcpsweep

// SPDX-License-Identifier: MIT
#include "ppp.h"

#include <cstdio>

namespace tcpsweep
{

std::optional<Payload>
ReadPpp(const Rest& frame)
{
    constexpr uint16_t PPP_IPV4 = 0x0021;
    constexpr uint16_t PPP_IPV6 = 0x0057;
    // RFC 1662: address and control may come first. A protocol below 256 may have one byte, which
    // is odd then.
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

std::string
PppName(uint32_t protocol)
{
    char text[32];
    std::snprintf(text, sizeof(text), "PPP protocol 0x%04x", protocol);
    return text;
}

} // namespace tcpsweep

// SPDX-License-Identifier: MIT
#include "hc1.h"

#include <algorithm>

namespace tcpsweep
{

namespace
{

/**
 * @param encoding two bits: whether the prefix is the link-local one, and whether the rest is
 * derived from the link
 * @param id the interface identifier of the link's end
 * @param[in,out] cursor the remaining bytes
 * @param[out] address the address
 * @return whether all of it is known
 */
bool
ReadAddress(uint8_t encoding,
            const std::optional<InterfaceId>& id,
            Cursor& cursor,
            uint8_t* address)
{
    if (encoding & 2)
    {
        SetLinkLocal(address);
    }
    else
    {
        std::copy_n(cursor.Take(PREFIX_BYTES), PREFIX_BYTES, address);
    }
    if (encoding & 1)
    {
        return SetInterfaceId(address, id);
    }
    const size_t bytes = IPV6_ADDRESS_BYTES - PREFIX_BYTES;
    std::copy_n(cursor.Take(bytes), bytes, address + PREFIX_BYTES);
    return true;
}

} // namespace

std::optional<SixLowPanKind>
ReadHc1(Cursor& cursor, const LinkEnds& ends, Ipv6Headers& headers)
{
    constexpr uint8_t HAS_NO_CLASS = 0x08;
    constexpr uint8_t HAS_HC2 = 0x01;
    constexpr uint8_t PROTOCOLS[] = {0, 17, 58, 6}; // UDP, ICMPv6, TCP; the first is in the packet
    const uint8_t encoding = cursor.Take();
    if (encoding & HAS_HC2)
    {
        return SixLowPanKind::UNSUPPORTED;
    }
    headers.SetHopLimit(cursor.Take());
    if (!ReadAddress(encoding >> 6, ends.source, cursor, headers.Source()) ||
        !ReadAddress(encoding >> 4 & 3, ends.destination, cursor, headers.Destination()))
    {
        return SixLowPanKind::UNSUPPORTED;
    }
    const bool hasClass = !(encoding & HAS_NO_CLASS);
    const uint8_t* classAndLabel = cursor.Take(hasClass ? 4 : 0);
    if (hasClass)
    {
        headers.SetTrafficClass(classAndLabel[0]);
    }
    if (const uint8_t protocol = PROTOCOLS[encoding >> 1 & 3])
    {
        headers.SetNext(protocol);
        return std::nullopt;
    }
    const uint8_t next = cursor.Take();
    // Traffic class and flow label have 28 bits, and the fields after them are not aligned.
    headers.SetNext(hasClass ? static_cast<uint8_t>(classAndLabel[3] << 4 | next >> 4) : next);
    return std::nullopt;
}

} // namespace tcpsweep

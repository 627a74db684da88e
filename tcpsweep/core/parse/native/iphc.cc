// SPDX-License-Identifier: MIT
#include "iphc.h"

#include <algorithm>

namespace tcpsweep
{

namespace
{

/// How many bits of an address are in the packet; 48 and 32 are only for multicast addresses.
enum AddressMode : uint8_t
{
    ALL = 0,
    BITS_64_OR_48 = 1,
    BITS_16_OR_32 = 2,
    LEAST = 3,
};

/**
 * @param dispatch the first byte of IPHC
 * @param[in,out] cursor the remaining bytes
 * @return the traffic class (3.2.1); ECN is before DSCP here, and after it in IPv6
 */
uint8_t
ReadTrafficClass(uint8_t dispatch, Cursor& cursor)
{
    // ECN, DSCP and flow label; ECN and flow label; ECN and DSCP; none.
    constexpr size_t BYTES[] = {4, 3, 1, 0};
    const uint8_t form = dispatch >> 3 & 3;
    if (!BYTES[form])
    {
        return 0;
    }
    const uint8_t first = *cursor.Take(BYTES[form]);
    const bool hasDscp = form != 1;
    return static_cast<uint8_t>((hasDscp ? first << 2 : 0) | first >> 6);
}

/**
 * @param mode how many of its bits are in the packet
 * @param id the interface identifier of the link's end
 * @param[in,out] cursor the remaining bytes
 * @param[out] address an address without a context
 * @return whether all of it is known
 */
bool
ReadUnicast(uint8_t mode, const std::optional<InterfaceId>& id, Cursor& cursor, uint8_t* address)
{
    if (mode == ALL)
    {
        std::copy_n(cursor.Take(IPV6_ADDRESS_BYTES), IPV6_ADDRESS_BYTES, address);
        return true;
    }
    SetLinkLocal(address);
    if (mode == LEAST)
    {
        return SetInterfaceId(address, id);
    }
    if (mode == BITS_16_OR_32)
    {
        return SetInterfaceId(address, InterfaceIdOfShort(cursor.Take(2)));
    }
    const size_t bytes = IPV6_ADDRESS_BYTES - PREFIX_BYTES;
    std::copy_n(cursor.Take(bytes), bytes, address + PREFIX_BYTES);
    return true;
}

/**
 * @param mode how many of its bits are in the packet
 * @param[in,out] cursor the remaining bytes
 * @param[out] address a multicast address without a context (3.1.1)
 */
void
ReadMulticast(uint8_t mode, Cursor& cursor, uint8_t* address)
{
    constexpr size_t LAST_BYTES[] = {0, 5, 3, 1};
    constexpr uint8_t LINK_LOCAL_SCOPE = 2;
    if (mode == ALL)
    {
        std::copy_n(cursor.Take(IPV6_ADDRESS_BYTES), IPV6_ADDRESS_BYTES, address);
        return;
    }
    address[0] = 0xff;
    address[1] = mode == LEAST ? LINK_LOCAL_SCOPE : cursor.Take();
    const size_t bytes = LAST_BYTES[mode];
    std::copy_n(cursor.Take(bytes), bytes, address + IPV6_ADDRESS_BYTES - bytes);
}

/**
 * Read a header of UDP (4.3).
 *
 * @param encoding its first byte
 * @param[in,out] cursor the remaining bytes
 * @param[in,out] headers receive it
 */
void
ReadUdp(uint8_t encoding, Cursor& cursor, Ipv6Headers& headers)
{
    constexpr uint8_t HAS_NO_CHECKSUM = 0x04;
    constexpr uint8_t IS_SOURCE_SHORT = 0x02;
    constexpr uint8_t IS_DESTINATION_SHORT = 0x01;
    constexpr uint16_t PREFIX = 0xf000;
    constexpr uint16_t LONG_PREFIX = 0xf0b0;
    if (encoding & IS_SOURCE_SHORT && encoding & IS_DESTINATION_SHORT)
    {
        const uint8_t ports = cursor.Take();
        headers.AddUdp(LONG_PREFIX | ports >> 4, LONG_PREFIX | (ports & 0x0f));
    }
    else
    {
        const auto read = [&cursor](bool isShort)
        {
            return isShort ? static_cast<uint16_t>(PREFIX | cursor.Take()) : Read16(cursor.Take(2));
        };
        const uint16_t source = read(encoding & IS_SOURCE_SHORT);
        headers.AddUdp(source, read(encoding & IS_DESTINATION_SHORT));
    }
    cursor.Take(encoding & HAS_NO_CHECKSUM ? 0 : 2);
}

/**
 * Read the headers after IPv6's header (4).
 *
 * @param[in,out] cursor the remaining bytes
 * @param[in,out] headers receive them
 * @return why they cannot be read; nothing if they were read
 */
std::optional<SixLowPanKind>
ReadNextHeaders(Cursor& cursor, Ipv6Headers& headers)
{
    // Hop by hop, routing, fragment, destination, mobility. The next numbers are reserved, or
    // another IPv6 header.
    constexpr uint8_t EXTENSIONS[] = {0, 43, 44, 60, 135};
    constexpr uint8_t IS_NEXT_COMPRESSED = 0x01;
    uint8_t encoding = cursor.Take();
    while ((encoding & 0xf0) == 0xe0)
    {
        const size_t number = encoding >> 1 & 7;
        if (number >= std::size(EXTENSIONS))
        {
            return SixLowPanKind::UNSUPPORTED;
        }
        const bool isLast = !(encoding & IS_NEXT_COMPRESSED);
        const uint8_t next = isLast ? cursor.Take() : 0;
        const size_t count = cursor.Take();
        headers.AddExtension(EXTENSIONS[number], cursor.Take(count), count);
        if (isLast)
        {
            headers.SetNext(next);
            return std::nullopt;
        }
        encoding = cursor.Take();
    }
    if ((encoding & 0xf8) != 0xf0)
    {
        return SixLowPanKind::UNSUPPORTED;
    }
    ReadUdp(encoding, cursor, headers);
    return std::nullopt;
}

} // namespace

std::optional<SixLowPanKind>
ReadIphc(uint8_t dispatch, Cursor& cursor, const LinkEnds& ends, Ipv6Headers& headers)
{
    constexpr uint8_t IS_NEXT_COMPRESSED = 0x04;
    constexpr uint8_t HOP_LIMITS[] = {0, 1, 64, 255}; // the first is in the packet
    constexpr uint8_t HAS_CONTEXTS = 0x80;
    constexpr uint8_t HAS_SOURCE_CONTEXT = 0x40;
    constexpr uint8_t IS_MULTICAST = 0x08;
    constexpr uint8_t HAS_DESTINATION_CONTEXT = 0x04;
    const uint8_t encoding = cursor.Take();
    const uint8_t sourceMode = encoding >> 4 & 3;
    const uint8_t destinationMode = encoding & 3;
    // A source address with a context and no bits in the packet is the unspecified address.
    const bool isUnspecified = encoding & HAS_SOURCE_CONTEXT && sourceMode == ALL;
    if ((encoding & HAS_SOURCE_CONTEXT && !isUnspecified) || encoding & HAS_DESTINATION_CONTEXT)
    {
        return SixLowPanKind::CONTEXT;
    }
    cursor.Take(encoding & HAS_CONTEXTS ? 1 : 0);
    headers.SetTrafficClass(ReadTrafficClass(dispatch, cursor));
    const bool isNextCompressed = dispatch & IS_NEXT_COMPRESSED;
    if (!isNextCompressed)
    {
        headers.SetNext(cursor.Take());
    }
    const uint8_t hopLimit = HOP_LIMITS[dispatch & 3];
    headers.SetHopLimit(hopLimit ? hopLimit : cursor.Take());
    if (!isUnspecified && !ReadUnicast(sourceMode, ends.source, cursor, headers.Source()))
    {
        return SixLowPanKind::UNSUPPORTED;
    }
    if (encoding & IS_MULTICAST)
    {
        ReadMulticast(destinationMode, cursor, headers.Destination());
    }
    else if (!ReadUnicast(destinationMode, ends.destination, cursor, headers.Destination()))
    {
        return SixLowPanKind::UNSUPPORTED;
    }
    return isNextCompressed ? ReadNextHeaders(cursor, headers) : std::nullopt;
}

} // namespace tcpsweep

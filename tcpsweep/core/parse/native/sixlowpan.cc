// SPDX-License-Identifier: MIT
#include "sixlowpan.h"

#include "cursor.h"
#include "hc1.h"
#include "iphc.h"
#include "ipv6-headers.h"

namespace tcpsweep
{

namespace
{

/// @return a payload other than IPv6
Payload
Other(SixLowPanKind kind, const Rest& rest)
{
    return OtherPayload(static_cast<uint32_t>(kind), rest);
}

/**
 * @param isShort whether it is a short address
 * @param[in,out] cursor the remaining bytes
 * @return the interface identifier derived from a mesh header's address
 */
InterfaceId
ReadMeshAddress(bool isShort, Cursor& cursor)
{
    return isShort ? InterfaceIdOfShort(cursor.Take(2)) : InterfaceIdOfExtended(cursor.Take(8));
}

} // namespace

std::optional<Payload>
ReadSixLowPan(const Rest& rest, const LinkEnds& ends, std::vector<uint8_t>& space)
{
    // RFC 4944, 5.1 to 5.3 and 11.1: a header's first byte, or its first bits.
    constexpr uint8_t MESH = 0x80;
    constexpr uint8_t BROADCAST = 0x50;
    constexpr uint8_t FIRST_FRAGMENT = 0xc0;
    constexpr uint8_t FRAGMENT = 0xe0;
    constexpr uint8_t IPV6 = 0x41;
    constexpr uint8_t HC1 = 0x42;
    constexpr uint8_t IPHC = 0x60;
    constexpr uint8_t MANY_HOPS = 0x0f; // the next byte has the number
    if (!rest.length)
    {
        return Other(SixLowPanKind::EMPTY, rest);
    }
    Cursor cursor(rest);
    LinkEnds known = ends;
    uint8_t dispatch = cursor.Take();
    if ((dispatch & 0xc0) == MESH)
    {
        cursor.Take((dispatch & 0x0f) == MANY_HOPS ? 1 : 0);
        known.source = ReadMeshAddress(dispatch & 0x20, cursor);
        known.destination = ReadMeshAddress(dispatch & 0x10, cursor);
        dispatch = cursor.Take();
    }
    if (dispatch == BROADCAST)
    {
        cursor.Take(); // its sequence number
        dispatch = cursor.Take();
    }
    std::optional<size_t> packetBytes;
    if ((dispatch & 0xf8) == FIRST_FRAGMENT)
    {
        packetBytes = (dispatch & 0x07) << 8 | cursor.Take();
        cursor.Take(2); // the packet's tag
        dispatch = cursor.Take();
    }
    if (cursor.IsShort())
    {
        return std::nullopt;
    }
    if ((dispatch & 0xc0) == 0)
    {
        return Other(SixLowPanKind::FOREIGN, rest);
    }
    if ((dispatch & 0xf8) == FRAGMENT)
    {
        return Other(SixLowPanKind::FRAGMENT, rest);
    }
    const bool isIphc = (dispatch & 0xe0) == IPHC;
    if (dispatch == IPV6)
    {
        const Rest packet = cursor.Left();
        return Payload{Payload::Kind::IPV6, 0, packet.Only(packetBytes.value_or(packet.length))};
    }
    if (dispatch != HC1 && !isIphc)
    {
        return Other(SixLowPanKind::UNSUPPORTED, rest);
    }
    Ipv6Headers headers(space);
    const auto hindrance =
        isIphc ? ReadIphc(dispatch, cursor, known, headers) : ReadHc1(cursor, known, headers);
    if (cursor.IsShort())
    {
        return std::nullopt;
    }
    if (hindrance)
    {
        return Other(*hindrance, rest);
    }
    return Payload{Payload::Kind::IPV6, 0, headers.Close(cursor.Left(), packetBytes)};
}

std::string
SixLowPanName(SixLowPanKind kind)
{
    switch (kind)
    {
    case SixLowPanKind::EMPTY:
        return "802.15.4 data without payload";
    case SixLowPanKind::FOREIGN:
        return "802.15.4 data that is no 6LoWPAN";
    case SixLowPanKind::FRAGMENT:
        return "6LoWPAN fragment behind the first";
    case SixLowPanKind::CONTEXT:
        return "6LoWPAN compressed by a context";
    default:
        return "6LoWPAN of another kind";
    }
}

} // namespace tcpsweep

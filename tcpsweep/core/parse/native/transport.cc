// SPDX-License-Identifier: MIT
#include "transport.h"

#include "damage.h"

#include <algorithm>
#include <string>

namespace tcpsweep
{

namespace
{

constexpr uint8_t TCP = 6;
constexpr uint8_t UDP = 17;

/// @throws Damage if an option has a length that is impossible for its kind
void
CheckOption(const Rest& option, bool isPossible)
{
    if (!isPossible)
    {
        throw Damage(option.offset,
                     "a TCP option of kind " + std::to_string(option.data[0]) + " with length " +
                         std::to_string(option.data[1]));
    }
}

/**
 * Read an option. Incompletely captured numbers are missing. SACK blocks are missing unless all of
 * them were captured.
 *
 * @param option its bytes, at least kind and length
 * @param[in,out] packet receives its values
 */
void
ReadOption(const Rest& option, Packet& packet)
{
    constexpr uint8_t SEGMENT_SIZE = 2;
    constexpr uint8_t WINDOW_SCALE = 3;
    constexpr uint8_t SACK_PERMITTED = 4;
    constexpr uint8_t SACK = 5;
    constexpr uint8_t TIMESTAMPS = 8;
    constexpr size_t SACK_BLOCK_BYTES = 8;
    switch (option.data[0])
    {
    case SEGMENT_SIZE:
        CheckOption(option, option.length == 4);
        if (option.captured >= 4)
        {
            packet.mss = Read16(option.data + 2);
        }
        break;
    case SACK_PERMITTED:
        CheckOption(option, option.length == 2);
        packet.sackPermitted = true;
        break;
    case WINDOW_SCALE:
        CheckOption(option, option.length == 3);
        if (option.captured >= 3)
        {
            packet.windowScale = option.data[2];
        }
        break;
    case TIMESTAMPS:
        CheckOption(option, option.length == 10);
        if (option.captured >= 6)
        {
            packet.tsval = Read32(option.data + 2);
        }
        if (option.captured >= 10)
        {
            packet.tsecr = Read32(option.data + 6);
        }
        break;
    case SACK:
        CheckOption(option, option.length > 2 && (option.length - 2) % SACK_BLOCK_BYTES == 0);
        // At most four blocks fit into the 40 bytes for all options.
        for (size_t at = 2; at < option.length && option.captured == option.length &&
                            packet.sackBlocks < packet.sackLeft.size();
             at += SACK_BLOCK_BYTES)
        {
            packet.sackLeft[packet.sackBlocks] = Read32(option.data + at);
            packet.sackRight[packet.sackBlocks++] = Read32(option.data + at + 4);
        }
        break;
    default:
        break;
    }
}

/**
 * Read the options of a TCP header; each has at least one byte.
 *
 * @param options the header after its first 20 bytes
 * @param[in,out] packet receives their values
 */
void
ReadOptions(Rest options, Packet& packet)
{
    constexpr uint8_t END = 0;
    constexpr uint8_t NO_OPERATION = 1;
    while (options.captured && options.data[0] != END)
    {
        if (options.data[0] == NO_OPERATION)
        {
            options = options.Behind(1);
            continue;
        }
        if (options.length < 2)
        {
            throw Damage(options.offset, "a TCP option without length at the header's end");
        }
        if (options.captured < 2)
        {
            return;
        }
        const size_t length = options.data[1];
        CheckOption(options, length >= 2);
        if (length > options.length)
        {
            throw Damage(options.offset,
                         "a TCP option of " + std::to_string(length) + " bytes in the last " +
                             std::to_string(options.length) + " of the header");
        }
        ReadOption(options.Only(length), packet);
        options = options.Behind(length);
    }
}

/// @throws Damage if a header does not fit into IP's payload
void
CheckHeader(const char* protocol, const Rest& rest, size_t headerBytes, size_t least)
{
    if (headerBytes < least || headerBytes > rest.length)
    {
        throw Damage(rest.offset,
                     "a " + std::string(protocol) + " header of " + std::to_string(headerBytes) +
                         " bytes in " + std::to_string(rest.length));
    }
}

void
ReadTcp(const Rest& rest, bool isFragment, Packet& packet)
{
    constexpr size_t LEAST_HEADER_BYTES = 20;
    const uint8_t* data = rest.data;
    if (!isFragment)
    {
        CheckHeader("TCP", rest, LEAST_HEADER_BYTES, LEAST_HEADER_BYTES);
    }
    packet.isCut = true;
    packet.payloadBytes.reset();
    if (rest.captured >= 8)
    {
        packet.seq = Read32(data + 4);
    }
    if (rest.captured >= 12)
    {
        packet.ack = Read32(data + 8);
    }
    if (rest.captured >= 16)
    {
        packet.window = Read16(data + 14);
    }
    if (rest.captured < 14)
    {
        return;
    }
    packet.flags = Read16(data + 12) & 0x0fff;
    const size_t headerBytes = (data[12] >> 4) * 4;
    if (!isFragment || headerBytes < LEAST_HEADER_BYTES)
    {
        CheckHeader("TCP", rest, headerBytes, LEAST_HEADER_BYTES);
    }
    if (headerBytes <= rest.length)
    {
        packet.payloadBytes = rest.length - headerBytes;
    }
    if (rest.captured >= LEAST_HEADER_BYTES)
    {
        ReadOptions(rest.Only(std::min(headerBytes, rest.length)).Behind(LEAST_HEADER_BYTES),
                    packet);
    }
    packet.isCut = rest.captured < headerBytes;
}

void
ReadUdp(const Rest& rest, bool isFragment, Packet& packet)
{
    constexpr size_t HEADER_BYTES = 8;
    if (!isFragment)
    {
        CheckHeader("UDP", rest, HEADER_BYTES, HEADER_BYTES);
    }
    packet.isCut = rest.captured < HEADER_BYTES;
    packet.payloadBytes.reset();
    if (rest.length >= HEADER_BYTES)
    {
        packet.payloadBytes = rest.length - HEADER_BYTES;
    }
    if (rest.captured < 6)
    {
        return;
    }
    const size_t length = Read16(rest.data + 4);
    if (length < HEADER_BYTES || (!isFragment && length > rest.length))
    {
        throw Damage(rest.offset + 4,
                     "a UDP datagram of " + std::to_string(length) + " bytes in " +
                         std::to_string(rest.length));
    }
    if (!isFragment)
    {
        packet.payloadBytes = length - HEADER_BYTES;
    }
}

} // namespace

void
ReadTransport(const Rest& rest, bool isFragment, Packet& packet)
{
    if (packet.ends.protocol != TCP && packet.ends.protocol != UDP)
    {
        return;
    }
    if (rest.captured >= 4)
    {
        packet.ends.hasPorts = true;
        packet.ends.sourcePort = Read16(rest.data);
        packet.ends.destinationPort = Read16(rest.data + 2);
    }
    packet.ends.protocol == TCP ? ReadTcp(rest, isFragment, packet)
                                : ReadUdp(rest, isFragment, packet);
}

} // namespace tcpsweep

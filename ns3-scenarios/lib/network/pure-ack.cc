// SPDX-License-Identifier: GPL-2.0-only
#include "network/pure-ack.h"

#include "network/interface.h"
#include "network/internet.h"
#include "network/link.h"

#include <ns3/ipv4-queue-disc-item.h>
#include <ns3/ipv6-queue-disc-item.h>

#include <algorithm>
#include <array>

namespace tcpsweep
{

namespace
{

constexpr std::size_t IPV4_BYTES = 20;
constexpr std::size_t IPV6_BYTES = 40;
constexpr std::size_t TCP_BYTES = 20;
constexpr uint8_t ACK_FLAG = 0x10;
constexpr uint8_t ECE_FLAG = 0x40;
constexpr uint8_t OPTION_END = 0;
constexpr uint8_t OPTION_NOTHING = 1;
constexpr uint8_t OPTION_SACK = 5;
/// The bits of More Fragments and of a fragment's offset, without Don't Fragment.
constexpr uint16_t FRAGMENT = 0x3fff;

/**
 * @param bytes a number, the most significant byte first
 * @return the number of 16 bits
 */
uint16_t
Read16(const uint8_t* bytes)
{
    return static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
}

/**
 * @param bytes where a number begins
 * @return the number of 32 bits
 */
uint32_t
Read32(const uint8_t* bytes)
{
    return static_cast<uint32_t>(Read16(bytes)) << 16 | Read16(bytes + 2);
}

/**
 * @param number a sequence number
 * @param other another, less than 2^31 bytes away
 * @return whether the first number is equal to the other or after it
 */
bool
IsAtOrAfter(uint32_t number, uint32_t other)
{
    return number - other < uint32_t{1} << 31;
}

/**
 * @param tcp a TCP header's first byte
 * @param length the header's bytes
 * @return the blocks of its SACK option
 */
std::vector<std::pair<uint32_t, uint32_t>>
ReadBlocks(const uint8_t* tcp, std::size_t length)
{
    std::vector<std::pair<uint32_t, uint32_t>> blocks;
    for (std::size_t at = TCP_BYTES; at < length && tcp[at] != OPTION_END;)
    {
        const std::size_t size = tcp[at] == OPTION_NOTHING ? 1 : at + 1 < length ? tcp[at + 1] : 0;
        if (size == 0 || at + size > length)
        {
            break;
        }
        for (std::size_t block = at + 2; tcp[at] == OPTION_SACK && block + 8 <= at + size;
             block += 8)
        {
            blocks.emplace_back(Read32(tcp + block), Read32(tcp + block + 4));
        }
        at += size;
    }
    return blocks;
}

} // namespace

bool
PureAck::Covers(const PureAck& older) const
{
    if (echo != older.echo || number == older.number || !IsAtOrAfter(number, older.number))
    {
        return false;
    }
    const auto isKnown = [this, &older](const std::pair<uint32_t, uint32_t>& block)
    {
        if (!IsAtOrAfter(block.first, older.number)) // a DSACK, RFC 2883
        {
            return false;
        }
        return IsAtOrAfter(number, block.second) ||
               std::any_of(blocks.begin(),
                           blocks.end(),
                           [&block](const std::pair<uint32_t, uint32_t>& mine)
                           {
                               return IsAtOrAfter(block.first, mine.first) &&
                                      IsAtOrAfter(mine.second, block.second);
                           });
    };
    return std::all_of(older.blocks.begin(), older.blocks.end(), isKnown);
}

std::optional<PureAck>
ReadPureAck(const uint8_t* ip, std::size_t size)
{
    if (size < IPV4_BYTES + TCP_BYTES)
    {
        return std::nullopt;
    }
    const bool isV4 = ip[0] >> 4 == 4;
    const std::size_t ipLength = isV4 ? 4 * (ip[0] & 0x0f) : IPV6_BYTES;
    const uint8_t protocol = isV4 ? ip[9] : ip[6];
    const bool isWhole = !isV4 || (Read16(ip + 6) & FRAGMENT) == 0;
    if (protocol != TCP_PROTOCOL || !isWhole || size < ipLength + TCP_BYTES)
    {
        return std::nullopt;
    }
    const uint8_t* const tcp = ip + ipLength;
    const std::size_t tcpLength = 4 * (tcp[12] >> 4);
    const uint8_t flags = tcp[13];
    const bool acknowledges = (flags & ~ECE_FLAG) == ACK_FLAG;
    if (!acknowledges || tcpLength < TCP_BYTES || size != ipLength + tcpLength)
    {
        return std::nullopt;
    }
    const std::size_t addresses = isV4 ? 8 : 32;
    const auto* const from = reinterpret_cast<const char*>(ip + (isV4 ? 12 : 8));
    const auto* const ports = reinterpret_cast<const char*>(tcp);
    return PureAck{std::string(from, addresses) + std::string(ports, 4),
                   Read32(tcp + 8),
                   (flags & ECE_FLAG) != 0,
                   ReadBlocks(tcp, tcpLength)};
}

std::optional<PureAck>
PureAckInFrame(ns3::Ptr<const ns3::Packet> frame)
{
    std::array<uint8_t, PPP_HEADER_BYTES + IP_AND_TCP_BYTES> bytes;
    const std::size_t size = frame->GetSize();
    if (size > bytes.size()) // most packets with data
    {
        return std::nullopt;
    }
    frame->CopyData(bytes.data(), static_cast<uint32_t>(size));
    return size > PPP_HEADER_BYTES
               ? ReadPureAck(bytes.data() + PPP_HEADER_BYTES, size - PPP_HEADER_BYTES)
               : std::nullopt;
}

std::optional<PureAck>
PureAckInItem(ns3::Ptr<const ns3::QueueDiscItem> item)
{
    std::array<uint8_t, IP_AND_TCP_BYTES> bytes;
    if (item->GetSize() > bytes.size())
    {
        return std::nullopt;
    }
    // In a disc, the IP header is still separate from its packet.
    const auto whole = item->GetPacket()->Copy();
    if (const auto v4 = ns3::DynamicCast<const ns3::Ipv4QueueDiscItem>(item))
    {
        whole->AddHeader(v4->GetHeader());
    }
    else if (const auto v6 = ns3::DynamicCast<const ns3::Ipv6QueueDiscItem>(item))
    {
        whole->AddHeader(v6->GetHeader());
    }
    const uint32_t size = whole->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    return ReadPureAck(bytes.data(), size);
}

} // namespace tcpsweep

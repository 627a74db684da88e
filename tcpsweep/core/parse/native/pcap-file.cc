// SPDX-License-Identifier: MIT
#include "pcap-file.h"

#include "damage.h"

#include <cstring>
#include <string>
#include <utility>

namespace tcpsweep
{

namespace
{

constexpr size_t FILE_HEADER_BYTES = 24;
constexpr size_t RECORD_HEADER_BYTES = 16;
constexpr uint32_t MICROSECONDS = 0xa1b2c3d4;
constexpr uint32_t NANOSECONDS = 0xa1b23c4d;

/// @return the number in four bytes in this machine's byte order
uint32_t
NativeNumber(const void* data)
{
    uint32_t number;
    std::memcpy(&number, data, sizeof(number));
    return number;
}

/// @return whether a number is a pcap file's magic number in this machine's byte order
bool
IsMagic(uint32_t number)
{
    return number == MICROSECONDS || number == NANOSECONDS;
}

} // namespace

bool
PcapFile::IsOne(std::string_view begin)
{
    if (begin.size() < sizeof(uint32_t))
    {
        return false;
    }
    const uint32_t magic = NativeNumber(begin.data());
    return IsMagic(magic) || IsMagic(__builtin_bswap32(magic));
}

PcapFile::PcapFile(FileBlocks blocks)
    : m_blocks(std::move(blocks))
{
    const size_t size = m_blocks.Fill(FILE_HEADER_BYTES);
    const uint8_t* header = m_blocks.Data();
    m_swapped = !IsMagic(NativeNumber(header));
    if (size < FILE_HEADER_BYTES)
    {
        throw Damage(size, "the file ends within its header");
    }
    m_ticksPerSecond = Number(header) == MICROSECONDS ? 1000000 : 1000000000;
    uint16_t version[2];
    std::memcpy(version, header + 4, sizeof(version));
    if (m_swapped)
    {
        version[0] = __builtin_bswap16(version[0]);
        version[1] = __builtin_bswap16(version[1]);
    }
    if (version[0] != 2 || version[1] != 4)
    {
        throw Damage(4,
                     "pcap version " + std::to_string(version[0]) + "." +
                         std::to_string(version[1]) + ", expected 2.4");
    }
    // The upper four bits are the length of the frames' checksums, which follow the decoded bytes.
    // Bit 26 says that this length is valid.
    m_interfaces.push_back({Number(header + 20) & 0x0bffffff, ""});
    m_blocks.Take(FILE_HEADER_BYTES);
}

bool
PcapFile::Next(Frame& frame)
{
    size_t size = m_blocks.Fill(RECORD_HEADER_BYTES);
    if (!size)
    {
        return false;
    }
    const uint64_t offset = m_blocks.Offset();
    if (size < RECORD_HEADER_BYTES)
    {
        throw Damage(offset, "the file ends within a packet's header");
    }
    const uint8_t* header = m_blocks.Data();
    const uint32_t seconds = Number(header);
    const uint32_t ticks = Number(header + 4);
    const uint32_t captured = Number(header + 8);
    const uint32_t length = Number(header + 12);
    // Ignore the snapshot length in the file's header, because some programs write longer packets.
    if (captured > MOST_CAPTURED || captured > length)
    {
        throw Damage(offset + 8,
                     "a packet of " + std::to_string(length) + " bytes with " +
                         std::to_string(captured) + " captured, where at most " +
                         std::to_string(MOST_CAPTURED) + " are");
    }
    size = m_blocks.Fill(RECORD_HEADER_BYTES + captured);
    if (size < RECORD_HEADER_BYTES + captured)
    {
        throw Damage(offset, "the file ends within a packet");
    }
    frame.time_ns =
        int64_t{seconds} * 1000000000 + int64_t{ticks} * (1000000000 / m_ticksPerSecond);
    frame.data = m_blocks.Data() + RECORD_HEADER_BYTES;
    frame.captured = captured;
    frame.length = length;
    frame.offset = offset + RECORD_HEADER_BYTES;
    frame.interface = 0;
    frame.hasTime = true;
    frame.hasOddTime = ticks >= m_ticksPerSecond;
    m_blocks.Take(RECORD_HEADER_BYTES + captured);
    return true;
}

uint32_t
PcapFile::Number(const uint8_t* data) const
{
    const uint32_t number = NativeNumber(data);
    return m_swapped ? __builtin_bswap32(number) : number;
}

} // namespace tcpsweep

// SPDX-License-Identifier: MIT
#include "capture-file.h"

#include "damage.h"

#include <algorithm>
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
constexpr uint32_t NEXT_GENERATION = 0x0a0d0d0a; // the same in both byte orders
constexpr uint32_t MOST_CAPTURED = 256 * 1024; // what libpcap and Wireshark take for the most, too
constexpr size_t BLOCK_BYTES = 1024 * 1024;

/**
 * @param number a number
 * @return the number that its bytes are in the other order
 */
uint32_t
Swap(uint32_t number)
{
    return __builtin_bswap32(number);
}

} // namespace

CaptureFile::CaptureFile(Read read)
    : m_read(std::move(read)),
      m_block(new uint8_t[BLOCK_BYTES])
{
    const size_t size = Fill(FILE_HEADER_BYTES);
    const uint8_t* header = m_block.get();
    if (!size)
    {
        throw Damage(0, "the file is empty");
    }
    const uint32_t magic = size < 4 ? 0 : Number(header);
    m_swapped = Swap(magic) == MICROSECONDS || Swap(magic) == NANOSECONDS;
    const uint32_t kind = m_swapped ? Swap(magic) : magic;
    if (kind == NEXT_GENERATION)
    {
        throw Damage(
            0,
            "a pcapng file, which is not supported; `editcap -F pcap` makes a pcap file of it");
    }
    if (kind != MICROSECONDS && kind != NANOSECONDS)
    {
        throw Damage(0, "not a pcap file");
    }
    if (size < FILE_HEADER_BYTES)
    {
        throw Damage(size, "the file ends within its header");
    }
    m_ticksPerSecond = kind == MICROSECONDS ? 1000000 : 1000000000;
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
    const uint32_t snapLength = Number(header + 16);
    m_mostCaptured = snapLength ? std::min(snapLength, MOST_CAPTURED) : MOST_CAPTURED;
    // The upper four bits tell how long the frames' checksums are, which are behind all that is
    // decoded.
    m_linkType = Number(header + 20) & 0x0fffffff;
    m_begin += FILE_HEADER_BYTES;
    m_offset += FILE_HEADER_BYTES;
}

bool
CaptureFile::Next(Frame& frame)
{
    size_t size = Fill(RECORD_HEADER_BYTES);
    if (!size)
    {
        return false;
    }
    if (size < RECORD_HEADER_BYTES)
    {
        throw Damage(m_offset, "the file ends within a packet's header");
    }
    const uint8_t* header = m_block.get() + m_begin;
    const uint32_t seconds = Number(header);
    const uint32_t ticks = Number(header + 4);
    const uint32_t captured = Number(header + 8);
    const uint32_t length = Number(header + 12);
    if (ticks >= m_ticksPerSecond)
    {
        throw Damage(m_offset + 4,
                     "a time with " + std::to_string(ticks) + " of " +
                         std::to_string(m_ticksPerSecond) + " parts of a second");
    }
    if (captured > m_mostCaptured || captured > length)
    {
        throw Damage(m_offset + 8,
                     "a packet of " + std::to_string(length) + " bytes with " +
                         std::to_string(captured) + " captured, where at most " +
                         std::to_string(m_mostCaptured) + " are");
    }
    size = Fill(RECORD_HEADER_BYTES + captured);
    if (size < RECORD_HEADER_BYTES + captured)
    {
        throw Damage(m_offset, "the file ends within a packet");
    }
    frame.time_ns =
        int64_t{seconds} * 1000000000 + int64_t{ticks} * (1000000000 / m_ticksPerSecond);
    frame.data = m_block.get() + m_begin + RECORD_HEADER_BYTES;
    frame.captured = captured;
    frame.length = length;
    frame.offset = m_offset + RECORD_HEADER_BYTES;
    m_begin += RECORD_HEADER_BYTES + captured;
    m_offset += RECORD_HEADER_BYTES + captured;
    return true;
}

size_t
CaptureFile::Fill(size_t count)
{
    if (m_end - m_begin >= count)
    {
        return m_end - m_begin;
    }
    std::memmove(m_block.get(), m_block.get() + m_begin, m_end - m_begin);
    m_end -= m_begin;
    m_begin = 0;
    while (m_end < count)
    {
        const size_t size = m_read(m_block.get() + m_end, BLOCK_BYTES - m_end);
        if (!size)
        {
            break;
        }
        m_end += size;
    }
    return m_end;
}

uint32_t
CaptureFile::Number(const uint8_t* data) const
{
    uint32_t number;
    std::memcpy(&number, data, sizeof(number));
    return m_swapped ? Swap(number) : number;
}

} // namespace tcpsweep

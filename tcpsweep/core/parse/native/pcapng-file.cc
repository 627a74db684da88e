// SPDX-License-Identifier: MIT
#include "pcapng-file.h"

#include "damage.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace tcpsweep
{

namespace
{

constexpr uint32_t SECTION = 0x0a0d0d0a; // the same in both byte orders
constexpr uint32_t INTERFACE = 1;
constexpr uint32_t PACKET = 2; // obsolete
constexpr uint32_t SIMPLE_PACKET = 3;
constexpr uint32_t ENHANCED_PACKET = 6;
constexpr uint32_t BYTE_ORDER_MAGIC = 0x1a2b3c4d;

constexpr size_t HEAD_BYTES = 8; // type and length
constexpr size_t TAIL_BYTES = 4; // the length again
constexpr size_t SECTION_BYTES = 28;
constexpr size_t INTERFACE_BYTES = 20;
constexpr size_t PACKET_HEAD_BYTES = 28;
constexpr size_t SIMPLE_HEAD_BYTES = 12;

/// @return a number of bytes, including their padding
uint64_t
Padded(uint64_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

/**
 * @param ticks a time in an interface's unit
 * @param resolution the unit, as in the option if_tsresol
 * @param offset_s the seconds to add
 * @return the time in ns, nothing if it is too far from the epoch
 */
std::optional<int64_t>
Nanoseconds64(uint64_t ticks, uint8_t resolution, int64_t offset_s)
{
    constexpr uint8_t POWER_OF_TWO = 0x80;
    constexpr unsigned DIGITS = 9;       // of nanoseconds
    constexpr unsigned MOST_DIGITS = 20; // of 64 bits
    const unsigned exponent = resolution & ~POWER_OF_TWO;
    __int128 time_ns = ticks;
    if (resolution & POWER_OF_TWO)
    {
        time_ns = time_ns * 1000000000 >> std::min(exponent, 126U);
    }
    else
    {
        for (unsigned digit = exponent; digit < DIGITS; digit++)
        {
            time_ns *= 10;
        }
        for (unsigned digit = DIGITS; digit < std::min(exponent, DIGITS + MOST_DIGITS); digit++)
        {
            time_ns /= 10;
        }
    }
    time_ns += __int128{offset_s} * 1000000000;
    if (time_ns < std::numeric_limits<int64_t>::min() ||
        time_ns > std::numeric_limits<int64_t>::max())
    {
        return std::nullopt;
    }
    return static_cast<int64_t>(time_ns);
}

} // namespace

bool
PcapngFile::IsOne(std::string_view begin)
{
    return begin.starts_with("\x0a\x0d\x0d\x0a");
}

PcapngFile::PcapngFile(FileBlocks blocks)
    : m_blocks(std::move(blocks))
{
    ReadSection();
}

bool
PcapngFile::Next(Frame& frame)
{
    while (true)
    {
        EndBlock();
        const size_t size = m_blocks.Fill(HEAD_BYTES);
        if (!size)
        {
            return false;
        }
        m_begin = m_blocks.Offset();
        if (size < HEAD_BYTES)
        {
            throw Damage(m_begin, "the file ends within a block's header");
        }
        const uint32_t type = Number32(m_blocks.Data());
        if (type == SECTION)
        {
            ReadSection();
            continue;
        }
        m_length = Number32(m_blocks.Data() + 4);
        m_taken = 0;
        if (m_length < HEAD_BYTES + TAIL_BYTES)
        {
            throw Damage(m_begin + 4, "a block of " + std::to_string(m_length) + " bytes");
        }
        if (type == INTERFACE)
        {
            ReadInterface();
        }
        else if (type == ENHANCED_PACKET || type == PACKET || type == SIMPLE_PACKET)
        {
            ReadPacket(type, frame);
            return true;
        }
    }
}

void
PcapngFile::EndBlock()
{
    if (!m_length)
    {
        return;
    }
    const uint64_t end = Padded(m_length);
    if (!m_blocks.Skip(end - TAIL_BYTES - m_taken) || m_blocks.Fill(TAIL_BYTES) < TAIL_BYTES)
    {
        throw Damage(m_begin, "the file ends within a block");
    }
    const uint32_t again = Number32(m_blocks.Data());
    if (again != m_length)
    {
        throw Damage(m_blocks.Offset(),
                     "a block of " + std::to_string(m_length) + " bytes ends with the length " +
                         std::to_string(again));
    }
    m_blocks.Take(TAIL_BYTES);
    m_length = 0;
}

void
PcapngFile::Need(size_t count)
{
    if (count + TAIL_BYTES > Padded(m_length))
    {
        throw Damage(m_begin + 4,
                     "a block of " + std::to_string(m_length) + " bytes, expected at least " +
                         std::to_string(count + TAIL_BYTES));
    }
    if (m_blocks.Fill(count) < count)
    {
        throw Damage(m_begin, "the file ends within a block");
    }
}

void
PcapngFile::ReadSection()
{
    m_begin = m_blocks.Offset();
    if (m_blocks.Fill(SECTION_BYTES) < SECTION_BYTES)
    {
        throw Damage(m_begin, "the file ends within a section's header");
    }
    const uint8_t* header = m_blocks.Data();
    m_swapped = false;
    m_swapped = Number32(header + 8) != BYTE_ORDER_MAGIC;
    if (Number32(header + 8) != BYTE_ORDER_MAGIC)
    {
        throw Damage(m_begin + 8, "a section of pcapng without its byte order");
    }
    m_length = Number32(header + 4);
    const uint16_t major = Number16(header + 12);
    if (m_length < SECTION_BYTES)
    {
        throw Damage(m_begin + 4, "a section's header of " + std::to_string(m_length) + " bytes");
    }
    if (major != 1)
    {
        throw Damage(m_begin + 12, "pcapng version " + std::to_string(major) + ", expected 1");
    }
    m_first = m_interfaces.size();
    m_taken = 0;
}

void
PcapngFile::ReadInterface()
{
    Need(INTERFACE_BYTES - TAIL_BYTES);
    if (m_length > FileBlocks::BLOCK_BYTES / 2)
    {
        throw Damage(m_begin + 4,
                     "an interface described in " + std::to_string(m_length) + " bytes");
    }
    const size_t size = Padded(m_length) - TAIL_BYTES;
    Need(size);
    const uint8_t* block = m_blocks.Data();
    m_interfaces.push_back({Number16(block + HEAD_BYTES), ""});
    m_clocks.emplace_back();
    m_clocks.back().mostCaptured = Number32(block + HEAD_BYTES + 4);
    constexpr size_t OPTIONS = INTERFACE_BYTES - TAIL_BYTES;
    ReadOptions(block + OPTIONS, size - OPTIONS, m_begin + OPTIONS);
}

void
PcapngFile::ReadOptions(const uint8_t* data, size_t size, uint64_t offset)
{
    constexpr uint16_t END = 0;
    constexpr uint16_t NAME = 2;
    constexpr uint16_t RESOLUTION = 9;
    constexpr uint16_t TIME_OFFSET = 14;
    constexpr size_t OPTION_HEAD_BYTES = 4;
    size_t at = 0;
    while (size - at >= OPTION_HEAD_BYTES && Number16(data + at) != END)
    {
        const uint16_t code = Number16(data + at);
        const uint16_t length = Number16(data + at + 2);
        const uint8_t* value = data + at + OPTION_HEAD_BYTES;
        if (length > size - at - OPTION_HEAD_BYTES)
        {
            throw Damage(offset + at,
                         "an interface's option of " + std::to_string(length) +
                             " bytes in the last " + std::to_string(size - at - OPTION_HEAD_BYTES) +
                             " of its block");
        }
        if (code == NAME)
        {
            m_interfaces.back().name.assign(reinterpret_cast<const char*>(value), length);
        }
        else if (code == RESOLUTION && length)
        {
            m_clocks.back().resolution = *value;
        }
        else if (code == TIME_OFFSET && length == 8)
        {
            // In the section's byte order, all eight bytes are reversed.
            const uint64_t first = Number32(value);
            const uint64_t second = Number32(value + 4);
            const bool isLittle = (std::endian::native == std::endian::little) != m_swapped;
            m_clocks.back().offset_s =
                static_cast<int64_t>(isLittle ? second << 32 | first : first << 32 | second);
        }
        at += std::min<size_t>(Padded(OPTION_HEAD_BYTES + length), size - at);
    }
}

void
PcapngFile::ReadPacket(uint32_t type, Frame& frame)
{
    const bool isSimple = type == SIMPLE_PACKET;
    const size_t headBytes = isSimple ? SIMPLE_HEAD_BYTES : PACKET_HEAD_BYTES;
    Need(headBytes);
    const uint8_t* block = m_blocks.Data();
    const uint32_t number = isSimple         ? 0
                            : type == PACKET ? Number16(block + HEAD_BYTES)
                                             : Number32(block + HEAD_BYTES);
    if (number >= m_interfaces.size() - m_first)
    {
        throw Damage(m_begin + HEAD_BYTES,
                     "a packet of interface " + std::to_string(number) +
                         ", where the section has " +
                         std::to_string(m_interfaces.size() - m_first));
    }
    frame.interface = static_cast<uint32_t>(m_first + number);
    const Clock& clock = m_clocks[frame.interface];
    frame.hasTime = frame.hasOddTime = false;
    frame.time_ns = 0;
    uint32_t captured;
    if (isSimple)
    {
        frame.length = Number32(block + HEAD_BYTES);
        const auto room = static_cast<uint32_t>(Padded(m_length) - SIMPLE_HEAD_BYTES - TAIL_BYTES);
        captured = std::min(frame.length, room);
        captured = clock.mostCaptured ? std::min(captured, clock.mostCaptured) : captured;
    }
    else
    {
        const uint64_t ticks = uint64_t{Number32(block + 12)} << 32 | Number32(block + 16);
        const auto time_ns = Nanoseconds64(ticks, clock.resolution, clock.offset_s);
        frame.hasTime = time_ns.has_value();
        frame.time_ns = time_ns.value_or(0);
        captured = Number32(block + 20);
        frame.length = std::max(captured, Number32(block + 24));
    }
    if (captured > MOST_CAPTURED)
    {
        throw Damage(m_begin + (isSimple ? 8 : 20),
                     "a packet with " + std::to_string(captured) +
                         " bytes captured, where at most " + std::to_string(MOST_CAPTURED) +
                         " are");
    }
    Need(headBytes + captured);
    frame.data = m_blocks.Data() + headBytes;
    frame.captured = captured;
    frame.offset = m_begin + headBytes;
    m_taken = static_cast<uint32_t>(headBytes + captured);
    m_blocks.Take(m_taken);
}

uint16_t
PcapngFile::Number16(const uint8_t* data) const
{
    uint16_t number;
    std::memcpy(&number, data, sizeof(number));
    return m_swapped ? __builtin_bswap16(number) : number;
}

uint32_t
PcapngFile::Number32(const uint8_t* data) const
{
    uint32_t number;
    std::memcpy(&number, data, sizeof(number));
    return m_swapped ? __builtin_bswap32(number) : number;
}

} // namespace tcpsweep

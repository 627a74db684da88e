// SPDX-License-Identifier: GPL-2.0-only
#include "output/crc32.h"

#include <array>

namespace tcpsweep
{

namespace
{

/// The polynomial, its bits in reversed order.
constexpr uint32_t CRC_POLYNOMIAL = 0xedb88320;
/// How many bytes are taken together ("slicing-by-8").
constexpr std::size_t CRC_SLICES = 8;

using CrcTables = std::array<std::array<uint32_t, 256>, CRC_SLICES>;

/// @return the contribution to the CRC of each byte at each place in a slice
constexpr CrcTables
MakeCrcTables()
{
    CrcTables tables{};
    for (uint32_t byte = 0; byte < 256; ++byte)
    {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
        {
            crc = (crc >> 1) ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
        }
        tables[0][byte] = crc;
    }
    for (uint32_t byte = 0; byte < 256; ++byte)
    {
        for (std::size_t slice = 1; slice < CRC_SLICES; ++slice)
        {
            const uint32_t crc = tables[slice - 1][byte];
            tables[slice][byte] = (crc >> 8) ^ tables[0][crc & 0xff];
        }
    }
    return tables;
}

constexpr CrcTables CRC_TABLES = MakeCrcTables();

/**
 * @param bytes four bytes
 * @return them as a number, the first byte the lowest
 */
inline uint32_t
LittleEndian(const uint8_t* bytes)
{
    return uint32_t{bytes[0]} | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 |
           uint32_t{bytes[3]} << 24;
}

} // namespace

uint32_t
Crc32(uint32_t before, const void* data, std::size_t size)
{
    const auto* next = static_cast<const uint8_t*>(data);
    uint32_t crc = ~before;
    for (; size >= CRC_SLICES; next += CRC_SLICES, size -= CRC_SLICES)
    {
        const uint32_t low = crc ^ LittleEndian(next);
        const uint32_t high = LittleEndian(next + 4);
        crc = CRC_TABLES[7][low & 0xff] ^ CRC_TABLES[6][low >> 8 & 0xff] ^
              CRC_TABLES[5][low >> 16 & 0xff] ^ CRC_TABLES[4][low >> 24] ^
              CRC_TABLES[3][high & 0xff] ^ CRC_TABLES[2][high >> 8 & 0xff] ^
              CRC_TABLES[1][high >> 16 & 0xff] ^ CRC_TABLES[0][high >> 24];
    }
    for (; size > 0; ++next, --size)
    {
        crc = (crc >> 8) ^ CRC_TABLES[0][(crc ^ *next) & 0xff];
    }
    return ~crc;
}

} // namespace tcpsweep

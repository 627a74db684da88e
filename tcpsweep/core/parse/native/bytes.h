// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_BYTES_H
#define TCPSWEEP_BYTES_H

#include <cstddef>
#include <cstdint>

namespace tcpsweep
{

/**
 * @param data two bytes
 * @return the number that they are in network byte order
 */
inline uint16_t
Read16(const uint8_t* data)
{
    return static_cast<uint16_t>(data[0] << 8 | data[1]);
}

/**
 * @param data four bytes
 * @return the number that they are in network byte order
 */
inline uint32_t
Read32(const uint8_t* data)
{
    return static_cast<uint32_t>(Read16(data)) << 16 | Read16(data + 2);
}

/**
 * @param data two bytes
 * @return the number that they are, the lower byte first
 */
inline uint16_t
Read16LittleEndian(const uint8_t* data)
{
    return static_cast<uint16_t>(data[1] << 8 | data[0]);
}

/**
 * @param data four bytes
 * @return the number that they are, the lowest byte first
 */
inline uint32_t
Read32LittleEndian(const uint8_t* data)
{
    return static_cast<uint32_t>(Read16LittleEndian(data + 2)) << 16 | Read16LittleEndian(data);
}

/**
 * The rest of a packet from some header on. It has two ends: the end of the packet according to
 * its headers, and the end of its captured bytes, which is not later.
 */
struct Rest
{
    const uint8_t* data; //!< the bytes
    size_t captured;     //!< the number of captured bytes
    size_t length;       //!< the number of bytes in the packet
    uint64_t offset;     //!< where they are in the file

    /**
     * @param count a number of bytes, at most the length
     * @return the bytes after them; perhaps none of them is captured
     */
    Rest
    Behind(size_t count) const
    {
        const size_t skipped = count < captured ? count : captured;
        return {data + skipped, captured - skipped, length - count, offset + count};
    }

    /**
     * @param count a number of bytes; more than the length if the packet continues in other frames
     * @return the first bytes, without the bytes after them, which do not belong to the packet
     */
    Rest
    Only(size_t count) const
    {
        return {data, captured < count ? captured : count, count, offset};
    }
};

} // namespace tcpsweep

#endif // TCPSWEEP_BYTES_H

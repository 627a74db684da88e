// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CRC32_H
#define TCPSWEEP_CRC32_H

#include <cstddef>
#include <cstdint>

namespace tcpsweep
{

/**
 * The CRC-32 of gzip, PNG and zlib's crc32() (ISO 3309), eight bytes at a time.
 *
 * zlib's header is not on every machine that compiles scenarios.
 *
 * @param before the CRC of the bytes before these; 0 if there are none
 * @param data the bytes
 * @param size their number
 * @return the CRC of all bytes so far
 */
uint32_t Crc32(uint32_t before, const void* data, std::size_t size);

} // namespace tcpsweep

#endif // TCPSWEEP_CRC32_H

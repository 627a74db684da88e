// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_IPHC_H
#define TCPSWEEP_IPHC_H

#include "cursor.h"
#include "interface-id.h"
#include "ipv6-headers.h"
#include "sixlowpan-kind.h"

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/**
 * Read the headers that IPHC has compressed (RFC 6282): IPv6's, its extension headers and UDP's.
 *
 * @param dispatch the first byte
 * @param[in,out] cursor the bytes after it
 * @param ends the frame's end points
 * @param[out] headers the headers
 * @return why they cannot be read; nothing if they were read
 */
std::optional<SixLowPanKind>
ReadIphc(uint8_t dispatch, Cursor& cursor, const LinkEnds& ends, Ipv6Headers& headers);

} // namespace tcpsweep

#endif // TCPSWEEP_IPHC_H

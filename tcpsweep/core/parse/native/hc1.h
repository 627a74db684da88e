// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_HC1_H
#define TCPSWEEP_HC1_H

#include "cursor.h"
#include "interface-id.h"
#include "ipv6-headers.h"
#include "sixlowpan-kind.h"

#include <optional>

namespace tcpsweep
{

/**
 * Read an IPv6 header that HC1 has compressed (RFC 4944, 10).
 *
 * @param[in,out] cursor the bytes after the dispatch byte
 * @param ends the frame's end points
 * @param[out] headers the header
 * @return why it cannot be read; nothing if it was read
 */
std::optional<SixLowPanKind> ReadHc1(Cursor& cursor, const LinkEnds& ends, Ipv6Headers& headers);

} // namespace tcpsweep

#endif // TCPSWEEP_HC1_H

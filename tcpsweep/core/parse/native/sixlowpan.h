// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_SIXLOWPAN_H
#define TCPSWEEP_SIXLOWPAN_H

#include "interface-id.h"
#include "payload.h"
#include "sixlowpan-kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * Read 6LoWPAN (RFC 4944): headers of a mesh, a broadcast and a fragment, then an IPv6 packet,
 * which may be uncompressed or have headers compressed by HC1 or IPHC. The first fragment of a
 * packet represents the packet, because it has the headers and the packet's length.
 *
 * @param rest the frame's payload
 * @param ends the frame's end points
 * @param[out] space receives the packet if its headers were compressed
 * @return its content, nothing if the headers are incomplete
 * @throws Damage if the headers do not fit into the length in the fragment's header
 */
std::optional<Payload>
ReadSixLowPan(const Rest& rest, const LinkEnds& ends, std::vector<uint8_t>& space);

/**
 * @param kind the content of a frame
 * @return its name for a summary
 */
std::string SixLowPanName(SixLowPanKind kind);

} // namespace tcpsweep

#endif // TCPSWEEP_SIXLOWPAN_H

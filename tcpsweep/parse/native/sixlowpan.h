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
 * Read 6LoWPAN (RFC 4944): headers of a mesh, of a broadcast and of a fragment, then an IPv6 packet
 * as it is, or with headers compressed by HC1 or IPHC. Of a packet in fragments, the first, which
 * has the headers and tells the length, stands for all.
 *
 * @param rest what the frame carries
 * @param ends the frame's
 * @param[out] space receives the packet where its headers were compressed
 * @return what it holds, nothing where the headers are not all there
 * @throws Damage where the headers do not fit into the length that the fragment tells
 */
std::optional<Payload>
ReadSixLowPan(const Rest& rest, const LinkEnds& ends, std::vector<uint8_t>& space);

/**
 * @param kind what a frame holds
 * @return its name for a summary
 */
std::string SixLowPanName(SixLowPanKind kind);

} // namespace tcpsweep

#endif // TCPSWEEP_SIXLOWPAN_H

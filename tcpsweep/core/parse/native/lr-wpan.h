// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_LR_WPAN_H
#define TCPSWEEP_LR_WPAN_H

#include "payload.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * Read the header of an 802.15.4 frame of version 2003 or 2006 (IEEE 802.15.4-2006, 7.2). Data
 * frames contain 6LoWPAN.
 *
 * @param frame the frame
 * @param hasChecksum whether it includes its checksum, which is not checked because ns-3 leaves it
 * 0 by default
 * @param[out] space receives the packet if its headers were compressed
 * @return its content, nothing if the headers are incomplete
 * @throws Damage if the header is inconsistent
 */
std::optional<Payload> ReadLrWpan(const Rest& frame, bool hasChecksum, std::vector<uint8_t>& space);

/**
 * @param number the number of a kind of frame, or a `SixLowPanKind`
 * @return its name for a summary
 */
std::string LrWpanName(uint32_t number);

} // namespace tcpsweep

#endif // TCPSWEEP_LR_WPAN_H

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
 * Read the header of an 802.15.4 frame of the versions of 2003 and 2006 (IEEE 802.15.4-2006, 7.2).
 * Data frames hold 6LoWPAN.
 *
 * @param frame the frame
 * @param hasChecksum whether its checksum is a part of it, which is not checked: ns-3 leaves it 0
 * unless it is told otherwise
 * @param[out] space receives the packet where its headers were compressed
 * @return what it holds, nothing where the headers are not all there
 * @throws Damage where the header contradicts itself
 */
std::optional<Payload> ReadLrWpan(const Rest& frame, bool hasChecksum, std::vector<uint8_t>& space);

/**
 * @param number of a kind of frame, or of a `SixLowPanKind`
 * @return its name for a summary
 */
std::string LrWpanName(uint32_t number);

} // namespace tcpsweep

#endif // TCPSWEEP_LR_WPAN_H

// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_WIFI_H
#define TCPSWEEP_WIFI_H

#include "payload.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tcpsweep
{

/**
 * Read the header of an 802.11 frame (IEEE 802.11-2020, 9.2 and 9.3). Only data frames contain
 * packets. The first fragment of a packet represents the packet.
 *
 * @param frame the frame, with its checksum or without
 * @return its content, nothing if the header is incomplete
 */
std::optional<Payload> ReadWifi(const Rest& frame);

/**
 * Read an 802.11 frame after radiotap's header (https://www.radiotap.org).
 *
 * @param frame the frame with that header
 * @return its content, nothing if the headers are incomplete
 * @throws Damage if radiotap's header has another version, or is longer than the frame
 */
std::optional<Payload> ReadRadiotap(const Rest& frame);

/**
 * @param number an EtherType, or the number of a kind of frame
 * @return its name for a summary
 */
std::string WifiName(uint32_t number);

} // namespace tcpsweep

#endif // TCPSWEEP_WIFI_H

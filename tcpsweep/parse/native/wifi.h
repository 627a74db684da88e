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
 * Read the header of an 802.11 frame (IEEE 802.11-2020, 9.2 and 9.3). Only data frames hold
 * packets. Of a packet in fragments, the first stands for all.
 *
 * @param frame the frame, with its checksum or without
 * @return what it holds, nothing where the header is not all there
 */
std::optional<Payload> ReadWifi(const Rest& frame);

/**
 * Read an 802.11 frame behind radiotap's header (https://www.radiotap.org).
 *
 * @param frame the frame with that header
 * @return what it holds, nothing where the headers are not all there
 * @throws Damage where radiotap's header is of another version or longer than what there is
 */
std::optional<Payload> ReadRadiotap(const Rest& frame);

/**
 * @param number of an EtherType or of a kind of frame
 * @return its name for a summary
 */
std::string WifiName(uint32_t number);

} // namespace tcpsweep

#endif // TCPSWEEP_WIFI_H

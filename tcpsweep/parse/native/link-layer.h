// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_LINK_LAYER_H
#define TCPSWEEP_LINK_LAYER_H

#include "bytes.h"
#include "payload.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// @return whether frames of a link type can be read, a number of pcap's registry
bool IsKnownLink(uint32_t linkType);

/// @return the link types that can be read, for a message
std::string KnownLinks();

/**
 * Read a frame's link header: Ethernet (with EtherType, or 802.3 with SNAP), PPP (ns-3's two bytes,
 * or as RFC 1662 has it), 802.11 (with radiotap's header or without), 802.15.4 with 6LoWPAN, or
 * none where the link type is raw IP.
 *
 * @param linkType a known link type
 * @param frame the frame
 * @param[out] space receives a packet whose headers were compressed, and stays as it is while what
 * is returned is used
 * @return what it holds, nothing where the header is not all there
 * @throws Damage where the header contradicts itself
 */
std::optional<Payload>
ReadLinkHeader(uint32_t linkType, const Rest& frame, std::vector<uint8_t>& space);

/**
 * @param linkType the link type
 * @param protocol the number of a protocol that is not IP, or of a kind of frame
 * @return its name for a summary
 */
std::string ProtocolName(uint32_t linkType, uint32_t protocol);

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_LAYER_H

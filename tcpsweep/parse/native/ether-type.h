// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_ETHER_TYPE_H
#define TCPSWEEP_ETHER_TYPE_H

#include "payload.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tcpsweep
{

/// The lowest EtherType; below are lengths.
constexpr uint16_t LOWEST_ETHERTYPE = 0x0600;

/// The number of what is not behind an EtherType, beside the EtherTypes.
constexpr uint32_t LLC = 0x10000;

/**
 * Read what follows an EtherType: IP, or behind tags of VLANs (IEEE 802.1Q, one or several), labels
 * of MPLS (RFC 3032), PPPoE (RFC 2516) or MACsec without encryption (IEEE 802.1AE).
 *
 * @param type an EtherType, or below them an 802.3 frame's length
 * @param rest what is behind it
 * @return what that is, nothing where a header is not all there
 */
std::optional<Payload> ReadEtherType(uint32_t type, const Rest& rest);

/**
 * Read a header of LLC (IEEE 802.2). With SNAP (RFC 1042) it has an EtherType.
 *
 * @param rest the header, and what is behind it
 * @return what it holds, nothing where the header is not all there
 */
std::optional<Payload> ReadLlc(const Rest& rest);

/**
 * @param type an EtherType, or the number of what `ReadEtherType` found else
 * @return its name for a summary
 */
std::string EtherTypeName(uint32_t type);

} // namespace tcpsweep

#endif // TCPSWEEP_ETHER_TYPE_H

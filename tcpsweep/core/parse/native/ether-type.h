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

/// A number above all EtherTypes, for frames without an EtherType.
constexpr uint32_t LLC = 0x10000;

/**
 * Read the content after an EtherType: IP, or IP after tags of VLANs (IEEE 802.1Q, one or several),
 * labels of MPLS (RFC 3032), PPPoE (RFC 2516), or MACsec without encryption (IEEE 802.1AE).
 *
 * @param type an EtherType, or the length of an 802.3 frame, which is less
 * @param rest the bytes after it
 * @return the content, nothing if a header is incomplete
 */
std::optional<Payload> ReadEtherType(uint32_t type, const Rest& rest);

/**
 * Read a header of LLC (IEEE 802.2). With SNAP (RFC 1042) it has an EtherType.
 *
 * @param rest the header and the bytes after it
 * @return its content, nothing if the header is incomplete
 */
std::optional<Payload> ReadLlc(const Rest& rest);

/**
 * @param type an EtherType, or another number that `ReadEtherType` returned
 * @return its name for a summary
 */
std::string EtherTypeName(uint32_t type);

} // namespace tcpsweep

#endif // TCPSWEEP_ETHER_TYPE_H

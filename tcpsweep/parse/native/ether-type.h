// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_ETHER_TYPE_H
#define TCPSWEEP_ETHER_TYPE_H

#include "payload.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tcpsweep
{

/// The number of what is not behind an EtherType, beside the EtherTypes.
constexpr uint32_t LLC = 0x10000;

/**
 * @param type an EtherType, or `LLC`
 * @param rest what is behind it
 * @return what that is
 */
Payload PayloadOfEtherType(uint32_t type, const Rest& rest);

/**
 * Read a header of LLC (IEEE 802.2). With SNAP (RFC 1042) it has an EtherType.
 *
 * @param rest the header, and what is behind it
 * @return what it holds, nothing where the header is not all there
 */
std::optional<Payload> ReadLlc(const Rest& rest);

/**
 * @param type an EtherType, or `LLC`
 * @return its name for a summary
 */
std::string EtherTypeName(uint32_t type);

} // namespace tcpsweep

#endif // TCPSWEEP_ETHER_TYPE_H

// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_PPP_H
#define TCPSWEEP_PPP_H

#include "payload.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tcpsweep
{

/**
 * Read a header of PPP (RFC 1661 and RFC 1662, and the two bytes of ns-3).
 *
 * @param frame the frame
 * @return its content, nothing if the header is incomplete
 */
std::optional<Payload> ReadPpp(const Rest& frame);

/**
 * @param protocol the number of a protocol
 * @return its name for a summary
 */
std::string PppName(uint32_t protocol);

} // namespace tcpsweep

#endif // TCPSWEEP_PPP_H

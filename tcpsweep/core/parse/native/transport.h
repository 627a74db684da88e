// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_TRANSPORT_H
#define TCPSWEEP_TRANSPORT_H

#include "bytes.h"
#include "packet.h"

namespace tcpsweep
{

/**
 * Read the header of TCP (RFC 9293, with the options of RFC 7323 and RFC 2018) or UDP (RFC 768).
 * Headers of other protocols count as payload.
 *
 * @param rest IP's payload; the packet already has its protocol
 * @param isFragment whether this is only the first fragment of a datagram, so that headers may be
 * incomplete
 * @param[in,out] packet receives the fields
 * @throws Damage if lengths are impossible
 */
void ReadTransport(const Rest& rest, bool isFragment, Packet& packet);

} // namespace tcpsweep

#endif // TCPSWEEP_TRANSPORT_H

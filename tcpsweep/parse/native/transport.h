// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_TRANSPORT_H
#define TCPSWEEP_TRANSPORT_H

#include "bytes.h"
#include "packet.h"

namespace tcpsweep
{

/**
 * Read the header of TCP (RFC 9293, with the options of RFC 7323 and RFC 2018) or UDP (RFC 768).
 * Any other protocol's is left as payload.
 *
 * @param rest what IP carries, its protocol in the packet already
 * @param isFragment whether only the first part of the datagram is here, so that headers may end
 * with it
 * @param[in,out] packet receives the fields
 * @throws Damage where lengths are not possible
 */
void ReadTransport(const Rest& rest, bool isFragment, Packet& packet);

} // namespace tcpsweep

#endif // TCPSWEEP_TRANSPORT_H

// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_LINK_LAYER_H
#define TCPSWEEP_LINK_LAYER_H

#include "bytes.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tcpsweep
{

/// What a frame holds, behind its link header.
struct Payload
{
    /// What is told apart; OTHER stands for a protocol by its number.
    enum class Kind
    {
        IPV4,
        IPV6,
        OTHER,
    };

    Kind kind;         //!< what it is
    uint32_t protocol; //!< its number, for `ProtocolName`
    Rest rest;         //!< its bytes
};

/// @return whether frames of a link type can be read, a number of pcap's registry
bool IsKnownLink(uint32_t linkType);

/**
 * Read a frame's link header: Ethernet (with EtherType, or 802.3 with SNAP), PPP (ns-3's two bytes,
 * or as RFC 1662 has it), or none where the link type is raw IP.
 *
 * @param linkType a known link type
 * @param frame the frame
 * @return what it holds, nothing where the header is not all there
 */
std::optional<Payload> ReadLinkHeader(uint32_t linkType, const Rest& frame);

/**
 * @param linkType the link type
 * @param protocol the number of a protocol that is not IP
 * @return its name for a summary
 */
std::string ProtocolName(uint32_t linkType, uint32_t protocol);

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_LAYER_H

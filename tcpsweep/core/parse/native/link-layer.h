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

/// Reads the headers of one kind of link.
struct Link
{
    uint32_t type; //!< a number of pcap's registry of link types

    /**
     * Reads a frame's link header.
     *
     * @param frame the frame
     * @param[out] space receives a packet whose headers were compressed; keep it unchanged while
     * the result is used
     * @return its content, nothing if the header is incomplete
     * @throws Damage if the header is inconsistent
     */
    std::optional<Payload> (*read)(const Rest& frame, std::vector<uint8_t>& space);

    /**
     * @param protocol the number of a protocol that is not IP, or of a kind of frame
     * @return its name for a summary
     */
    std::string (*name)(uint32_t protocol);

    const char* what; //!< its name, for messages
};

/**
 * @param linkType a known link type
 * @return the reader of its headers
 */
const Link& LinkOf(uint32_t linkType);

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_LAYER_H

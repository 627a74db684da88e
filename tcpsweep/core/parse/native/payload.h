// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_PAYLOAD_H
#define TCPSWEEP_PAYLOAD_H

#include "bytes.h"

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/// The content of a frame after its link header.
struct Payload
{
    /// The kinds of content. OTHER is another protocol or kind of frame, with its number.
    enum class Kind
    {
        IPV4,
        IPV6,
        OTHER,
    };

    Kind kind;                      //!< its kind
    uint32_t protocol;              //!< its number, for `Link::name`
    Rest rest;                      //!< its bytes
    uint32_t captureHeaderBytes{0}; //!< bytes that the capture puts before the frame
    std::optional<bool> retry{};    //!< 802.11: whether it is a retransmission
};

/**
 * @param number the number of a protocol or a kind of frame
 * @param rest its bytes
 * @return content that is not IP
 */
inline Payload
OtherPayload(uint32_t number, const Rest& rest)
{
    return {Payload::Kind::OTHER, number, rest};
}

} // namespace tcpsweep

#endif // TCPSWEEP_PAYLOAD_H

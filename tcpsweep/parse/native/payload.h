// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_PAYLOAD_H
#define TCPSWEEP_PAYLOAD_H

#include "bytes.h"

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/// What a frame holds, behind its link header.
struct Payload
{
    /// What is told apart; OTHER stands for a protocol, or a kind of frame, by its number.
    enum class Kind
    {
        IPV4,
        IPV6,
        OTHER,
    };

    Kind kind;                      //!< what it is
    uint32_t protocol;              //!< its number, for `Link::name`
    Rest rest;                      //!< its bytes
    uint32_t captureHeaderBytes{0}; //!< what the capture puts before the frame
    std::optional<bool> retry{};    //!< 802.11: whether the frame is sent again
};

/**
 * @param number of a protocol or a kind of frame
 * @param rest its bytes
 * @return what is no IP
 */
inline Payload
OtherPayload(uint32_t number, const Rest& rest)
{
    return {Payload::Kind::OTHER, number, rest};
}

} // namespace tcpsweep

#endif // TCPSWEEP_PAYLOAD_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PURE_ACK_H
#define TCPSWEEP_PURE_ACK_H

#include <ns3/packet.h>
#include <ns3/queue-item.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tcpsweep
{

/// What a TCP segment says that does nothing but acknowledge.
struct PureAck
{
    std::string flow;                                  //!< IP addresses and ports, as on the wire
    uint32_t number;                                   //!< the acknowledgment number
    bool echo;                                         //!< ECN-Echo, RFC 3168
    std::vector<std::pair<uint32_t, uint32_t>> blocks; //!< of SACK, RFC 2018: from, and up to

    /**
     * The rules of cake's ack-filter (Høiland-Jørgensen, Täht, Morton: Piece of CAKE, 2018; Linux
     * 4.19, sch_cake.c): the other one may be dropped if this one acknowledges more, has the same
     * ECN-Echo, and all bytes that the other one's SACK reports are acknowledged or reported by
     * this one. So duplicate acknowledgments and DSACKs stay.
     *
     * @param older an acknowledgment of the same flow that was sent before
     * @return whether this one says all that it says
     */
    bool Covers(const PureAck& older) const;
};

/**
 * @param ip an IP packet's bytes, from its header on
 * @param size how many of them there are
 * @return what it acknowledges; nothing for a segment with data or with a flag other than ACK and
 * ECE, a fragment, or anything else
 */
std::optional<PureAck> ReadPureAck(const uint8_t* ip, std::size_t size);

/**
 * @param frame a frame of a point-to-point link
 * @return what it acknowledges, if that is all it does
 */
std::optional<PureAck> PureAckInFrame(ns3::Ptr<const ns3::Packet> frame);

/**
 * @param item a packet in a queue disc
 * @return what it acknowledges, if that is all it does
 */
std::optional<PureAck> PureAckInItem(ns3::Ptr<const ns3::QueueDiscItem> item);

} // namespace tcpsweep

#endif // TCPSWEEP_PURE_ACK_H

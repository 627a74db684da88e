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

/// The content of a pure ACK: a TCP segment that only acknowledges.
struct PureAck
{
    std::string flow;                                  //!< IP addresses and ports, as on the wire
    uint32_t number;                                   //!< the acknowledgment number
    bool echo;                                         //!< ECN-Echo, RFC 3168
    std::vector<std::pair<uint32_t, uint32_t>> blocks; //!< of SACK, RFC 2018: from, and up to

    /**
     * The rules of cake's ack-filter (Høiland-Jørgensen, Täht, Morton: Piece of CAKE, 2018; Linux
     * 4.19, sch_cake.c). The older ACK may be dropped if this one acknowledges more, has the same
     * ECN-Echo, and acknowledges or reports all bytes in the older one's SACK. So duplicate
     * acknowledgments and DSACKs are kept.
     *
     * @param older an earlier acknowledgment of the same flow
     * @return whether this one carries all of its information
     */
    bool Covers(const PureAck& older) const;
};

/**
 * @param ip an IP packet's bytes, from its header on
 * @param size the number of these bytes
 * @return its content; nothing for a segment with data or with a flag other than ACK and ECE, a
 * fragment, or any other packet
 */
std::optional<PureAck> ReadPureAck(const uint8_t* ip, std::size_t size);

/**
 * @param frame a frame of a point-to-point link
 * @return its content, if it is a pure ACK
 */
std::optional<PureAck> PureAckInFrame(ns3::Ptr<const ns3::Packet> frame);

/**
 * @param item a packet in a queue disc
 * @return its content, if it is a pure ACK
 */
std::optional<PureAck> PureAckInItem(ns3::Ptr<const ns3::QueueDiscItem> item);

} // namespace tcpsweep

#endif // TCPSWEEP_PURE_ACK_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ACK_FILTER_H
#define TCPSWEEP_ACK_FILTER_H

#include "network/pure-ack.h"

#include <ns3/packet.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace tcpsweep
{

/**
 * Thins the acknowledgments in a queue. A pure ACK at the head of the queue is dropped if the
 * newest waiting ACK of its flow carries all of its information.
 *
 * The newest ACK is always sent, so no sender waits for a dropped one. An idle link has no waiting
 * packets and drops none. Cake drops the older ACK when the newer one arrives. Here the older ACK
 * keeps its place in the queue until it reaches the head, which works with any queue and any disc.
 * The packets that are sent are the same, unless the queue overflows.
 */
class AckFilter
{
  public:
    /// @param most at least one of this number of acknowledgments is sent; 0 for no bound
    explicit AckFilter(uint32_t most);

    /**
     * @param packet a packet that enters the queue
     * @param ack its acknowledgment, if it is a pure ACK
     */
    void Enter(const ns3::Packet* packet, const std::optional<PureAck>& ack);

    /**
     * @param packet a packet that leaves the queue
     * @return whether to drop it
     */
    bool Leave(const ns3::Packet* packet);

    /// @param packet a packet that was dropped while it waited
    void Forget(const ns3::Packet* packet);

  private:
    /// The waiting acknowledgments of one flow.
    struct Flow
    {
        const ns3::Packet* newest; //!< the last one to arrive
        uint32_t dropped;          //!< the number dropped since one was sent
    };

    uint32_t m_most;                                           //!< 0 for no bound
    std::unordered_map<const ns3::Packet*, PureAck> m_waiting; //!< all waiting acknowledgments
    std::unordered_map<std::string, Flow> m_flows; //!< the flows with a waiting acknowledgment
};

} // namespace tcpsweep

#endif // TCPSWEEP_ACK_FILTER_H

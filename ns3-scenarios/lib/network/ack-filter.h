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
 * Thins the acknowledgments of a queue: as the turn of one comes that does nothing but acknowledge,
 * it is dropped if the newest of its flow that waits behind it says all that it says.
 *
 * The newest one always goes, so no sender waits for what was dropped. A link that is free at once
 * has nothing waiting, and drops nothing. Cake drops the older one as the newer one comes; here it
 * keeps its place in the queue until its turn, which any queue and any disc can do. The packets
 * that are sent are the same, unless the queue overflows.
 */
class AckFilter
{
  public:
    /// @param most acknowledgments of which at least one goes; 0 for no bound
    explicit AckFilter(uint32_t most);

    /**
     * @param packet a packet that now waits
     * @param ack what it acknowledges, if that is all it does
     */
    void Enter(const ns3::Packet* packet, const std::optional<PureAck>& ack);

    /**
     * @param packet a packet that now waits no more
     * @return whether to drop it
     */
    bool Leave(const ns3::Packet* packet);

    /// @param packet a packet that was dropped while it waited
    void Forget(const ns3::Packet* packet);

  private:
    /// The acknowledgments of one flow that wait.
    struct Flow
    {
        const ns3::Packet* newest; //!< the last that came
        uint32_t dropped;          //!< those dropped since one was sent
    };

    uint32_t m_most;                                           //!< 0 for no bound
    std::unordered_map<const ns3::Packet*, PureAck> m_waiting; //!< all that wait
    std::unordered_map<std::string, Flow> m_flows;             //!< those of which one waits
};

} // namespace tcpsweep

#endif // TCPSWEEP_ACK_FILTER_H

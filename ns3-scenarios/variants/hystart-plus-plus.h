// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_HYSTART_PLUS_PLUS_H
#define TCPSWEEP_HYSTART_PLUS_PLUS_H

#include <ns3/nstime.h>
#include <ns3/sequence-number.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/**
 * HyStart++, RFC 9406: where the round trip grows, slow start slows down (conservative slow start,
 * CSS), and ends after some rounds, unless the round trip shrinks again.
 */
class HyStartPlusPlus
{
  public:
    /**
     * Take the round trip of an ACK in slow start.
     *
     * @param tcb the socket's state
     */
    void Measure(const ns3::TcpSocketState& tcb);

    /**
     * @param tcb the socket's state
     * @param segments segments that the ACK reports
     * @return bytes by which the window grows
     */
    uint32_t Growth(const ns3::TcpSocketState& tcb, uint32_t segments);

    /// @return whether slow start has lasted long enough
    bool HasEnded() const;

  private:
    /// A round has ended.
    void EndRound(ns3::SequenceNumber32 sent);

    std::optional<ns3::SequenceNumber32> m_end; //!< the end of the round, once there is one
    ns3::Time m_lastRtt{ns3::Time::Max()};      //!< the least round trip of the last round
    ns3::Time m_rtt{ns3::Time::Max()};          //!< the least of the present round
    uint32_t m_samples{0};                      //!< its round trips
    ns3::Time m_baseline{ns3::Time::Max()};     //!< the least of the round in which CSS began
    bool m_isSlow{false};                       //!< whether this is CSS
    uint32_t m_slowRounds{0};                   //!< its rounds
    uint32_t m_rest{0}; //!< bytes that CSS has not yet added, times its divisor
};

} // namespace tcpsweep

#endif // TCPSWEEP_HYSTART_PLUS_PLUS_H

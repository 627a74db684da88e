// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RACK_H
#define TCPSWEEP_RACK_H

#include "corrections/scoreboard.h"

#include <ns3/nstime.h>
#include <ns3/sequence-number.h>
#include <ns3/tcp-header.h>
#include <ns3/tcp-option-sack.h>
#include <ns3/tcp-socket-state.h>

#include <optional>
#include <set>

namespace tcpsweep
{

/**
 * Detects lost segments by time: RACK, RFC 8985, section 6.
 *
 * A segment is lost if one that was sent later has arrived, and longer ago than reordering
 * explains. This also finds retransmissions that are lost, for which ns-3 waits for a timeout.
 *
 * The reordering window grows with DSACK (step 4). As in Linux, a DSACK counts only if segments
 * have arrived out of order before, and not for a tail loss probe.
 */
class Rack
{
  public:
    /// @param header an ACK, before it changes the scoreboard; steps 1 to 3
    void ReceiveAck(const Scoreboard& scoreboard, const ns3::TcpHeader& header);

    /**
     * @param header the answer to a SYN
     * @param sent when the SYN was sent first
     * @param isRepeated whether it was sent again
     */
    void ReceiveSynAck(const ns3::TcpHeader& header, ns3::Time sent, bool isRepeated);

    /// @param begin first byte of a segment that is sent again
    void Retransmit(ns3::SequenceNumber32 begin);

    /// @return whether a segment without a cumulative ACK was sent again
    bool IsRetransmitted(ns3::SequenceNumber32 begin) const;

    /// A segment that was considered lost has arrived late.
    void SeeReordering();

    /**
     * DSACK reports that a segment was sent again without need; step 4.
     *
     * @param acked the byte after the last with a cumulative ACK
     * @param sent the byte after the last one sent
     */
    void ReceiveDuplicate(ns3::SequenceNumber32 acked, ns3::SequenceNumber32 sent);

    /// A recovery or a timeout that was necessary is over; step 4.
    void EndRecovery();

    /**
     * Mark segments as lost; steps 4 and 5.
     *
     * @param scoreboard the segments, after an ACK or a time of waiting
     * @param tcb the sender's state
     * @param srtt its smoothed round-trip time
     * @param sackedBytes bytes that SACK reported
     * @return after which time to call this again; zero for never
     */
    ns3::Time DetectLosses(Scoreboard& scoreboard,
                           const ns3::TcpSocketState& tcb,
                           ns3::Time srtt,
                           uint32_t sackedBytes) const;

    /**
     * As tcp_ack_update_rtt() in Linux: of a segment that SACK reports, else of one with a
     * cumulative ACK, else by the echoed timestamp, in whole milliseconds.
     *
     * @return the round-trip time of the latest sent segment of the last ACK, zero if ambiguous
     */
    ns3::Time AckRtt() const;

    /// @return the least round-trip time of all ACKs; ns3::Time::Max() before there is any
    ns3::Time MinRtt() const;

    /// What an ACK reported for the first time.
    struct Report
    {
        std::optional<ns3::SequenceNumber32>
            originalEnd{};    //!< the byte after the first segment of which only one copy was sent
        bool isSacked{false}; //!< whether SACK reported a segment
    };

    /// @return what the last ACK reported
    const Report& LastReport() const;

  private:
    /**
     * @param segment a segment that has arrived
     * @param acked the byte after the last with a cumulative ACK
     */
    void Deliver(const Scoreboard::Segment& segment, ns3::SequenceNumber32 acked);

    /// Learn from the round-trip time of the last ACK.
    void UpdateMinRtt();

    /**
     * @param tcb the sender's state
     * @param srtt its smoothed round-trip time
     * @param sackedBytes bytes that SACK reported
     * @return how much later than its successor a segment may arrive; step 4
     */
    ns3::Time
    ReorderingWindow(const ns3::TcpSocketState& tcb, ns3::Time srtt, uint32_t sackedBytes) const;

    ns3::Time m_sent;                     //!< when the latest sent of all arrived segments was sent
    ns3::SequenceNumber32 m_end{0};       //!< the byte after that segment
    ns3::Time m_rtt;                      //!< its round-trip time
    ns3::Time m_sackRtt;                  //!< of a segment that the last ACK reported by SACK
    ns3::Time m_ackRtt;                   //!< of the last ACK
    Report m_report;                      //!< of the last ACK
    ns3::Time m_minRtt{ns3::Time::Max()}; //!< the least round-trip time
    ns3::SequenceNumber32 m_fack{0};      //!< the byte after the highest that arrived
    bool m_isReordering{false};           //!< whether segments arrived out of order
    uint32_t m_multiplier{1};             //!< of the reordering window: reo_wnd_mult
    uint32_t m_lasts{0};                  //!< recoveries until it is 1 again: reo_wnd_persist
    std::optional<ns3::SequenceNumber32> m_round;    //!< end of the round of the last DSACK
    std::set<ns3::SequenceNumber32> m_retransmitted; //!< first bytes of segments sent again
};

} // namespace tcpsweep

#endif // TCPSWEEP_RACK_H

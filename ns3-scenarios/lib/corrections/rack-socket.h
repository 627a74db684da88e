// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RACK_SOCKET_H
#define TCPSWEEP_RACK_SOCKET_H

#include "corrections/ack-processing.h"
#include "corrections/rack.h"
#include "corrections/scoreboard.h"
#include "corrections/spurious-recovery.h"

#include <ns3/event-id.h>

#include <memory>

namespace tcpsweep
{

/**
 * A TCP socket that can detect losses by RACK-TLP (RFC 8985) in place of duplicate ACKs. If the
 * receiver has no SACK, it detects them as ns-3 does.
 */
class RackSocket : public AckProcessing
{
  public:
    RackSocket() = default;
    ~RackSocket() override;
    /// @param socket a listening socket, whose connection this socket accepts
    RackSocket(const RackSocket& socket);

  protected:
    /**
     * Detect losses by RACK-TLP.
     *
     * @param undoes whether to undo a recovery or a timeout that was not necessary
     */
    void UseRack(bool undoes);

    void ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header) override;
    uint32_t SendDataPacket(ns3::SequenceNumber32 begin, uint32_t maxBytes, bool withAck) override;
    void ReTxTimeout() override;
    void BeforeAck() override;

    /**
     * Called after an ACK has changed the scoreboard.
     *
     * @param rtt the round-trip time of the latest sent segment that arrived, zero if ambiguous
     * @param lostBytes bytes newly considered lost
     */
    virtual void Observe(ns3::Time rtt, uint32_t lostBytes) = 0;

    void AfterAck() override;

  private:
    /// The parts of RACK-TLP.
    struct Detection
    {
        Scoreboard scoreboard;           //!< the segments sent
        Rack rack{};                     //!< detects losses
        ns3::EventId wait{};             //!< the end of the reordering window
        ns3::SequenceNumber32 probed{0}; //!< the byte after the probe in flight
        ns3::Time probedAt{};            //!< when it was sent, zero if none is in flight
        bool isRetransmission{false};    //!< whether it repeats a segment
        bool undoes{false};              //!< whether to undo what was not necessary
        SpuriousRecovery spurious{};     //!< recognises it
        bool isPartialAck{false};        //!< whether ns-3 processes an ACK in a recovery
    };

    /// Mark lost segments, and wait for those that may still arrive.
    void DetectLosses();
    /**
     * Follow the congestion state.
     *
     * @param before the state before
     * @param now the state now
     */
    void FollowState(ns3::TcpSocketState::TcpCongState_t before,
                     ns3::TcpSocketState::TcpCongState_t now);
    /// @param header an ACK, which may show that a recovery or a timeout was not necessary
    void Undo(const ns3::TcpHeader& header);
    /// Begin a recovery if a segment is lost.
    void Recover();
    /// The reordering window has ended.
    void EndWait();
    /// Let the retransmission timer send a tail loss probe first, if nothing else will find a loss.
    void ScheduleProbe();
    /// Send a tail loss probe.
    void Probe();
    /// @param header an ACK, which may be for a tail loss probe
    void AnswerProbe(const ns3::TcpHeader& header);
    /// Restart the retransmission timer.
    void RestartTimer();
    /// Detect losses as ns-3 does, because the receiver has no SACK.
    void StopRack();
    /// @return whether the connection is one that sends data
    bool IsSending() const;
    /// @return whether the connection waits for an ACK of data
    bool IsWaiting() const;

    uint32_t m_duplicateAcks{3};            //!< duplicate ACKs that show a loss without RACK
    std::unique_ptr<Detection> m_detection; //!< of losses by RACK-TLP, if any
};

} // namespace tcpsweep

#endif // TCPSWEEP_RACK_SOCKET_H

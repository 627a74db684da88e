// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RACK_SOCKET_H
#define TCPSWEEP_RACK_SOCKET_H

#include "corrections/duplicate-reports.h"
#include "corrections/rack.h"
#include "corrections/scoreboard.h"

#include <ns3/event-id.h>

#include <memory>

namespace tcpsweep
{

/**
 * A TCP socket that can detect losses by RACK (RFC 8985, section 6) in place of duplicate ACKs. If
 * the receiver has no SACK, it detects them as ns-3 does.
 */
class RackSocket : public DuplicateReports
{
  public:
    RackSocket() = default;
    ~RackSocket() override;
    /// @param socket a listening socket, whose connection this socket accepts
    RackSocket(const RackSocket& socket);

  protected:
    /// The parts of RACK.
    struct Detection
    {
        Scoreboard scoreboard;    //!< the segments sent
        Rack rack{};              //!< detects losses
        ns3::EventId wait{};      //!< the end of the reordering window
        bool isPartialAck{false}; //!< whether ns-3 processes an ACK in a recovery
        bool isEntering{false};   //!< whether ns-3 may begin a recovery
    };

    /// Detect losses by RACK.
    void UseRack();

    void ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header) override;
    void EstimateRtt(const ns3::TcpHeader& header) override;
    void SendEmptyPacket(uint8_t flags) override;
    uint32_t SendDataPacket(ns3::SequenceNumber32 begin, uint32_t maxBytes, bool withAck) override;
    uint32_t AvailableWindow() const override;
    void ReTxTimeout() override;
    void BeforeAck() override;
    void AfterAck(bool isAdvancing, uint32_t deliveredBytes) override;

    /// @param begin first byte of a segment that is sent again
    virtual void Retransmit(ns3::SequenceNumber32 begin);

    /// @param header an ACK that RACK has seen, and that ns-3 processes next
    virtual void Examine(const ns3::TcpHeader& header) = 0;

    /**
     * Called after an ACK has changed the scoreboard.
     *
     * @param rtt the round-trip time of the latest sent segment that arrived, zero if ambiguous
     * @param lostBytes bytes newly considered lost
     * @param inFlightBytes bytes in flight before this ACK lets any be sent
     */
    virtual void Observe(ns3::Time rtt, uint32_t lostBytes, uint32_t inFlightBytes) = 0;

    /// @param segment a segment that is considered lost
    virtual void ObserveLoss(const Scoreboard::Segment& segment) = 0;

    /**
     * Send data that was not sent before, whatever the window.
     *
     * @param maxBytes at most so much, and at most a segment
     * @return the bytes sent
     */
    uint32_t SendNew(uint32_t maxBytes);

    /// Restart the retransmission timer.
    void RestartTimer();
    /// @return whether the connection waits for an ACK of data
    bool IsWaiting() const;
    /// @return the parts of RACK, null if ns-3 detects losses
    Detection* Detecting() const;
    /// @return whether a packet's flags are those of a SYN without an ACK; with ECN, it has others
    static bool IsFirstOfHandshake(uint8_t flags);
    /// @return how often this side has sent its SYN
    uint32_t SynsSent() const;
    /// @return whether the present ACK offers a larger window than the one before
    bool OpensWindow() const;

  private:
    /// Mark lost segments, and wait for those that may still arrive.
    void DetectLosses();
    /**
     * Begin a recovery if a segment is lost.
     *
     * @param deliveredBytes bytes that the present ACK says have arrived
     */
    void Recover(uint32_t deliveredBytes);
    /**
     * Take note of an echo of a mark in a recovery, in which ns-3 would reduce the window again
     * (tcp_enter_cwr() in Linux).
     *
     * @param header the present ACK
     */
    void KeepRecovery(const ns3::TcpHeader& header);
    /// The reordering window has ended.
    void EndWait();
    /// Detect losses as ns-3 does, because the receiver has no SACK.
    void StopRack();
    /// @return whether the connection is one that sends data
    bool IsSending() const;

    uint32_t m_synsSent{0};                 //!< how often the SYN was sent
    uint32_t m_lastWindow{0};               //!< the window that the last ACK offered
    bool m_opensWindow{false};              //!< whether the present ACK offers more
    uint32_t m_duplicateAcks{3};            //!< duplicate ACKs that show a loss without RACK
    std::unique_ptr<Detection> m_detection; //!< of losses by RACK, if any
};

} // namespace tcpsweep

#endif // TCPSWEEP_RACK_SOCKET_H

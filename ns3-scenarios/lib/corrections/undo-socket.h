// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_UNDO_SOCKET_H
#define TCPSWEEP_UNDO_SOCKET_H

#include "corrections/f-rto.h"
#include "corrections/probe-socket.h"
#include "corrections/spurious-recovery.h"

namespace tcpsweep
{

/// A TCP socket with RACK and tail loss probes that can undo what was not necessary.
class UndoSocket : public ProbeSocket
{
  public:
    UndoSocket() = default;
    /// @param socket a listening socket, whose connection this socket accepts
    UndoSocket(const UndoSocket& socket);

  protected:
    /// Ways to recognise what was not necessary.
    struct Ways
    {
        bool eifel{false}; //!< by timestamps, RFC 3522
        bool fRto{false};  //!< a timeout by later ACKs, RFC 5682
        bool dsack{false}; //!< by reports of duplicates, RFC 3708
    };

    /// @param ways the ways
    void UseUndo(Ways ways);

    void Retransmit(ns3::SequenceNumber32 begin) override;
    uint32_t AvailableWindow() const override;
    void ReTxTimeout() override;
    void Examine(const ns3::TcpHeader& header) override;
    void AfterAck(bool isAdvancing, uint32_t deliveredBytes) override;

    /// The last recovery or timeout was not necessary.
    virtual void ObserveUndo() = 0;

  private:
    /**
     * Follow the congestion state.
     *
     * @param before the state before
     * @param now the state now
     */
    void FollowState(ns3::TcpSocketState::TcpCongState_t before,
                     ns3::TcpSocketState::TcpCongState_t now);
    /// @return whether an ACK's timestamp shows that a recovery or a timeout was not necessary
    bool IsSpurious(const ns3::TcpHeader& header) const;
    /**
     * Continue as if the last recovery or timeout had not been.
     *
     * @param isNothingLost whether segments considered lost may still arrive
     */
    void Undo(bool isNothingLost);
    /**
     * @param duplicate segments that arrived twice
     * @param acked the byte after the last with a cumulative ACK
     */
    void
    ReceiveDuplicate(const ns3::TcpOptionSack::SackBlock& duplicate, ns3::SequenceNumber32 acked);
    /// A recovery or a timeout begins, and changes the window.
    void Begin();

    Ways m_ways;                        //!< ways to recognise what was not necessary
    SpuriousRecovery m_spurious;        //!< the present recovery
    FRto m_fRto;                        //!< the present timeout
    uint32_t m_repeats{0};              //!< segments sent again
    uint32_t m_duplicates{0};           //!< segments that DSACK reported
    bool m_sendsNew{false};             //!< whether F-RTO sends new data after this ACK
    ns3::SequenceNumber32 m_timeOut{0}; //!< the first byte without an ACK at the last timeout
};

} // namespace tcpsweep

#endif // TCPSWEEP_UNDO_SOCKET_H

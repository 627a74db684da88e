// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CORRECTED_SOCKET_H
#define TCPSWEEP_CORRECTED_SOCKET_H

#include "corrections/ack-observer.h"
#include "corrections/application-writes.h"
#include "corrections/corrections.h"
#include "corrections/linux-bbr.h"
#include "corrections/quick-acks.h"
#include "corrections/rate-sampler.h"
#include "corrections/receive-window.h"
#include "corrections/sack-compression.h"
#include "corrections/undo-socket.h"

#include <ns3/event-id.h>
#include <ns3/node.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/type-id.h>

#include <optional>

namespace tcpsweep
{

/// A TCP socket of ns-3's in which some of its defects are corrected. It goes by the TypeId of
/// ns3::TcpSocketBase, so that attributes and traces are the same.
class CorrectedSocket : public UndoSocket
{
  public:
    /**
     * As ns3::TcpL4Protocol::CreateSocket().
     *
     * @param node a node with TCP
     * @param variant the socket's congestion control
     * @param corrections the corrections
     * @return the socket
     */
    static ns3::Ptr<CorrectedSocket>
    Make(ns3::Ptr<ns3::Node> node, ns3::TypeId variant, Corrections corrections);

    CorrectedSocket() = default;
    ~CorrectedSocket() override;
    /// @param socket a listening socket, whose connection this socket accepts
    CorrectedSocket(const CorrectedSocket& socket);

    int Send(ns3::Ptr<ns3::Packet> packet, uint32_t flags) override;

  protected:
    ns3::Ptr<ns3::TcpSocketBase> Fork() override;
    ns3::SequenceNumber32 GrowsFrom(ns3::SequenceNumber32 acked,
                                    ns3::SequenceNumber32 before,
                                    uint32_t deliveredBytes) const override;
    void Observe(ns3::Time rtt, uint32_t lostBytes, uint32_t inFlightBytes) override;
    void ObserveLoss(const Scoreboard::Segment& segment) override;
    void ObserveUndo() override;
    void SendEmptyPacket(uint8_t flags) override;
    uint32_t SendDataPacket(ns3::SequenceNumber32 begin, uint32_t maxBytes, bool withAck) override;
    void ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header) override;
    void ReceivedData(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header) override;
    uint16_t AdvertisedWindowSize(bool scale = true) const override;

  private:
    /// Replace the corrected parts of ns-3's socket.
    void Correct();

    /**
     * A change of the congestion state, from which ns-3 goes on to set the window to the slow start
     * threshold.
     *
     * @param before the state before
     * @param now the state now
     */
    void RestoreWindow(ns3::TcpSocketState::TcpCongState_t before,
                       ns3::TcpSocketState::TcpCongState_t now);

    /// @return the peer's receive window, cut to what is in flight and whole segments: Linux sends
    /// no part of a segment because of the window (tcp_snd_wnd_test())
    uint32_t WindowOfWholeSegments() const;

    /**
     * @param flags the flags of an ACK that ns-3 is about to send
     * @return whether the ACK waits
     */
    bool Compress(uint8_t flags);
    /// Send an ACK, also in place of one that waits.
    void SendAckNow();
    /**
     * Mark a segment in which a write of the application ends.
     *
     * @param packet the segment
     * @param header its header
     * @param sender the socket that sends it
     */
    static void Push(ns3::Ptr<const ns3::Packet> packet,
                     const ns3::TcpHeader& header,
                     ns3::Ptr<const ns3::TcpSocketBase> sender);
    /**
     * As tcp_measure_rcv_mss() and tcp_cleanup_rbuf() in Linux, except in connections in which both
     * sides send. While a segment is missing, it makes no difference.
     *
     * @param packet a segment that arrives in order
     * @return whether its sender may wait for an ACK before it has more data
     */
    bool IsPushed(const ns3::Packet& packet) const;
    /// @param header the header of a segment with data, whose timestamp shows a round-trip time
    void MeasureRtt(const ns3::TcpHeader& header);
    /**
     * As tcp_sack_new_ofo_skb() in Linux.
     *
     * @param begin the first byte of a segment that arrives
     * @param end the byte after its last one
     * @return whether the segment would hide what the ACK that waits has to report
     */
    bool NeedsNewBlock(ns3::SequenceNumber32 begin, ns3::SequenceNumber32 end) const;

    Corrections m_corrections;             //!< the corrections
    mutable ReceiveWindow m_receiveWindow; //!< the window to offer, also by a const method of ns-3
    uint32_t m_echo{0};                    //!< the last timestamp that the peer sent back
    ApplicationWrites m_writes{0};         //!< whose last segments are marked
    QuickAcks m_quickAcks;                 //!< segments to acknowledge at once
    SackCompression m_compression;         //!< ACKs after a gap to send at once
    bool m_mayCompress{false};             //!< whether ns-3 processes a segment whose ACK may wait
    ns3::EventId m_compressedAck;          //!< sends the ACK that waits
    AckObserver* m_observer{nullptr};      //!< the congestion control, if it observes ACKs
    ns3::Ptr<RateSampler> m_sampler;       //!< of the delivery rate, if it is corrected
    LinuxBbr* m_linuxBbr{nullptr};         //!< the congestion control, if it is Linux' BBR
    ns3::Time m_pacedUntil;                //!< when pacing allows, or allowed, the next segment
    std::optional<uint32_t>
        m_ssThresh; //!< the slow start threshold, while the window stands in for it
};

} // namespace tcpsweep

#endif // TCPSWEEP_CORRECTED_SOCKET_H

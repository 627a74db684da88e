// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/rack-socket.h"

#include "corrections/sack-blocks.h"
#include "corrections/timer-wheel.h"

#include <ns3/rtt-estimator.h>
#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

/// More duplicate ACKs than any window has, so that ns-3 does not detect losses by them.
constexpr uint32_t NO_DUPLICATE_ACKS = 1U << 20;

} // namespace

RackSocket::RackSocket(const RackSocket& socket)
    : DuplicateReports(socket)
{
    if (socket.m_detection)
    {
        m_retxThresh = socket.m_duplicateAcks;
        UseRack();
    }
}

RackSocket::~RackSocket()
{
    if (m_detection)
    {
        m_detection->wait.Cancel();
    }
}

void
RackSocket::UseRack()
{
    m_detection.reset(new Detection{Scoreboard(m_txBuffer)});
    m_detection->scoreboard.ObserveLosses([this](const auto& segment) { ObserveLoss(segment); });
    m_duplicateAcks = m_retxThresh;
    m_retxThresh = NO_DUPLICATE_ACKS;
    m_txBuffer->SetDupAckThresh(NO_DUPLICATE_ACKS);
}

RackSocket::Detection*
RackSocket::Detecting() const
{
    return m_sackEnabled ? m_detection.get() : nullptr;
}

bool
RackSocket::IsSending() const
{
    return m_state != CLOSED && m_state != TIME_WAIT && m_txBuffer->Size() > 0;
}

bool
RackSocket::IsWaiting() const
{
    return IsSending() && UnAckDataCount() > 0;
}

void
RackSocket::StopRack()
{
    m_detection->wait.Cancel();
    m_detection.reset();
    m_retxThresh = m_duplicateAcks;
    m_txBuffer->SetDupAckThresh(m_retxThresh);
}

void
RackSocket::ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header)
{
    if (m_detection && !m_sackEnabled)
    {
        StopRack();
    }
    m_opensWindow = m_rWnd > m_lastWindow; // ns-3 has read the header's window by now
    m_lastWindow = m_rWnd;
    const auto before = m_txBuffer->HeadSequence();
    if (m_detection)
    {
        m_detection->rack.ReceiveAck(m_detection->scoreboard, header);
        Examine(header);
        KeepRecovery(header);
    }
    // ns-3 expects no SACK when nothing is in flight, but a DSACK may arrive then.
    const bool isIdle = m_detection && (m_txBuffer->Size() == 0 || UnAckDataCount() == 0);
    if (isIdle || header.HasOption(ns3::TcpOption::SACK))
    {
        TcpSocketBase::ReceivedAck(packet, isIdle ? WithSack(header, {}) : WithNews(header));
    }
    else
    {
        TcpSocketBase::ReceivedAck(packet, header);
    }
    if (m_detection && m_txBuffer->HeadSequence() > before && IsWaiting() &&
        ns3::Simulator::GetDelayLeft(m_retxEvent) != m_rto)
    {
        RestartTimer(); // RFC 6298, step 5.3; ns-3 does it for the first partial ACK only
    }
}

void
RackSocket::KeepRecovery(const ns3::TcpHeader& header)
{
    const bool isEcho = (header.GetFlags() & ns3::TcpHeader::ECE) != 0;
    if (isEcho && m_tcb->m_ecnState != ns3::TcpSocketState::ECN_DISABLED &&
        m_tcb->m_congState >= ns3::TcpSocketState::CA_RECOVERY &&
        header.GetAckNumber() > std::max(m_txBuffer->HeadSequence(), m_ecnEchoSeq.Get()))
    {
        // ns-3 then takes the echo for one that it has seen.
        m_ecnEchoSeq = header.GetAckNumber();
        m_tcb->m_ecnState = ns3::TcpSocketState::ECN_ECE_RCVD;
    }
}

void
RackSocket::EstimateRtt(const ns3::TcpHeader& header)
{
    if (m_detection && m_state == SYN_SENT && !m_history.empty())
    {
        // ns-3 measures the handshake in whole milliseconds, by its timestamps.
        m_detection->rack.ReceiveSynAck(header, m_history.front().time, m_synsSent > 1);
        if (!m_detection->rack.AckRtt().IsZero())
        {
            Observe(m_detection->rack.AckRtt(), 0, 0);
        }
    }
    TcpSocketBase::EstimateRtt(header);
}

bool
RackSocket::IsFirstOfHandshake(uint8_t flags)
{
    return (flags & (ns3::TcpHeader::SYN | ns3::TcpHeader::ACK)) == ns3::TcpHeader::SYN;
}

void
RackSocket::SendEmptyPacket(uint8_t flags)
{
    m_synsSent += IsFirstOfHandshake(flags) ? 1 : 0;
    DuplicateReports::SendEmptyPacket(flags);
}

bool
RackSocket::OpensWindow() const
{
    return m_opensWindow;
}

uint32_t
RackSocket::SynsSent() const
{
    return m_synsSent;
}

uint32_t
RackSocket::SendDataPacket(ns3::SequenceNumber32 begin, uint32_t maxBytes, bool withAck)
{
    const bool isHead = begin == m_txBuffer->HeadSequence();
    if (m_detection && (m_detection->isPartialAck ||
                        (m_detection->isEntering && isHead && m_pacingTimer.IsRunning()) ||
                        (isHead && m_txBuffer->IsHeadRetransmitted())))
    {
        // ns-3 sends a segment for each partial ACK, whatever the window and the pacing, and the
        // first one whenever a recovery begins. RFC 6675, step (C), sends what the window allows,
        // after the ACK, and does not repeat what was already repeated. Linux paces this, too
        // (tcp_xmit_retransmit_queue()).
        return std::min(maxBytes, m_txBuffer->SizeFromSequence(begin));
    }
    const bool isNew = begin >= m_tcb->m_highTxMark.Get();
    if (m_detection && !isNew)
    {
        Retransmit(begin);
    }
    const auto sent = TcpSocketBase::SendDataPacket(begin, maxBytes, withAck);
    if (m_detection && !isNew && isHead)
    {
        RestartTimer(); // as tcp_xmit_retransmit_queue() in Linux
    }
    return sent;
}

void
RackSocket::Retransmit(ns3::SequenceNumber32 begin)
{
    m_detection->rack.Retransmit(begin);
}

uint32_t
RackSocket::SendNew(uint32_t maxBytes)
{
    const auto begin = m_tcb->m_highTxMark.Get();
    const uint32_t bytes =
        std::min({maxBytes, m_tcb->m_segmentSize, m_txBuffer->SizeFromSequence(begin)});
    if (bytes == 0 || UnAckDataCount() + bytes > m_rWnd.Get())
    {
        return 0;
    }
    const auto sent = SendDataPacket(begin, bytes, m_connected);
    m_tcb->m_nextTxSequence = std::max(m_tcb->m_nextTxSequence.Get(), begin + sent);
    return sent;
}

uint32_t
RackSocket::AvailableWindow() const
{
    // Without data to send, ns-3 repeats segments that may still arrive (RFC 6675, rule 3 of
    // NextSeg()). RACK repeats lost ones only.
    if (m_detection && m_tcb->m_congState == ns3::TcpSocketState::CA_RECOVERY &&
        m_txBuffer->SizeFromSequence(m_tcb->m_highTxMark) == 0 &&
        !m_detection->scoreboard.HasLostToSend())
    {
        return 0;
    }
    return TcpSocketBase::AvailableWindow();
}

void
RackSocket::BeforeAck()
{
    if (m_detection)
    {
        m_detection->scoreboard.RemoveArrivedRetransmissions();
        m_detection->scoreboard.OfferAllLost(m_tcb->m_highTxMark);
        const auto before = m_detection->scoreboard.LostBytes();
        DetectLosses();
        m_detection->isPartialAck = m_tcb->m_congState == ns3::TcpSocketState::CA_RECOVERY;
        m_detection->isEntering = m_tcb->m_congState < ns3::TcpSocketState::CA_RECOVERY;
        const auto inFlight = BytesInFlight(); // ns-3 keeps it, too
        Observe(m_detection->rack.AckRtt(), m_detection->scoreboard.LostBytes() - before, inFlight);
    }
}

void
RackSocket::AfterAck(bool isAdvancing, uint32_t deliveredBytes)
{
    if (!m_detection)
    {
        return;
    }
    m_detection->isPartialAck = false;
    m_detection->isEntering = false;
    Recover(deliveredBytes);
    if (isAdvancing && m_tcb->m_congState == ns3::TcpSocketState::CA_DISORDER)
    {
        // As tcp_may_raise_cwnd() in Linux. ns-3 omits this if the ACK also has news of SACK.
        m_congestionControl->IncreaseWindow(m_tcb, deliveredBytes / m_tcb->m_segmentSize);
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    }
}

void
RackSocket::DetectLosses()
{
    m_detection->wait.Cancel();
    if (m_txBuffer->GetSacked() + m_txBuffer->GetLost() + m_txBuffer->GetRetransmitsCount() == 0)
    {
        return; // all that is in flight was sent after all that arrived
    }
    const auto wait = m_detection->rack.DetectLosses(m_detection->scoreboard,
                                                     *m_tcb,
                                                     m_rtt->GetEstimate(),
                                                     m_txBuffer->GetSacked());
    if (wait.IsStrictlyPositive())
    {
        const auto delay = TimerWheelDelay(wait + LEAST_TIMEOUT); // tcp_rack_mark_lost()
        m_detection->wait = ns3::Simulator::Schedule(delay, &RackSocket::EndWait, this);
    }
}

void
RackSocket::Recover(uint32_t deliveredBytes)
{
    const auto state = m_tcb->m_congState.Get();
    if (m_txBuffer->GetLost() == 0 || state >= ns3::TcpSocketState::CA_RECOVERY)
    {
        return;
    }
    if (state == ns3::TcpSocketState::CA_CWR)
    {
        // The mark has already reduced the window (tcp_enter_recovery() in Linux).
        m_tcb->m_congState = ns3::TcpSocketState::CA_RECOVERY;
        m_congestionControl->CongestionStateSet(m_tcb, ns3::TcpSocketState::CA_RECOVERY);
        m_recover = m_tcb->m_highTxMark;
        m_recoverActive = true;
        return;
    }
    m_detection->isEntering = true;
    EnterRecovery(deliveredBytes);
    m_detection->isEntering = false;
}

void
RackSocket::EndWait()
{
    if (!IsSending())
    {
        return;
    }
    DetectLosses();
    Recover(0);
    SendPendingData(m_connected);
}

void
RackSocket::ReTxTimeout()
{
    if (m_detection)
    {
        m_detection->wait.Cancel();
        m_detection->scoreboard.TimeOut();
    }
    TcpSocketBase::ReTxTimeout();
}

void
RackSocket::RestartTimer()
{
    m_retxEvent.Cancel();
    m_retxEvent = ns3::Simulator::Schedule(m_rto, &RackSocket::ReTxTimeout, this);
}

} // namespace tcpsweep

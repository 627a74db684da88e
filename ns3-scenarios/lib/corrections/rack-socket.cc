// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/rack-socket.h"

#include <ns3/rtt-estimator.h>
#include <ns3/simulator.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-option-ts.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

/// More duplicate ACKs than any window has, so that ns-3 does not detect losses by them.
constexpr uint32_t NO_DUPLICATE_ACKS = 1U << 20;
/// The longest time by which a receiver delays an ACK (RFC 8985, section 7.2).
const ns3::Time DELAYED_ACK = ns3::MilliSeconds(200);
/// The time until a probe without a round-trip time (RFC 8985, section 7.2).
const ns3::Time FIRST_PROBE = ns3::Seconds(1);

} // namespace

RackSocket::RackSocket(const RackSocket& socket)
    : AckProcessing(socket)
{
    if (socket.m_detection)
    {
        UseRack(socket.m_detection->undoes);
        m_duplicateAcks = socket.m_duplicateAcks;
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
RackSocket::UseRack(bool undoes)
{
    m_detection.reset(new Detection{Scoreboard(m_txBuffer)});
    m_detection->undoes = undoes;
    if (undoes)
    {
        m_tcb->m_congState.ConnectWithoutContext(ns3::MakeCallback(&RackSocket::FollowState, this));
    }
    m_duplicateAcks = m_retxThresh;
    m_retxThresh = NO_DUPLICATE_ACKS;
    m_txBuffer->SetDupAckThresh(NO_DUPLICATE_ACKS);
}

void
RackSocket::FollowState(ns3::TcpSocketState::TcpCongState_t before,
                        ns3::TcpSocketState::TcpCongState_t now)
{
    const auto recovery = ns3::TcpSocketState::CA_RECOVERY;
    if (now < recovery)
    {
        m_detection->spurious.End();
    }
    else if (before < recovery && now == recovery)
    {
        m_detection->spurious.Begin({m_tcb->m_cWnd, m_tcb->m_ssThresh});
    }
}

void
RackSocket::Undo(const ns3::TcpHeader& header)
{
    const auto acked = header.GetAckNumber();
    const auto restored = m_detection->spurious.Restores(header);
    if (!restored || acked <= m_txBuffer->HeadSequence() ||
        m_detection->scoreboard.HasRetransmissionsFrom(acked))
    {
        return;
    }
    // tcp_try_undo_recovery(), tcp_try_undo_partial() and tcp_try_undo_loss() in Linux.
    m_detection->rack.SeeReordering();
    m_detection->scoreboard.UnmarkLost();
    m_tcb->m_cWnd = std::max(m_tcb->m_cWnd.Get(), restored->window);
    m_tcb->m_ssThresh = std::max(m_tcb->m_ssThresh.Get(), restored->threshold);
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    m_dupAckCount = 0;
    m_recoverActive = false;
    m_isFirstPartialAck = true;
    m_congestionControl->CongestionStateSet(m_tcb, ns3::TcpSocketState::CA_OPEN);
    m_tcb->m_congState = ns3::TcpSocketState::CA_OPEN;
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
    const auto before = m_txBuffer->HeadSequence();
    if (m_detection)
    {
        if (m_detection->undoes)
        {
            Undo(header);
        }
        m_detection->rack.ReceiveAck(m_detection->scoreboard, header);
    }
    TcpSocketBase::ReceivedAck(packet, header);
    if (m_detection)
    {
        if (m_txBuffer->HeadSequence() > before && IsWaiting())
        {
            RestartTimer(); // RFC 6298, step 5.3; ns-3 does it for the first partial ACK only
        }
        AnswerProbe(header);
        ScheduleProbe();
    }
}

uint32_t
RackSocket::SendDataPacket(ns3::SequenceNumber32 begin, uint32_t maxBytes, bool withAck)
{
    const bool isHead = begin == m_txBuffer->HeadSequence();
    if (m_detection && (m_detection->isPartialAck || (isHead && m_txBuffer->IsHeadRetransmitted())))
    {
        // ns-3 sends a segment for each partial ACK, whatever the window and the pacing, and the
        // first one whenever a recovery begins. RFC 6675, step (C), sends what the window allows,
        // after the ACK, and does not repeat what was already repeated.
        return std::min(maxBytes, m_txBuffer->SizeFromSequence(begin));
    }
    const bool isNew = begin >= m_tcb->m_highTxMark.Get();
    if (m_detection && !isNew)
    {
        m_detection->rack.Retransmit(begin);
        m_detection->spurious.Retransmit();
    }
    const auto sent = TcpSocketBase::SendDataPacket(begin, maxBytes, withAck);
    if (m_detection && isNew)
    {
        ScheduleProbe();
    }
    else if (m_detection && isHead)
    {
        RestartTimer(); // as tcp_xmit_retransmit_queue() in Linux
    }
    return sent;
}

void
RackSocket::BeforeAck()
{
    if (m_detection)
    {
        m_detection->scoreboard.RemoveArrivedRetransmissions();
        const auto before = m_detection->scoreboard.LostBytes();
        DetectLosses();
        BytesInFlight(); // ns-3 keeps it
        m_detection->isPartialAck = m_tcb->m_congState == ns3::TcpSocketState::CA_RECOVERY;
        Observe(m_detection->rack.AckRtt(), m_detection->scoreboard.LostBytes() - before);
    }
}

void
RackSocket::AfterAck()
{
    if (m_detection)
    {
        m_detection->isPartialAck = false;
        Recover();
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
        m_detection->wait = ns3::Simulator::Schedule(wait, &RackSocket::EndWait, this);
    }
}

void
RackSocket::Recover()
{
    const auto state = m_tcb->m_congState.Get();
    if (m_txBuffer->GetLost() > 0 &&
        (state == ns3::TcpSocketState::CA_OPEN || state == ns3::TcpSocketState::CA_DISORDER))
    {
        EnterRecovery(0);
    }
}

void
RackSocket::EndWait()
{
    if (!IsSending())
    {
        return;
    }
    DetectLosses();
    Recover();
    SendPendingData(m_connected);
}

void
RackSocket::ScheduleProbe()
{
    const auto state = m_tcb->m_congState.Get();
    const uint32_t inFlight = UnAckDataCount();
    if (!IsWaiting() || m_txBuffer->GetSacked() > 0 || !m_detection->probedAt.IsZero() ||
        (state != ns3::TcpSocketState::CA_OPEN && state != ns3::TcpSocketState::CA_CWR))
    {
        return;
    }
    const auto srtt = m_rtt->GetEstimate();
    auto wait = m_rtt->GetNSamples() == 0 ? FIRST_PROBE : srtt + srtt;
    if (inFlight <= m_tcb->m_segmentSize)
    {
        wait += DELAYED_ACK;
    }
    ns3::Time oldest;
    m_detection->scoreboard.ForEach(
        [&oldest](const Scoreboard::Segment& segment)
        {
            oldest = segment.sent;
            return false;
        });
    const auto timeout = oldest + m_rto.Get() - ns3::Simulator::Now();
    m_retxEvent.Cancel();
    m_retxEvent = ns3::Simulator::Schedule(std::max(std::min(wait, timeout), ns3::Time()),
                                           &RackSocket::Probe,
                                           this);
}

void
RackSocket::Probe()
{
    if (!IsWaiting())
    {
        return;
    }
    const auto end = m_tcb->m_highTxMark.Get();
    const bool hasNew = m_txBuffer->SizeFromSequence(end) > 0 &&
                        UnAckDataCount() + m_tcb->m_segmentSize <= m_rWnd.Get();
    const auto last = m_detection->scoreboard.LastSize();
    m_detection->probedAt = ns3::Simulator::Now();
    m_detection->isRetransmission = !hasNew;
    const auto begin = hasNew ? end : end - static_cast<int32_t>(last);
    if (!hasNew)
    {
        m_detection->rack.Retransmit(begin);
    }
    const auto sent =
        TcpSocketBase::SendDataPacket(begin, hasNew ? m_tcb->m_segmentSize : last, m_connected);
    m_tcb->m_nextTxSequence = std::max(m_tcb->m_nextTxSequence.Get(), begin + sent);
    m_detection->probed = m_tcb->m_highTxMark;
    RestartTimer();
}

void
RackSocket::AnswerProbe(const ns3::TcpHeader& header)
{
    auto& detection = *m_detection;
    if (detection.probedAt.IsZero() || header.GetAckNumber() < detection.probed)
    {
        return;
    }
    // Section 7.4.2: a repeated segment whose first transmission was lost tells of congestion.
    // DSACK or the timestamp says which transmission arrived.
    const auto since = static_cast<uint32_t>(detection.probedAt.GetMilliSeconds());
    detection.probedAt = ns3::Time();
    if (!detection.isRetransmission || !header.HasOption(ns3::TcpOption::TS) ||
        m_tcb->m_congState != ns3::TcpSocketState::CA_OPEN || m_congestionControl->HasCongControl())
    {
        return;
    }
    const auto stamps =
        ns3::DynamicCast<const ns3::TcpOptionTS>(header.GetOption(ns3::TcpOption::TS));
    if (stamps->GetEcho() >= since)
    {
        m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, BytesInFlight());
        m_tcb->m_cWnd = std::min(m_tcb->m_cWnd.Get(), m_tcb->m_ssThresh.Get());
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    }
}

void
RackSocket::ReTxTimeout()
{
    if (m_detection)
    {
        m_detection->wait.Cancel();
        m_detection->probedAt = ns3::Time();
        if (m_tcb->m_congState < ns3::TcpSocketState::CA_RECOVERY)
        {
            m_detection->spurious.Begin({m_tcb->m_cWnd, m_tcb->m_ssThresh});
        }
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

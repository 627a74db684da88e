// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/undo-socket.h"

#include "corrections/sack-blocks.h"

#include <ns3/tcp-congestion-ops.h>

#include <algorithm>

namespace tcpsweep
{

UndoSocket::UndoSocket(const UndoSocket& socket)
    : ProbeSocket(socket)
{
    UseUndo(socket.m_ways);
}

void
UndoSocket::UseUndo(Ways ways)
{
    m_ways = ways;
    if (ways.dsack)
    {
        UseReports();
        ReadDuplicates();
    }
    if (ways.eifel || ways.fRto || ways.dsack)
    {
        m_tcb->m_congState.ConnectWithoutContext(ns3::MakeCallback(&UndoSocket::FollowState, this));
    }
}

void
UndoSocket::FollowState(ns3::TcpSocketState::TcpCongState_t before,
                        ns3::TcpSocketState::TcpCongState_t now)
{
    const auto recovery = ns3::TcpSocketState::CA_RECOVERY;
    if (now == ns3::TcpSocketState::CA_CWR)
    {
        m_spurious.Forget(); // marks show congestion
    }
    if (now < recovery)
    {
        if (m_spurious.End() && Detecting())
        {
            Detecting()->rack.EndRecovery();
        }
    }
    else if (before < recovery && now == recovery)
    {
        Begin();
    }
}

void
UndoSocket::Begin()
{
    m_spurious.Begin({m_tcb->m_cWnd, m_tcb->m_ssThresh},
                     m_txBuffer->HeadSequence(),
                     Detecting() ? Detecting()->scoreboard.RetransmissionsInFlight() : 0);
}

void
UndoSocket::Examine(const ns3::TcpHeader& header)
{
    const auto acked = header.GetAckNumber();
    const bool advances = acked > m_txBuffer->HeadSequence();
    const auto duplicate = m_ways.dsack ? DuplicateIn(header) : std::nullopt;
    if (duplicate)
    {
        ReceiveDuplicate(*duplicate, acked);
    }
    const bool isLoss = m_tcb->m_congState == ns3::TcpSocketState::CA_LOSS;
    if (m_ways.eifel && advances && IsSpurious(header))
    {
        Undo(true);
    }
    else if (m_ways.eifel && m_ways.dsack && m_spurious.IsShownByDuplicates() &&
             (advances || !isLoss))
    {
        Undo(isLoss);
    }
    if (m_tcb->m_congState != ns3::TcpSocketState::CA_LOSS)
    {
        m_fRto.Stop();
        return;
    }
    const auto& report = Detecting()->rack.LastReport();
    const bool hasNews = report.isSacked || (!advances && !duplicate && !OpensWindow());
    const auto answer =
        m_fRto.Receive({acked, advances, hasNews, report.originalEnd}, m_tcb->m_highTxMark);
    if (answer == FRto::Answer::UNDO)
    {
        Undo(true);
    }
    m_sendsNew = answer == FRto::Answer::SEND_NEW;
}

void
UndoSocket::ReceiveDuplicate(const ns3::TcpOptionSack::SackBlock& duplicate,
                             ns3::SequenceNumber32 acked)
{
    const auto& [begin, end] = duplicate;
    const auto segment = static_cast<int32_t>(m_tcb->m_segmentSize);
    const uint32_t segments = (end - begin + segment - 1) / segment;
    m_duplicates += segments;
    if (m_duplicates > m_repeats)
    {
        return; // the network has made a copy
    }
    auto& rack = Detecting()->rack;
    const bool isKnown = end > m_txBuffer->HeadSequence();
    if (!isKnown || rack.IsRetransmitted(begin))
    {
        m_spurious.ReceiveDuplicates(end, segments);
        if (isKnown)
        {
            rack.SeeReordering(); // it was considered lost, and SACK has reported it
        }
    }
    if (!IsProbe(duplicate))
    {
        rack.ReceiveDuplicate(acked, m_tcb->m_highTxMark);
    }
}

bool
UndoSocket::IsSpurious(const ns3::TcpHeader& header) const
{
    // While a repeated segment may still arrive, a recovery continues: tcp_try_undo_partial() in
    // Linux.
    return m_spurious.IsShownBy(header) &&
           (m_tcb->m_congState != ns3::TcpSocketState::CA_RECOVERY ||
            !Detecting()->scoreboard.HasRetransmissionsFrom(header.GetAckNumber()));
}

void
UndoSocket::Undo(bool isNothingLost)
{
    // tcp_try_undo_recovery(), tcp_try_undo_partial(), tcp_try_undo_loss() and tcp_try_undo_dsack()
    // in Linux.
    const auto before = m_spurious.Changed();
    m_spurious.Forget();
    if (isNothingLost)
    {
        Detecting()->scoreboard.UnmarkLost();
    }
    if (isNothingLost && m_tcb->m_congState == ns3::TcpSocketState::CA_RECOVERY)
    {
        Detecting()->rack.SeeReordering();
    }
    if (!m_congestionControl->HasCongControl())
    {
        m_tcb->m_cWnd = std::max(m_tcb->m_cWnd.Get(), before.window);
        m_tcb->m_ssThresh = std::max(m_tcb->m_ssThresh.Get(), before.threshold);
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    }
    ObserveUndo();
    if (m_tcb->m_congState < ns3::TcpSocketState::CA_RECOVERY)
    {
        return;
    }
    m_dupAckCount = 0;
    m_recoverActive = false;
    m_isFirstPartialAck = true;
    m_congestionControl->CongestionStateSet(m_tcb, ns3::TcpSocketState::CA_OPEN);
    m_tcb->m_congState = ns3::TcpSocketState::CA_OPEN;
}

void
UndoSocket::AfterAck(bool isAdvancing, uint32_t deliveredBytes)
{
    ProbeSocket::AfterAck(isAdvancing, deliveredBytes);
    if (m_sendsNew)
    {
        m_sendsNew = false;
        if (SendNew(m_tcb->m_segmentSize) + SendNew(m_tcb->m_segmentSize) == 0)
        {
            m_fRto.Stop();
        }
    }
}

uint32_t
UndoSocket::AvailableWindow() const
{
    const bool isWaiting =
        m_tcb->m_congState == ns3::TcpSocketState::CA_LOSS && m_fRto.IsWaiting(m_tcb->m_highTxMark);
    return isWaiting ? 0 : ProbeSocket::AvailableWindow();
}

void
UndoSocket::Retransmit(ns3::SequenceNumber32 begin)
{
    ProbeSocket::Retransmit(begin);
    m_spurious.Retransmit();
    ++m_repeats;
}

void
UndoSocket::ReTxTimeout()
{
    const bool isNew = m_tcb->m_congState < ns3::TcpSocketState::CA_RECOVERY;
    const auto head = m_txBuffer->HeadSequence();
    if (isNew)
    {
        Begin();
    }
    if (m_ways.fRto && Detecting())
    {
        m_fRto.TimeOut(isNew || head == m_timeOut, m_tcb->m_highTxMark);
    }
    const bool isRepeated = m_tcb->m_congState == ns3::TcpSocketState::CA_LOSS && head == m_timeOut;
    const auto threshold = m_tcb->m_ssThresh.Get();
    m_timeOut = head;
    ProbeSocket::ReTxTimeout();
    if (isRepeated && Detecting())
    {
        m_tcb->m_ssThresh = threshold; // RFC 5681, section 3.1; ns-3 reduces it again
    }
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/undo-socket.h"

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
    if (ways.eifel || ways.fRto)
    {
        m_tcb->m_congState.ConnectWithoutContext(ns3::MakeCallback(&UndoSocket::FollowState, this));
    }
}

void
UndoSocket::FollowState(ns3::TcpSocketState::TcpCongState_t before,
                        ns3::TcpSocketState::TcpCongState_t now)
{
    const auto recovery = ns3::TcpSocketState::CA_RECOVERY;
    if (now < recovery)
    {
        m_spurious.End();
    }
    else if (before < recovery && now == recovery)
    {
        m_spurious.Begin({m_tcb->m_cWnd, m_tcb->m_ssThresh});
    }
}

void
UndoSocket::Examine(const ns3::TcpHeader& header)
{
    const auto acked = header.GetAckNumber();
    const bool advances = acked > m_txBuffer->HeadSequence();
    if (m_ways.eifel && advances && IsSpurious(header))
    {
        Undo();
    }
    if (m_tcb->m_congState != ns3::TcpSocketState::CA_LOSS)
    {
        m_fRto.Stop();
        return;
    }
    const auto& report = Detecting()->rack.LastReport();
    const auto answer =
        m_fRto.Receive({acked, advances, report.isSacked || !advances, report.originalEnd},
                       m_tcb->m_highTxMark);
    if (answer == FRto::Answer::UNDO)
    {
        Undo();
    }
    m_sendsNew = answer == FRto::Answer::SEND_NEW;
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
UndoSocket::Undo()
{
    // tcp_try_undo_recovery(), tcp_try_undo_partial() and tcp_try_undo_loss() in Linux.
    const auto& before = m_spurious.Changed();
    Detecting()->rack.SeeReordering();
    Detecting()->scoreboard.UnmarkLost();
    if (!m_congestionControl->HasCongControl())
    {
        m_tcb->m_cWnd = std::max(m_tcb->m_cWnd.Get(), before.window);
        m_tcb->m_ssThresh = std::max(m_tcb->m_ssThresh.Get(), before.threshold);
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    }
    m_dupAckCount = 0;
    m_recoverActive = false;
    m_isFirstPartialAck = true;
    m_congestionControl->CongestionStateSet(m_tcb, ns3::TcpSocketState::CA_OPEN);
    m_tcb->m_congState = ns3::TcpSocketState::CA_OPEN;
}

void
UndoSocket::AfterAck(uint32_t deliveredBytes)
{
    ProbeSocket::AfterAck(deliveredBytes);
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
    return m_fRto.IsWaiting(m_tcb->m_highTxMark) ? 0 : ProbeSocket::AvailableWindow();
}

void
UndoSocket::Retransmit(ns3::SequenceNumber32 begin)
{
    ProbeSocket::Retransmit(begin);
    m_spurious.Retransmit();
}

void
UndoSocket::ReTxTimeout()
{
    const bool isNew = m_tcb->m_congState < ns3::TcpSocketState::CA_RECOVERY;
    const auto head = m_txBuffer->HeadSequence();
    if (isNew)
    {
        m_spurious.Begin({m_tcb->m_cWnd, m_tcb->m_ssThresh});
    }
    if (m_ways.fRto && Detecting())
    {
        m_fRto.TimeOut(isNew || head == m_timeOut, m_tcb->m_highTxMark);
    }
    m_timeOut = head;
    ProbeSocket::ReTxTimeout();
}

} // namespace tcpsweep

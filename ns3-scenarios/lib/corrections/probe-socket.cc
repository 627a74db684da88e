// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/probe-socket.h"

#include "corrections/sack-blocks.h"
#include "corrections/timer-wheel.h"

#include <ns3/rtt-estimator.h>
#include <ns3/simulator.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-option-ts.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

/// The longest time by which a receiver delays an ACK (RFC 8985, section 7.2).
const ns3::Time DELAYED_ACK = ns3::MilliSeconds(200);
/// The time until a probe without a round-trip time (RFC 8985, section 7.2).
const ns3::Time FIRST_PROBE = ns3::Seconds(1);

} // namespace

void
ProbeSocket::ReadDuplicates()
{
    m_readsDuplicates = true;
}

bool
ProbeSocket::IsProbe(const ns3::TcpOptionSack::SackBlock& duplicate) const
{
    return !m_probe.at.IsZero() && duplicate.second == m_probe.end &&
           m_probe.end - duplicate.first <= static_cast<int32_t>(m_tcb->m_segmentSize);
}

void
ProbeSocket::ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header)
{
    const bool advances = header.GetAckNumber() > m_txBuffer->HeadSequence();
    m_isReceiving = true;
    RackSocket::ReceivedAck(packet, header);
    m_isReceiving = false;
    if (!Detecting())
    {
        return;
    }
    const auto answer = AnswerIn(header, advances);
    if (answer != Answer::NOTHING || m_tcb->m_congState >= ns3::TcpSocketState::CA_CWR)
    {
        m_probe.at = ns3::Time();
    }
    if (answer == Answer::REPAIRED && m_tcb->m_congState == ns3::TcpSocketState::CA_OPEN &&
        !m_congestionControl->HasCongControl())
    {
        m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, BytesInFlight());
        m_tcb->m_cWnd = std::min(m_tcb->m_cWnd.Get(), m_tcb->m_ssThresh.Get());
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    }
    ScheduleProbe();
}

uint32_t
ProbeSocket::SendDataPacket(ns3::SequenceNumber32 begin, uint32_t maxBytes, bool withAck)
{
    const auto before = m_tcb->m_highTxMark.Get();
    const auto sent = RackSocket::SendDataPacket(begin, maxBytes, withAck);
    if (Detecting() && !m_isReceiving && m_tcb->m_highTxMark.Get() > before)
    {
        ScheduleProbe();
    }
    return sent;
}

void
ProbeSocket::ScheduleProbe()
{
    const auto state = m_tcb->m_congState.Get();
    const uint32_t inFlight = UnAckDataCount();
    if (!IsWaiting() || m_txBuffer->GetSacked() > 0 || !m_probe.at.IsZero() ||
        (state != ns3::TcpSocketState::CA_OPEN && state != ns3::TcpSocketState::CA_CWR))
    {
        return;
    }
    auto wait = FIRST_PROBE;
    if (m_rtt->GetNSamples() > 0)
    {
        const auto srtt = m_rtt->GetEstimate();
        const bool isAlone = inFlight <= m_tcb->m_segmentSize;
        wait = srtt + srtt + (isAlone ? DELAYED_ACK : LEAST_TIMEOUT); // tcp_schedule_loss_probe()
    }
    const auto oldest = Detecting()->scoreboard.OldestSent();
    const auto timeout = oldest + m_rto.Get() - ns3::Simulator::Now();
    m_retxEvent.Cancel();
    m_retxEvent =
        ns3::Simulator::Schedule(TimerWheelDelay(std::max(std::min(wait, timeout), ns3::Time())),
                                 &ProbeSocket::Probe,
                                 this);
}

void
ProbeSocket::Probe()
{
    if (!IsWaiting())
    {
        return;
    }
    const auto state = m_tcb->m_congState.Get();
    if (m_txBuffer->GetSacked() > 0 ||
        (state != ns3::TcpSocketState::CA_OPEN && state != ns3::TcpSocketState::CA_CWR))
    {
        RestartTimer(); // news of SACK came since: RFC 8985, section 7.2, allows no probe then
        return;
    }
    m_probe.at = ns3::Simulator::Now(); // so that it schedules no other
    m_probe.isRetransmission = SendNew(m_tcb->m_segmentSize) == 0;
    m_probe.end = m_tcb->m_highTxMark;
    if (m_probe.isRetransmission)
    {
        const auto last = Detecting()->scoreboard.LastSize();
        const auto begin = m_probe.end - static_cast<int32_t>(last);
        Retransmit(begin);
        TcpSocketBase::SendDataPacket(begin, last, m_connected);
        m_tcb->m_nextTxSequence = std::max(m_tcb->m_nextTxSequence.Get(), m_probe.end);
    }
    RestartTimer();
}

ProbeSocket::Answer
ProbeSocket::AnswerIn(const ns3::TcpHeader& header, bool advances) const
{
    const auto acked = header.GetAckNumber();
    if (m_probe.at.IsZero() || acked < m_probe.end)
    {
        return Answer::NOTHING;
    }
    if (!m_probe.isRetransmission)
    {
        return Answer::ARRIVED;
    }
    if (!m_readsDuplicates)
    {
        return AnswerInTime(header);
    }
    const auto duplicate = DuplicateIn(header);
    const bool isDuplicate = !advances && !OpensWindow() && !header.HasOption(ns3::TcpOption::SACK);
    if ((duplicate && IsProbe(*duplicate)) || (isDuplicate && acked == m_probe.end))
    {
        return Answer::ARRIVED; // cases 1 and 2
    }
    return acked > m_probe.end ? Answer::REPAIRED : Answer::NOTHING;
}

ProbeSocket::Answer
ProbeSocket::AnswerInTime(const ns3::TcpHeader& header) const
{
    if (!header.HasOption(ns3::TcpOption::TS))
    {
        return Answer::ARRIVED;
    }
    const auto stamps =
        ns3::DynamicCast<const ns3::TcpOptionTS>(header.GetOption(ns3::TcpOption::TS));
    const auto since = static_cast<uint32_t>(m_probe.at.GetMilliSeconds());
    return stamps->GetEcho() >= since ? Answer::REPAIRED : Answer::ARRIVED;
}

void
ProbeSocket::ReTxTimeout()
{
    m_probe.at = ns3::Time();
    RackSocket::ReTxTimeout();
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "bbr3-sender.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace tcpsweep::bbr3
{

namespace
{

/// ns-3 takes round-trip times from TCP's timestamps: they err by up to this, and are never zero.
const ns3::Time RESOLUTION = ns3::MilliSeconds(1);

} // namespace

bool
Sender::HasCongControl() const
{
    return true;
}

void
Sender::Observe(ns3::Time rtt, uint32_t, uint32_t inFlightBytes)
{
    m_observedRtt = rtt;
    m_observedInFlight = inFlightBytes;
}

void
Sender::UseSampler(ns3::Ptr<ns3::TcpRateOps> sampler)
{
    m_sampler = sampler;
}

bool
Sender::CanUndo() const
{
    return true;
}

void
Sender::SetStream(int64_t stream)
{
    m_draw->SetStream(stream);
}

uint64_t
Sender::Delivered() const
{
    return m_sampler ? m_sampler->GetConnectionRate().m_delivered : m_connection.delivered;
}

void
Sender::Begin(ns3::Ptr<ns3::TcpSocketState> tcb)
{
    m_tcb = tcb;
    Connection connection;
    connection.segment = tcb->m_segmentSize;
    connection.initialWindow = static_cast<double>(tcb->m_initialCWnd) * tcb->m_segmentSize;
    connection.window = tcb->m_cWnd.Get();
    const auto rtt = tcb->m_lastRtt.Get();
    // Too low a value would last for BBR.MinRTTFilterLen, and the first ACK corrects a high one.
    BeginModel(*this, connection, rtt.IsZero() ? rtt : rtt + RESOLUTION);
    BeginPacing(std::max(rtt, RESOLUTION));
    tcb->m_ssThresh = tcb->m_initialSsThresh;
    tcb->m_pacing = true;
    SetSocketRate();
    tcb->m_bytesInFlight.ConnectWithoutContext(ns3::MakeCallback(&Sender::SeeInFlight, this));
}

void
Sender::SeeInFlight(uint32_t, uint32_t now)
{
    m_changed = ns3::Simulator::Now();
    const bool isAppLimited = m_sampler && m_sampler->GetConnectionRate().m_appLimited != 0;
    m_history.Add({m_changed, now, m_connection.lost, isAppLimited});
    m_isLimited |= now + m_tcb->m_segmentSize > m_tcb->m_cWnd;
    m_mostInFlight = std::max(m_mostInFlight, now);
}

void
Sender::CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> tcb,
                           const ns3::TcpSocketState::TcpCongState_t state)
{
    if (state == ns3::TcpSocketState::CA_OPEN && !m_tcb)
    {
        Begin(tcb);
    }
}

void
Sender::CwndEvent(ns3::Ptr<ns3::TcpSocketState>, const ns3::TcpSocketState::TcpCAEvent_t event)
{
    // Section 5.4.1.
    if (event != ns3::TcpSocketState::CA_EVENT_TX_START || !m_tcb || !IsAppLimited())
    {
        return;
    }
    m_isIdleRestart = true;
    m_extraAckedFrom = ns3::Simulator::Now();
    if (IsInAProbeBandwidthState())
    {
        SetPacingRate(1);
        SetSocketRate();
    }
    else if (GetState() == State::PROBE_RTT)
    {
        CheckProbeRttDone();
    }
}

bool
Sender::IsAppLimited() const
{
    // The sampler of ns-3 looks only when the application writes, and then sees the new data. With
    // data to send, the last change was not longer ago than the pacing asks for.
    const auto pause = (ns3::Simulator::Now() - m_changed).GetSeconds();
    return (m_sampler && m_sampler->GetConnectionRate().m_appLimited != 0) ||
           pause * m_pacingRate > m_connection.segment;
}

uint32_t
Sender::GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t)
{
    // Section 5.6.4.4. The first loss of an episode has already saved the state.
    if (m_tcb)
    {
        SaveWindow();
        SaveStateUponLoss();
    }
    return tcb->m_ssThresh;
}

void
Sender::SaveWindow()
{
    const double window = m_tcb->m_cWnd.Get();
    const bool isGood =
        m_previous < ns3::TcpSocketState::CA_RECOVERY && GetState() != State::PROBE_RTT;
    m_priorWindow = isGood ? window : std::max(m_priorWindow, window);
}

void
Sender::RestoreWindow()
{
    m_connection.window = std::max<double>(m_tcb->m_cWnd.Get(), m_priorWindow);
    m_tcb->m_cWnd = static_cast<uint32_t>(m_connection.window);
}

void
Sender::MarkConnectionAppLimited()
{
    if (m_sampler)
    {
        const ns3::SequenceNumber32 none(0);
        m_sampler->CalculateAppLimited(std::numeric_limits<uint32_t>::max(),
                                       m_tcb->m_bytesInFlight,
                                       m_tcb->m_segmentSize,
                                       none,
                                       none,
                                       0,
                                       0);
    }
}

void
Sender::ObserveLoss(ns3::SequenceNumber32 begin, ns3::SequenceNumber32 end, ns3::Time sent)
{
    if (m_tcb)
    {
        const bool isNewRange = m_lostUpTo != begin;
        m_lostUpTo = end;
        Lose(end - begin, sent, isNewRange);
    }
}

void
Sender::Lose(uint32_t bytes, ns3::Time sent, bool isNewRange)
{
    const auto record = m_history.At(sent);
    HandleLostPacket({static_cast<double>(bytes),
                      static_cast<double>(record.inFlight),
                      record.lost,
                      record.isAppLimited,
                      isNewRange},
                     Delivered());
}

void
Sender::Undo()
{
    if (m_tcb)
    {
        m_connection.delivered = Delivered();
        RestoreWindow();
        HandleSpuriousLoss();
    }
}

void
Sender::Receive(const ns3::TcpRateOps::TcpRateConnection& connection,
                const ns3::TcpRateOps::TcpRateSample& sample)
{
    const auto sent = m_history.At(connection.m_firstSentTime);
    m_connection.delivered = connection.m_delivered;
    m_connection.inFlight = m_observedRtt ? m_observedInFlight : m_tcb->m_bytesInFlight.Get();
    m_connection.mostInFlight = std::exchange(m_mostInFlight, m_tcb->m_bytesInFlight.Get());
    m_connection.window = m_tcb->m_cWnd.Get();
    m_connection.isWindowLimited = m_isLimited || m_wasLimited;
    m_connection.isInRecovery = m_tcb->m_congState == ns3::TcpSocketState::CA_RECOVERY;
    m_sample = {};
    m_sample.hasData = sample.m_delivered >= 0 && sample.m_interval.IsStrictlyPositive();
    m_sample.newlyAcked = sample.m_ackedSacked;
    m_sample.rtt = m_observedRtt.value_or(m_tcb->m_lastRtt.Get());
    if (m_sample.hasData)
    {
        m_sample.delivered = static_cast<uint32_t>(sample.m_delivered);
        m_sample.rate = sample.m_delivered / sample.m_interval.GetSeconds();
        m_sample.isAppLimited = sample.m_isAppLimited;
        m_sample.priorDelivered = connection.m_delivered - m_sample.delivered;
        m_sample.inFlightWhenSent = sent.inFlight;
        m_sample.lost = static_cast<double>(m_connection.lost - sent.lost);
    }
}

void
Sender::CongControl(ns3::Ptr<ns3::TcpSocketState> tcb,
                    const ns3::TcpRateOps::TcpRateConnection& connection,
                    const ns3::TcpRateOps::TcpRateSample& sample)
{
    if (!m_observedRtt && sample.m_bytesLoss > 0)
    {
        Lose(sample.m_bytesLoss, connection.m_firstSentTime, true);
    }
    Receive(connection, sample);
    const auto state = tcb->m_congState.Get();
    const auto previous = std::exchange(m_previous, state);
    if (previous >= ns3::TcpSocketState::CA_RECOVERY && state < ns3::TcpSocketState::CA_RECOVERY)
    {
        RestoreWindow();
    }
    if (previous >= ns3::TcpSocketState::CA_CWR && state < ns3::TcpSocketState::CA_CWR)
    {
        EndLossEpisode();
    }
    if (state == ns3::TcpSocketState::CA_CWR && previous != ns3::TcpSocketState::CA_CWR)
    {
        HandleMark();
    }
    UpdateModelAndState();
    if (m_isRoundStart)
    {
        m_wasLimited = std::exchange(m_isLimited, false);
    }
    const auto rtt = std::max(tcb->m_lastRtt.Get(), RESOLUTION);
    if (!m_hasSeenRtt && m_sample.rtt.IsStrictlyPositive())
    {
        m_hasSeenRtt = true;
        BeginPacing(m_observedRtt ? m_sample.rtt : rtt);
    }
    SetPacingRate(PacingGain());
    SetSocketRate();
    SetWindow();
    tcb->m_cWnd = static_cast<uint32_t>(m_connection.window);
    m_history.Forget(ns3::Simulator::Now() - 4 * rtt); // later losses are those of a timeout
    UpdateTraces();
}

void
Sender::SetSocketRate()
{
    m_tcb->m_pacingRate =
        std::min(ns3::DataRate(static_cast<uint64_t>(8 * m_pacingRate)), m_tcb->m_maxPacingRate);
}

void
Sender::UpdateTraces()
{
    m_stateTrace = static_cast<uint32_t>(GetState());
    m_bandwidthTrace = 8 * MaxBandwidth();
    m_pacingGainTrace = PacingGain();
    m_windowGainTrace = WindowGain();
    m_longTermTrace = LongTermInflight();
    m_shortTermTrace = ShortTermInflight();
    m_minRttTrace = MinRtt();
}

} // namespace tcpsweep::bbr3

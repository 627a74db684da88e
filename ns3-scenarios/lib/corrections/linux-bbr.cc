// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/linux-bbr.h"

#include <ns3/double.h>
#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(LinuxBbr);

namespace
{

// The constants of Linux' tcp_bbr.c.
constexpr double PACING_MARGIN = 0.99;                  //!< pacing rate over gain times bandwidth
const ns3::Time LONGEST_BUNCH = ns3::MilliSeconds(100); //!< of ACKs
const ns3::Time FIRST_RTT = ns3::MilliSeconds(1);       //!< before there is any

} // namespace

ns3::TypeId
LinuxBbr::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::LinuxBbr").SetParent<ns3::TcpBbr>().AddConstructor<LinuxBbr>();
    return tid;
}

void
LinuxBbr::UseSampler(ns3::Ptr<ns3::TcpRateOps> sampler)
{
    m_sampler = sampler;
}

void
LinuxBbr::Observe(ns3::Time rtt, uint32_t lostBytes, uint32_t inFlightBytes)
{
    m_observedRtt = rtt;
    m_observedLoss = lostBytes;
    m_observedInFlight = inFlightBytes;
}

void
LinuxBbr::ObserveLoss(ns3::SequenceNumber32 begin, ns3::SequenceNumber32 end, ns3::Time)
{
    m_lost += end - begin;
}

bool
LinuxBbr::CanUndo() const
{
    return true;
}

void
LinuxBbr::Undo()
{
    // bbr_undo_cwnd(); the window is restored with this ACK, because the recovery has ended.
    m_fullBandwidth = ns3::DataRate();
    m_fullRounds = 0;
    m_policer.Reset(m_delivered, m_lost);
}

void
LinuxBbr::ObservePacing(ns3::Time until)
{
    m_pacedUntil = until;
}

void
LinuxBbr::SetStream(uint32_t stream)
{
    m_draw->SetStream(stream);
}

ns3::Ptr<ns3::TcpCongestionOps>
LinuxBbr::Fork()
{
    return ns3::CopyObject<LinuxBbr>(this);
}

void
LinuxBbr::Begin(State tcb)
{
    ns3::DoubleValue gain;
    GetAttribute("HighGain", gain);
    m_highGain = gain.Get();
    m_hasBegun = true;
    const auto rtt = m_observedRtt.value_or(tcb->m_lastRtt.Get());
    m_minRtt = rtt.IsZero() ? ns3::Time::Max() : rtt;
    m_minRttAt = ns3::Simulator::Now();
    m_aggregation.Begin();
    tcb->m_ssThresh = tcb->m_initialSsThresh;
    tcb->m_pacing = true;
    UpdateGains();
    BeginPacing(tcb);
}

void
LinuxBbr::CongestionStateSet(State tcb, ns3::TcpSocketState::TcpCongState_t state)
{
    if (state == ns3::TcpSocketState::CA_OPEN && !m_hasBegun)
    {
        Begin(tcb);
    }
    else if (state == ns3::TcpSocketState::CA_LOSS)
    {
        m_previous = ns3::TcpSocketState::CA_LOSS;
        m_fullBandwidth = ns3::DataRate();
        m_isRoundStart = true;
        m_policer.Receive({m_delivered, m_lost, true, false, true, m_mode == Mode::PROBE_BW});
    }
}

void
LinuxBbr::CwndEvent(State tcb, ns3::TcpSocketState::TcpCAEvent_t event)
{
    if (event != ns3::TcpSocketState::CA_EVENT_TX_START || !m_hasBegun || !m_sampler ||
        m_sampler->GetConnectionRate().m_appLimited == 0)
    {
        return;
    }
    m_isIdleRestart = true;
    m_aggregation.Begin();
    if (m_mode == Mode::PROBE_BW)
    {
        UpdatePacing(tcb, 1);
    }
    else if (m_mode == Mode::PROBE_RTT)
    {
        CheckProbeRttDone(tcb);
    }
}

uint32_t
LinuxBbr::GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t)
{
    SaveWindow(tcb->m_cWnd);
    return tcb->m_ssThresh;
}

void
LinuxBbr::CongControl(State tcb,
                      const ns3::TcpRateOps::TcpRateConnection& connection,
                      const Sample& sample)
{
    m_delivered = connection.m_delivered;
    auto own = sample;
    if (m_observedLoss)
    {
        own.m_bytesLoss = *m_observedLoss;
    }
    else
    {
        m_lost += sample.m_bytesLoss;
    }
    UpdateBandwidth(own);
    if (own.m_ackedSacked > 0 && own.m_delivered >= 0 && own.m_interval.IsStrictlyPositive())
    {
        m_aggregation.Receive(
            {own.m_ackedSacked, m_isRoundStart, Bandwidth(), tcb->m_cWnd, tcb->m_segmentSize});
    }
    UpdateCycle(tcb, own);
    CheckFullPipe(own);
    CheckDrain(tcb);
    UpdateMinRtt(tcb, own);
    UpdateGains();
    UpdatePacing(tcb, m_pacingGain);
    UpdateWindow(tcb, own);
}

void
LinuxBbr::BeginPacing(State tcb)
{
    m_hasSeenRtt = !tcb->m_lastRtt.Get().IsZero();
    const auto rtt = std::max(m_observedRtt.value_or(tcb->m_lastRtt.Get()), FIRST_RTT);
    const auto rate = m_highGain * PACING_MARGIN * 8 * tcb->m_cWnd.Get() / rtt.GetSeconds();
    tcb->m_pacingRate = std::min(ns3::DataRate(static_cast<uint64_t>(rate)), tcb->m_maxPacingRate);
}

void
LinuxBbr::UpdatePacing(State tcb, double gain)
{
    const auto rate =
        std::min(ns3::DataRate(static_cast<uint64_t>(
                     gain * PACING_MARGIN * static_cast<double>(Bandwidth().GetBitRate()))),
                 tcb->m_maxPacingRate);
    if (!m_hasSeenRtt && !tcb->m_lastRtt.Get().IsZero())
    {
        BeginPacing(tcb);
    }
    if (m_isPipeFull || rate > tcb->m_pacingRate)
    {
        tcb->m_pacingRate = rate;
    }
}

bool
LinuxBbr::UpdateWindowOfRecovery(State tcb, const Sample& sample)
{
    const auto state = tcb->m_congState.Get();
    // ns-3 has by now repeated the first lost segment, which Linux does after this.
    const uint32_t inFlight = m_observedInFlight.value_or(tcb->m_bytesInFlight);
    uint32_t window = tcb->m_cWnd;
    if (sample.m_bytesLoss > 0)
    {
        window = window > sample.m_bytesLoss ? window - sample.m_bytesLoss : 0;
        window = std::max(window, tcb->m_segmentSize);
    }
    if (state == ns3::TcpSocketState::CA_RECOVERY && m_previous != ns3::TcpSocketState::CA_RECOVERY)
    {
        m_isConservation = true;
        m_nextRound = m_delivered;
        window = inFlight + sample.m_ackedSacked;
    }
    else if (m_previous >= ns3::TcpSocketState::CA_RECOVERY &&
             state < ns3::TcpSocketState::CA_RECOVERY)
    {
        window = std::max(window, m_priorWindow);
        m_isConservation = false;
    }
    m_previous = state;
    if (m_isConservation)
    {
        window = std::max(window, inFlight + sample.m_ackedSacked);
    }
    tcb->m_cWnd = window;
    return m_isConservation;
}

void
LinuxBbr::UpdateWindow(State tcb, const Sample& sample)
{
    if (sample.m_ackedSacked > 0 && !UpdateWindowOfRecovery(tcb, sample))
    {
        const auto bandwidth = Bandwidth();
        uint32_t target = Product(tcb, bandwidth, m_windowGain);
        if (m_isPipeFull)
        {
            target += std::min(m_aggregation.Most(),
                               static_cast<uint32_t>(BytesIn(bandwidth, LONGEST_BUNCH)));
        }
        target = WithBursts(tcb, target);
        uint32_t window = tcb->m_cWnd;
        if (m_isPipeFull)
        {
            window = std::min(window + sample.m_ackedSacked, target);
        }
        else if (window < target || m_delivered < tcb->m_initialCWnd * tcb->m_segmentSize)
        {
            window += sample.m_ackedSacked;
        }
        tcb->m_cWnd = std::max(window, LEAST_WINDOW * tcb->m_segmentSize);
    }
    if (m_mode == Mode::PROBE_RTT)
    {
        tcb->m_cWnd = std::min(tcb->m_cWnd.Get(), LEAST_WINDOW * tcb->m_segmentSize);
    }
}

} // namespace tcpsweep

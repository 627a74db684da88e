// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/bbr-model.h"

#include <ns3/sequence-number.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tcpsweep
{

namespace
{

// The constants of Linux' tcp_bbr.c.
constexpr uint32_t CYCLE = 8;              //!< phases of a cycle
constexpr uint32_t FIRST_GAINS = 7;        //!< how many of them may be the first
constexpr double GROWTH = 1.25;            //!< of the bandwidth in a round of the startup
constexpr uint32_t FULL_ROUNDS = 3;        //!< rounds without growth after which the pipe is full
constexpr uint64_t SLOW_BITRATE = 1200000; //!< below it, a burst is one segment
const ns3::Time LONGEST_BURST = ns3::Seconds(1.0 / 1024); //!< of data
constexpr uint32_t LARGEST_BURST = 65535 - 320;           //!< bytes
const ns3::Time PROBE_RTT_INTERVAL = ns3::Seconds(10);    //!< after which to probe
const ns3::Time PROBE_RTT_TIME = ns3::MilliSeconds(200);  //!< for which to probe

} // namespace

ns3::DataRate
BbrModel::Bandwidth() const
{
    return m_policer.IsLimited() ? m_policer.Rate() : m_bandwidth.GetBest();
}

void
BbrModel::UpdateBandwidth(const Sample& sample)
{
    m_isRoundStart = false;
    if (sample.m_delivered < 0 || !sample.m_interval.IsStrictlyPositive())
    {
        return;
    }
    if (sample.m_priorDelivered >= m_nextRound)
    {
        m_nextRound = m_delivered;
        ++m_rounds;
        m_isRoundStart = true;
        m_isConservation = false;
    }
    if (m_policer.Receive({m_delivered,
                           m_lost,
                           sample.m_bytesLoss > 0,
                           sample.m_isAppLimited,
                           m_isRoundStart,
                           m_mode == Mode::PROBE_BW}))
    {
        ProbeBandwidth();
    }
    const ns3::DataRate rate(
        static_cast<uint64_t>(8.0 * sample.m_delivered / sample.m_interval.GetSeconds()));
    if (!sample.m_isAppLimited || rate >= m_bandwidth.GetBest())
    {
        m_bandwidth.Update(rate, m_rounds);
    }
}

void
BbrModel::UpdateCycle(State tcb, const Sample& sample)
{
    if (m_mode != Mode::PROBE_BW)
    {
        return;
    }
    const bool isLong = ns3::Simulator::Now() - m_cycleAt > m_minRtt;
    bool isNext = isLong;
    if (m_pacingGain > 1)
    {
        isNext = isLong &&
                 (sample.m_bytesLoss > 0 ||
                  InFlightAtNextBurst(tcb, sample.m_priorInFlight) >= InFlight(tcb, m_pacingGain));
    }
    else if (m_pacingGain < 1)
    {
        isNext = isLong || InFlightAtNextBurst(tcb, sample.m_priorInFlight) <= InFlight(tcb, 1);
    }
    if (isNext)
    {
        m_cycle = (m_cycle + 1) % CYCLE;
        m_cycleAt = ns3::Simulator::Now();
    }
}

void
BbrModel::ProbeBandwidth()
{
    m_mode = Mode::PROBE_BW;
    const uint32_t last = CYCLE - 1 - m_draw->GetInteger(0, FIRST_GAINS - 1);
    m_cycle = (last + 1) % CYCLE;
    m_cycleAt = ns3::Simulator::Now();
}

void
BbrModel::CheckFullPipe(const Sample& sample)
{
    if (m_isPipeFull || !m_isRoundStart || sample.m_isAppLimited)
    {
        return;
    }
    const auto best = m_bandwidth.GetBest();
    if (static_cast<double>(best.GetBitRate()) >=
        GROWTH * static_cast<double>(m_fullBandwidth.GetBitRate()))
    {
        m_fullBandwidth = best;
        m_fullRounds = 0;
        return;
    }
    m_isPipeFull = ++m_fullRounds >= FULL_ROUNDS;
}

void
BbrModel::CheckDrain(State tcb)
{
    if (m_mode == Mode::STARTUP && m_isPipeFull)
    {
        m_mode = Mode::DRAIN;
        tcb->m_ssThresh = InFlight(tcb, 1);
    }
    if (m_mode == Mode::DRAIN && InFlightAtNextBurst(tcb, tcb->m_bytesInFlight) <= InFlight(tcb, 1))
    {
        ProbeBandwidth();
    }
}

void
BbrModel::UpdateMinRtt(State tcb, const Sample& sample)
{
    const auto now = ns3::Simulator::Now();
    const auto rtt = m_observedRtt.value_or(tcb->m_lastRtt.Get());
    const bool isExpired = now > m_minRttAt + PROBE_RTT_INTERVAL;
    if (rtt.IsStrictlyPositive() && (rtt < m_minRtt || isExpired))
    {
        m_minRtt = rtt;
        m_minRttAt = now;
    }
    if (isExpired && !m_isIdleRestart && m_mode != Mode::PROBE_RTT)
    {
        m_mode = Mode::PROBE_RTT;
        SaveWindow(tcb->m_cWnd);
        m_probeRttEnd = ns3::Time();
    }
    if (m_mode == Mode::PROBE_RTT)
    {
        if (m_sampler)
        {
            // Marks what is in flight as limited by the application.
            const ns3::SequenceNumber32 none(0);
            m_sampler->CalculateAppLimited(std::numeric_limits<uint32_t>::max(),
                                           tcb->m_bytesInFlight,
                                           tcb->m_segmentSize,
                                           none,
                                           none,
                                           0,
                                           0);
        }
        if (m_probeRttEnd.IsZero() && tcb->m_bytesInFlight <= LEAST_WINDOW * tcb->m_segmentSize)
        {
            m_probeRttEnd = now + PROBE_RTT_TIME;
            m_isProbeRound = false;
            m_nextRound = m_delivered;
        }
        else if (!m_probeRttEnd.IsZero())
        {
            m_isProbeRound = m_isProbeRound || m_isRoundStart;
            if (m_isProbeRound)
            {
                CheckProbeRttDone(tcb);
            }
        }
    }
    if (sample.m_delivered > 0)
    {
        m_isIdleRestart = false;
    }
}

void
BbrModel::CheckProbeRttDone(State tcb)
{
    if (m_probeRttEnd.IsZero() || ns3::Simulator::Now() <= m_probeRttEnd)
    {
        return;
    }
    m_minRttAt = ns3::Simulator::Now();
    tcb->m_cWnd = std::max(tcb->m_cWnd.Get(), m_priorWindow);
    if (m_isPipeFull)
    {
        ProbeBandwidth();
    }
    else
    {
        m_mode = Mode::STARTUP;
    }
}

void
BbrModel::UpdateGains()
{
    switch (m_mode)
    {
    case Mode::STARTUP:
        m_pacingGain = m_highGain;
        m_windowGain = m_highGain;
        break;
    case Mode::DRAIN:
        m_pacingGain = m_gains->Drain(m_highGain);
        m_windowGain = m_highGain;
        break;
    case Mode::PROBE_BW:
        m_pacingGain = m_policer.IsLimited() ? 1 : m_gains->Pacing(m_cycle);
        m_windowGain = m_gains->Window();
        break;
    case Mode::PROBE_RTT:
        m_pacingGain = 1;
        m_windowGain = 1;
        break;
    }
}

void
BbrModel::SaveWindow(uint32_t window)
{
    const bool isGood = m_previous < ns3::TcpSocketState::CA_RECOVERY && m_mode != Mode::PROBE_RTT;
    m_priorWindow = isGood ? window : std::max(m_priorWindow, window);
}

uint32_t
BbrModel::Burst(State tcb) const
{
    const auto rate = tcb->m_pacingRate.Get();
    const auto bytes = std::min(static_cast<uint32_t>(BytesIn(rate, LONGEST_BURST)), LARGEST_BURST);
    const uint32_t least = rate.GetBitRate() < SLOW_BITRATE ? 1 : 2;
    return std::max(bytes / tcb->m_segmentSize, least) * tcb->m_segmentSize;
}

uint32_t
BbrModel::Product(State tcb, ns3::DataRate bandwidth, double gain) const
{
    if (m_minRtt == ns3::Time::Max())
    {
        return tcb->m_initialCWnd * tcb->m_segmentSize;
    }
    const auto segments = std::ceil(gain * BytesIn(bandwidth, m_minRtt) / tcb->m_segmentSize);
    return static_cast<uint32_t>(segments) * tcb->m_segmentSize;
}

uint32_t
BbrModel::WithBursts(State tcb, uint32_t bytes) const
{
    uint32_t segments = (bytes + 3 * Burst(tcb)) / tcb->m_segmentSize;
    segments += segments % 2;
    if (m_mode == Mode::PROBE_BW && m_cycle == 0)
    {
        segments += 2;
    }
    return segments * tcb->m_segmentSize;
}

uint32_t
BbrModel::InFlightAtNextBurst(State tcb, uint32_t inFlight) const
{
    const auto wait = std::max(ns3::Time(), m_pacedUntil - ns3::Simulator::Now());
    const auto arrive = static_cast<uint32_t>(BytesIn(Bandwidth(), wait));
    const uint32_t most = inFlight + (m_pacingGain > 1 ? Burst(tcb) : 0);
    return most - std::min(most, arrive / tcb->m_segmentSize * tcb->m_segmentSize);
}

uint32_t
BbrModel::InFlight(State tcb, double gain) const
{
    return WithBursts(tcb, Product(tcb, m_bandwidth.GetBest(), gain));
}

} // namespace tcpsweep

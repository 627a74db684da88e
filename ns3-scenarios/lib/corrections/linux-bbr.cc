// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/linux-bbr.h"

#include <ns3/double.h>
#include <ns3/sequence-number.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(LinuxBbr);

namespace
{

// The constants of Linux' tcp_bbr.c.
constexpr std::array<double, 8> PACING_GAINS{1.25, 0.75, 1, 1, 1, 1, 1, 1}; //!< of a cycle
constexpr uint32_t FIRST_GAINS = 7;        //!< how many of them may be the first
constexpr double WINDOW_GAIN = 2;          //!< while the gains cycle
constexpr double PACING_MARGIN = 0.99;     //!< pacing rate over gain times bandwidth
constexpr double GROWTH = 1.25;            //!< of the bandwidth in a round of the startup
constexpr uint32_t FULL_ROUNDS = 3;        //!< rounds without growth after which the pipe is full
constexpr uint32_t LEAST_WINDOW = 4;       //!< segments
constexpr uint32_t EXTRA_ROUNDS = 5;       //!< rounds of a window of the aggregation
constexpr uint64_t SLOW_BITRATE = 1200000; //!< below it, a burst is one segment
const ns3::Time LONGEST_BUNCH = ns3::MilliSeconds(100);   //!< of ACKs
const ns3::Time LONGEST_BURST = ns3::Seconds(1.0 / 1024); //!< of data
constexpr uint32_t LARGEST_BURST = 65535 - 320;           //!< bytes
const ns3::Time PROBE_RTT_INTERVAL = ns3::Seconds(10);    //!< after which to probe
const ns3::Time PROBE_RTT_TIME = ns3::MilliSeconds(200);  //!< for which to probe
const ns3::Time FIRST_RTT = ns3::MilliSeconds(1);         //!< before there is any

/**
 * @param rate a rate
 * @param time a time
 * @return the bytes sent in this time
 */
double
BytesIn(ns3::DataRate rate, ns3::Time time)
{
    return static_cast<double>(rate.GetBitRate()) / 8 * time.GetSeconds();
}

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
LinuxBbr::Observe(ns3::Time rtt, uint32_t lostBytes)
{
    m_observedRtt = rtt;
    m_observedLoss = lostBytes;
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
    m_minRtt = tcb->m_lastRtt.Get().IsZero() ? ns3::Time::Max() : tcb->m_lastRtt.Get();
    m_minRttAt = ns3::Simulator::Now();
    m_epochAt = ns3::Simulator::Now();
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
        m_policer.Receive({m_delivered, 1, false, true, m_mode == Mode::PROBE_BW});
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
    m_epochAt = ns3::Simulator::Now();
    m_epochAcked = 0;
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
LinuxBbr::SaveWindow(uint32_t window)
{
    const bool isGood = m_previous < ns3::TcpSocketState::CA_RECOVERY && m_mode != Mode::PROBE_RTT;
    m_priorWindow = isGood ? window : std::max(m_priorWindow, window);
}

void
LinuxBbr::CongControl(State tcb,
                      const ns3::TcpRateOps::TcpRateConnection& connection,
                      const Sample& sample)
{
    m_delivered = connection.m_delivered;
    auto own = sample;
    own.m_bytesLoss = m_observedLoss.value_or(sample.m_bytesLoss);
    UpdateBandwidth(own);
    UpdateAggregation(tcb, own);
    UpdateCycle(tcb, own);
    CheckFullPipe(own);
    CheckDrain(tcb);
    UpdateMinRtt(tcb, own);
    UpdateGains();
    UpdatePacing(tcb, m_pacingGain);
    UpdateWindow(tcb, own);
}

ns3::DataRate
LinuxBbr::Bandwidth() const
{
    return m_policer.IsLimited() ? m_policer.Rate() : m_bandwidth.GetBest();
}

void
LinuxBbr::UpdateBandwidth(const Sample& sample)
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
                           sample.m_bytesLoss,
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
LinuxBbr::UpdateAggregation(State tcb, const Sample& sample)
{
    if (sample.m_ackedSacked == 0 || sample.m_delivered < 0 ||
        !sample.m_interval.IsStrictlyPositive())
    {
        return;
    }
    if (m_isRoundStart && ++m_extraRounds >= EXTRA_ROUNDS)
    {
        m_extraRounds = 0;
        m_extraIndex = 1 - m_extraIndex;
        m_extra[m_extraIndex] = 0;
    }
    auto expected = BytesIn(Bandwidth(), ns3::Simulator::Now() - m_epochAt);
    if (static_cast<double>(m_epochAcked) <= expected)
    {
        m_epochAcked = 0;
        m_epochAt = ns3::Simulator::Now();
        expected = 0;
    }
    m_epochAcked += sample.m_ackedSacked;
    const auto extra = std::min(static_cast<double>(m_epochAcked) - expected,
                                static_cast<double>(tcb->m_cWnd.Get()));
    m_extra[m_extraIndex] = std::max(m_extra[m_extraIndex], static_cast<uint32_t>(extra));
}

void
LinuxBbr::UpdateCycle(State tcb, const Sample& sample)
{
    if (m_mode != Mode::PROBE_BW)
    {
        return;
    }
    const bool isLong = ns3::Simulator::Now() - m_cycleAt > m_minRtt;
    bool isNext = isLong;
    if (m_pacingGain > 1)
    {
        isNext = isLong && (sample.m_bytesLoss > 0 ||
                            sample.m_priorInFlight + Burst(tcb) >= InFlight(tcb, m_pacingGain));
    }
    else if (m_pacingGain < 1)
    {
        isNext = isLong || sample.m_priorInFlight <= InFlight(tcb, 1);
    }
    if (isNext)
    {
        m_cycle = (m_cycle + 1) % PACING_GAINS.size();
        m_cycleAt = ns3::Simulator::Now();
    }
}

void
LinuxBbr::ProbeBandwidth()
{
    m_mode = Mode::PROBE_BW;
    const uint32_t last = PACING_GAINS.size() - 1 - m_draw->GetInteger(0, FIRST_GAINS - 1);
    m_cycle = (last + 1) % PACING_GAINS.size();
    m_cycleAt = ns3::Simulator::Now();
}

void
LinuxBbr::CheckFullPipe(const Sample& sample)
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
LinuxBbr::CheckDrain(State tcb)
{
    if (m_mode == Mode::STARTUP && m_isPipeFull)
    {
        m_mode = Mode::DRAIN;
        tcb->m_ssThresh = InFlight(tcb, 1);
    }
    if (m_mode == Mode::DRAIN && tcb->m_bytesInFlight <= InFlight(tcb, 1))
    {
        ProbeBandwidth();
    }
}

void
LinuxBbr::UpdateMinRtt(State tcb, const Sample& sample)
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
LinuxBbr::CheckProbeRttDone(State tcb)
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
LinuxBbr::UpdateGains()
{
    switch (m_mode)
    {
    case Mode::STARTUP:
        m_pacingGain = m_highGain;
        m_windowGain = m_highGain;
        break;
    case Mode::DRAIN:
        m_pacingGain = 1 / m_highGain;
        m_windowGain = m_highGain;
        break;
    case Mode::PROBE_BW:
        m_pacingGain = m_policer.IsLimited() ? 1 : PACING_GAINS[m_cycle];
        m_windowGain = WINDOW_GAIN;
        break;
    case Mode::PROBE_RTT:
        m_pacingGain = 1;
        m_windowGain = 1;
        break;
    }
}

void
LinuxBbr::BeginPacing(State tcb)
{
    m_hasSeenRtt = !tcb->m_lastRtt.Get().IsZero();
    const auto rtt = std::max(tcb->m_lastRtt.Get(), FIRST_RTT);
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

uint32_t
LinuxBbr::Burst(State tcb) const
{
    const auto rate = tcb->m_pacingRate.Get();
    const auto bytes = std::min(static_cast<uint32_t>(BytesIn(rate, LONGEST_BURST)), LARGEST_BURST);
    const uint32_t least = rate.GetBitRate() < SLOW_BITRATE ? 1 : 2;
    return std::max(bytes / tcb->m_segmentSize, least) * tcb->m_segmentSize;
}

uint32_t
LinuxBbr::Product(State tcb, ns3::DataRate bandwidth, double gain) const
{
    if (m_minRtt == ns3::Time::Max())
    {
        return tcb->m_initialCWnd * tcb->m_segmentSize;
    }
    const auto segments = std::ceil(gain * BytesIn(bandwidth, m_minRtt) / tcb->m_segmentSize);
    return static_cast<uint32_t>(segments) * tcb->m_segmentSize;
}

uint32_t
LinuxBbr::WithBursts(State tcb, uint32_t bytes) const
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
LinuxBbr::InFlight(State tcb, double gain) const
{
    return WithBursts(tcb, Product(tcb, m_bandwidth.GetBest(), gain));
}

bool
LinuxBbr::UpdateWindowOfRecovery(State tcb, const Sample& sample)
{
    const auto state = tcb->m_congState.Get();
    const uint32_t inFlight = tcb->m_bytesInFlight;
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
            target += std::min(std::max(m_extra[0], m_extra[1]),
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

// SPDX-License-Identifier: GPL-2.0-only
#include "bandwidth-estimator.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

uint32_t
AckedCount::Count(ns3::Ptr<const ns3::TcpSocketState> tcb)
{
    const uint32_t segment = tcb->m_segmentSize;
    const ns3::SequenceNumber32 ack = tcb->m_lastAckedSeq;
    const int32_t advance = m_last ? ack - *m_last : 0;
    const bool isDuplicate = m_last && advance <= 0;
    m_last = ack;
    if (isDuplicate)
    {
        m_accountedFor += segment;
        return segment;
    }
    const uint32_t cumulative = advance;
    if (cumulative <= segment)
    {
        return cumulative;
    }
    if (m_accountedFor >= cumulative)
    {
        m_accountedFor -= cumulative;
        return segment;
    }
    const uint32_t fresh = cumulative - m_accountedFor;
    m_accountedFor = 0;
    return fresh;
}

void
TustinFilter::Configure(ns3::Time tau, double m)
{
    m_tau = tau;
    m_longest = std::max(ns3::Seconds(tau.GetSeconds() / m), ns3::NanoSeconds(1));
}

double
TustinFilter::Add(ns3::Time time, double sample)
{
    Until(time);
    Step(time, sample);
    return m_estimate;
}

double
TustinFilter::Until(ns3::Time time)
{
    while (m_lastTime && time - *m_lastTime > m_longest)
    {
        Step(*m_lastTime + m_longest, 0);
    }
    return m_estimate;
}

void
TustinFilter::Step(ns3::Time time, double sample)
{
    if (m_lastTime)
    {
        const double tau = m_tau.GetSeconds();
        const double interval = (time - *m_lastTime).GetSeconds();
        m_estimate = ((2 * tau - interval) * m_estimate + interval * (sample + m_lastSample)) /
                     (2 * tau + interval);
    }
    else
    {
        m_estimate = sample;
    }
    m_lastTime = time;
    m_lastSample = sample;
}

void
BandwidthEstimator::Configure(Sampling sampling, bool filtered)
{
    m_sampling = sampling;
    m_filtered = filtered;
}

void
BandwidthEstimator::ConfigureFilter(ns3::Time tau, double m)
{
    m_tustin.Configure(tau, m);
}

void
BandwidthEstimator::Acked(ns3::Ptr<const ns3::TcpSocketState> tcb)
{
    // The last sample, as the round trip that PktsAcked() receives is smoothed. Before ns-3 3.43,
    // this one is smoothed too.
    const ns3::Time rtt = tcb->m_lastRtt.Get();
    if (rtt.IsStrictlyPositive())
    {
        m_minRtt = std::min(m_minRtt, rtt);
    }
    const ns3::Time now = ns3::Simulator::Now();
    m_bytes += m_ackedCount.Count(tcb);
    if (!m_begin)
    {
        m_begin = now;
        return;
    }
    // Several ACKs at the same time are one sample.
    const ns3::Time interval = now - *m_begin;
    if (interval.IsStrictlyPositive() && (m_sampling == PER_ACK || interval >= rtt))
    {
        TakeSample(now, m_bytes * 8.0 / interval.GetSeconds());
        m_begin = now;
        m_bytes = 0;
    }
}

void
BandwidthEstimator::TakeSample(ns3::Time time, double sample)
{
    if (!m_filtered)
    {
        m_bandwidth = sample;
    }
    else if (m_sampling == PER_ACK)
    {
        m_bandwidth = m_tustin.Add(time, sample);
    }
    else
    {
        m_bandwidth = m_bandwidth > 0 ? 0.9 * m_bandwidth + 0.1 * sample : sample;
    }
}

double
BandwidthEstimator::GetBandwidth()
{
    if (m_filtered && m_sampling == PER_ACK)
    {
        m_bandwidth = m_tustin.Until(ns3::Simulator::Now());
    }
    return m_bandwidth;
}

ns3::Time
BandwidthEstimator::GetMinRtt() const
{
    return m_minRtt == ns3::Time::Max() ? ns3::Time() : m_minRtt;
}

double
BandwidthEstimator::GetPipe()
{
    return GetBandwidth() * GetMinRtt().GetSeconds() / 8;
}

} // namespace tcpsweep

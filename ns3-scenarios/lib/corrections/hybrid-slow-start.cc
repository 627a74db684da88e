// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/hybrid-slow-start.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

/// What Linux adds for its large segments, below 2 Gbit/s (hystart_ack_delay()).
const ns3::Time LARGE_SEGMENTS = ns3::MilliSeconds(1);

} // namespace

HybridSlowStart::HybridSlowStart(const Settings& settings)
    : m_settings(settings)
{
}

void
HybridSlowStart::Forget()
{
    *this = HybridSlowStart(m_settings);
}

void
HybridSlowStart::Measure(ns3::Time rtt)
{
    m_minRtt = std::min(m_minRtt, rtt);
}

void
HybridSlowStart::BeginRound(ns3::SequenceNumber32 sent)
{
    m_hasRound = true;
    m_end = sent;
    m_begin = ns3::Simulator::Now();
    m_last = m_begin;
    m_roundRtt = ns3::Time::Max();
    m_samples = 0;
}

bool
HybridSlowStart::Ends(const Ack& ack)
{
    if (m_hasEnded)
    {
        return false;
    }
    if (!m_hasRound || ack.acked > m_end)
    {
        BeginRound(ack.sent);
    }
    if (ack.window < m_settings.leastWindow)
    {
        return false;
    }
    const bool isLong = m_settings.byTrain && IsLongTrain(ack.isPaced);
    const bool isDelayed = m_settings.byDelay && IsDelayed(ack.rtt);
    m_hasEnded = isLong || isDelayed;
    return m_hasEnded;
}

bool
HybridSlowStart::IsLongTrain(bool isPaced)
{
    const auto now = ns3::Simulator::Now();
    if (now - m_last > m_settings.spacing)
    {
        return false;
    }
    m_last = now;
    const auto longest = m_minRtt + LARGE_SEGMENTS;
    return (now - m_begin) * (isPaced ? 1 : 2) > longest;
}

bool
HybridSlowStart::IsDelayed(ns3::Time rtt)
{
    m_roundRtt = std::min(m_roundRtt, rtt);
    if (m_samples < m_settings.leastSamples)
    {
        ++m_samples;
        return false;
    }
    const auto growth =
        std::max(m_settings.leastThreshold, std::min(m_minRtt / 8, m_settings.largestThreshold));
    return m_roundRtt > m_minRtt + growth;
}

} // namespace tcpsweep

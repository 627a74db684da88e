// SPDX-License-Identifier: GPL-2.0-only
#include "bbr3-path-model.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>

namespace tcpsweep::bbr3
{

double
PathModel::MaxBandwidth() const
{
    return std::max(m_maxBandwidth[0], m_maxBandwidth[1]);
}

double
PathModel::Bandwidth() const
{
    return m_bandwidth;
}

ns3::Time
PathModel::MinRtt() const
{
    return m_minRtt;
}

double
PathModel::LongTermInflight() const
{
    return m_longTermInflight;
}

double
PathModel::ShortTermInflight() const
{
    return m_shortTermInflight;
}

void
PathModel::BeginModel(const Constants& constants, const Connection& connection, ns3::Time rtt)
{
    m_constants = constants;
    m_connection = connection;
    m_minRtt = rtt.IsZero() ? ns3::Time::Max() : rtt;
    m_probeRttMin = m_minRtt;
    m_minRttAt = m_probeRttMinAt = m_extraAckedFrom = ns3::Simulator::Now();
}

void
PathModel::SetLongTermInflight(double bytes)
{
    m_longTermInflight = std::floor(bytes / m_connection.segment) * m_connection.segment;
}

void
PathModel::StartRound()
{
    m_nextRound = m_connection.delivered;
}

void
PathModel::UpdateMaxBandwidth()
{
    m_isRoundStart = m_sample.hasData && m_sample.priorDelivered >= m_nextRound;
    if (m_isRoundStart)
    {
        StartRound();
        ++m_rounds;
        ++m_roundsSinceUp;
    }
    if (m_sample.rate > 0 && (m_sample.rate >= MaxBandwidth() || !m_sample.isAppLimited))
    {
        m_maxBandwidth[1] = std::max(m_maxBandwidth[1], m_sample.rate);
    }
}

void
PathModel::AdvanceMaxBandwidthFilter()
{
    // As in a filter of Kathleen Nichols', a cycle without samples forgets nothing.
    if (m_maxBandwidth[1] > 0)
    {
        m_maxBandwidth = {m_maxBandwidth[1], 0};
    }
}

void
PathModel::UpdateAckAggregation()
{
    const auto now = ns3::Simulator::Now();
    auto expected = m_bandwidth * (now - m_extraAckedFrom).GetSeconds();
    if (m_extraAckedDelivered <= expected)
    {
        m_extraAckedDelivered = 0;
        m_extraAckedFrom = now;
        expected = 0;
    }
    m_extraAckedDelivered += static_cast<double>(m_sample.newlyAcked);
    const auto extra = std::min(m_extraAckedDelivered - expected, m_connection.window);
    m_extraAckedFilter.SetWindowLength(m_hasFullBandwidth ? m_constants.extraAckedRounds : 1);
    m_extraAckedFilter.Update(extra, m_rounds);
    m_extraAcked = m_extraAckedFilter.GetBest();
}

bool
PathModel::UpdateMinRtt()
{
    const auto now = ns3::Simulator::Now();
    const bool isProbeExpired = now > m_probeRttMinAt + m_constants.probeRttInterval;
    if (m_sample.rtt.IsStrictlyPositive() && (m_sample.rtt < m_probeRttMin || isProbeExpired))
    {
        m_probeRttMin = m_sample.rtt;
        m_probeRttMinAt = now;
    }
    if (m_probeRttMin < m_minRtt || now > m_minRttAt + m_constants.minRttWindow)
    {
        m_minRtt = m_probeRttMin;
        m_minRttAt = m_probeRttMinAt;
    }
    return isProbeExpired;
}

void
PathModel::ResetFullBandwidth(double baseline)
{
    m_fullBandwidth = baseline;
    m_fullRounds = 0;
    m_isFullBandwidthNow = false;
}

void
PathModel::CheckFullBandwidth()
{
    if (m_isFullBandwidthNow || !m_isRoundStart || m_sample.isAppLimited)
    {
        return;
    }
    if (m_sample.rate >= m_fullBandwidth * m_constants.fullGrowth)
    {
        ResetFullBandwidth(m_sample.rate);
        return;
    }
    m_isFullBandwidthNow = ++m_fullRounds >= m_constants.fullRounds;
    m_hasFullBandwidth |= m_isFullBandwidthNow;
}

bool
PathModel::IsInflightTooHigh() const
{
    return m_sample.lost > m_sample.inFlightWhenSent * m_constants.lossThreshold;
}

double
PathModel::InflightAtLoss(double size) const
{
    const auto before = m_sample.inFlightWhenSent - size;
    const auto lostBefore = m_sample.lost - size;
    const auto prefix =
        (m_constants.lossThreshold * before - lostBefore) / (1 - m_constants.lossThreshold);
    return before + std::max(prefix, 0.0); // as in Linux, if it was too much before this packet
}

void
PathModel::UpdateLatestSignals()
{
    m_isLossRoundStart = false;
    if (!m_sample.hasData)
    {
        return;
    }
    m_latestBandwidth = std::max(m_latestBandwidth, m_sample.rate);
    m_latestInflight = std::max(m_latestInflight, static_cast<double>(m_sample.delivered));
    if (m_sample.priorDelivered >= m_lossRoundEnd)
    {
        m_lossRoundEnd = m_connection.delivered;
        m_isLossRoundStart = true;
    }
}

void
PathModel::AdvanceLatestSignals()
{
    if (m_isLossRoundStart)
    {
        m_latestBandwidth = m_sample.rate;
        m_latestInflight = static_cast<double>(m_sample.delivered);
    }
}

void
PathModel::ResetCongestionSignals()
{
    m_isLossInRound = false;
    m_latestBandwidth = 0;
    m_latestInflight = 0;
}

void
PathModel::UpdateCongestionSignals(bool isProbing)
{
    UpdateMaxBandwidth();
    if (!m_isLossRoundStart)
    {
        return;
    }
    if (m_isLossInRound && !isProbing)
    {
        const auto lower = [this](double bound, double first, double latest)
        {
            return std::max(latest, m_constants.beta * (bound == UNLIMITED ? first : bound));
        };
        m_shortTermBandwidth = lower(m_shortTermBandwidth, MaxBandwidth(), m_latestBandwidth);
        m_shortTermInflight = lower(m_shortTermInflight, m_connection.window, m_latestInflight);
    }
    m_isLossInRound = false;
}

void
PathModel::ResetShortTerm()
{
    m_shortTermBandwidth = UNLIMITED;
    m_shortTermInflight = UNLIMITED;
}

void
PathModel::BoundBandwidth()
{
    m_bandwidth = std::min(MaxBandwidth(), m_shortTermBandwidth);
}

double
PathModel::BdpMultiple(double bandwidth, double gain) const
{
    return m_minRtt == ns3::Time::Max() ? m_connection.initialWindow
                                        : gain * bandwidth * m_minRtt.GetSeconds();
}

double
PathModel::TargetInflight() const
{
    return std::min(BdpMultiple(m_bandwidth, 1), m_connection.window);
}

double
PathModel::InflightWithHeadroom() const
{
    const auto free = std::max(m_connection.segment, m_constants.headroom * m_longTermInflight);
    return m_longTermInflight == UNLIMITED ? UNLIMITED
                                           : std::max(m_longTermInflight - free, LeastWindow());
}

double
PathModel::LeastWindow() const
{
    return m_constants.leastWindow * m_connection.segment;
}

} // namespace tcpsweep::bbr3

// SPDX-License-Identifier: GPL-2.0-only
#include "bbr3-control.h"

#include <algorithm>

namespace tcpsweep::bbr3
{

namespace
{

constexpr double QUANTUM_S = 0.001;       //!< time that a quantum takes, section 5.6.3
constexpr double LARGEST_QUANTUM = 65536; //!< bytes, section 5.6.3
constexpr double LEAST_QUANTUM = 2;       //!< segments, section 5.6.3
constexpr double QUANTA = 3;              //!< within the hosts, section 5.5.8.1
constexpr double UP_SEGMENTS = 2;         //!< more in ProbeBW_UP, section 5.6.4.2

} // namespace

double
Control::PacingGain() const
{
    switch (m_state)
    {
    case State::STARTUP:
        return m_constants.startupPacingGain;
    case State::DRAIN:
        return m_constants.drainPacingGain;
    case State::PROBE_BW_DOWN:
        return m_constants.downPacingGain;
    case State::PROBE_BW_UP:
        return m_constants.upPacingGain;
    default:
        return 1;
    }
}

double
Control::WindowGain() const
{
    switch (m_state)
    {
    case State::PROBE_BW_UP:
        return m_constants.upWindowGain;
    case State::PROBE_RTT:
        return m_constants.probeRttWindowGain;
    default:
        return m_constants.windowGain;
    }
}

void
Control::BeginPacing(ns3::Time rtt)
{
    const auto bandwidth = m_connection.initialWindow / rtt.GetSeconds();
    m_pacingRate = m_constants.startupPacingGain * bandwidth;
}

void
Control::SetPacingRate(double gain)
{
    const auto rate = gain * m_bandwidth * (1 - m_constants.pacingMargin);
    if (m_hasFullBandwidth || rate > m_pacingRate)
    {
        m_pacingRate = rate;
    }
}

double
Control::WithBudget(double inflight) const
{
    const auto quantum = std::max(std::min(m_pacingRate * QUANTUM_S, LARGEST_QUANTUM),
                                  LEAST_QUANTUM * m_connection.segment);
    inflight = std::max({inflight, QUANTA * quantum, LeastWindow()});
    return m_state == State::PROBE_BW_UP ? inflight + UP_SEGMENTS * m_connection.segment : inflight;
}

double
Control::Inflight(double bandwidth, double gain) const
{
    return WithBudget(BdpMultiple(bandwidth, gain));
}

double
Control::ModelBound() const
{
    auto bound = UNLIMITED;
    if (m_state == State::PROBE_RTT || m_state == State::PROBE_BW_CRUISE)
    {
        bound = InflightWithHeadroom();
    }
    else if (IsInAProbeBandwidthState())
    {
        bound = m_longTermInflight;
    }
    return std::max(std::min(bound, m_shortTermInflight), LeastWindow());
}

void
Control::SetWindow()
{
    const auto acked = static_cast<double>(m_sample.newlyAcked);
    const auto most = WithBudget(BdpMultiple(m_bandwidth, WindowGain()) + m_extraAcked);
    auto& window = m_connection.window;
    if (m_hasFullBandwidth)
    {
        window = std::min(window + acked, most);
    }
    else if (window < most ||
             static_cast<double>(m_connection.delivered) < m_connection.initialWindow)
    {
        window += acked;
    }
    window = std::max(window, LeastWindow());
    if (m_state == State::PROBE_RTT)
    {
        window = std::min(window, ProbeRttWindow());
    }
    window = std::min(window, ModelBound());
}

} // namespace tcpsweep::bbr3

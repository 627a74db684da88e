// SPDX-License-Identifier: GPL-2.0-only
#include "bbr3-probe-bandwidth.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>

namespace tcpsweep::bbr3
{

namespace
{

constexpr uint32_t MOST_UP_ROUNDS = 30; //!< rounds of ProbeBW_UP that double the growth

} // namespace

State
ProbeBandwidth::GetState() const
{
    return m_state;
}

bool
ProbeBandwidth::IsInAProbeBandwidthState() const
{
    return m_state == State::PROBE_BW_DOWN || m_state == State::PROBE_BW_CRUISE ||
           m_state == State::PROBE_BW_REFILL || m_state == State::PROBE_BW_UP;
}

bool
ProbeBandwidth::IsProbingBandwidth() const
{
    return m_state == State::STARTUP || m_state == State::PROBE_BW_REFILL ||
           m_state == State::PROBE_BW_UP;
}

void
ProbeBandwidth::StartDown()
{
    ResetCongestionSignals();
    m_ackedPerIncrease = UNLIMITED;
    m_roundsSinceUp = m_draw->GetInteger(0, 1);
    m_wait = m_constants.probeWait +
             ns3::Seconds(m_constants.probeWaitSpread.GetSeconds() * m_draw->GetValue(0, 1));
    m_cycleAt = ns3::Simulator::Now();
    m_ackPhase = AckPhase::PROBE_STOPPING;
    StartRound();
    m_state = State::PROBE_BW_DOWN;
}

void
ProbeBandwidth::StartCruise()
{
    m_state = State::PROBE_BW_CRUISE;
}

void
ProbeBandwidth::StartRefill()
{
    ResetShortTerm();
    m_upRounds = 0;
    m_upAcked = 0;
    m_wasPrecautionary = false;
    m_ackPhase = AckPhase::REFILLING;
    StartRound();
    m_state = State::PROBE_BW_REFILL;
}

void
ProbeBandwidth::StartUp()
{
    m_ackPhase = AckPhase::PROBE_STARTING;
    StartRound();
    ResetFullBandwidth(m_sample.rate);
    m_state = State::PROBE_BW_UP;
    RaiseLongTermSlope();
}

void
ProbeBandwidth::UpdateProbeBandwidthPhase()
{
    if (!m_hasFullBandwidth || AdaptLongTermModel())
    {
        return;
    }
    switch (m_state)
    {
    case State::PROBE_BW_DOWN:
        if (IsTimeToProbe())
        {
            StartRefill();
        }
        else if (IsTimeToCruise())
        {
            StartCruise();
        }
        break;
    case State::PROBE_BW_CRUISE:
        if (IsTimeToProbe())
        {
            StartRefill();
        }
        break;
    case State::PROBE_BW_REFILL:
        if (m_isRoundStart)
        {
            m_isProbeSample = true;
            StartUp();
        }
        break;
    case State::PROBE_BW_UP:
        if (IsTimeToGoDown())
        {
            m_wasTooHigh = false;
            StartDown();
        }
        break;
    default:
        break;
    }
}

bool
ProbeBandwidth::IsTimeToProbe() const
{
    // Section 5.3.3.8.2.
    const auto rounds = std::min(TargetInflight() / m_connection.segment,
                                 static_cast<double>(m_constants.probeRounds));
    return ns3::Simulator::Now() > m_cycleAt + m_wait || m_roundsSinceUp >= rounds;
}

bool
ProbeBandwidth::IsTimeToCruise() const
{
    return m_connection.inFlight <= InflightWithHeadroom() &&
           m_connection.inFlight <= Inflight(MaxBandwidth(), 1);
}

bool
ProbeBandwidth::IsTimeToGoDown()
{
    // As in Linux: an ACK leaves less in flight than the window, so it would not reach the bound.
    if (m_wasTooHigh && m_connection.mostInFlight >= m_longTermInflight)
    {
        m_wasPrecautionary = true;
        return true;
    }
    if (m_connection.isWindowLimited && m_connection.window >= m_longTermInflight)
    {
        ResetFullBandwidth(m_sample.rate); // the bound limits the rate
        return false;
    }
    return m_isFullBandwidthNow;
}

void
ProbeBandwidth::RaiseLongTermSlope()
{
    const auto growth = std::exp2(m_upRounds);
    m_upRounds = std::min(m_upRounds + 1, MOST_UP_ROUNDS);
    m_ackedPerIncrease = std::max(m_connection.window / growth, m_connection.segment);
}

void
ProbeBandwidth::ProbeLongTermUpward()
{
    if (!m_connection.isWindowLimited || m_connection.window < m_longTermInflight)
    {
        return;
    }
    m_upAcked += static_cast<double>(m_sample.newlyAcked);
    if (m_upAcked >= m_ackedPerIncrease)
    {
        const auto segments = std::floor(m_upAcked / m_ackedPerIncrease);
        m_upAcked -= segments * m_ackedPerIncrease;
        m_longTermInflight += segments * m_connection.segment;
    }
    if (m_isRoundStart)
    {
        RaiseLongTermSlope();
    }
}

bool
ProbeBandwidth::EndProbeSamples()
{
    m_isProbeSample = false;
    m_ackPhase = AckPhase::INIT;
    if (!IsInAProbeBandwidthState())
    {
        return false;
    }
    if (!m_sample.isAppLimited)
    {
        AdvanceMaxBandwidthFilter();
    }
    if (m_wasPrecautionary && !m_wasTooHigh)
    {
        StartRefill();
        return true;
    }
    return false;
}

bool
ProbeBandwidth::AdaptLongTermModel()
{
    if (m_ackPhase == AckPhase::PROBE_STARTING && m_isRoundStart)
    {
        m_ackPhase = AckPhase::PROBE_FEEDBACK;
    }
    if (m_ackPhase == AckPhase::PROBE_STOPPING && m_isRoundStart && EndProbeSamples())
    {
        return true;
    }
    if (!IsInflightTooHigh() && m_longTermInflight < UNLIMITED)
    {
        SetLongTermInflight(std::max(m_longTermInflight, m_sample.inFlightWhenSent));
        if (m_state == State::PROBE_BW_UP)
        {
            ProbeLongTermUpward();
        }
    }
    return false;
}

void
ProbeBandwidth::HandleInflightTooHigh()
{
    m_wasTooHigh = true;
    m_isProbeSample = false; // one response to each probe
    if (!m_sample.isAppLimited)
    {
        SetLongTermInflight(
            std::max(m_sample.inFlightWhenSent, TargetInflight() * m_constants.beta));
    }
    if (m_state == State::PROBE_BW_UP)
    {
        m_undoState = State::PROBE_BW_UP;
        StartDown();
    }
}

} // namespace tcpsweep::bbr3

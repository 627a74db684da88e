// SPDX-License-Identifier: GPL-2.0-only
#include "bbr3-state-machine.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

namespace tcpsweep::bbr3
{

namespace
{

constexpr uint32_t DRAIN_ROUNDS = 3; //!< most rounds of Drain, section 5.3.2

} // namespace

void
StateMachine::UpdateModelAndState()
{
    UpdateLatestSignals();
    UpdateCongestionSignals(IsProbingBandwidth());
    UpdateAckAggregation();
    CheckFullBandwidth();
    CheckStartupDone();
    CheckDrainDone();
    UpdateProbeBandwidthPhase();
    CheckProbeRtt(UpdateMinRtt());
    AdvanceLatestSignals();
    BoundBandwidth();
}

// Section 5.3.1.

void
StateMachine::EnterStartup()
{
    m_state = State::STARTUP;
}

void
StateMachine::CheckStartupDone()
{
    CheckStartupHighLoss();
    if (m_state == State::STARTUP && m_hasFullBandwidth)
    {
        EnterDrain();
    }
}

void
StateMachine::CheckStartupHighLoss()
{
    if (m_state == State::STARTUP && m_isLossRoundStart && m_connection.isInRecovery &&
        m_lossRanges >= m_constants.startupLosses && IsInflightTooHigh())
    {
        LeaveStartup();
    }
    if (m_isLossRoundStart)
    {
        m_lossRanges = 0;
    }
}

void
StateMachine::LeaveStartup()
{
    m_undoState = State::STARTUP;
    m_hasFullBandwidth = true;
    m_isFullBandwidthNow = true;
    SetLongTermInflight(std::max(BdpMultiple(m_bandwidth, 1), m_latestInflight));
}

// Section 5.3.2.

void
StateMachine::EnterDrain()
{
    m_state = State::DRAIN;
    m_drainStart = m_rounds;
}

void
StateMachine::CheckDrainDone()
{
    if (m_state == State::DRAIN && (m_connection.inFlight <= Inflight(m_bandwidth, 1) ||
                                    m_rounds > m_drainStart + DRAIN_ROUNDS))
    {
        StartDown();
    }
}

// Section 5.3.4.

double
StateMachine::ProbeRttWindow() const
{
    return std::max(BdpMultiple(m_bandwidth, m_constants.probeRttWindowGain), LeastWindow());
}

void
StateMachine::CheckProbeRtt(bool isExpired)
{
    if (m_state != State::PROBE_RTT && isExpired && !m_isIdleRestart)
    {
        m_state = State::PROBE_RTT;
        SaveWindow();
        m_probeRttEnd = ns3::Time();
        m_ackPhase = AckPhase::PROBE_STOPPING;
        StartRound();
    }
    if (m_state == State::PROBE_RTT)
    {
        HandleProbeRtt();
    }
    if (m_sample.delivered > 0)
    {
        m_isIdleRestart = false;
    }
}

void
StateMachine::HandleProbeRtt()
{
    MarkConnectionAppLimited();
    if (m_probeRttEnd.IsZero())
    {
        if (m_connection.inFlight <= ProbeRttWindow())
        {
            m_probeRttEnd = ns3::Simulator::Now() + m_constants.probeRttDuration;
            m_isProbeRttRoundDone = false;
            StartRound();
        }
        return;
    }
    m_isProbeRttRoundDone |= m_isRoundStart;
    if (m_isProbeRttRoundDone)
    {
        CheckProbeRttDone();
    }
}

void
StateMachine::CheckProbeRttDone()
{
    if (!m_probeRttEnd.IsZero() && ns3::Simulator::Now() > m_probeRttEnd)
    {
        m_probeRttMinAt = ns3::Simulator::Now();
        RestoreWindow();
        ExitProbeRtt();
    }
}

void
StateMachine::ExitProbeRtt()
{
    ResetShortTerm();
    if (m_hasFullBandwidth)
    {
        StartDown();
        StartCruise();
    }
    else
    {
        EnterStartup();
    }
}

// Section 5.5.10.2.

void
StateMachine::NoteLoss()
{
    if (!m_isLossInRound)
    {
        m_lossRoundEnd = m_connection.delivered;
        SaveWindow();
        SaveStateUponLoss();
    }
    m_isLossInRound = true;
}

void
StateMachine::HandleLostPacket(const LostPacket& packet, uint64_t delivered)
{
    m_connection.delivered = delivered;
    m_connection.lost += static_cast<uint64_t>(packet.size);
    m_lossRanges += packet.isNewRange;
    NoteLoss();
    if (!m_isProbeSample)
    {
        return;
    }
    m_sample.inFlightWhenSent = packet.inFlightWhenSent;
    m_sample.lost = static_cast<double>(m_connection.lost - packet.lostWhenSent);
    m_sample.isAppLimited = packet.isAppLimited;
    if (IsInflightTooHigh())
    {
        m_sample.inFlightWhenSent = InflightAtLoss(packet.size);
        HandleInflightTooHigh();
    }
}

void
StateMachine::HandleMark()
{
    NoteLoss();
    if (m_state == State::STARTUP)
    {
        LeaveStartup();
    }
    else if (m_isProbeSample)
    {
        HandleInflightTooHigh();
    }
}

// Section 5.5.11.

void
StateMachine::SaveStateUponLoss()
{
    if (std::exchange(m_isInLossEpisode, true))
    {
        return;
    }
    m_undoState.reset();
    m_undoShortTermBandwidth = m_shortTermBandwidth;
    m_undoShortTermInflight = m_shortTermInflight;
    m_undoLongTermInflight = m_longTermInflight;
}

void
StateMachine::EndLossEpisode()
{
    m_isInLossEpisode = false;
}

void
StateMachine::HandleSpuriousLoss()
{
    EndLossEpisode();
    m_isLossInRound = false;
    ResetFullBandwidth();
    m_shortTermBandwidth = std::max(m_shortTermBandwidth, m_undoShortTermBandwidth);
    m_shortTermInflight = std::max(m_shortTermInflight, m_undoShortTermInflight);
    m_longTermInflight = std::max(m_longTermInflight, m_undoLongTermInflight);
    if (m_undoState == State::STARTUP && m_state != State::STARTUP)
    {
        m_hasFullBandwidth = false;
        if (m_state != State::PROBE_RTT)
        {
            EnterStartup();
        }
    }
    else if (m_undoState == State::PROBE_BW_UP && m_state != State::PROBE_BW_UP &&
             m_state != State::PROBE_RTT)
    {
        StartRefill();
    }
    m_undoState.reset();
}

} // namespace tcpsweep::bbr3

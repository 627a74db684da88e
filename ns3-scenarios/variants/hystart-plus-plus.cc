// SPDX-License-Identifier: GPL-2.0-only
#include "hystart-plus-plus.h"

#include <algorithm>

namespace tcpsweep
{

namespace
{

// The constants of RFC 9406, section 4.3.
const ns3::Time LEAST_THRESHOLD = ns3::MilliSeconds(4);    //!< MIN_RTT_THRESH
const ns3::Time LARGEST_THRESHOLD = ns3::MilliSeconds(16); //!< MAX_RTT_THRESH
constexpr int THRESHOLD_DIVISOR = 8;                       //!< MIN_RTT_DIVISOR
constexpr uint32_t SAMPLES = 8;                            //!< N_RTT_SAMPLE
constexpr uint32_t GROWTH_DIVISOR = 4;                     //!< CSS_GROWTH_DIVISOR
constexpr uint32_t SLOW_ROUNDS = 5;                        //!< CSS_ROUNDS
constexpr uint32_t BURST = 8;                              //!< L, segments, without pacing

} // namespace

void
HyStartPlusPlus::EndRound(ns3::SequenceNumber32 sent)
{
    m_end = sent;
    m_lastRtt = m_rtt;
    m_rtt = ns3::Time::Max();
    m_samples = 0;
    if (m_isSlow)
    {
        ++m_slowRounds;
    }
}

void
HyStartPlusPlus::Measure(const ns3::TcpSocketState& tcb)
{
    if (!m_end || tcb.m_lastAckedSeq >= *m_end)
    {
        EndRound(tcb.m_highTxMark);
    }
    m_rtt = std::min(m_rtt, tcb.m_lastRtt.Get());
    if (++m_samples < SAMPLES)
    {
        return;
    }
    if (m_isSlow)
    {
        if (m_rtt < m_baseline)
        {
            m_isSlow = false;
        }
        return;
    }
    if (m_lastRtt == ns3::Time::Max())
    {
        return;
    }
    const auto threshold =
        std::max(LEAST_THRESHOLD, std::min(m_lastRtt / THRESHOLD_DIVISOR, LARGEST_THRESHOLD));
    if (m_rtt >= m_lastRtt + threshold)
    {
        m_isSlow = true;
        m_slowRounds = 0;
        m_baseline = m_rtt;
        m_rest = 0;
    }
}

uint32_t
HyStartPlusPlus::Growth(const ns3::TcpSocketState& tcb, uint32_t segments)
{
    const auto counted = tcb.m_pacing ? segments : std::min(segments, BURST);
    const uint32_t bytes = counted * tcb.m_segmentSize;
    if (!m_isSlow)
    {
        return bytes;
    }
    m_rest += bytes;
    const auto growth = m_rest / (GROWTH_DIVISOR * tcb.m_segmentSize) * tcb.m_segmentSize;
    m_rest -= growth * GROWTH_DIVISOR;
    return growth;
}

bool
HyStartPlusPlus::HasEnded() const
{
    return m_isSlow && m_slowRounds >= SLOW_ROUNDS;
}

} // namespace tcpsweep

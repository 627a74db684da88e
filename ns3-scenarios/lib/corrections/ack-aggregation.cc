// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/ack-aggregation.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

constexpr uint32_t EXTRA_ROUNDS = 5; //!< rounds of a window of the aggregation

} // namespace

double
BytesIn(ns3::DataRate rate, ns3::Time time)
{
    return static_cast<double>(rate.GetBitRate()) / 8 * time.GetSeconds();
}

void
AckAggregation::Begin()
{
    m_begin = ns3::Simulator::Now();
    m_acked = 0;
}

void
AckAggregation::Receive(uint32_t acked, bool isRoundStart, ns3::DataRate bandwidth, uint32_t window)
{
    if (isRoundStart && ++m_rounds >= EXTRA_ROUNDS)
    {
        m_rounds = 0;
        m_index = 1 - m_index;
        m_extra[m_index] = 0;
    }
    auto expected = BytesIn(bandwidth, ns3::Simulator::Now() - m_begin);
    if (static_cast<double>(m_acked) <= expected)
    {
        Begin();
        expected = 0;
    }
    m_acked += acked;
    const auto extra =
        std::min(static_cast<double>(m_acked) - expected, static_cast<double>(window));
    m_extra[m_index] = std::max(m_extra[m_index], static_cast<uint32_t>(extra));
}

uint32_t
AckAggregation::Most() const
{
    return std::max(m_extra[0], m_extra[1]);
}

} // namespace tcpsweep

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
AckAggregation::Receive(const Ack& ack)
{
    if (ack.isRoundStart && ++m_rounds >= EXTRA_ROUNDS)
    {
        m_rounds = 0;
        m_index = 1 - m_index;
        m_extra[m_index] = 0;
    }
    // Linux expects whole segments, rounded down.
    const auto bytes = BytesIn(ack.bandwidth, ns3::Simulator::Now() - m_begin);
    auto expected = static_cast<uint64_t>(bytes / ack.segment) * ack.segment;
    if (m_acked <= expected)
    {
        Begin();
        expected = 0;
    }
    m_acked += ack.acked;
    const auto extra = static_cast<uint32_t>(std::min<uint64_t>(m_acked - expected, ack.window));
    m_extra[m_index] = std::max(m_extra[m_index], extra);
}

uint32_t
AckAggregation::Most() const
{
    return std::max(m_extra[0], m_extra[1]);
}

} // namespace tcpsweep

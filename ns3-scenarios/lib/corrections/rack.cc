// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/rack.h"

#include "corrections/sack-blocks.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

namespace tcpsweep
{

namespace
{

/// Duplicate ACKs that show a loss without reordering (RFC 5681).
constexpr uint32_t DUPLICATE_ACKS = 3;
/// Recoveries without a DSACK after which the reordering window is as at the beginning.
constexpr uint32_t LASTS_RECOVERIES = 16;

} // namespace

void
Rack::Retransmit(ns3::SequenceNumber32 begin)
{
    m_retransmitted.insert(begin);
}

void
Rack::ReceiveAck(const Scoreboard& scoreboard, const ns3::TcpHeader& header)
{
    m_ackRtt = ns3::Time();
    m_report = {};
    const auto acked = header.GetAckNumber();
    const auto blocks = SackBlocks(header);
    auto highest = acked;
    for (const auto& [begin, end] : blocks)
    {
        highest = std::max(highest, end);
    }
    scoreboard.ForEach(
        [&](const Scoreboard::Segment& segment)
        {
            if (segment.begin >= highest)
            {
                return false;
            }
            const auto covers = [&segment](const auto& block)
            {
                return block.first <= segment.begin && segment.end <= block.second;
            };
            if (!segment.isSacked &&
                (segment.end <= acked || std::any_of(blocks.begin(), blocks.end(), covers)))
            {
                m_report.isSacked |= segment.end > acked;
                Deliver(segment);
            }
            return true;
        });
    m_retransmitted.erase(m_retransmitted.begin(), m_retransmitted.lower_bound(acked));
}

void
Rack::Deliver(const Scoreboard::Segment& segment)
{
    const bool isRetransmitted = IsRetransmitted(segment.begin);
    // Step 3.
    if (segment.end > m_fack)
    {
        m_fack = segment.end;
    }
    else if (!isRetransmitted)
    {
        m_isReordering = true;
    }
    // Steps 1 and 2. The ACK of a segment sent twice may be for its first transmission. As in
    // Linux, only the time tells: with a gap before it, the echoed timestamp is of an earlier
    // segment.
    const auto rtt = ns3::Simulator::Now() - segment.sent;
    if (isRetransmitted && rtt < m_minRtt)
    {
        return;
    }
    if (!isRetransmitted)
    {
        m_report.originalEnd = m_report.originalEnd.value_or(segment.end);
        m_minRtt = std::min(m_minRtt, rtt);
        m_ackRtt = m_ackRtt.IsZero() ? rtt : std::min(m_ackRtt, rtt);
    }
    if (std::pair(segment.sent, segment.end) > std::pair(m_sent, m_end))
    {
        m_sent = segment.sent;
        m_end = segment.end;
        m_rtt = rtt;
    }
}

void
Rack::SeeReordering()
{
    m_isReordering = true;
}

bool
Rack::IsRetransmitted(ns3::SequenceNumber32 begin) const
{
    return m_retransmitted.count(begin) > 0;
}

void
Rack::ReceiveDuplicate(ns3::SequenceNumber32 acked, ns3::SequenceNumber32 sent)
{
    if (m_isReordering && (!m_round || acked >= *m_round))
    {
        m_round = sent;
        ++m_multiplier;
        m_lasts = LASTS_RECOVERIES;
    }
}

void
Rack::EndRecovery()
{
    if (m_lasts > 0 && --m_lasts == 0)
    {
        m_multiplier = 1;
    }
}

ns3::Time
Rack::AckRtt() const
{
    return m_ackRtt;
}

const Rack::Report&
Rack::LastReport() const
{
    return m_report;
}

ns3::Time
Rack::ReorderingWindow(const ns3::TcpSocketState& tcb, ns3::Time srtt, uint32_t sackedBytes) const
{
    if (!m_isReordering && (tcb.m_congState >= ns3::TcpSocketState::CA_RECOVERY ||
                            sackedBytes >= DUPLICATE_ACKS * tcb.m_segmentSize))
    {
        return ns3::Time();
    }
    return std::min(m_minRtt / 4 * m_multiplier, srtt);
}

ns3::Time
Rack::DetectLosses(Scoreboard& scoreboard,
                   const ns3::TcpSocketState& tcb,
                   ns3::Time srtt,
                   uint32_t sackedBytes) const
{
    const auto waits = m_rtt + ReorderingWindow(tcb, srtt, sackedBytes) - ns3::Simulator::Now();
    ns3::Time again;
    scoreboard.ForEach(
        [&](const Scoreboard::Segment& segment)
        {
            const bool waitsToBeSent = segment.isLost && !segment.isRetransmitted;
            if (segment.isSacked || waitsToBeSent ||
                std::pair(m_sent, m_end) <= std::pair(segment.sent, segment.end))
            {
                return true;
            }
            const auto remaining = segment.sent + waits;
            if (remaining.IsStrictlyPositive())
            {
                again = std::max(again, remaining);
            }
            else
            {
                scoreboard.MarkLost(segment);
            }
            return true;
        });
    return again;
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/rack.h"

#include "corrections/sack-blocks.h"

#include <ns3/simulator.h>
#include <ns3/tcp-option-ts.h>

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

/**
 * @param header an ACK
 * @return the time since its echoed timestamp, at least a millisecond; zero if there is none
 */
ns3::Time
EchoedRtt(const ns3::TcpHeader& header)
{
    const auto option = header.GetOption(ns3::TcpOption::TS);
    if (!option)
    {
        return ns3::Time();
    }
    const auto* stamps = static_cast<const ns3::TcpOptionTS*>(ns3::PeekPointer(option));
    const auto rtt = ns3::TcpOptionTS::ElapsedTimeFromTsValue(stamps->GetEcho());
    return std::max(rtt, ns3::MilliSeconds(1));
}

} // namespace

void
Rack::Retransmit(ns3::SequenceNumber32 begin)
{
    m_retransmitted.insert(begin);
}

void
Rack::ReceiveAck(const Scoreboard& scoreboard, const ns3::TcpHeader& header)
{
    m_sackRtt = ns3::Time();
    m_ackRtt = ns3::Time();
    m_report = {};
    bool isAdvancing = false;
    bool isAmbiguous = false;
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
            isAdvancing |= segment.end <= acked;
            isAmbiguous |= segment.end <= acked && IsRetransmitted(segment.begin);
            if (!segment.isSacked &&
                (segment.end <= acked || std::any_of(blocks.begin(), blocks.end(), covers)))
            {
                m_report.isSacked |= segment.end > acked;
                Deliver(segment, acked);
            }
            return true;
        });
    if (!m_sackRtt.IsZero() || isAmbiguous)
    {
        m_ackRtt = m_sackRtt;
    }
    if (m_ackRtt.IsZero() && isAdvancing)
    {
        m_ackRtt = EchoedRtt(header);
    }
    UpdateMinRtt();
    m_retransmitted.erase(m_retransmitted.begin(), m_retransmitted.lower_bound(acked));
}

void
Rack::ReceiveSynAck(const ns3::TcpHeader& header, ns3::Time sent, bool isRepeated)
{
    m_ackRtt = isRepeated ? EchoedRtt(header) : ns3::Simulator::Now() - sent;
    UpdateMinRtt();
}

void
Rack::UpdateMinRtt()
{
    if (!m_ackRtt.IsZero())
    {
        m_minRtt = std::min(m_minRtt, m_ackRtt);
    }
}

void
Rack::Deliver(const Scoreboard::Segment& segment, ns3::SequenceNumber32 acked)
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
        auto& latest = segment.end > acked ? m_sackRtt : m_ackRtt;
        latest = latest.IsZero() ? rtt : std::min(latest, rtt);
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

ns3::Time
Rack::MinRtt() const
{
    return m_minRtt;
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

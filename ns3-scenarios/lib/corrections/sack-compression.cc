// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/sack-compression.h"

#include <algorithm>

namespace tcpsweep
{

namespace
{

constexpr uint32_t IMMEDIATE_ACKS = 3;                //!< TCP_FASTRETRANS_THRESH
constexpr uint32_t MOST_SEGMENTS = 44;                //!< net.ipv4.tcp_comp_sack_nr
const ns3::Time LONGEST_DELAY = ns3::MilliSeconds(1); //!< net.ipv4.tcp_comp_sack_delay_ns
constexpr int64_t RTT_SHARE = 20;                     //!< round-trip time over delay
/// Linux' timer may expire by as much later: net.ipv4.tcp_comp_sack_slack_ns. It does when the
/// kernel has no other timer meanwhile, here always.
const ns3::Time SLACK = ns3::MicroSeconds(100);

} // namespace

bool
SackCompression::IsImmediate(ns3::SequenceNumber32 next)
{
    if (m_waiting >= MOST_SEGMENTS)
    {
        return true;
    }
    if (next != m_next)
    {
        m_next = next;
        m_sent = 0;
    }
    if (m_sent < IMMEDIATE_ACKS)
    {
        ++m_sent;
        return true;
    }
    ++m_waiting;
    return false;
}

void
SackCompression::CountFromNow()
{
    m_waiting = 0;
}

ns3::Time
SackCompression::Delay(ns3::Time rtt)
{
    return std::min(LONGEST_DELAY, rtt / RTT_SHARE) + SLACK;
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "network/ack-filter.h"

namespace tcpsweep
{

AckFilter::AckFilter(uint32_t most)
    : m_most(most)
{
}

void
AckFilter::Enter(const ns3::Packet* packet, const std::optional<PureAck>& ack)
{
    if (ack)
    {
        m_waiting.insert_or_assign(packet, *ack);
        m_flows.try_emplace(ack->flow, Flow{packet, 0}).first->second.newest = packet;
    }
}

bool
AckFilter::Leave(const ns3::Packet* packet)
{
    const auto waiting = m_waiting.find(packet);
    const auto flow =
        waiting == m_waiting.end() ? m_flows.end() : m_flows.find(waiting->second.flow);
    // Without an entry, a disc dropped the newest one before earlier ones.
    const bool isOlder = flow != m_flows.end() && flow->second.newest != packet;
    const bool mayDrop = isOlder && (m_most == 0 || flow->second.dropped + 1 < m_most) &&
                         m_waiting.at(flow->second.newest).Covers(waiting->second);
    if (isOlder)
    {
        flow->second.dropped = mayDrop ? flow->second.dropped + 1 : 0;
    }
    if (waiting != m_waiting.end())
    {
        Forget(packet);
    }
    return mayDrop;
}

void
AckFilter::Forget(const ns3::Packet* packet)
{
    const auto waiting = m_waiting.find(packet);
    if (waiting == m_waiting.end())
    {
        return;
    }
    const auto flow = m_flows.find(waiting->second.flow);
    if (flow != m_flows.end() && flow->second.newest == packet)
    {
        m_flows.erase(flow);
    }
    m_waiting.erase(waiting);
}

} // namespace tcpsweep

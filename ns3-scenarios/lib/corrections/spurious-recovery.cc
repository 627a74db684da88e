// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/spurious-recovery.h"

#include <ns3/simulator.h>
#include <ns3/tcp-option-ts.h>

#include <algorithm>
#include <utility>

namespace tcpsweep
{

void
SpuriousRecovery::Begin(Before before, ns3::SequenceNumber32 head, uint32_t inFlight)
{
    m_before = before;
    m_lasts = true;
    m_first = ns3::Time();
    m_head = head;
    m_once = inFlight > 0 ? std::optional(inFlight) : std::nullopt;
}

bool
SpuriousRecovery::End()
{
    return std::exchange(m_lasts, false);
}

void
SpuriousRecovery::Forget()
{
    m_before.reset();
    m_lasts = false;
}

void
SpuriousRecovery::Retransmit()
{
    m_once = m_once.value_or(0) + 1;
    if (m_first.IsZero())
    {
        m_first = ns3::Simulator::Now();
    }
}

void
SpuriousRecovery::ReceiveDuplicates(ns3::SequenceNumber32 end, uint32_t segments)
{
    if (m_once && end > m_head)
    {
        *m_once -= std::min(*m_once, segments);
    }
}

bool
SpuriousRecovery::IsShownBy(const ns3::TcpHeader& header) const
{
    if (!m_before || !m_lasts || m_first.IsZero() || !header.HasOption(ns3::TcpOption::TS))
    {
        return false;
    }
    const auto stamps =
        ns3::DynamicCast<const ns3::TcpOptionTS>(header.GetOption(ns3::TcpOption::TS));
    return stamps->GetEcho() < static_cast<uint32_t>(m_first.GetMilliSeconds());
}

bool
SpuriousRecovery::IsShownByDuplicates() const
{
    return m_before && m_once == 0U;
}

SpuriousRecovery::Before
SpuriousRecovery::Changed() const
{
    return m_before.value();
}

} // namespace tcpsweep

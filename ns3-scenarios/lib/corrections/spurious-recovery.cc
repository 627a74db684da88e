// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/spurious-recovery.h"

#include <ns3/simulator.h>
#include <ns3/tcp-option-ts.h>

namespace tcpsweep
{

void
SpuriousRecovery::Begin(Before before)
{
    m_before = before;
    m_first = ns3::Time();
}

void
SpuriousRecovery::End()
{
    m_before.reset();
}

void
SpuriousRecovery::Retransmit()
{
    if (m_first.IsZero())
    {
        m_first = ns3::Simulator::Now();
    }
}

bool
SpuriousRecovery::IsShownBy(const ns3::TcpHeader& header) const
{
    if (!m_before || m_first.IsZero() || !header.HasOption(ns3::TcpOption::TS))
    {
        return false;
    }
    const auto stamps =
        ns3::DynamicCast<const ns3::TcpOptionTS>(header.GetOption(ns3::TcpOption::TS));
    return stamps->GetEcho() < static_cast<uint32_t>(m_first.GetMilliSeconds());
}

SpuriousRecovery::Before
SpuriousRecovery::Changed() const
{
    return m_before.value();
}

} // namespace tcpsweep

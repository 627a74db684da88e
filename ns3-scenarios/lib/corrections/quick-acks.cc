// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/quick-acks.h"

#include <ns3/simulator.h>

namespace tcpsweep
{

namespace
{

constexpr uint32_t FIRST_SEGMENTS = 16; //!< TCP_MAX_QUICKACKS

} // namespace

bool
QuickAcks::Take(bool isGrowing, ns3::Time pause)
{
    const auto now = ns3::Simulator::Now();
    if (!m_hasBegun)
    {
        m_hasBegun = true;
        m_left = FIRST_SEGMENTS;
    }
    else if (now - m_last > pause)
    {
        m_left = FIRST_SEGMENTS;
    }
    m_last = now;
    if (isGrowing)
    {
        m_left |= 1U; // as Linux: so a segment that lets the window grow does not count
    }
    if (m_left == 0)
    {
        return false;
    }
    --m_left;
    return true;
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/quick-acks.h"

#include <ns3/simulator.h>

namespace tcpsweep
{

namespace
{

constexpr uint32_t FIRST_SEGMENTS = 16;    //!< TCP_MAX_QUICKACKS
constexpr uint64_t FIRST_WINDOW = 1 << 16; //!< bytes
/// The largest receive window over the buffer, of which each segment takes two pages: measured with
/// Linux 6.12 in virtual time.
constexpr double LARGEST_WINDOW = 44.0 / 256;

} // namespace

bool
QuickAcks::Take(const Segment& segment)
{
    const auto now = ns3::Simulator::Now();
    if (!m_hasBegun)
    {
        m_hasBegun = true;
        m_window = FIRST_WINDOW;
        m_left = FIRST_SEGMENTS;
    }
    else if (now - m_last > segment.pause)
    {
        m_left = FIRST_SEGMENTS;
    }
    m_last = now;
    const bool isGrowing = static_cast<double>(m_window) < LARGEST_WINDOW * segment.bufferBytes;
    if (isGrowing)
    {
        m_window += 2 * segment.bytes;
    }
    if (m_left > 0)
    {
        --m_left;
        return true;
    }
    return isGrowing;
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/timer-wheel.h"

#include <ns3/simulator.h>

namespace tcpsweep
{

namespace
{

const ns3::Time JIFFY = ns3::MilliSeconds(1);

constexpr int64_t FIRST_LEVEL = 63; //!< jiffies that the first level holds: LVL_START(1)
constexpr int64_t LEVEL_FACTOR = 8; //!< of the ticks of two neighbouring levels: LVL_CLK_DIV

} // namespace

ns3::Time
TimerWheelDelay(ns3::Time wait)
{
    const auto now = ns3::Simulator::Now();
    const auto jiffies = (wait + JIFFY - ns3::NanoSeconds(1)).GetMilliSeconds();
    int64_t tick = 1;
    while (jiffies >= FIRST_LEVEL * tick)
    {
        tick *= LEVEL_FACTOR;
    }
    const auto end = ((now.GetMilliSeconds() + jiffies) / tick + 1) * tick;
    return ns3::MilliSeconds(end) - now;
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CORRECTIONS_TIMER_WHEEL_H
#define TCPSWEEP_CORRECTIONS_TIMER_WHEEL_H

#include <ns3/nstime.h>

namespace tcpsweep
{

/// What Linux adds to the waits of RACK and of tail loss probes (TCP_TIMEOUT_MIN_US).
const ns3::Time LEAST_TIMEOUT = ns3::MilliSeconds(2);

/**
 * When Linux' timer ends that begins now: never early, and up to a tick of its wheel's level late
 * (calc_wheel_index() in kernel/time/timer.c, Linux 6.12, with HZ = 1000).
 *
 * The first level has ticks of 1 ms, for waits below 63 ms. Each further level has ticks eight
 * times as long, for waits below eight times as long.
 *
 * @param wait what Linux asks for; usecs_to_jiffies() rounds it up to milliseconds
 * @return the time from now to the end
 */
ns3::Time TimerWheelDelay(ns3::Time wait);

} // namespace tcpsweep

#endif // TCPSWEEP_CORRECTIONS_TIMER_WHEEL_H

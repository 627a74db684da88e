// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ACK_OBSERVER_H
#define TCPSWEEP_ACK_OBSERVER_H

#include <ns3/nstime.h>

#include <cstdint>

namespace tcpsweep
{

/// A congestion control that wants to know what a socket with RACK knows of each ACK. Without RACK,
/// it is not told.
class AckObserver
{
  public:
    virtual ~AckObserver() = default;

    /**
     * @param rtt the round-trip time of the latest sent segment that arrived, zero if ambiguous
     * @param lostBytes bytes newly considered lost
     * @param inFlightBytes bytes in flight before this ACK lets any be sent
     */
    virtual void Observe(ns3::Time rtt, uint32_t lostBytes, uint32_t inFlightBytes) = 0;
};

} // namespace tcpsweep

#endif // TCPSWEEP_ACK_OBSERVER_H

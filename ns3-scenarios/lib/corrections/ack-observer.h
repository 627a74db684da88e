// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ACK_OBSERVER_H
#define TCPSWEEP_ACK_OBSERVER_H

#include <ns3/nstime.h>
#include <ns3/ptr.h>
#include <ns3/sequence-number.h>
#include <ns3/tcp-rate-ops.h>

#include <cstdint>

namespace tcpsweep
{

/// A congestion control that wants to know what a socket with RACK knows. Without RACK, it is not
/// told.
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

    /// @param sampler the sampler of the socket's delivery rate
    virtual void
    UseSampler(ns3::Ptr<ns3::TcpRateOps> sampler [[maybe_unused]])
    {
    }

    /**
     * A segment is considered lost.
     *
     * @param begin its first byte
     * @param end the byte after its last one
     * @param sent when it was last sent
     */
    virtual void
    ObserveLoss(ns3::SequenceNumber32 begin [[maybe_unused]],
                ns3::SequenceNumber32 end [[maybe_unused]],
                ns3::Time sent [[maybe_unused]])
    {
    }

    /// @return whether it continues as before a recovery that was not necessary, if it is told
    virtual bool
    CanUndo() const
    {
        return false;
    }

    /// The last recovery or timeout was not necessary.
    virtual void
    Undo()
    {
    }
};

} // namespace tcpsweep

#endif // TCPSWEEP_ACK_OBSERVER_H

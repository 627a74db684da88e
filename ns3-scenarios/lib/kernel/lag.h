// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LAG_H
#define TCPSWEEP_LAG_H

#include "output/json.h"

#include <ns3/nstime.h>

#include <cstdint>
#include <vector>

namespace tcpsweep
{

/**
 * How late a simulation in real time may be, so that its numbers hold.
 *
 * A packet that the simulator is late for reaches the kernel that much later than the network would
 * have brought it, and one that the kernel sends enters the network that much later: a round trip
 * meets the lag four times at most. While the simulator is away, senders go on, and all that they
 * sent enters the network at once: what that adds to a queue is less than what the link sends in
 * that time.
 */
struct LagBounds
{
    /// Of the least round trip through empty queues, what the mean lag may be.
    static constexpr double MEAN_SHARE = 0.005;
    /// Of that round trip, what all but a few events may lag, as far as delays go: from which
    /// increase on CUBIC's HyStart, which looks closest, takes it for a queue
    /// (HYSTART_DELAY_THRESH of net/ipv4/tcp_cubic.c).
    static constexpr double DELAY_SHARE = 1.0 / 8;
    /// What HyStart takes for a queue at least, in seconds (HYSTART_DELAY_MIN).
    static constexpr double LEAST_DELAY_S = 4e-3;
    /// Of the time in which a link sends what fills its buffer, what all but a few events may lag,
    /// as far as room goes.
    static constexpr double DRAIN_SHARE = 0.1;
    /// How few they are.
    static constexpr double FEW = 0.001;

    ns3::Time mean;    //!< the most that events may lag in the mean
    ns3::Time late;    //!< what all but a few events may lag
    ns3::Time longest; //!< the most that any may

    /**
     * @param roundTrip the least round trip through empty queues, propagation only
     * @param drain the least time in which a link sends what fills its buffer
     * @return the bounds
     */
    static LagBounds Of(ns3::Time roundTrip, ns3::Time drain);
};

/// How far a simulation lags behind real time, event by event.
class LagRecord
{
  public:
    /// @param lag how much later than its time an event begins
    void
    Add(ns3::Time lag)
    {
        m_lags.push_back(lag.GetNanoSeconds());
    }

    /**
     * @param bounds what they are held against
     * @throws TryAgain the simulation was too late
     */
    void Check(const LagBounds& bounds);

    /**
     * @param json where it goes, as members of an object
     * @param bounds what was held against them
     */
    void Write(JsonWriter& json, const LagBounds& bounds);

  private:
    /**
     * @param share which part of all events
     * @return the lag that this part does not exceed
     */
    ns3::Time Quantile(double share);

    /// @return the mean lag
    ns3::Time Mean() const;

    std::vector<int64_t> m_lags; //!< in nanoseconds
};

} // namespace tcpsweep

#endif // TCPSWEEP_LAG_H

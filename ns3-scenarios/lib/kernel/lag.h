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
 * How late a simulation in real time may be, so that its results are valid.
 *
 * If the simulator is late, a packet reaches the kernel later than in the network, by the lag. A
 * packet that the kernel sends enters the network later, by the lag. So a round trip has the lag at
 * most four times. While the simulator lags, senders keep sending, and their packets enter the
 * network at once. This adds less to a queue than the link sends in the time of the lag.
 */
struct LagBounds
{
    /// The limit of the mean lag, as a share of the least round trip through empty queues.
    static constexpr double MEAN_SHARE = 0.005;
    /// The limit of the lag, for delays, of all but a few events, as a share of that round trip.
    /// CUBIC's HyStart is the most sensitive to delay: it takes this increase for a queue
    /// (HYSTART_DELAY_THRESH of net/ipv4/tcp_cubic.c).
    static constexpr double DELAY_SHARE = 1.0 / 8;
    /// The least delay that HyStart takes for a queue, in seconds (HYSTART_DELAY_MIN).
    static constexpr double LEAST_DELAY_S = 4e-3;
    /// The limit of the lag, for buffers, of all but a few events, as a share of the time in which
    /// a link empties its full buffer.
    static constexpr double DRAIN_SHARE = 0.1;
    /// The share of these few events.
    static constexpr double FEW = 0.001;

    ns3::Time mean;    //!< the limit of the mean lag
    ns3::Time late;    //!< the limit of the lag of all but a few events
    ns3::Time longest; //!< the limit of the lag of any event

    /**
     * @param roundTrip the least round trip through empty queues, propagation only
     * @param drain the least time in which a link empties its full buffer
     * @return the bounds
     */
    static LagBounds Of(ns3::Time roundTrip, ns3::Time drain);
};

/// The lag of each event of a simulation relative to real time.
class LagRecord
{
  public:
    /// @param lag the delay of an event after its time
    void
    Add(ns3::Time lag)
    {
        m_lags.push_back(lag.GetNanoSeconds());
    }

    /**
     * @param bounds the bounds to compare with
     * @throws TryAgain the simulation was too late
     */
    void Check(const LagBounds& bounds);

    /**
     * @param json where it goes, as members of an object
     * @param bounds the bounds that were compared
     */
    void Write(JsonWriter& json, const LagBounds& bounds);

  private:
    /**
     * @param share a share of all events
     * @return the lag that this share does not exceed
     */
    ns3::Time Quantile(double share);

    /// @return the mean lag
    ns3::Time Mean() const;

    std::vector<int64_t> m_lags; //!< in nanoseconds
};

} // namespace tcpsweep

#endif // TCPSWEEP_LAG_H

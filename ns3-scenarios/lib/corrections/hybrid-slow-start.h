// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_HYBRID_SLOW_START_H
#define TCPSWEEP_HYBRID_SLOW_START_H

#include <ns3/nstime.h>
#include <ns3/sequence-number.h>

#include <cstdint>

namespace tcpsweep
{

/// HyStart as in Linux' tcp_cubic.c: ends slow start before a loss. Ha and Rhee, Taming the
/// Elephants: New TCP Slow Start, Computer Networks 55(9), 2011.
class HybridSlowStart
{
  public:
    /// What can be set.
    struct Settings
    {
        bool byTrain{true};         //!< whether a long train of ACKs ends slow start
        bool byDelay{true};         //!< whether a growing delay ends it
        uint32_t leastWindow{16};   //!< the window from which it may end, in segments
        uint32_t leastSamples{8};   //!< round-trip times of a round that tell its delay
        ns3::Time spacing;          //!< the longest time between ACKs of a train
        ns3::Time leastThreshold;   //!< the least growth of the delay that counts
        ns3::Time largestThreshold; //!< the greatest that is needed
    };

    /// What an ACK says.
    struct Ack
    {
        ns3::SequenceNumber32 acked; //!< the byte after the last that has arrived
        ns3::SequenceNumber32 sent;  //!< the byte after the last that was sent
        ns3::Time rtt;               //!< its round-trip time
        double window;               //!< the present window, in segments
        bool isPaced;                //!< whether segments are sent at intervals
    };

    HybridSlowStart() = default;
    /// @param settings the settings
    explicit HybridSlowStart(const Settings& settings);

    /// A timeout: begin anew.
    void Forget();
    /// @param rtt a round-trip time, also outside of slow start
    void Measure(ns3::Time rtt);
    /**
     * @param ack an ACK in slow start
     * @return whether slow start ends
     */
    bool Ends(const Ack& ack);

  private:
    /// Begin a round.
    void BeginRound(ns3::SequenceNumber32 sent);
    /// @return whether the train of ACKs is long
    bool IsLongTrain(bool isPaced);
    /// @return whether the delay has grown
    bool IsDelayed(ns3::Time rtt);

    Settings m_settings;                    //!< the settings
    bool m_hasEnded{false};                 //!< whether it has ended slow start
    bool m_hasRound{false};                 //!< whether a round has begun
    ns3::Time m_minRtt{ns3::Time::Max()};   //!< the least round-trip time
    ns3::SequenceNumber32 m_end;            //!< the end of the round
    ns3::Time m_begin;                      //!< when it began
    ns3::Time m_last;                       //!< when the last ACK of its train came
    ns3::Time m_roundRtt{ns3::Time::Max()}; //!< its least round-trip time
    uint32_t m_samples{0};                  //!< its round-trip times
};

} // namespace tcpsweep

#endif // TCPSWEEP_HYBRID_SLOW_START_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_REAL_TIME_H
#define TCPSWEEP_REAL_TIME_H

#include "kernel/file-descriptor.h"
#include "kernel/kernel-clock.h"
#include "kernel/lag.h"

#include <ns3/map-scheduler.h>
#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/ptr.h>

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_set>

namespace tcpsweep
{

/**
 * Runs a simulation in real time, and delivers packets from outside.
 *
 * It has one thread, which waits for the next event's time or for a readable file. ns-3's own
 * RealtimeSimulatorImpl has one thread that waits and one more for each file. The time to wake each
 * other is lag, and hundreds of hosts would need hundreds of threads.
 */
class RealTime : public KernelClock
{
  public:
    /// @return the type
    static ns3::TypeId GetTypeId();

    RealTime();

    /**
     * Run the simulation, which has not begun, in real time.
     *
     * @param bounds the bounds of the lag, beyond which it ends early
     * @return the clock
     */
    static ns3::Ptr<RealTime> Begin(const LagBounds& bounds);

    void
    Watch(int file, ns3::Ptr<ns3::Node> node, std::function<void(uint32_t most)> read) override;
    void Happen(uint32_t node, std::function<void()> event) override;
    void Check() override;
    void Write(JsonWriter& json) override;

    /// The kernel's hosts never wait for the simulation.
    void
    Touch(int, uint32_t) override
    {
    }

    uint64_t
    Changes() override
    {
        return ++m_changes;
    }

    void
    End() override
    {
        m_isOver = true;
    }

    const char*
    Name() const override
    {
        return "real_time";
    }

    /// @return the lags of events so far
    LagRecord&
    Lags()
    {
        return m_lags;
    }

  private:
    friend class RealTimeScheduler;

    /**
     * Wait until an event's time has come, or files are readable; read such files.
     *
     * @param until the event's time, in nanoseconds
     * @return whether the time has come and no file was readable
     */
    bool Wait(uint64_t until);

    /**
     * @param event an event that begins
     */
    void Note(const ns3::Scheduler::Event& event);

    /// @return nanoseconds since the simulation's start
    int64_t Now() const;

    /// An event every millisecond, so that every lag is noticed.
    void Beat();

    LagBounds m_bounds;        //!< the bounds of the lag
    bool m_isOver{false};      //!< whether the simulation is over
    int64_t m_begin{0};        //!< when the simulation began
    uint64_t m_changes{0};     //!< how often it was asked for changes
    bool m_hasPriority{false}; //!< whether this process has real-time priority
    FileDescriptor m_poll;     //!< reports readable files
    std::map<int, std::function<void(uint32_t)>> m_readers; //!< the callback of each file
    std::unordered_set<uint32_t> m_outside;                 //!< events that come from outside
    LagRecord m_lags;                                       //!< the lags of other events
};

/// Returns each event when its time has come.
class RealTimeScheduler : public ns3::MapScheduler
{
  public:
    /// @return the type
    static ns3::TypeId GetTypeId();

    ns3::Scheduler::Event RemoveNext() override;

  private:
    ns3::Ptr<RealTime> m_clock; //!< the time of day
};

} // namespace tcpsweep

#endif // TCPSWEEP_REAL_TIME_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_REAL_TIME_H
#define TCPSWEEP_REAL_TIME_H

#include "kernel/file-descriptor.h"
#include "kernel/lag.h"

#include <ns3/map-scheduler.h>
#include <ns3/nstime.h>
#include <ns3/object.h>
#include <ns3/ptr.h>

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_set>

namespace tcpsweep
{

/**
 * The time of day to a simulation, and what comes in from outside meanwhile.
 *
 * Everything is done by one thread: it waits for the next event's time or for a file that can be
 * read, whichever is first. ns-3's own RealtimeSimulatorImpl has a thread that waits and one more
 * for each file; the time in which they wake each other is lag, and hundreds of hosts are hundreds
 * of threads.
 */
class RealTime : public ns3::Object
{
  public:
    /// @return the type
    static ns3::TypeId GetTypeId();

    RealTime();

    /**
     * Let the simulation, which has not begun, take its time from now on.
     *
     * @param bounds where a lag ends it early
     * @return the clock
     */
    static ns3::Ptr<RealTime> Begin(const LagBounds& bounds);

    /**
     * @param file a file
     * @param read called when it can be read; schedules what follows by Happen()
     */
    void Watch(int file, std::function<void()> read);

    /**
     * @param event what happens now, at the time of day
     */
    void Happen(std::function<void()> event);

    /// Let the events that are left, which ns-3 takes out to forget them, wait for nothing.
    void
    End()
    {
        m_isOver = true;
    }

    /// @return how late events were so far
    LagRecord&
    Lags()
    {
        return m_lags;
    }

    /// @return whether the kernel lets this process go before all that have no such claim
    bool
    HasPriority() const
    {
        return m_hasPriority;
    }

  private:
    friend class RealTimeScheduler;

    /**
     * Wait until an event's time has come, or files could be read, which are then read.
     *
     * @param until the event's time, in nanoseconds
     * @return whether the time has come and no file could be read
     */
    bool Wait(uint64_t until);

    /**
     * @param event an event that begins
     */
    void Note(const ns3::Scheduler::Event& event);

    /// @return nanoseconds since the simulation's begin
    int64_t Now() const;

    /// Happens each millisecond, so that no lag is longer than it is seen to be.
    void Beat();

    LagBounds m_bounds;                             //!< where a lag ends the simulation
    bool m_isOver{false};                           //!< whether the simulation is over
    int64_t m_begin{0};                             //!< when the simulation began
    bool m_hasPriority{false};                      //!< whether this process goes before others
    FileDescriptor m_poll;                          //!< tells which files can be read
    std::map<int, std::function<void()>> m_readers; //!< what to do then
    std::unordered_set<uint32_t> m_outside;         //!< events that come from outside
    LagRecord m_lags;                               //!< how late others were
};

/// Gives each event when its time has come.
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

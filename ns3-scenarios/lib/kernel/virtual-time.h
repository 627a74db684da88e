// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_VIRTUAL_TIME_H
#define TCPSWEEP_VIRTUAL_TIME_H

#include "output/json.h"

#include <ns3/map-scheduler.h>
#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/object.h>
#include <ns3/ptr.h>

#include <cstdint>
#include <functional>
#include <map>
#include <poll.h>
#include <set>
#include <vector>

namespace tcpsweep
{

/// @return the kernel's monotonic clock, in nanoseconds
int64_t ReadClock();

constexpr int64_t NANOSECONDS_PER_S = 1'000'000'000;

/**
 * Runs a simulation inside a kernel whose time is virtual: it stands still while a process works,
 * and jumps to the next timer when all wait (User-Mode Linux with `time-travel=inf-cpu`).
 *
 * The simulation may be ahead of the kernel's time only where no host notices. An event at another
 * node reaches a host at the earliest after the delay of a host's link. So the kernel is asked to
 * go on until the next event at a host, or until an event that is yet to come can be one, whichever
 * is first. All events up to there run without another question. Each question is a system call,
 * which is expensive in such a kernel.
 */
class VirtualTime : public ns3::Object
{
  public:
    /// @return the type
    static ns3::TypeId GetTypeId();

    /**
     * Run the simulation, which has not begun, in the kernel's time.
     *
     * @param uptime the kernel's age when the simulation begins; the least possible if it is older
     * @return the clock
     */
    static ns3::Ptr<VirtualTime> Begin(ns3::Time uptime);

    /**
     * @param file the interface of a host
     * @param node the host's node
     * @param read called when the interface can be read, with the most packets to take; schedules
     * events with Happen()
     */
    void Watch(int file, ns3::Ptr<ns3::Node> node, std::function<void(uint32_t most)> read);

    /**
     * @param node the number of the node at which it happens
     * @param event an event that happens now, at the kernel's time
     */
    void Happen(uint32_t node, std::function<void()> event);

    /**
     * Note that a host got something to do from the simulation.
     *
     * @param file the host's interface
     * @param packets how many packets it has probably sent because of that
     */
    void Touch(int file, uint32_t packets);

    /// @return a number that is the same as before only if no host's state can have changed since
    uint64_t
    Changes() const
    {
        return m_changes;
    }

    /// Do not wait for the remaining events, which ns-3 only removes.
    void
    End()
    {
        m_isOver = true;
    }

    /// @param json the writer, which receives members of an object
    void Write(JsonWriter& json) const;

  private:
    friend class VirtualTimeScheduler;

    /**
     * @param context the node of an event
     * @return whether a host can notice the event when it begins
     */
    bool ReachesHost(uint32_t context) const;

    /**
     * Let the kernel go on.
     *
     * @param until the time at which it stops, at the latest
     */
    void GoOn(int64_t until);

    /// Take the packets of hosts that got something to do.
    void TakePackets();

    /// Find the least delay of a host's link.
    void FindAhead();

    /// A host.
    struct Host
    {
        ns3::Ptr<ns3::Node> node;           //!< its node
        std::function<void(uint32_t)> read; //!< takes at most so many packets of its interface
    };

    ns3::Time m_uptime;                //!< the kernel's least age when the simulation begins
    bool m_isOver{false};              //!< whether the simulation is over
    int64_t m_begin{0};                //!< the kernel's time when the simulation began
    int64_t m_now{0};                  //!< the simulated time that the kernel has reached
    int64_t m_ahead{0};                //!< the least delay of a host's link
    uint64_t m_changes{1};             //!< how often hosts may have changed
    uint64_t m_waits{0};               //!< how often the kernel went on
    int64_t m_lag{0};                  //!< how far the kernel was ahead, over all waits
    int64_t m_longestLag{0};           //!< how far it was ahead at most
    std::map<int, Host> m_hosts;       //!< by their interfaces
    std::set<uint32_t> m_nodes;        //!< the numbers of their nodes
    std::vector<pollfd> m_polled;      //!< their interfaces
    std::map<int, uint32_t> m_touched; //!< hosts that got something to do, and packets to expect
    bool m_isAnyTouched{true};         //!< whether an event may have changed any host or link
};

/// Returns each event when the kernel has reached its time.
class VirtualTimeScheduler : public ns3::MapScheduler
{
  public:
    /// @return the type
    static ns3::TypeId GetTypeId();

    void Insert(const ns3::Scheduler::Event& event) override;
    ns3::Scheduler::Event RemoveNext() override;
    void Remove(const ns3::Scheduler::Event& event) override;

  private:
    ns3::Ptr<VirtualTime> m_clock;                      //!< the kernel's time
    std::set<ns3::Scheduler::EventKey> m_reachingHosts; //!< the events that hosts can notice
};

} // namespace tcpsweep

#endif // TCPSWEEP_VIRTUAL_TIME_H

// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/real-time.h"

#include <ns3/object-factory.h>
#include <ns3/pointer.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <system_error>
#include <utility>

namespace tcpsweep
{

namespace
{

const ns3::Time BEAT = ns3::MilliSeconds(1);

/**
 * Request real-time priority, so that the kernel wakes this process on time, before processes
 * without it. Without the right to do so, it stays a normal process.
 *
 * @return whether it has real-time priority
 */
bool
AskForPriority()
{
    prctl(PR_SET_TIMERSLACK, 1);
    sched_param parameters{};
    parameters.sched_priority = sched_get_priority_min(SCHED_RR);
    return sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &parameters) == 0;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(RealTime);
NS_OBJECT_ENSURE_REGISTERED(RealTimeScheduler);

ns3::TypeId
RealTime::GetTypeId()
{
    static const ns3::TypeId tid = ns3::TypeId("tcpsweep::RealTime").SetParent<KernelClock>();
    return tid;
}

RealTime::RealTime()
    : m_poll(epoll_create1(EPOLL_CLOEXEC))
{
}

ns3::Ptr<RealTime>
RealTime::Begin(const LagBounds& bounds)
{
    const auto clock = ns3::CreateObject<RealTime>();
    clock->m_bounds = bounds;
    clock->m_hasPriority = AskForPriority();
    ns3::ObjectFactory scheduler;
    scheduler.SetTypeId(RealTimeScheduler::GetTypeId());
    scheduler.Set("Clock", ns3::PointerValue(clock));
    ns3::Simulator::SetScheduler(scheduler);
    ns3::Simulator::Schedule(BEAT, &RealTime::Beat, clock);
    return clock;
}

void
RealTime::Watch(int file, ns3::Ptr<ns3::Node>, std::function<void(uint32_t most)> read)
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = file;
    if (epoll_ctl(m_poll.Get(), EPOLL_CTL_ADD, file, &event) != 0)
    {
        throw std::system_error(errno, std::generic_category(), "watching a host's interface");
    }
    m_readers[file] = std::move(read);
}

void
RealTime::Happen(uint32_t, std::function<void()> event)
{
    const auto delay = ns3::NanoSeconds(Now()) - ns3::Simulator::Now();
    const auto id = ns3::Simulator::Schedule(std::max(delay, ns3::Time()), std::move(event));
    m_outside.insert(id.GetUid());
}

bool
RealTime::Wait(uint64_t until)
{
    const auto left = std::max<int64_t>(static_cast<int64_t>(until) - Now(), 0);
    const timespec timeout{left / NANOSECONDS_PER_S, left % NANOSECONDS_PER_S};
    pollfd poll{m_poll.Get(), POLLIN, 0};
    // Wait to the nanosecond; epoll_wait() cannot, and older kernels lack epoll_pwait2().
    if (ppoll(&poll, 1, &timeout, nullptr) <= 0)
    {
        return Now() >= static_cast<int64_t>(until);
    }
    std::array<epoll_event, 64> events{};
    const int count = epoll_wait(m_poll.Get(), events.data(), events.size(), 0);
    for (int i = 0; i < count; ++i)
    {
        const int file = events[static_cast<std::size_t>(i)].data.fd;
        m_readers.at(file)(std::numeric_limits<uint32_t>::max());
    }
    return false;
}

void
RealTime::Note(const ns3::Scheduler::Event& event)
{
    if (m_outside.erase(event.key.m_uid))
    {
        return;
    }
    const auto lag =
        ns3::NanoSeconds(std::max<int64_t>(Now() - static_cast<int64_t>(event.key.m_ts), 0));
    m_lags.Add(lag);
    if (lag > m_bounds.longest)
    {
        ns3::Simulator::Stop();
    }
}

int64_t
RealTime::Now() const
{
    return ReadClock() - m_begin;
}

void
RealTime::Check()
{
    m_lags.Check(m_bounds);
}

void
RealTime::Write(JsonWriter& json)
{
    m_lags.Write(json, m_bounds);
    json.Member("has_priority", m_hasPriority);
}

void
RealTime::Beat()
{
    ns3::Simulator::Schedule(BEAT, &RealTime::Beat, this);
}

ns3::TypeId
RealTimeScheduler::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::RealTimeScheduler")
            .SetParent<ns3::MapScheduler>()
            .AddConstructor<RealTimeScheduler>()
            .AddAttribute("Clock",
                          "The time of day",
                          ns3::PointerValue(),
                          ns3::MakePointerAccessor(&RealTimeScheduler::m_clock),
                          ns3::MakePointerChecker<RealTime>());
    return tid;
}

ns3::Scheduler::Event
RealTimeScheduler::RemoveNext()
{
    if (m_clock->m_isOver)
    {
        return ns3::MapScheduler::RemoveNext();
    }
    if (m_clock->m_begin == 0)
    {
        // The setup before takes no simulated time.
        m_clock->m_begin = ReadClock();
    }
    while (!m_clock->Wait(PeekNext().key.m_ts))
    {
    }
    const auto next = ns3::MapScheduler::RemoveNext();
    m_clock->Note(next);
    return next;
}

} // namespace tcpsweep

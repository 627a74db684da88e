// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/virtual-time.h"

#include "output/output-file.h"

#include <ns3/channel.h>
#include <ns3/net-device.h>
#include <ns3/nstime.h>
#include <ns3/object-factory.h>
#include <ns3/point-to-point-channel.h>
#include <ns3/pointer.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <sys/prctl.h>
#include <utility>

namespace tcpsweep
{

int64_t
ReadClock()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NANOSECONDS_PER_S + now.tv_nsec;
}

NS_OBJECT_ENSURE_REGISTERED(VirtualTime);
NS_OBJECT_ENSURE_REGISTERED(VirtualTimeScheduler);

ns3::TypeId
VirtualTime::GetTypeId()
{
    static const ns3::TypeId tid = ns3::TypeId("tcpsweep::VirtualTime").SetParent<ns3::Object>();
    return tid;
}

ns3::Ptr<VirtualTime>
VirtualTime::Begin(ns3::Time uptime)
{
    prctl(PR_SET_TIMERSLACK, 1);
    // This kernel never returns memory to the machine, which keeps the files too.
    OutputFile::DropWritten();
    const auto clock = ns3::CreateObject<VirtualTime>();
    clock->m_uptime = uptime;
    ns3::ObjectFactory scheduler;
    scheduler.SetTypeId(VirtualTimeScheduler::GetTypeId());
    scheduler.Set("Clock", ns3::PointerValue(clock));
    ns3::Simulator::SetScheduler(scheduler);
    return clock;
}

void
VirtualTime::Watch(int file, ns3::Ptr<ns3::Node> node, std::function<void(uint32_t most)> read)
{
    m_nodes.insert(node->GetId());
    m_polled.push_back({file, POLLIN, 0});
    m_hosts[file] = {std::move(node), std::move(read)};
}

void
VirtualTime::Happen(uint32_t node, std::function<void()> event)
{
    const auto delay = ns3::NanoSeconds(m_now) - ns3::Simulator::Now();
    ns3::Simulator::ScheduleWithContext(node, std::max(delay, ns3::Time()), std::move(event));
}

void
VirtualTime::Touch(int file, uint32_t packets)
{
    if (m_begin != 0 && ns3::Simulator::Now().GetNanoSeconds() != m_now)
    {
        throw std::logic_error("an event reached a host of the kernel at another time than the "
                               "kernel's");
    }
    ++m_changes;
    m_touched[file] = packets;
}

void
VirtualTime::Write(JsonWriter& json) const
{
    const auto mean = m_lag / static_cast<int64_t>(std::max<uint64_t>(m_waits, 1));
    json.Member("waits", m_waits)
        .Member("lag_mean_s", ns3::NanoSeconds(mean).GetSeconds())
        .Member("lag_max_s", ns3::NanoSeconds(m_longestLag).GetSeconds());
}

bool
VirtualTime::ReachesHost(uint32_t context) const
{
    // A node's events that follow from its own events send packets; they never receive any.
    return context == ns3::Simulator::NO_CONTEXT ||
           (context != ns3::Simulator::GetContext() && m_nodes.count(context) > 0);
}

void
VirtualTime::FindAhead()
{
    auto least = std::numeric_limits<int64_t>::max();
    for (const auto& [file, host] : m_hosts)
    {
        for (uint32_t i = 0; i < host.node->GetNDevices(); ++i)
        {
            const auto channel = host.node->GetDevice(i)->GetChannel();
            if (!channel)
            {
                continue; // the loopback
            }
            ns3::TimeValue delay(ns3::Time(0));
            if (ns3::DynamicCast<ns3::PointToPointChannel>(channel))
            {
                channel->GetAttribute("Delay", delay);
            }
            least = std::min(least, delay.Get().GetNanoSeconds());
        }
    }
    m_ahead = least == std::numeric_limits<int64_t>::max() ? 0 : least;
}

void
VirtualTime::TakePackets()
{
    if (m_isAnyTouched)
    {
        m_isAnyTouched = false;
        FindAhead(); // a link's schedule may have changed it
        ++m_changes;
        const timespec none{};
        if (ppoll(m_polled.data(), m_polled.size(), &none, nullptr) > 0)
        {
            for (const auto& each : m_polled)
            {
                if (each.revents)
                {
                    m_touched[each.fd] = std::numeric_limits<uint32_t>::max();
                }
            }
        }
    }
    for (const auto& [file, packets] : std::exchange(m_touched, {}))
    {
        if (packets > 0)
        {
            m_hosts.at(file).read(packets);
        }
    }
}

void
VirtualTime::GoOn(int64_t until)
{
    ++m_changes;
    ++m_waits;
    // The kernel's time goes on by a quarter of a microsecond whenever something reads it, so it is
    // always a little ahead of the simulation.
    const auto read = ReadClock() - m_begin;
    m_lag += read - m_now;
    m_longestLag = std::max(m_longestLag, read - m_now);
    const auto left = std::max<int64_t>(until - read, 0);
    const timespec timeout{left / NANOSECONDS_PER_S, left % NANOSECONDS_PER_S};
    if (ppoll(m_polled.data(), m_polled.size(), &timeout, nullptr) <= 0)
    {
        m_now = until;
        return;
    }
    m_now = std::clamp(ReadClock() - m_begin, m_now, until);
    for (const auto& each : m_polled)
    {
        if (each.revents)
        {
            m_hosts.at(each.fd).read(std::numeric_limits<uint32_t>::max());
        }
    }
}

ns3::TypeId
VirtualTimeScheduler::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::VirtualTimeScheduler")
            .SetParent<ns3::MapScheduler>()
            .AddConstructor<VirtualTimeScheduler>()
            .AddAttribute("Clock",
                          "The kernel's time",
                          ns3::PointerValue(),
                          ns3::MakePointerAccessor(&VirtualTimeScheduler::m_clock),
                          ns3::MakePointerChecker<VirtualTime>());
    return tid;
}

void
VirtualTimeScheduler::Insert(const ns3::Scheduler::Event& event)
{
    if (m_clock->ReachesHost(event.key.m_context))
    {
        m_reachingHosts.insert(event.key);
    }
    ns3::MapScheduler::Insert(event);
}

void
VirtualTimeScheduler::Remove(const ns3::Scheduler::Event& event)
{
    m_reachingHosts.erase(event.key);
    ns3::MapScheduler::Remove(event);
}

ns3::Scheduler::Event
VirtualTimeScheduler::RemoveNext()
{
    auto& clock = *m_clock;
    if (clock.m_isOver)
    {
        return ns3::MapScheduler::RemoveNext();
    }
    if (clock.m_begin == 0)
    {
        // The setup before takes no simulated time.
        const auto until = clock.m_uptime.GetNanoSeconds();
        const timespec age{until / NANOSECONDS_PER_S, until % NANOSECONDS_PER_S};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &age, nullptr);
        clock.m_begin = ReadClock();
    }
    while (true)
    {
        clock.TakePackets();
        const auto next = PeekNext().key;
        const auto time = static_cast<int64_t>(next.m_ts);
        const bool isOfHost = m_reachingHosts.count(next) > 0;
        if (time <= clock.m_now)
        {
            if (next.m_context == ns3::Simulator::NO_CONTEXT)
            {
                clock.m_isAnyTouched = true;
            }
            m_reachingHosts.erase(next);
            return ns3::MapScheduler::RemoveNext();
        }
        auto until = isOfHost ? time : time + clock.m_ahead;
        if (!m_reachingHosts.empty())
        {
            until = std::min(until, static_cast<int64_t>(m_reachingHosts.begin()->m_ts));
        }
        clock.GoOn(until);
    }
}

} // namespace tcpsweep

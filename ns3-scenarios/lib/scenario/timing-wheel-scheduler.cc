// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/timing-wheel-scheduler.h"

#include <algorithm>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(TimingWheelScheduler);

namespace
{

/**
 * @param a an event
 * @param b another
 * @return whether a is later than b
 */
bool
Later(const ns3::Scheduler::Event& a, const ns3::Scheduler::Event& b)
{
    return a.key.m_ts != b.key.m_ts ? a.key.m_ts > b.key.m_ts : a.key.m_uid > b.key.m_uid;
}

} // namespace

ns3::TypeId
TimingWheelScheduler::GetTypeId()
{
    static const ns3::TypeId type = ns3::TypeId("tcpsweep::TimingWheelScheduler")
                                        .SetParent<ns3::Scheduler>()
                                        .SetGroupName("Core")
                                        .AddConstructor<TimingWheelScheduler>();
    return type;
}

TimingWheelScheduler::TimingWheelScheduler()
{
    m_slots.fill(NONE);
}

void
TimingWheelScheduler::Insert(const Event& event)
{
    const uint64_t slot = event.key.m_ts >> SLOT_BITS;
    if (slot < m_end || slot >= m_end + SLOTS)
    {
        Push(event);
        return;
    }
    uint32_t place = m_free;
    if (place == NONE)
    {
        place = static_cast<uint32_t>(m_nodes.size());
        m_nodes.emplace_back();
    }
    else
    {
        m_free = m_nodes[place].next;
    }
    uint32_t& first = m_slots[slot % SLOTS];
    m_nodes[place] = {event, first};
    first = place;
    ++m_waiting;
}

bool
TimingWheelScheduler::IsEmpty() const
{
    return m_heap.empty() && m_waiting == 0;
}

ns3::Scheduler::Event
TimingWheelScheduler::PeekNext() const
{
    // The choice of events in the heap is not part of the queue's visible state.
    const_cast<TimingWheelScheduler*>(this)->Advance();
    return m_heap.front();
}

ns3::Scheduler::Event
TimingWheelScheduler::RemoveNext()
{
    Advance();
    std::pop_heap(m_heap.begin(), m_heap.end(), Later);
    const Event event = m_heap.back();
    m_heap.pop_back();
    return event;
}

void
TimingWheelScheduler::Remove(const Event& event)
{
    const auto isIt = [&event](const Event& other)
    {
        return other.key.m_uid == event.key.m_uid;
    };
    const auto found = std::find_if(m_heap.begin(), m_heap.end(), isIt);
    if (found != m_heap.end())
    {
        m_heap.erase(found);
        std::make_heap(m_heap.begin(), m_heap.end(), Later);
        return;
    }
    for (uint32_t* place = &m_slots[(event.key.m_ts >> SLOT_BITS) % SLOTS]; *place != NONE;
         place = &m_nodes[*place].next)
    {
        const uint32_t own = *place;
        if (isIt(m_nodes[own].event))
        {
            *place = m_nodes[own].next;
            m_nodes[own].next = m_free;
            m_free = own;
            --m_waiting;
            return;
        }
    }
}

void
TimingWheelScheduler::Advance()
{
    if (m_waiting == 0)
    {
        // No event waits: follow the time, so that the next events find a slot.
        m_end = std::max(m_end, (m_heap.front().key.m_ts >> SLOT_BITS) + 1);
        return;
    }
    while (m_waiting > 0 && (m_heap.empty() || m_heap.front().key.m_ts >> SLOT_BITS >= m_end))
    {
        uint32_t& first = m_slots[m_end % SLOTS];
        while (first != NONE)
        {
            Node& node = m_nodes[first];
            Push(node.event);
            const uint32_t next = node.next;
            node.next = m_free;
            m_free = first;
            first = next;
            --m_waiting;
        }
        ++m_end;
    }
}

void
TimingWheelScheduler::Push(const Event& event)
{
    m_heap.push_back(event);
    std::push_heap(m_heap.begin(), m_heap.end(), Later);
}

} // namespace tcpsweep

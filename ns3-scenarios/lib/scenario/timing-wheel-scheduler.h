// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TIMING_WHEEL_SCHEDULER_H
#define TCPSWEEP_TIMING_WHEEL_SCHEDULER_H

#include <ns3/scheduler.h>

#include <array>
#include <cstdint>
#include <vector>

namespace tcpsweep
{

/**
 * An event queue: a heap for the next fraction of a millisecond, and a timing wheel (Varghese and
 * Lauck, SOSP 1987) for the following seconds.
 *
 * With each ACK, a TCP connection sets its retransmission timer to a second ahead and cancels the
 * previous one. ns-3 keeps cancelled events until their time. In a heap they would be most of the
 * events and slow down each insertion and removal. Here they wait unsorted in the slots of the
 * wheel, and a slot's events enter the heap when its time comes. Events leave in the order of their
 * times, then of their numbers, as with ns-3's own schedulers.
 */
class TimingWheelScheduler : public ns3::Scheduler
{
  public:
    /// @return the type
    static ns3::TypeId GetTypeId();

    TimingWheelScheduler();

    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& event) override;

  private:
    /// Bits of a time, in nanoseconds, within a slot: 0.52 ms.
    static constexpr uint32_t SLOT_BITS = 19;
    /// Slots: 2.1 s, more than a first retransmission timeout.
    static constexpr uint64_t SLOTS = 1 << 12;
    /// No node.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// An event in a slot's list, or a free place for one.
    struct Node
    {
        Event event;   //!< the event
        uint32_t next; //!< the next node's index
    };

    /// Move slots to the heap until the first event is in it. Call it only if there are events.
    void Advance();

    /// @param event an event to put into the heap
    void Push(const Event& event);

    std::vector<Event> m_heap;           //!< events before the end, and beyond the wheel
    std::array<uint32_t, SLOTS> m_slots; //!< the first node of each slot
    std::vector<Node> m_nodes;           //!< events in slots, and free places
    uint32_t m_free{NONE};               //!< the first free place
    uint64_t m_waiting{0};               //!< events in slots
    uint64_t m_end{0};                   //!< the first slot, since 0 s, that is not in the heap
};

} // namespace tcpsweep

#endif // TCPSWEEP_TIMING_WHEEL_SCHEDULER_H

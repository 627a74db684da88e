// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/application-writes.h"

#include <algorithm>

namespace tcpsweep
{

namespace
{

constexpr uint32_t LEAST_WAITING = 16; //!< segments, as with flows of Linux' TCP
/// The memory that Linux reserves for a segment of 1,448 bytes, over that which one takes.
constexpr double MORE_ROOM = 2304.0 / 2280;

} // namespace

ApplicationWrites::ApplicationWrites(uint32_t windows)
    : m_windows(windows)
{
}

void
ApplicationWrites::Continue(ns3::SequenceNumber32 acked,
                            ns3::SequenceNumber32 sent,
                            uint32_t window,
                            uint32_t segment)
{
    m_ends.erase(m_ends.begin(), m_ends.upper_bound(acked));
    m_largest = std::max(m_largest, window);
    const auto last = m_ends.empty() ? sent : *m_ends.rbegin();
    const auto waiting = static_cast<uint32_t>(std::max(last - sent, 0));
    if (waiting < std::max(LEAST_WAITING * segment, window / 2))
    {
        // The last segment may exceed the buffer (sk_stream_memory_free() in include/net/sock.h).
        const auto room = static_cast<uint32_t>(MORE_ROOM * m_windows * m_largest / segment) + 1;
        m_ends.insert(acked + static_cast<int32_t>(room * segment));
    }
}

bool
ApplicationWrites::EndIn(ns3::SequenceNumber32 begin, ns3::SequenceNumber32 end) const
{
    const auto next = m_ends.upper_bound(begin);
    return next != m_ends.end() && *next <= end;
}

} // namespace tcpsweep

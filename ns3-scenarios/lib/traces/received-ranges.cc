// SPDX-License-Identifier: GPL-2.0-only
#include "traces/received-ranges.h"

#include <algorithm>

namespace tcpsweep
{

uint32_t
ReceivedRanges::Add(ns3::SequenceNumber32 begin, uint32_t size, bool syn)
{
    if (syn || !m_open)
    {
        m_open = true;
        m_last = begin;
        m_lastOffset = 0;
        return 0;
    }
    // Sequence numbers wrap every 4 GiB, the offsets from the SYN's do not.
    m_lastOffset += static_cast<int64_t>(begin - m_last);
    m_last = begin;
    uint64_t from = m_lastOffset;
    const uint64_t to = from + size;
    uint32_t held = 0;
    if (from < m_next)
    {
        held += static_cast<uint32_t>(std::min(to, m_next) - from);
        from = std::min(to, m_next);
    }
    uint64_t end = to;
    auto range = m_ahead.lower_bound(from);
    if (range != m_ahead.begin() && std::prev(range)->second >= from)
    {
        --range;
    }
    uint64_t start = from;
    while (range != m_ahead.end() && range->first <= to && from < to)
    {
        const uint64_t left = std::max(range->first, from);
        const uint64_t right = std::min(range->second, to);
        held += right > left ? static_cast<uint32_t>(right - left) : 0;
        start = std::min(start, range->first);
        end = std::max(end, range->second);
        range = m_ahead.erase(range);
    }
    if (start < end)
    {
        m_ahead.emplace(start, end);
    }
    while (!m_ahead.empty() && m_ahead.begin()->first <= m_next)
    {
        m_next = std::max(m_next, m_ahead.begin()->second);
        m_ahead.erase(m_ahead.begin());
    }
    return held;
}

uint64_t
ReceivedRanges::Waiting() const
{
    uint64_t bytes = 0;
    for (const auto& [begin, end] : m_ahead)
    {
        bytes += end - begin;
    }
    return bytes;
}

} // namespace tcpsweep

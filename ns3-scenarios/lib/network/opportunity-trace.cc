// SPDX-License-Identifier: GPL-2.0-only
#include "network/opportunity-trace.h"

#include "network/text-file.h"
#include "options/errors.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace tcpsweep
{

namespace
{

/// The latest time that a trace may have, in milliseconds: 49 days.
constexpr uint64_t LATEST = std::numeric_limits<uint32_t>::max();

/**
 * @param number of an item
 * @param count of all items
 * @return the item there in the endless sequence
 */
std::size_t
Within(uint64_t number, std::size_t count)
{
    return static_cast<std::size_t>(number % count);
}

/**
 * @param line a line of a trace
 * @return the problem with it
 */
std::string
WhatIsWrong(std::string_view line)
{
    constexpr std::size_t SHOWN = 40;
    const bool isLong = line.size() > SHOWN;
    return "expected a whole number of milliseconds up to " + std::to_string(LATEST) + ", got '" +
           std::string(line.substr(0, SHOWN)) + (isLong ? "..." : "") + "'";
}

} // namespace

std::shared_ptr<const OpportunityTrace>
OpportunityTrace::Read(const std::string& path)
{
    return std::shared_ptr<const OpportunityTrace>(new OpportunityTrace(ReadTextFile(path), path));
}

OpportunityTrace::OpportunityTrace(const std::string& text, const std::string& path)
{
    m_times.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
    const char* const end = text.data() + text.size();
    for (const char* begin = text.data(); begin != end;)
    {
        // Parse by hand, because a trace may have ten million lines.
        uint64_t time = 0;
        const char* place = begin;
        for (; place != end && *place >= '0' && *place <= '9' && time <= LATEST; ++place)
        {
            time = 10 * time + static_cast<uint64_t>(*place - '0');
        }
        const bool isNumber = place != begin && time <= LATEST;
        if (place != end && *place == '\r')
        {
            ++place;
        }
        if (!isNumber || (place != end && *place != '\n'))
        {
            const auto* const lineEnd = std::find(begin, end, '\n');
            throw BadLine(path,
                          m_times.size() + 1,
                          WhatIsWrong({begin, static_cast<std::size_t>(lineEnd - begin)}));
        }
        if (!m_times.empty() && time < m_times.back())
        {
            throw BadLine(path,
                          m_times.size() + 1,
                          "times do not decrease, and " + std::to_string(time) + " is before " +
                              std::to_string(m_times.back()));
        }
        m_times.push_back(static_cast<uint32_t>(time));
        begin = place == end ? end : place + 1;
    }
    if (m_times.empty())
    {
        throw BadValue(path + ": a trace has at least one line, and this file is empty");
    }
    if (m_times.back() == 0)
    {
        throw BadLine(path, m_times.size(), "the last time is the period, which is above 0");
    }
}

uint64_t
OpportunityTrace::Count() const
{
    return m_times.size();
}

ns3::Time
OpportunityTrace::Period() const
{
    return ns3::MilliSeconds(m_times.back());
}

ns3::DataRate
OpportunityTrace::MeanRate() const
{
    const double bits = 8.0 * OPPORTUNITY_BYTES * static_cast<double>(Count());
    return ns3::DataRate(static_cast<uint64_t>(bits / Period().GetSeconds() + 0.5));
}

ns3::Time
OpportunityTrace::TimeOf(uint64_t number) const
{
    const uint64_t rounds = number / Count();
    return ns3::MilliSeconds(rounds * m_times.back() + m_times[Within(number, m_times.size())]);
}

uint64_t
OpportunityTrace::FirstAfter(ns3::Time time) const
{
    // All opportunities are at whole milliseconds, so those after a time are after the whole
    // milliseconds in it.
    const auto milliseconds = static_cast<uint64_t>(time.GetNanoSeconds()) / 1000000;
    const uint64_t rounds = milliseconds / m_times.back();
    const auto first = std::upper_bound(m_times.begin(),
                                        m_times.end(),
                                        static_cast<uint32_t>(milliseconds % m_times.back()));
    return rounds * Count() + static_cast<uint64_t>(first - m_times.begin());
}

} // namespace tcpsweep

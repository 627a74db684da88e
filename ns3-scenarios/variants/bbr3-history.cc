// SPDX-License-Identifier: GPL-2.0-only
#include "bbr3-history.h"

#include <algorithm>
#include <iterator>

namespace tcpsweep::bbr3
{

void
History::Add(const Record& record)
{
    if (!m_records.empty() && m_records.back().at == record.at)
    {
        m_records.back() = record;
    }
    else
    {
        m_records.push_back(record);
    }
}

History::Record
History::At(ns3::Time time) const
{
    if (m_records.empty())
    {
        return {};
    }
    const auto after =
        std::upper_bound(m_records.begin(),
                         m_records.end(),
                         time,
                         [](ns3::Time at, const Record& record) { return at < record.at; });
    return after == m_records.begin() ? *after : *std::prev(after);
}

void
History::Forget(ns3::Time before)
{
    while (m_records.size() > 1 && m_records[1].at < before)
    {
        m_records.pop_front();
    }
}

} // namespace tcpsweep::bbr3

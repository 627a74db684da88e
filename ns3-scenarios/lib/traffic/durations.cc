// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/durations.h"

#include "options/errors.h"
#include "options/text.h"
#include "options/values.h"

#include <cmath>

namespace tcpsweep
{

ns3::Ptr<ns3::UniformRandomVariable>
SharesOf(int64_t stream)
{
    const auto draws = ns3::CreateObject<ns3::UniformRandomVariable>();
    draws->SetStream(stream);
    return draws;
}

Durations
Durations::Parse(const std::string& text)
{
    const auto parts = Split(text, ':');
    Durations durations;
    durations.m_exponential = parts[0] == "exponential";
    const bool named = durations.m_exponential || parts[0] == "constant";
    if (parts.size() != (named ? 2 : 1))
    {
        throw BadValue("a time such as 1s, constant:1s or exponential:1s", text);
    }
    durations.m_mean = ParseTime(parts.back());
    return durations;
}

ns3::Time
Durations::At(double share) const
{
    if (!m_exponential)
    {
        return m_mean;
    }
    const double mean = static_cast<double>(m_mean.GetNanoSeconds());
    return ns3::NanoSeconds(std::llround(-mean * std::log1p(-share)));
}

} // namespace tcpsweep

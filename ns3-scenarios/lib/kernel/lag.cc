// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/lag.h"

#include "options/errors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <sstream>
#include <string>

namespace tcpsweep
{

namespace
{

/**
 * @param time a time
 * @return the time in milliseconds
 */
std::string
InMilliseconds(ns3::Time time)
{
    std::ostringstream text;
    text.precision(3);
    text << time.GetSeconds() * 1e3 << " ms";
    return text.str();
}

} // namespace

LagBounds
LagBounds::Of(ns3::Time roundTrip, ns3::Time drain)
{
    const double delay = std::max(DELAY_SHARE * roundTrip.GetSeconds(), LEAST_DELAY_S);
    return {ns3::Seconds(MEAN_SHARE * roundTrip.GetSeconds()),
            ns3::Seconds(std::min(delay, DRAIN_SHARE * drain.GetSeconds())),
            std::min(roundTrip, drain)};
}

void
LagRecord::Check(const LagBounds& bounds)
{
    const auto hold = [](const std::string& what, ns3::Time lag, ns3::Time bound)
    {
        if (lag > bound)
        {
            throw TryAgain("the simulator lagged too far behind real time: " + what + " by " +
                           InMilliseconds(lag) + ", where at most " + InMilliseconds(bound) +
                           " changes no result; run fewer simulations at a time, a slower network, "
                           "or larger delays");
        }
    };
    hold("its latest event", Quantile(1), bounds.longest);
    hold("one event in a thousand", Quantile(1 - LagBounds::FEW), bounds.late);
    hold("in the mean", Mean(), bounds.mean);
}

void
LagRecord::Write(JsonWriter& json, const LagBounds& bounds)
{
    json.Member("events", uint64_t{m_lags.size()})
        .Member("lag_mean_s", Mean().GetSeconds())
        .Member("lag_p50_s", Quantile(0.5).GetSeconds())
        .Member("lag_p99_s", Quantile(0.99).GetSeconds())
        .Member("lag_p999_s", Quantile(1 - LagBounds::FEW).GetSeconds())
        .Member("lag_max_s", Quantile(1).GetSeconds())
        .Member("bound_mean_s", bounds.mean.GetSeconds())
        .Member("bound_p999_s", bounds.late.GetSeconds())
        .Member("bound_max_s", bounds.longest.GetSeconds());
}

ns3::Time
LagRecord::Quantile(double share)
{
    if (m_lags.empty())
    {
        return ns3::Time();
    }
    const auto rank =
        static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(m_lags.size()))) - 1;
    const auto place = m_lags.begin() + std::max<std::ptrdiff_t>(rank, 0);
    std::nth_element(m_lags.begin(), place, m_lags.end());
    return ns3::NanoSeconds(*place);
}

ns3::Time
LagRecord::Mean() const
{
    const double sum = std::accumulate(m_lags.begin(), m_lags.end(), 0.0);
    return ns3::NanoSeconds(
        m_lags.empty() ? 0 : static_cast<int64_t>(sum / static_cast<double>(m_lags.size())));
}

} // namespace tcpsweep

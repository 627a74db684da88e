// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/bounds-of-lag.h"

#include "network/buffer.h"

#include <ns3/nstime.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

namespace tcpsweep
{

namespace
{

/// A direction of a link, by the link's number and whether it is the forward one.
using WayKey = std::pair<std::size_t, bool>;

/// The rates at which packets reach each direction of a link: the rates of the narrowest directions
/// on their paths, by these directions.
using Arriving = std::map<WayKey, std::map<WayKey, double>>;

/**
 * @param p the parameters
 * @param way a direction of a link
 * @return it
 */
const WayParameters&
WayOf(const ScenarioParameters& p, const WayKey& way)
{
    const auto& link = p.links[way.first];
    return way.second ? link.forward : link.reverse;
}

/**
 * @param p the parameters
 * @param way a direction of a link
 * @return its rate in bit/s
 */
double
RateOf(const ScenarioParameters& p, const WayKey& way)
{
    return static_cast<double>(WayOf(p, way).bandwidth.GetBitRate());
}

/**
 * @param rates the rates of packets that meet
 * @return their total rate
 */
double
Sum(const std::map<WayKey, double>& rates)
{
    return std::accumulate(rates.begin(),
                           rates.end(),
                           0.0,
                           [](double sum, const auto& each) { return sum + each.second; });
}

} // namespace

LagBounds
BoundsOfLag(const ScenarioParameters& p, const std::vector<const FlowParameters*>& flows)
{
    auto roundTrip = p.duration;
    auto drain = p.duration;
    Arriving data;
    Arriving acknowledgments;
    for (const auto* flow : flows)
    {
        roundTrip = std::min(roundTrip, flow->baseRtt);
        std::vector<WayKey> ways;
        for (const auto& hop : flow->route)
        {
            ways.emplace_back(hop.link, hop.forward);
        }
        if (ways.empty()) // it crosses the only bottleneck
        {
            ways.emplace_back(0, flow->direction == Direction::FORWARD);
        }
        const auto narrowest = *std::min_element(ways.begin(),
                                                 ways.end(),
                                                 [&p](const WayKey& one, const WayKey& other)
                                                 { return RateOf(p, one) < RateOf(p, other); });
        for (const auto& way : ways)
        {
            data[way][narrowest] = RateOf(p, narrowest);
            acknowledgments[{way.first, !way.second}][narrowest] = RateOf(p, narrowest);
        }
    }
    const auto hold = [&p, &drain](const WayKey& way, double rate)
    {
        const auto& buffer = WayOf(p, way).buffer;
        if (buffer)
        {
            const double bits = 8.0 * InBytes(buffer->size, p.wirePacketBytes);
            drain = std::min(drain, ns3::Seconds(bits / rate));
        }
    };
    for (const auto& [way, rates] : data)
    {
        hold(way, std::min(Sum(rates), RateOf(p, way)));
    }
    for (const auto& [way, rates] : acknowledgments)
    {
        hold(way, Sum(rates));
    }
    return LagBounds::Of(roundTrip, drain);
}

} // namespace tcpsweep

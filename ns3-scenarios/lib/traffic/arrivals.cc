// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/arrivals.h"

#include "options/values.h"
#include "traffic/durations.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

namespace tcpsweep
{

namespace
{

constexpr uint64_t MOST_ARRIVALS = 1000000000;
constexpr double LARGEST_ARRIVAL_RATE = 1e9;

} // namespace

std::vector<Option>
ArrivalParameters::DeclareOptions()
{
    return {{"sizes",
             "Bytes per flow: a file with lines of BYTES and PERCENT, the cumulative distribution; "
             "constant:BYTES, exponential:MEAN or pareto:MEAN:SHAPE",
             "B",
             "exponential:100kB"},
            {"load", "Payload that crosses `link`, as a share of its rate; 0 to use rate", "", "0"},
            {"rate", "Flows that arrive per second; 0 to use load", "1/s", "0"},
            {"limit", "Number of flows after which arrivals end; 0 for no limit", "", "0"}};
}

ArrivalParameters
ArrivalParameters::FromOptions(const Options& options, const TrafficPlace& place)
{
    const auto sizes = options.As("sizes", Sizes::Parse);
    const auto load =
        options.As("load", [](const std::string& text) { return ParseNumber(text, 0, 1); });
    auto rate = options.As("rate",
                           [](const std::string& text)
                           { return ParseNumber(text, 0, LARGEST_ARRIVAL_RATE); });
    if ((load > 0) == (rate > 0))
    {
        throw UsageError(options.Full("load"),
                         load > 0 ? "is set, and so is rate; give one of them"
                                  : "must be above 0, or else rate");
    }
    if (load > 0)
    {
        if (!place.fullRate)
        {
            throw UsageError(options.Full("load"),
                             "is a share of a link's rate; name the link by link");
        }
        rate = load * static_cast<double>(place.fullRate->GetBitRate()) / (8 * sizes.Mean());
    }
    for (const auto& from : place.from)
    {
        if (std::all_of(place.to.begin(),
                        place.to.end(),
                        [&from](const auto& to) { return to.node == from.node; }))
        {
            throw UsageError(options.Full("to"),
                             "has no node for flows from " + from.name + " but itself");
        }
    }
    return {sizes,
            rate,
            options.As("limit",
                       [](const std::string& text) { return ParseCount(text, 0, MOST_ARRIVALS); }),
            TrafficTimes::FromOptions(options)};
}

Arrivals::Arrivals(const ArrivalParameters& parameters,
                   const TrafficPlace& place,
                   TransferRows* rows)
    : Traffic("arrivals", place, parameters.times, rows),
      m_parameters(parameters),
      m_gaps(ns3::CreateObject<ns3::ExponentialRandomVariable>()),
      m_sizes(SharesOf(StreamOfTraffic(Draw::TRAFFIC_SIZE, place))),
      m_hosts(SharesOf(StreamOfTraffic(Draw::TRAFFIC_HOST, place)))
{
    m_gaps->SetStream(StreamOfTraffic(Draw::TRAFFIC_TIME, place));
    Await();
}

void
Arrivals::Await()
{
    if (m_parameters.limit > 0 && Begun() >= m_parameters.limit)
    {
        return;
    }
    // The errors of a sum of rounded gaps would add up.
    m_next += m_gaps->GetValue(1, 0) / m_parameters.rate;
    const auto time = Times().start + ns3::Seconds(m_next);
    if (!Times().AreOver(time))
    {
        ns3::Simulator::Schedule(time - ns3::Simulator::Now(), &Arrivals::Arrive, this);
    }
}

void
Arrivals::Arrive()
{
    const auto& from = Pick(Place().from);
    const auto* to = &Pick(Place().to);
    while (to->node == from.node)
    {
        to = &Pick(Place().to);
    }
    auto transfer = Begin();
    transfer.from = static_cast<int32_t>(from.node->GetId());
    transfer.to = static_cast<int32_t>(to->node->GetId());
    transfer.bytes = m_parameters.sizes.At(m_sizes->GetValue(0, 1));
    transfer.value = -1;
    const auto number = transfer.number;
    auto& flow = m_unfinished[number] = transfer;

    Connection::Events events;
    events.connected = [&flow](Connection&)
    {
        flow.value = (ns3::Simulator::Now() - flow.start).GetNanoSeconds();
    };
    // Nothing is read after the last byte, so the flow still exists.
    events.received = [this, number, &flow](Connection& connection, End at)
    {
        flow.received = connection.Received(at);
        if (flow.received >= flow.bytes)
        {
            AddFinished(flow);
            m_unfinished.erase(number);
        }
    };
    events.over = [this, number](Connection&, bool)
    {
        if (m_unfinished.count(number) > 0)
        {
            CountFailed();
        }
    };
    auto& connection = Tcp().Open(from.node, to->node, std::move(events));
    connection.Send(End::CLIENT, transfer.bytes);
    connection.Close();
    Await();
}

const TrafficNode&
Arrivals::Pick(const std::vector<TrafficNode>& nodes)
{
    return nodes[m_hosts->GetInteger(0, static_cast<uint32_t>(nodes.size() - 1))];
}

void
Arrivals::EndAll()
{
    std::vector<uint32_t> numbers;
    for (const auto& [number, flow] : m_unfinished)
    {
        numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    for (const auto number : numbers)
    {
        AddUnfinished(m_unfinished.at(number));
    }
    m_unfinished.clear();
}

void
Arrivals::WriteKind(JsonWriter& json) const
{
    json.Member("mean_bytes", m_parameters.sizes.Mean()).Member("rate_per_s", m_parameters.rate);
}

} // namespace tcpsweep

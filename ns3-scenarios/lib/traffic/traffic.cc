// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/traffic.h"

#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/simulator.h>

#include <utility>

namespace tcpsweep
{

namespace
{

/// The port of the first group's servers. The other groups use the next ports.
constexpr uint16_t FIRST_TRAFFIC_PORT = 7000;

/**
 * @param nodes nodes
 * @return their names
 */
std::vector<std::string>
NamesOf(const std::vector<TrafficNode>& nodes)
{
    std::vector<std::string> names;
    for (const auto& each : nodes)
    {
        names.push_back(each.name);
    }
    return names;
}

} // namespace

std::vector<Option>
TrafficTimes::DeclareOptions()
{
    return {{"start", "When it begins", "s", "0s"},
            {"stop", "Time from which no new transfer begins; 0s for never", "s", "0s"}};
}

TrafficTimes
TrafficTimes::FromOptions(const Options& options)
{
    const TrafficTimes times{options.As("start", ParseTime), options.As("stop", ParseTime)};
    if (times.AreOver(times.start))
    {
        throw UsageError(options.Full("stop"), "must come after start, or be 0s for never");
    }
    return times;
}

Traffic::Traffic(std::string kind, TrafficPlace place, TrafficTimes times, TransferRows* rows)
    : m_kind(std::move(kind)),
      m_place(std::move(place)),
      m_times(times),
      m_rows(rows),
      m_connections({m_place.variant,
                     static_cast<uint16_t>(FIRST_TRAFFIC_PORT + m_place.number),
                     m_place.segmentBytes,
                     m_place.hasOwnStream
                         ? [this]
                           { return StreamOfTraffic(Draw::TRAFFIC_CONTROL, m_place, m_stream++); }
                         : std::function<int64_t()>()})
{
}

Transfer
Traffic::Begin()
{
    Transfer transfer;
    transfer.traffic = m_place.number;
    transfer.number = m_begun++;
    transfer.start = ns3::Simulator::Now();
    return transfer;
}

void
Traffic::AddFinished(Transfer transfer)
{
    ++m_finished;
    transfer.finish = transfer.finish.value_or(ns3::Simulator::Now());
    m_offeredBytes += transfer.bytes;
    m_receivedBytes += transfer.received;
    if (m_rows)
    {
        m_rows->Add(transfer);
    }
}

void
Traffic::AddUnfinished(const Transfer& transfer)
{
    ++m_unfinished;
    m_offeredBytes += transfer.bytes;
    m_receivedBytes += transfer.received;
    if (m_rows)
    {
        m_rows->Add(transfer);
    }
}

void
Traffic::Finish()
{
    EndAll();
    m_connections.Clear();
}

void
Traffic::Write(JsonWriter& json) const
{
    const auto stop = m_times.stop;
    json.BeginObject()
        .Member("traffic", m_place.number)
        .Member("name", m_place.name)
        .Member("kind", m_kind)
        .Member("variant", m_place.variant.GetName().substr(FullTypeName("").size()))
        .Member("from", NamesOf(m_place.from))
        .Member("to", NamesOf(m_place.to))
        .Member("start_s", m_times.start.GetSeconds())
        .Member("stop_s", stop.IsZero() ? std::nullopt : std::optional(stop.GetSeconds()))
        .Member("begun", m_begun)
        .Member("finished", m_finished)
        .Member("unfinished", m_unfinished)
        .Member("failed", m_failed)
        .Member("offered_bytes", m_offeredBytes)
        .Member("received_bytes", m_receivedBytes)
        .Member("most_connections", uint64_t{m_connections.MostOpen()});
    WriteKind(json);
    json.EndObject();
}

int64_t
StreamOfTraffic(Draw draw, const TrafficPlace& place, uint32_t member)
{
    return StreamOf(draw, place.number * STREAMS_PER_TRAFFIC + member % STREAMS_PER_TRAFFIC);
}

} // namespace tcpsweep

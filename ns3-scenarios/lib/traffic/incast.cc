// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/incast.h"

#include "options/values.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

namespace tcpsweep
{

namespace
{

constexpr uint64_t MOST_ROUNDS = 1000000000;

} // namespace

std::vector<Option>
IncastParameters::DeclareOptions()
{
    return {
        {"request", "Bytes of a request", "B", "100"},
        {"bytes", "Bytes of each answer", "B", "256KiB"},
        {"every",
         "Time between two requests; 0s for the next request after the last answer",
         "s",
         "0s"},
        {"times", "Requests to each sender; 0 for no limit", "", "0"},
        {"persistent", "Whether each sender keeps one connection for all its answers", "", "true"}};
}

IncastParameters
IncastParameters::FromOptions(const Options& options, const TrafficPlace& place)
{
    if (place.to.size() != 1)
    {
        throw UsageError(options.Full("to"),
                         "expected one client that all servers answer, got " +
                             std::to_string(place.to.size()) + " nodes");
    }
    const auto isClient = [&place](const auto& from)
    {
        return from.node == place.to.front().node;
    };
    if (std::any_of(place.from.begin(), place.from.end(), isClient))
    {
        throw UsageError(options.Full("from"),
                         "has the client, " + place.to.front().name + ", among the senders");
    }
    return {options.As("request", ParseBytes),
            options.As("bytes", ParseBytes),
            options.As("every", ParseTime),
            options.As("times",
                       [](const std::string& text) { return ParseCount(text, 0, MOST_ROUNDS); }),
            options.As("persistent", ParseFlag),
            TrafficTimes::FromOptions(options)};
}

Incast::Incast(const IncastParameters& parameters, const TrafficPlace& place, TransferRows* rows)
    : Traffic("incast", place, parameters.times, rows),
      m_parameters(parameters)
{
    ns3::Simulator::Schedule(parameters.times.start, [this] { Ask(); });
}

void
Incast::Ask()
{
    const bool enough = m_parameters.rounds > 0 && Begun() >= m_parameters.rounds;
    if (enough || Times().AreOver(ns3::Simulator::Now()))
    {
        return;
    }
    auto transfer = Begin();
    transfer.to = static_cast<int32_t>(Place().to.front().node->GetId());
    transfer.bytes = m_parameters.bytes * Place().from.size();
    transfer.extra = -1;
    m_rounds[transfer.number] = {transfer, Place().from.size()};
    for (const auto& node : Place().from)
    {
        Ask(node, transfer.number);
    }
    if (m_parameters.every.IsStrictlyPositive())
    {
        ns3::Simulator::Schedule(m_parameters.every, [this] { Ask(); });
    }
}

void
Incast::Ask(const TrafficNode& node, uint32_t round)
{
    auto sender = std::make_shared<Sender>();
    if (m_parameters.persistent)
    {
        auto& kept = m_kept[node.node->GetId()];
        sender = kept = kept ? kept : sender;
    }
    if (sender->rounds.empty())
    {
        sender->missing = m_parameters.bytes;
    }
    sender->rounds.push_back(round);
    if (!sender->connection)
    {
        sender->asked = sender->credited = 0;
        Connection::Events events;
        events.received = [this, sender](Connection&, End at)
        {
            at == End::SERVER ? Answer(*sender) : Take(*sender);
        };
        events.over = [this, sender](Connection&, bool)
        {
            sender->connection = nullptr;
            const auto rounds = std::exchange(sender->rounds, {});
            for (const auto each : rounds)
            {
                CountAnswer(each, false);
            }
        };
        sender->connection = &Tcp().Open(Place().to.front().node, node.node, std::move(events));
    }
    sender->connection->Send(End::CLIENT, m_parameters.requestBytes);
}

void
Incast::Answer(Sender& sender)
{
    auto& connection = *sender.connection;
    while (connection.Received(End::SERVER) >= (sender.asked + 1) * m_parameters.requestBytes)
    {
        ++sender.asked;
        connection.Send(End::SERVER, m_parameters.bytes);
    }
}

void
Incast::Take(Sender& sender)
{
    auto& connection = *sender.connection;
    while (!sender.rounds.empty() && sender.credited < connection.Received(End::CLIENT))
    {
        const auto number = sender.rounds.front();
        const auto more =
            std::min(connection.Received(End::CLIENT) - sender.credited, sender.missing);
        sender.credited += more;
        sender.missing -= more;
        m_rounds.at(number).transfer.received += more;
        if (sender.missing == 0)
        {
            sender.rounds.pop_front();
            sender.missing = m_parameters.bytes;
            CountAnswer(number, true);
        }
    }
    if (!m_parameters.persistent && sender.rounds.empty())
    {
        connection.Close();
    }
}

void
Incast::CountAnswer(uint32_t number, bool whole)
{
    auto& [transfer, left] = m_rounds.at(number);
    transfer.value += whole ? 1 : 0;
    if (whole && transfer.value == 1)
    {
        transfer.extra = (ns3::Simulator::Now() - transfer.start).GetNanoSeconds();
    }
    if (--left > 0)
    {
        return;
    }
    if (transfer.received == transfer.bytes)
    {
        AddFinished(transfer);
    }
    else
    {
        CountFailed();
        AddUnfinished(transfer);
    }
    m_rounds.erase(number);
    if (m_parameters.every.IsZero())
    {
        ns3::Simulator::ScheduleNow([this] { Ask(); });
    }
}

void
Incast::EndAll()
{
    for (const auto& [number, round] : m_rounds)
    {
        AddUnfinished(round.transfer);
    }
    m_rounds.clear();
    m_kept.clear();
}

void
Incast::WriteKind(JsonWriter& json) const
{
    json.Member("senders", uint64_t{Place().from.size()})
        .Member("bytes", m_parameters.bytes)
        .Member("every_s", m_parameters.every.GetSeconds())
        .Member("persistent", m_parameters.persistent);
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/web.h"

#include "options/values.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tcpsweep
{

namespace
{

/// 3GPP2's number of objects in a page: Pareto, cut at the end, without the scale.
constexpr double OBJECTS_SHAPE = 1.1;
constexpr double OBJECTS_SCALE = 2;
constexpr double OBJECTS_END = 55;

} // namespace

std::vector<Option>
WebParameters::DeclareOptions()
{
    return {{"main",
             "Bytes of a page's first object, as sizes of arrivals",
             "B",
             "lognormal:10710:25032:100:2MB"},
            {"object", "Bytes of each other object", "B", "lognormal:7758:126168:50:2MB"},
            {"objects",
             "Other objects in a page; 3gpp for a Pareto distribution, cut, of 0 to 52",
             "",
             "3gpp"},
            {"parse",
             "Time between the first object and the requests for the others: a time, or "
             "exponential:MEAN",
             "s",
             "exponential:130ms"},
            {"think",
             "Time between a page and the next: a time, or exponential:MEAN",
             "s",
             "exponential:30s"},
            {"request", "Bytes of a request", "B", "328"},
            {"connections", "Connections that a client has open at once, at most", "", "6"},
            {"limit", "Pages of each client; 0 for no limit", "", "0"}};
}

WebParameters
WebParameters::FromOptions(const Options& options, const TrafficPlace& place)
{
    for (std::size_t i = 0; i < place.to.size(); ++i)
    {
        if (place.to[i].node == place.from[i % place.from.size()].node)
        {
            throw UsageError(options.Full("from"),
                             "has pages from " + place.to[i].name + " to itself");
        }
    }
    const auto count = [&options](const std::string& name, uint64_t least, uint64_t most)
    {
        return options.As(name,
                          [least, most](const std::string& text)
                          { return ParseCount(text, least, most); });
    };
    return {options.As("main", Sizes::Parse),
            options.As("object", Sizes::Parse),
            options.Text("objects") == "3gpp" ? std::nullopt
                                              : std::optional(count("objects", 0, 10000)),
            options.As("parse", Durations::Parse),
            options.As("think", Durations::Parse),
            options.As("request", ParseBytes),
            count("connections", 1, 100),
            count("limit", 0, 1000000000),
            TrafficTimes::FromOptions(options)};
}

Web::Web(const WebParameters& parameters, const TrafficPlace& place, TransferRows* rows)
    : Traffic("web", place, parameters.times, rows),
      m_parameters(parameters)
{
    for (uint32_t i = 0; i < place.to.size(); ++i)
    {
        m_clients.push_back(std::make_unique<Client>());
        auto& client = *m_clients.back();
        client.node = place.to[i];
        client.server = place.from[i % place.from.size()];
        client.times = SharesOf(StreamOfTraffic(Draw::TRAFFIC_TIME, place, i));
        client.sizes = SharesOf(StreamOfTraffic(Draw::TRAFFIC_SIZE, place, i));
        ns3::Simulator::Schedule(parameters.times.start, [this, &client] { BeginPage(client); });
    }
}

uint64_t
Web::CountObjects(double share) const
{
    if (m_parameters.objects)
    {
        return *m_parameters.objects;
    }
    const double whole = 1 - std::pow(OBJECTS_SCALE / OBJECTS_END, OBJECTS_SHAPE);
    const double drawn = OBJECTS_SCALE * std::pow(1 - share * whole, -1 / OBJECTS_SHAPE);
    return static_cast<uint64_t>(drawn - OBJECTS_SCALE);
}

void
Web::BeginPage(Client& client)
{
    const bool enough = m_parameters.limit > 0 && client.pages >= m_parameters.limit;
    if (enough || Times().AreOver(ns3::Simulator::Now()))
    {
        return;
    }
    ++client.pages;
    // Draw all at once, so that a page's sizes do not depend on when its objects arrive.
    const auto draw = [&client]
    {
        return client.sizes->GetValue(0, 1);
    };
    client.waiting = {m_parameters.main.At(draw())};
    for (auto left = CountObjects(draw()); left > 0; --left)
    {
        client.waiting.push_back(m_parameters.object.At(draw()));
    }
    auto page = Begin();
    page.from = static_cast<int32_t>(client.server.node->GetId());
    page.to = static_cast<int32_t>(client.node.node->GetId());
    // A request and its data: there may be open connections.
    page.waysThere = page.waysBack = 1;
    page.bytes = std::accumulate(client.waiting.begin(), client.waiting.end(), uint64_t{0});
    page.value = static_cast<int64_t>(client.waiting.size());
    client.page = page;
    Ask(client, *Open(client));
}

void
Web::AskForAll(Client& client)
{
    Ask(client, *client.lines.front());
    while (!client.waiting.empty() && client.lines.size() < m_parameters.connections)
    {
        Ask(client, *Open(client));
    }
}

std::shared_ptr<Web::Line>
Web::Open(Client& client)
{
    const auto line = std::make_shared<Line>();
    client.lines.push_back(line);
    Connection::Events events;
    events.received = [this, &client, line](Connection& connection, End at)
    {
        if (!line->connection)
        {
            return;
        }
        if (at == End::CLIENT)
        {
            Take(client, *line);
        }
        else if (!line->answered && connection.Received(at) >= line->asked)
        {
            line->answered = true;
            connection.Send(End::SERVER, line->bytes);
        }
    };
    events.over = [this, &client, line](Connection&, bool)
    {
        // Nothing closes it while its page is not finished.
        if (std::exchange(line->connection, nullptr))
        {
            CountFailed();
            AddUnfinished(*client.page);
            EndPage(client);
        }
    };
    line->connection = &Tcp().Open(client.node.node, client.server.node, std::move(events));
    return line;
}

void
Web::Ask(Client& client, Line& line)
{
    if (client.waiting.empty())
    {
        return;
    }
    line.before += line.bytes;
    line.bytes = client.waiting.front();
    line.answered = false;
    client.waiting.pop_front();
    line.asked += m_parameters.requestBytes;
    line.connection->Send(End::CLIENT, m_parameters.requestBytes);
}

void
Web::Take(Client& client, Line& line)
{
    const auto received = line.connection->Received(End::CLIENT);
    client.page->received += received - line.credited;
    line.credited = received;
    if (received < line.before + line.bytes)
    {
        return;
    }
    if (++client.page->extra == client.page->value)
    {
        AddFinished(*client.page);
        EndPage(client);
    }
    else if (client.page->extra == 1)
    {
        ns3::Simulator::Schedule(m_parameters.parse.At(client.times->GetValue(0, 1)),
                                 [this, &client, number = client.page->number]
                                 {
                                     if (client.page && client.page->number == number)
                                     {
                                         AskForAll(client);
                                     }
                                 });
    }
    else
    {
        Ask(client, line);
    }
}

void
Web::EndPage(Client& client)
{
    client.page = std::nullopt;
    client.waiting.clear();
    for (const auto& line : std::exchange(client.lines, {}))
    {
        if (auto* const connection = std::exchange(line->connection, nullptr))
        {
            connection->Close();
        }
    }
    ns3::Simulator::Schedule(m_parameters.think.At(client.times->GetValue(0, 1)),
                             [this, &client] { BeginPage(client); });
}

void
Web::EndAll()
{
    for (auto& client : m_clients)
    {
        if (client->page)
        {
            AddUnfinished(*client->page);
        }
        client->lines.clear();
    }
}

void
Web::WriteKind(JsonWriter& json) const
{
    json.Member("clients", uint64_t{m_clients.size()})
        .Member("mean_main_bytes", m_parameters.main.Mean())
        .Member("mean_object_bytes", m_parameters.object.Mean())
        .Member("connections", m_parameters.connections);
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/video.h"

#include "options/values.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>

namespace tcpsweep
{

namespace
{

/// The shares of the buffer at which BBA-0 leaves the lowest bitrate and reaches the highest.
constexpr double RESERVOIR = 0.375;
constexpr double UPPER_RESERVOIR = 0.9;

} // namespace

std::vector<Option>
VideoParameters::DeclareOptions()
{
    return {{"chunk", "Playing time of a chunk", "s", "4s"},
            {"bitrates",
             "The video's bitrate, or several to choose from by the buffer",
             "bit/s",
             "2Mbps"},
            {"buffer", "Largest playing time in the player's buffer", "s", "30s"},
            {"startup",
             "Playing time that the buffer needs to start, and to continue after a stall",
             "s",
             "4s"},
            {"length", "Playing time of the whole video; 0s for no end", "s", "0s"},
            {"request", "Bytes of a request for a chunk", "B", "300"}};
}

VideoParameters
VideoParameters::FromOptions(const Options& options, const TrafficPlace& place)
{
    VideoParameters p{options.As("chunk", ParseDuration),
                      options.ListAs("bitrates", ParseRate),
                      options.As("buffer", ParseDuration),
                      options.As("startup", ParseTime),
                      options.As("length", ParseTime),
                      options.As("request", ParseBytes),
                      TrafficTimes::FromOptions(options)};
    if (!std::is_sorted(p.ladder.begin(), p.ladder.end()))
    {
        throw UsageError(options.Full("bitrates"), "must rise from one to the next");
    }
    if (p.buffer < p.chunk)
    {
        throw UsageError(options.Full("buffer"),
                         "must have room for a chunk, " + options.Text("chunk"));
    }
    if (p.startup > p.buffer)
    {
        throw UsageError(options.Full("startup"),
                         "must be at most the buffer, " + options.Text("buffer"));
    }
    for (std::size_t i = 0; i < place.to.size(); ++i)
    {
        if (place.to[i].node == place.from[i % place.from.size()].node)
        {
            throw UsageError(options.Full("from"),
                             "has a video from " + place.to[i].name + " to itself");
        }
    }
    return p;
}

std::size_t
ChooseBitrate(const std::vector<ns3::DataRate>& ladder, std::size_t now, double level)
{
    const auto rate = [&ladder](std::size_t place)
    {
        return static_cast<double>(ladder[place].GetBitRate());
    };
    const std::size_t last = ladder.size() - 1;
    if (level <= RESERVOIR)
    {
        return 0;
    }
    if (level >= UPPER_RESERVOIR)
    {
        return last;
    }
    const double mapped =
        rate(0) + (rate(last) - rate(0)) * (level - RESERVOIR) / (UPPER_RESERVOIR - RESERVOIR);
    const auto highestBelow = [&]
    {
        std::size_t place = last;
        while (place > 0 && rate(place) >= mapped)
        {
            --place;
        }
        return place;
    };
    const auto lowestAbove = [&]
    {
        std::size_t place = 0;
        while (place < last && rate(place) <= mapped)
        {
            ++place;
        }
        return place;
    };
    if (now < last && mapped >= rate(now + 1))
    {
        return std::max(now, highestBelow());
    }
    if (now > 0 && mapped <= rate(now - 1))
    {
        return std::min(now, lowestAbove());
    }
    return now;
}

Video::Video(const VideoParameters& parameters, const TrafficPlace& place, TransferRows* rows)
    : Traffic("video", place, parameters.times, rows),
      m_parameters(parameters),
      m_count(static_cast<uint64_t>(
          std::ceil(parameters.length.GetSeconds() / parameters.chunk.GetSeconds())))
{
    for (std::size_t i = 0; i < place.to.size(); ++i)
    {
        m_players.push_back(std::make_unique<Player>());
        auto& player = *m_players.back();
        player.client = place.to[i];
        player.server = place.from[i % place.from.size()];
        ns3::Simulator::Schedule(parameters.times.start, [this, &player] { Ask(player); });
    }
}

void
Video::Ask(Player& player)
{
    if (HasAll(player) || Times().AreOver(ns3::Simulator::Now()))
    {
        Resume(player);
        return;
    }
    const bool isNew = !player.connection;
    if (isNew)
    {
        player.asked = player.before = 0;
        Connection::Events events;
        events.received = [this, &player](Connection&, End at)
        {
            at == End::SERVER ? Answer(player) : Take(player);
        };
        events.over = [this, &player](Connection&, bool)
        {
            player.connection = nullptr;
            if (player.chunk)
            {
                CountFailed();
                AddUnfinished(*player.chunk);
                player.chunk = std::nullopt;
            }
            ns3::Simulator::ScheduleNow([this, &player] { Ask(player); });
        };
        player.connection = &Tcp().Open(player.client.node, player.server.node, std::move(events));
    }
    Play(player);
    const auto bitrate =
        ChooseBitrate(m_parameters.ladder,
                      player.bitrate,
                      player.level.GetSeconds() / m_parameters.buffer.GetSeconds());
    player.switches += player.chunks > 0 && bitrate != player.bitrate ? 1 : 0;
    player.bitrate = bitrate;
    const auto rate = m_parameters.ladder[bitrate].GetBitRate();
    auto chunk = Begin();
    chunk.from = static_cast<int32_t>(player.server.node->GetId());
    chunk.to = static_cast<int32_t>(player.client.node->GetId());
    // Its request and its data; the first chunk also waits for a handshake.
    chunk.waysThere = chunk.waysBack = isNew ? 2 : 1;
    chunk.value = static_cast<int64_t>(rate);
    chunk.bytes = std::max<uint64_t>(
        1,
        std::llround(static_cast<double>(rate) / 8 * m_parameters.chunk.GetSeconds()));
    player.chunk = chunk;
    player.stalledBefore = StalledOf(player);
    player.connection->Send(End::CLIENT, m_parameters.requestBytes);
}

void
Video::Answer(Player& player)
{
    const auto received = player.connection->Received(End::SERVER);
    while (player.chunk && received >= (player.asked + 1) * m_parameters.requestBytes)
    {
        ++player.asked;
        player.connection->Send(End::SERVER, player.chunk->bytes);
    }
}

void
Video::Take(Player& player)
{
    if (!player.chunk)
    {
        return;
    }
    player.chunk->received = player.connection->Received(End::CLIENT) - player.before;
    if (player.chunk->received < player.chunk->bytes)
    {
        return;
    }
    Play(player);
    player.before += player.chunk->bytes;
    player.level += m_parameters.chunk;
    player.bitrates += static_cast<double>(player.chunk->value);
    ++player.chunks;
    player.chunk->extra = (StalledOf(player) - player.stalledBefore).GetNanoSeconds();
    AddFinished(*player.chunk);
    player.chunk = std::nullopt;

    if (player.playing)
    {
        player.empty.Cancel();
        player.empty = ns3::Simulator::Schedule(player.level, [this, &player] { RunDry(player); });
    }
    else
    {
        Resume(player);
    }
    if (HasAll(player))
    {
        player.connection->Close();
        return;
    }
    const auto wait = player.level + m_parameters.chunk - m_parameters.buffer;
    ns3::Simulator::Schedule(wait.IsStrictlyPositive() ? wait : ns3::Time(),
                             [this, &player] { Ask(player); });
}

void
Video::Play(Player& player)
{
    const auto now = ns3::Simulator::Now();
    if (player.playing)
    {
        player.level = std::max(ns3::Time(), player.level - (now - player.since));
    }
    player.since = now;
}

void
Video::Resume(Player& player)
{
    const auto now = ns3::Simulator::Now();
    const bool nothingComes = HasAll(player) || Times().AreOver(now);
    if (player.playing || player.level.IsZero() ||
        (player.level < m_parameters.startup && !nothingComes))
    {
        return;
    }
    if (player.began)
    {
        player.stalled += now - player.stopped;
    }
    player.began = player.began.value_or(now);
    player.since = now;
    player.playing = true;
    player.empty = ns3::Simulator::Schedule(player.level, [this, &player] { RunDry(player); });
}

void
Video::RunDry(Player& player)
{
    Play(player);
    player.playing = false;
    player.stopped = ns3::Simulator::Now();
    // No chunks will arrive that were not requested.
    player.ended = HasAll(player) || (!player.chunk && Times().AreOver(player.stopped));
    player.stalls += player.ended ? 0 : 1;
}

ns3::Time
Video::StalledOf(const Player& player) const
{
    const bool now = player.began && !player.playing && !player.ended;
    return player.stalled + (now ? ns3::Simulator::Now() - player.stopped : ns3::Time());
}

bool
Video::HasAll(const Player& player) const
{
    return m_count > 0 && player.chunks >= m_count;
}

void
Video::EndAll()
{
    for (auto& player : m_players)
    {
        if (player->chunk)
        {
            AddUnfinished(*player->chunk);
        }
        player->connection = nullptr;
    }
}

void
Video::WriteKind(JsonWriter& json) const
{
    json.Key("players").BeginArray();
    for (const auto& each : m_players)
    {
        const auto& player = *each;
        const auto end = player.ended ? player.stopped : ns3::Simulator::Now();
        const auto stalled = StalledOf(player).GetSeconds();
        const auto began = player.began.value_or(end);
        json.BeginObject()
            .Member("from", player.server.name)
            .Member("to", player.client.name)
            .Member("chunks", player.chunks);
        json.Key("startup_delay_s");
        player.began ? json.Value((began - Times().start).GetSeconds()) : json.Null();
        json.Member("stalls", player.stalls)
            .Member("stalled_s", stalled)
            .Member("stalled_share", stalled / (end - began).GetSeconds())
            .Member("mean_bitrate_bps", player.bitrates / static_cast<double>(player.chunks))
            .Member("switches", player.switches)
            .EndObject();
    }
    json.EndArray();
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-record.h"

#include "flows/flow-parameters.h"
#include "options/ns3-types.h"

#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/tcp-socket-state.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <optional>
#include <set>
#include <sys/resource.h>
#include <utility>

namespace tcpsweep
{

namespace
{

/**
 * @param time seconds and microseconds
 * @return seconds
 */
double
InSeconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/**
 * @param json where it goes
 * @param flow a flow
 */
void
WriteFlow(JsonWriter& json, const Flow& flow)
{
    const auto& parameters = flow.Get();
    const auto inSeconds = [](const std::optional<ns3::Time>& time)
    {
        return time ? std::optional(time->GetSeconds()) : std::nullopt;
    };
    const auto stop = parameters.stop;
    const auto bytes = parameters.bytes;
    json.BeginObject()
        .Member("flow", parameters.index)
        .Member("group", parameters.group.empty() ? std::nullopt : std::optional(parameters.group))
        .Member("variant", parameters.variant.GetName().substr(FullTypeName("").size()))
        .Member("stack", flow.Stack())
        .Member("stream",
                parameters.stream ? std::optional(static_cast<uint64_t>(*parameters.stream))
                                  : std::nullopt)
        .Member("direction", std::string(NameOf(parameters.direction)))
        .Member("source_port", uint64_t{parameters.sourcePort})
        .Member("destination_port", uint64_t{parameters.destinationPort})
        .Member("segment_bytes", parameters.segmentBytes)
        .Member("bytes", bytes == 0 ? std::nullopt : std::optional(bytes))
        .Member("start_s", parameters.start.GetSeconds())
        .Member("established_s", inSeconds(flow.Established()))
        .Member("finish_s", inSeconds(flow.Finish()))
        .Member("stop_s", stop.IsZero() ? std::nullopt : std::optional(stop.GetSeconds()))
        .Member("received_bytes", flow.ReceivedBytes())
        .Member("waiting_bytes", flow.WaitingBytes());
    parameters.ends.Write(json);
    if (flow.Counters())
    {
        flow.Counters()->Write(json.Key("counted"));
    }
    flow.WriteMore(json);
    json.EndObject();
}

/**
 * getrusage() is not enough, because its peak includes the peak of the parent process.
 *
 * @return the peak of resident memory; nothing if the kernel does not report it
 */
std::optional<uint64_t>
PeakRssBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
    {
        uint64_t kibibytes = 0;
        if (std::sscanf(line.c_str(), "VmHWM: %" SCNu64 " kB", &kibibytes) == 1)
        {
            return kibibytes * 1024;
        }
    }
    return std::nullopt;
}

/**
 * @param json the writer, which receives the members of an object
 * @param begin when the program began
 */
void
WriteCosts(JsonWriter& json, std::chrono::steady_clock::time_point begin)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    json.Member("events", ns3::Simulator::GetEventCount())
        .Member("wall_s", wall.count())
        .Member("cpu_s", InSeconds(usage.ru_utime) + InSeconds(usage.ru_stime))
        .Member("peak_rss_bytes", PeakRssBytes());
}

/**
 * @param[in,out] settings values of attributes
 * @param links links whose queue discs' values are added
 */
void
AddDiscs(Settings& settings, const std::vector<TracedLink>& links)
{
    for (const auto& link : links)
    {
        if (link.forward.disc)
        {
            const auto values = ValuesInForce(*link.forward.disc);
            settings.insert(values.begin(), values.end());
        }
    }
}

} // namespace

Settings
CollectSettings(const std::vector<std::unique_ptr<Flow>>& flows,
                const std::vector<TrafficGroup>& traffic,
                const std::vector<TracedLink>& links,
                Settings kernels)
{
    std::set<ns3::TypeId> types;
    const auto add = [&types](ns3::TypeId type)
    {
        const auto line = WithAncestors(type);
        types.insert(line.begin(), line.end());
    };
    std::set<std::string> variants;
    std::set<std::string> drawing;
    const auto use = [&](ns3::TypeId variant, bool hasOwnStream)
    {
        add(variant);
        variants.insert(variant.GetName());
        if (hasOwnStream)
        {
            drawing.insert(variant.GetName());
        }
    };
    for (const auto& flow : flows)
    {
        if (flow->Stack() == "ns-3")
        {
            use(flow->Get().variant, flow->Get().stream.has_value());
        }
    }
    for (const auto& group : traffic)
    {
        // Calls go over UDP.
        if (group.kind != "realtime")
        {
            use(group.variant, group.hasOwnStream);
        }
    }
    Settings settings = std::move(kernels);
    if (!variants.empty() || settings.empty())
    {
        add(ns3::TcpSocketBase::GetTypeId());
        add(ns3::TcpSocketState::GetTypeId());
        add(ns3::TcpL4Protocol::GetTypeId());
    }
    for (const auto& type : types)
    {
        for (const auto& [attribute, value] : ValuesInForce(type))
        {
            settings[type.GetName() + "::" + attribute] = value;
        }
    }
    for (const auto& name : drawing)
    {
        settings[name + "::" + STREAM] = "one per flow";
    }
    if (!types.empty())
    {
        // Each socket has the type of its flow, regardless of the default.
        settings["ns3::TcpL4Protocol::SocketType"] = Join({variants.begin(), variants.end()}, "+");
    }
    AddDiscs(settings, links);
    return settings;
}

void
RunRecord::Write(const std::filesystem::path& path, Checksums& checksums) const
{
    WriteWhole(
        path,
        [this](std::ostream& os)
        {
            JsonWriter json(os);
            json.BeginObject()
                .Member("scenario", scenario)
                .Member("ns3_version", Ns3Version())
                .Member("arguments", arguments)
                .Member("seed", ns3::RngSeedManager::GetSeed())
                .Member("run", uint64_t{ns3::RngSeedManager::GetRun()});
            json.Key("parameters").BeginObject();
            for (const auto& option : options.All())
            {
                json.Member(option.name, option.value);
            }
            json.EndObject();
            json.Key("derived").BeginObject();
            derived(json);
            json.EndObject();
            WriteCosts(json, begin);
            json.Key("flows").BeginArray();
            for (const auto& flow : flows)
            {
                WriteFlow(json, *flow);
            }
            json.EndArray();
            more(json);
            json.Key("settings").BeginObject();
            for (const auto& [name, value] : settings)
            {
                json.Member(name, value);
            }
            json.EndObject();
            json.Member("unavailable", unavailable);
            captures.Write(json.Key("captures"));
            files.Write(json);
            json.EndObject();
        },
        checksums);
}

} // namespace tcpsweep

// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"

#include "flows/assignment.h"
#include "flows/cross-traffic.h"
#include "flows/flow-parameters.h"
#include "flows/tcp-flow.h"
#include "network/streams.h"
#include "options/options.h"
#include "options/plugins.h"
#include "options/program.h"
#include "output/output-file.h"
#include "scenario/run-record.h"
#include "scenario/scenario-options.h"
#include "scenario/timing-wheel-scheduler.h"
#include "traces/animation.h"
#include "traces/bottleneck-trace.h"
#include "traces/capture.h"
#include "traces/flow-totals.h"
#include "traces/output-files.h"
#include "traces/packet-capture.h"

#include <ns3/global-value.h>
#include <ns3/random-variable-stream.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tcpsweep
{

namespace
{

const char* const RECORD_FILE = "run.json";
/// The last file that a simulation writes: where it is, all others are whole.
const char* const CHECKSUMS_FILE = "checksums.txt";
/// The ports of a host's first flow, as sender and as receiver; its other flows have those that
/// follow. The sender's is the first that ns-3 allocates by itself.
constexpr uint16_t FIRST_SOURCE_PORT = 49153;
constexpr uint16_t FIRST_DESTINATION_PORT = 5000;

/**
 * @param network the network
 * @param p the parameters
 * @param files where the flows' traces go
 * @param countUntil as in TcpFlow::Parameters
 * @return the flows, but for those that are left out: the others keep numbers, ports and draws
 */
std::vector<std::unique_ptr<TcpFlow>>
AddFlows(const Network& network,
         const ScenarioParameters& p,
         OutputFiles& files,
         std::optional<ns3::Time> countUntil)
{
    std::vector<std::unique_ptr<TcpFlow>> flows;
    std::map<uint32_t, uint16_t> sentAt;
    std::map<uint32_t, uint16_t> receivedAt;
    for (uint32_t i = 0; i < p.flows.size(); ++i)
    {
        const FlowEnds& ends = network.flows[i];
        const auto sent = sentAt[ends.sender->GetId()]++;
        const auto received = receivedAt[ends.receiver->GetId()]++;
        if (!p.flows[i].variant)
        {
            continue;
        }
        const auto draw = ns3::CreateObject<ns3::UniformRandomVariable>();
        draw->SetStream(StreamOf(Draw::START_JITTER, i));
        const auto jitter = ns3::Seconds(draw->GetValue(0, p.startJitter.GetSeconds()));
        TcpFlow::Parameters flow;
        flow.index = i;
        flow.ends = ends;
        flow.sourcePort = static_cast<uint16_t>(FIRST_SOURCE_PORT + sent);
        flow.destinationPort = static_cast<uint16_t>(FIRST_DESTINATION_PORT + received);
        flow.variant = *p.flows[i].variant;
        if (p.flows[i].hasOwnStream)
        {
            flow.stream = StreamOf(Draw::CONGESTION_CONTROL, i);
        }
        flow.segmentBytes = p.segmentBytes;
        flow.socketBufferBytes = p.socketBufferBytes;
        flow.bytes = p.flows[i].bytes;
        flow.packetRate = p.flows[i].packetRate;
        flow.start = p.flows[i].start + i * p.startStagger + jitter;
        flow.stop = p.flows[i].stop;
        flow.sharesSender = network.CountFlowsAt(ends.sender) > 1;
        flow.direction = p.flows[i].direction;
        flow.countUntil = countUntil;
        flows.push_back(std::make_unique<TcpFlow>(flow, files));
    }
    return flows;
}

/**
 * @param json where it goes, as a value
 * @param from since when the bottleneck link has these values
 * @param bandwidth its rate
 * @param delay its one-way delay
 */
void
WriteLink(JsonWriter& json, ns3::Time from, ns3::DataRate bandwidth, ns3::Time delay)
{
    json.BeginObject()
        .Member("from_s", from.GetSeconds())
        .Member("bandwidth_bps", bandwidth.GetBitRate())
        .Member("delay_s", delay.GetSeconds())
        .EndObject();
}

/**
 * @param json where it goes, as the members of an object
 * @param p the parameters
 * @param options the options
 */
void
WriteDerived(JsonWriter& json, const ScenarioParameters& p, const Options& options)
{
    std::vector<double> baseRtts;
    for (const auto& flow : p.flows)
    {
        baseRtts.push_back(flow.baseRtt.GetSeconds());
    }
    const bool inBytes = p.buffer.size.GetUnit() == ns3::QueueSizeUnit::BYTES;
    const auto size = p.buffer.size.GetValue();
    const bool rotated = IsRotated(options, FlowsDiffer(options));
    json.Member("assignment", rotated ? "rotated" : "fixed")
        .Member("base_rtt_s", baseRtts)
        .Member("bdp_bytes", p.bdpBytes)
        .Member("queue_packets", inBytes ? std::nullopt : std::optional(size))
        .Member("queue_bytes", inBytes ? std::optional(size) : std::nullopt)
        .Member("socket_buffer_bytes", p.socketBufferBytes)
        .Member("start_jitter_s", p.startJitter.GetSeconds())
        .Member("wire_packet_bytes", p.wirePacketBytes)
        .Member("ip_header_bytes", IpHeaderBytes(p.ip));
    json.Key("link").BeginArray();
    WriteLink(json, ns3::Time(), p.bandwidth, p.delay);
    if (p.step.time.IsStrictlyPositive())
    {
        WriteLink(json,
                  p.step.time,
                  p.step.bandwidth.value_or(p.bandwidth),
                  p.step.delay.value_or(p.delay));
    }
    json.EndArray();
}

/**
 * @param[in,out] items a list
 * @param more what is added to it
 */
template <typename Item>
void
Append(std::vector<Item>& items, const std::vector<Item>& more)
{
    items.insert(items.end(), more.begin(), more.end());
}

/**
 * @param[in,out] options options
 * @param name the name of one of them
 * @param value its new default
 */
void
SetDefault(std::vector<Option>& options, const std::string& name, const std::string& value)
{
    std::find_if(options.begin(),
                 options.end(),
                 [&name](const Option& option) { return option.name == name; })
        ->value = value;
}

/**
 * @param topology the scenario's own part
 * @param argc the number of arguments
 * @param argv the arguments
 */
void
Run(const Topology& topology, int argc, char** argv)
{
    const auto begin = std::chrono::steady_clock::now();
    // It orders events like ns-3's default, the map, but faster.
    ns3::GlobalValue::Bind("SchedulerType", ns3::StringValue("tcpsweep::TimingWheelScheduler"));
    LoadPlugins(argc, argv);
    auto declared = ScenarioOptions();
    for (const auto& [name, value] : topology.defaults)
    {
        SetDefault(declared, name, value);
    }
    Append(declared, topology.options);
    Append(declared, Capture::DeclareOptions());
    auto owned = AttributesOfScenarioOptions();
    Append(owned, topology.attributes);
    Options options(declared, topology.constants, owned);
    options.Parse(argc, argv);
    const auto p = ScenarioParameters::FromOptions(options, topology.accessLinks, topology.ip);
    const auto capture = Capture::FromOptions(options);

    p.SetAttributes();
    // build() may refuse an option; no file may exist by then.
    const Network network = topology.build(p, options);
    const bool reverse = p.flows.back().direction == Direction::REVERSE;
    std::vector<Direction> directions = {Direction::FORWARD};
    if (reverse)
    {
        directions.push_back(Direction::REVERSE);
    }
    // Those of an earlier simulation would make this one look finished.
    std::filesystem::remove(capture.folder / CHECKSUMS_FILE);
    std::filesystem::remove(capture.folder / RECORD_FILE);
    OutputFiles files(capture, directions);
    PacketCapture captures(capture, network.interfaces);
    std::optional<Animation> animation;
    if (capture.anim)
    {
        animation.emplace(capture.folder / "anim.xml", network.places);
    }
    const auto countUntil =
        capture.flowMonitor ? std::nullopt : std::optional(p.duration - FlowTotals::Patience());
    const auto flows = AddFlows(network, p, files, countUntil);
    const CrossTraffic cbr(p.cbr, network.cbr);
    const Link& link = network.bottleneck;
    const BottleneckTrace bottleneck(link, network.disc, files.Queue(Direction::FORWARD));
    std::optional<BottleneckTrace> back;
    if (reverse)
    {
        back.emplace(Link{link.right, link.left},
                     network.reverseDisc,
                     files.Queue(Direction::REVERSE));
    }
    std::optional<FlowTotals> totals;
    if (capture.flowMonitor)
    {
        totals.emplace(capture.folder / "flow.xml", network.Hosts());
    }
    ns3::Simulator::Stop(p.duration);
    ns3::Simulator::Run();

    Checksums checksums;
    files.Close(checksums);
    captures.Close(checksums);
    if (animation)
    {
        animation->Close(checksums);
    }
    if (totals)
    {
        totals->Write(checksums);
    }
    const RunRecord record{topology.name,
                           {argv + 1, argv + argc},
                           begin,
                           options,
                           [&p, &options](JsonWriter& json) { WriteDerived(json, p, options); },
                           flows,
                           [&cbr, &back, &network](JsonWriter& json)
                           {
                               if (network.writeNodes)
                               {
                                   network.writeNodes(json.Key("nodes"));
                               }
                               if (back)
                               {
                                   back->Write(json.Key("bottleneck_reverse"));
                               }
                               cbr.Write(json.Key("cbr_flows"));
                           },
                           bottleneck,
                           CollectSettings(flows, network.disc),
                           files,
                           captures};
    record.Write(capture.folder / RECORD_FILE, checksums);
    checksums.Write(capture.folder / CHECKSUMS_FILE);
    ns3::Simulator::Destroy();
}

} // namespace

int
RunScenario(const Topology& topology, int argc, char** argv)
{
    return RunProgram(topology.name, [&] { Run(topology, argc, argv); });
}

} // namespace tcpsweep

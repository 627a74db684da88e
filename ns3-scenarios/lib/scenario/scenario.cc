// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"

#include "corrections/bbr-gains.h"
#include "corrections/corrections.h"
#include "flows/assignment.h"
#include "flows/cross-traffic.h"
#include "flows/flow-parameters.h"
#include "flows/flow.h"
#include "flows/quic-variants.h"
#include "flows/tcp-flow.h"
#include "network/streams.h"
#include "options/ns3-types.h"
#include "options/options.h"
#include "options/plugins.h"
#include "options/program.h"
#include "options/serve.h"
#include "output/output-file.h"
#include "quic/quic-flow.h"
#include "quic/quic-stacks.h"
#include "scenario/all-traffic.h"
#include "scenario/described-fields.h"
#include "scenario/description.h"
#include "scenario/kernel-stack.h"
#include "scenario/link-traces.h"
#include "scenario/run-record.h"
#include "scenario/scenario-options.h"
#include "scenario/timing-wheel-scheduler.h"
#include "traces/animation.h"
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
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tcpsweep
{

namespace
{

const char* const RECORD_FILE = "run.json";
/// The last file that a simulation writes: if it exists, all other files are complete.
const char* const CHECKSUMS_FILE = "checksums.txt";
/// The ports of a host's first flow, as sender and as receiver. Its other flows have the next
/// ports. The sender's port is the first one that ns-3 allocates.
constexpr uint16_t FIRST_SOURCE_PORT = 49153;
constexpr uint16_t FIRST_DESTINATION_PORT = 5000;

/**
 * If the network did not set a flow's path, set the path to the bottleneck.
 *
 * @param[in,out] ends the flow's ends
 * @param p the parameters
 * @param direction its direction
 */
void
SetPath(FlowEnds& ends, const ScenarioParameters& p, Direction direction)
{
    if (ends.path.empty())
    {
        const auto& link = p.Bottleneck();
        const auto& way = direction == Direction::FORWARD ? link.forward : link.reverse;
        ends.path = {{link.name, direction, {way.bandwidth, way.delay}, way.jitter, link.Varies()}};
    }
}

/// Makes a flow.
using MakeFlow = std::function<std::unique_ptr<Flow>(const Flow::Parameters&)>;

/**
 * @param network the network
 * @param p the parameters
 * @param make makes a flow
 * @param countUntil as in Flow::Parameters
 * @return the flows without the omitted ones; the others keep their numbers, ports and random
 * numbers
 */
std::vector<std::unique_ptr<Flow>>
AddFlows(const Network& network,
         const ScenarioParameters& p,
         const MakeFlow& make,
         std::optional<ns3::Time> countUntil)
{
    std::vector<std::unique_ptr<Flow>> flows;
    const auto uses = network.CountUses();
    std::map<uint32_t, uint16_t> sentAt;
    std::map<uint32_t, uint16_t> receivedAt;
    for (uint32_t i = 0; i < p.flows.size(); ++i)
    {
        FlowEnds ends = network.flows[i];
        const auto sent = sentAt[ends.sender->GetId()]++;
        const auto received = receivedAt[ends.receiver->GetId()]++;
        if (!p.flows[i].variant)
        {
            continue;
        }
        const auto draw = ns3::CreateObject<ns3::UniformRandomVariable>();
        draw->SetStream(StreamOf(Draw::START_JITTER, i));
        const auto jitter = ns3::Seconds(draw->GetValue(0, p.startJitter.GetSeconds()));
        Flow::Parameters flow;
        flow.index = i;
        flow.group = p.flows[i].group;
        flow.sourcePort = static_cast<uint16_t>(FIRST_SOURCE_PORT + sent);
        flow.destinationPort = static_cast<uint16_t>(FIRST_DESTINATION_PORT + received);
        if (ends.settle)
        {
            ends.settle(ends, flow.sourcePort, flow.destinationPort);
        }
        SetPath(ends, p, p.flows[i].direction);
        flow.ends = ends;
        flow.variant = *p.flows[i].variant;
        if (p.flows[i].hasOwnStream)
        {
            flow.stream = StreamOf(Draw::CONGESTION_CONTROL, i);
        }
        flow.segmentBytes = p.flows[i].segmentBytes;
        const auto& socket = p.flows[i].socket;
        flow.hasOwnBuffers = socket.bufferBytes.has_value();
        flow.socketBufferBytes = socket.bufferBytes.value_or(p.socketBufferBytes);
        flow.delayedAcks = socket.delayedAcks;
        flow.delayedAckTimeout = socket.delayedAckTimeout;
        flow.bytes = p.flows[i].bytes;
        flow.packetRate = p.flows[i].packetRate;
        flow.programs = p.flows[i].programs;
        flow.start = p.flows[i].start + jitter;
        flow.stop = p.flows[i].stop;
        // A node with one link has its device and the loopback.
        flow.sharesSender = uses.at(ends.sender->GetId()) > 1 || ends.sender->GetNDevices() > 2;
        flow.direction = p.flows[i].direction;
        flow.countUntil = countUntil;
        flows.push_back(make(flow));
    }
    return flows;
}

/**
 * @param json the writer, which receives the members of an object
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
    const auto groups = options.ThingsOf(FLOWS);
    const bool hasMix = std::any_of(groups.begin(),
                                    groups.end(),
                                    [&options](const std::string& name)
                                    {
                                        const auto variant = options.TextOf(
                                            std::string(FLOWS) + "." + name + ".variant");
                                        return variant.value_or("").find('+') != std::string::npos;
                                    });
    const bool rotated = options.Has("flows") ? IsRotated(options, FlowsDiffer(options))
                                              : hasMix && IsRotated(options, true);
    json.Member("assignment", rotated ? "rotated" : "fixed")
        .Member("base_rtt_s", baseRtts)
        .Member("socket_buffer_bytes", p.socketBufferBytes)
        .Member("start_jitter_s", p.startJitter.GetSeconds())
        .Member("wire_packet_bytes", p.wirePacketBytes)
        .Member("ip_header_bytes", IpHeaderBytes(p.ip))
        .Member("lost_after_s", FlowTotals::Patience().GetSeconds())
        .Member("forgets_packets", FlowTotals::Forgets());
}

/**
 * @param[in,out] items a list
 * @param more the items to add
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
 * @param flows the flows
 * @return the traces to ignore: traces that no flow's TCP provides, and counters that some flows'
 * TCP does not provide, because a counter without rows would look like zero
 */
std::vector<std::string>
Unavailable(const std::vector<std::unique_ptr<Flow>>& flows)
{
    const std::set<std::string> counters = {"acked_bytes",
                                            "duplicate_bytes",
                                            "timeouts",
                                            "receiver_limited_s",
                                            "application_limited_s",
                                            "send_buffer_limited_s"};
    std::map<std::string, std::size_t> missing;
    for (const auto& flow : flows)
    {
        for (const auto& name : flow->Unavailable())
        {
            ++missing[name];
        }
    }
    std::vector<std::string> found;
    for (const auto& [name, count] : missing)
    {
        if (counters.count(name) || count == flows.size())
        {
            found.push_back(name);
        }
    }
    return found;
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
    // It orders events like ns-3's default, the map, but is faster.
    ns3::GlobalValue::Bind("SchedulerType", ns3::StringValue("tcpsweep::TimingWheelScheduler"));
    LoadPlugins(argc, argv);
    auto declared = topology.isDescribed ? OptionsOfDescriptions() : ScenarioOptions();
    for (const auto& [name, value] : topology.defaults)
    {
        SetDefault(declared, name, value);
    }
    Append(declared, topology.options);
    Append(declared, Capture::DeclareOptions());
    declared.push_back(Corrections::DeclareOption());
    auto owned = AttributesOfScenarioOptions();
    Append(owned, topology.attributes);
    Options options(declared,
                    topology.constants,
                    owned,
                    topology.isDescribed ? DescribedGroups() : std::vector<std::string>());
    options.Parse(argc, argv);
    const auto p = topology.isDescribed
                       ? ReadDescription(options)
                       : ScenarioParameters::FromOptions(options, topology.accessLinks);
    const auto capture = Capture::FromOptions(options);

    p.SetAttributes();
    // build() may refuse an option; no file may exist before it.
    const Network network = topology.build(p, options);
    std::optional<KernelStack> kernel;
    if (KernelStack::IsAskedFor(options, p))
    {
        kernel.emplace(network, p, options);
    }
    const QuicStacks quic(options,
                          p.flows,
                          p.WireBytes(0) - PPP_HEADER_BYTES - IpHeaderBytes(p.ip) -
                              UDP_HEADER_BYTES);
    // Checksums of an earlier simulation would make this one look finished.
    std::filesystem::remove(capture.folder / CHECKSUMS_FILE);
    std::filesystem::remove(capture.folder / RECORD_FILE);
    OutputFiles files(capture, LinkTraces::Queues(network.links));
    PacketCapture captures(capture, network.interfaces);
    std::optional<Animation> animation;
    if (capture.anim)
    {
        animation.emplace(capture.folder / "anim.xml", network.places);
    }
    const auto countUntil =
        capture.flowMonitor ? std::nullopt : std::optional(p.duration - FlowTotals::Patience());
    const auto make = [&](const Flow::Parameters& flow) -> std::unique_ptr<Flow>
    {
        if (kernel && kernel->Has(flow.variant))
        {
            return kernel->MakeFlow(flow, files, capture.folder);
        }
        if (QuicVariantOf(flow.variant))
        {
            return std::make_unique<QuicFlow>(flow, quic, p.ecn, files);
        }
        return std::make_unique<TcpFlow>(flow, files);
    };
    const auto flows = AddFlows(network, p, make, countUntil);
    auto cbrEnds = network.cbr;
    for (auto& ends : cbrEnds)
    {
        SetPath(ends, p, Direction::FORWARD);
    }
    const CrossTraffic cbr(p.cbr, cbrEnds);
    AllTraffic traffic(network, p, capture.folder);
    const LinkTraces links(network.links, p.duration, files);
    std::optional<FlowTotals> totals;
    if (capture.flowMonitor)
    {
        totals.emplace(capture.folder / "flow.xml", network.Hosts(), p.duration);
    }
    ns3::Simulator::Stop(p.duration);
    ns3::Simulator::Run();
    Checksums checksums;
    if (kernel)
    {
        kernel->End(checksums);
    }
    traffic.Close(checksums);
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
    auto settings = kernel ? kernel->Settings() : Settings();
    settings.merge(quic.Settings());
    settings = CollectSettings(flows, p.traffic, network.links, std::move(settings));
    for (const auto& [attribute, value] : ValuesInForce(BbrGains::GetTypeId()))
    {
        if (options.Sets(BbrGains::GetTypeId(), attribute))
        {
            settings[BbrGains::GetTypeId().GetName() + "::" + attribute] = value;
        }
    }
    if (p.corrections.Any())
    {
        settings["tcpsweep::Corrections"] = p.corrections.Names();
    }
    const RunRecord record{topology.name,
                           {argv + 1, argv + argc},
                           begin,
                           options,
                           [&p, &options](JsonWriter& json) { WriteDerived(json, p, options); },
                           flows,
                           [&cbr, &traffic, &links, &network, &kernel](JsonWriter& json)
                           {
                               if (kernel)
                               {
                                   kernel->Write(json);
                               }
                               links.Write(json.Key("links"));
                               if (network.writeNodes)
                               {
                                   network.writeNodes(json.Key("nodes"));
                               }
                               cbr.Write(json.Key("cbr_flows"));
                               traffic.Write(json);
                           },
                           settings,
                           Unavailable(flows),
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
    const auto run = [&topology](int count, char** arguments)
    {
        return RunProgram(topology.name, [&] { Run(topology, count, arguments); });
    };
    return IsToServe(argc, argv) ? Serve(run) : run(argc, argv);
}

} // namespace tcpsweep

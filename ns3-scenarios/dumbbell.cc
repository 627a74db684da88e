// SPDX-License-Identifier: GPL-2.0-only
#include "lib/animation.h"
#include "lib/bottleneck-trace.h"
#include "lib/bulk-flow.h"
#include "lib/capture.h"
#include "lib/cross-traffic.h"
#include "lib/dumbbell-network.h"
#include "lib/dumbbell-options.h"
#include "lib/dumbbell-parameters.h"
#include "lib/flow-totals.h"
#include "lib/options.h"
#include "lib/output-files.h"
#include "lib/packet-capture.h"
#include "lib/plugins.h"
#include "lib/program.h"
#include "lib/run-record.h"
#include "lib/streams.h"

#include <ns3/random-variable-stream.h>
#include <ns3/simulator.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace tcpsweep
{

namespace
{

const char* const RECORD_FILE = "run.json";

/**
 * @param network the network
 * @param p the parameters
 * @param files where the flows' traces go
 * @return the flows
 */
std::vector<std::unique_ptr<BulkFlow>>
AddFlows(const DumbbellNetwork& network, const DumbbellParameters& p, OutputFiles& files)
{
    std::vector<std::unique_ptr<BulkFlow>> flows;
    for (uint32_t i = 0; i < p.flows.size(); ++i)
    {
        const auto draw = ns3::CreateObject<ns3::UniformRandomVariable>();
        draw->SetStream(StreamOf(Draw::START_JITTER, i));
        const auto jitter = ns3::Seconds(draw->GetValue(0, p.startJitter.GetSeconds()));
        flows.push_back(std::make_unique<BulkFlow>(
            BulkFlow::Parameters{i,
                                 network.senders.Get(i),
                                 network.receivers.Get(i),
                                 p.flows[i].variant,
                                 p.segmentBytes,
                                 p.socketBufferBytes,
                                 p.flows[i].bytes,
                                 p.flows[i].start + i * p.startStagger + jitter,
                                 p.flows[i].stop,
                                 p.flows[i].direction},
            files));
    }
    return flows;
}

/**
 * @param network the network
 * @param p the parameters
 * @return where its nodes are drawn
 */
std::vector<Animation::Place>
Places(const DumbbellNetwork& network, const DumbbellParameters& p)
{
    constexpr double COLUMN = 100;
    constexpr double ROW = 20;
    const std::size_t pairs = network.senders.GetN() + network.cbrSenders.GetN();
    const double middle = ROW * static_cast<double>(pairs - 1) / 2;
    std::vector<Animation::Place> places = {
        {network.routers.Get(0), "left router", COLUMN, middle},
        {network.routers.Get(1), "right router", 2 * COLUMN, middle},
    };
    double row = 0;
    for (uint32_t i = 0; i < network.senders.GetN(); ++i, row += ROW)
    {
        const std::string number = std::to_string(i);
        const bool forward = p.flows[i].direction == Direction::FORWARD;
        const double x = forward ? 0 : 3 * COLUMN;
        places.push_back({network.senders.Get(i), "sender " + number, x, row});
        places.push_back({network.receivers.Get(i), "receiver " + number, 3 * COLUMN - x, row});
    }
    for (uint32_t i = 0; i < network.cbrSenders.GetN(); ++i, row += ROW)
    {
        const std::string number = std::to_string(i);
        places.push_back({network.cbrSenders.Get(i), "CBR sender " + number, 0, row});
        places.push_back({network.cbrReceivers.Get(i), "CBR receiver " + number, 3 * COLUMN, row});
    }
    return places;
}

/**
 * @param json where it goes, as a value
 * @param from since when the bottleneck link is as it is
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
 */
void
WriteDerived(JsonWriter& json, const DumbbellParameters& p)
{
    std::vector<double> baseRtts;
    for (const auto& flow : p.flows)
    {
        baseRtts.push_back(flow.baseRtt.GetSeconds());
    }
    const bool inBytes = p.buffer.size.GetUnit() == ns3::QueueSizeUnit::BYTES;
    const auto size = p.buffer.size.GetValue();
    json.Member("base_rtt_s", baseRtts)
        .Member("bdp_bytes", p.bdpBytes)
        .Member("queue_packets", inBytes ? std::nullopt : std::optional(size))
        .Member("queue_bytes", inBytes ? std::optional(size) : std::nullopt)
        .Member("socket_buffer_bytes", p.socketBufferBytes)
        .Member("start_jitter_s", p.startJitter.GetSeconds())
        .Member("wire_packet_bytes", p.wirePacketBytes);
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
 * @param argc the number of arguments
 * @param argv the arguments
 */
void
Run(int argc, char** argv)
{
    const auto begin = std::chrono::steady_clock::now();
    LoadPlugins(argc, argv);
    auto declared = DumbbellOptions();
    const auto output = Capture::DeclareOptions();
    declared.insert(declared.end(), output.begin(), output.end());
    Options options(declared, AttributesOfDumbbellOptions());
    options.Parse(argc, argv);
    const auto p = DumbbellParameters::FromOptions(options);
    const auto capture = Capture::FromOptions(options);

    p.SetAttributes();
    const bool reverse = p.flows.back().direction == Direction::REVERSE;
    std::vector<Direction> directions = {Direction::FORWARD};
    if (reverse)
    {
        directions.push_back(Direction::REVERSE);
    }
    // A record of an earlier simulation would make this one look finished.
    std::filesystem::remove(capture.folder / RECORD_FILE);
    OutputFiles files(capture, directions);
    const DumbbellNetwork network = BuildNetwork(p);
    PacketCapture captures(capture, network.interfaces);
    std::optional<Animation> animation;
    if (capture.anim)
    {
        animation.emplace(capture.folder / "anim.xml", Places(network, p));
    }
    const auto flows = AddFlows(network, p, files);
    const CrossTraffic cbr(p.cbr, network.cbrSenders, network.cbrReceivers);
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
        const ns3::NodeContainer tcp(network.senders, network.receivers);
        const ns3::NodeContainer udp(network.cbrSenders, network.cbrReceivers);
        totals.emplace(capture.folder / "flow.xml", ns3::NodeContainer(tcp, udp));
    }
    ns3::Simulator::Stop(p.duration);
    ns3::Simulator::Run();

    files.Close();
    captures.Close();
    if (animation)
    {
        animation->Close();
    }
    if (totals)
    {
        totals->Write();
    }
    const RunRecord record{"dumbbell",
                           {argv + 1, argv + argc},
                           begin,
                           options,
                           [&p](JsonWriter& json) { WriteDerived(json, p); },
                           flows,
                           [&cbr, &back](JsonWriter& json)
                           {
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
    record.Write(capture.folder / RECORD_FILE);
    ns3::Simulator::Destroy();
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    return tcpsweep::RunProgram("dumbbell", [argc, argv] { tcpsweep::Run(argc, argv); });
}

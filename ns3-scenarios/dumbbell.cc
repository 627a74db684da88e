// SPDX-License-Identifier: GPL-2.0-only
#include "lib/animation.h"
#include "lib/bottleneck-trace.h"
#include "lib/bulk-flow.h"
#include "lib/capture.h"
#include "lib/dumbbell-network.h"
#include "lib/dumbbell-options.h"
#include "lib/dumbbell-parameters.h"
#include "lib/options.h"
#include "lib/output-files.h"
#include "lib/packet-capture.h"
#include "lib/plugins.h"
#include "lib/program.h"
#include "lib/run-record.h"
#include "lib/streams.h"

#include <ns3/flow-monitor-helper.h>
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
        flows.push_back(
            std::make_unique<BulkFlow>(BulkFlow::Parameters{i,
                                                            network.senders.Get(i),
                                                            network.receivers.Get(i),
                                                            p.flows[i].variant,
                                                            p.segmentBytes,
                                                            p.socketBufferBytes,
                                                            p.flows[i].bytes,
                                                            i * p.startStagger + jitter},
                                       files));
    }
    return flows;
}

/**
 * @param network the network
 * @return where its nodes are drawn
 */
std::vector<Animation::Place>
Places(const DumbbellNetwork& network)
{
    constexpr double COLUMN = 100;
    constexpr double ROW = 20;
    const double middle = ROW * (network.senders.GetN() - 1) / 2;
    std::vector<Animation::Place> places = {
        {network.routers.Get(0), "left router", COLUMN, middle},
        {network.routers.Get(1), "right router", 2 * COLUMN, middle},
    };
    for (uint32_t i = 0; i < network.senders.GetN(); ++i)
    {
        const std::string number = std::to_string(i);
        places.push_back({network.senders.Get(i), "sender " + number, 0, i * ROW});
        places.push_back({network.receivers.Get(i), "receiver " + number, 3 * COLUMN, i * ROW});
    }
    return places;
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
    // A record of an earlier simulation would make this one look finished.
    std::filesystem::remove(capture.folder / RECORD_FILE);
    OutputFiles files(capture);
    const DumbbellNetwork network = BuildNetwork(p);
    PacketCapture captures(capture, network.interfaces);
    std::optional<Animation> animation;
    if (capture.anim)
    {
        animation.emplace(capture.folder / "anim.xml", Places(network));
    }
    const auto flows = AddFlows(network, p, files);
    const BottleneckTrace bottleneck(network.bottleneck, network.dataDisc, files.Queue());
    ns3::FlowMonitorHelper monitorHelper;
    const auto monitor = monitorHelper.InstallAll();
    ns3::Simulator::Stop(p.duration);
    ns3::Simulator::Run();

    files.Close();
    captures.Close();
    if (animation)
    {
        animation->Close();
    }
    monitor->CheckForLostPackets();
    WriteWhole(capture.folder / "flow.xml",
               [&monitor](std::ostream& os)
               {
                   os << "<?xml version=\"1.0\" ?>\n";
                   monitor->SerializeToXmlStream(os, 0, false, false);
               });
    const RunRecord record{"dumbbell",
                           {argv + 1, argv + argc},
                           begin,
                           options,
                           [&p](JsonWriter& json) { WriteDerived(json, p); },
                           flows,
                           bottleneck,
                           CollectSettings(flows, network.dataDisc),
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

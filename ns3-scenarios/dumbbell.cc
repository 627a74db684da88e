// SPDX-License-Identifier: GPL-2.0-only
#include "lib/bottleneck-trace.h"
#include "lib/bulk-flow.h"
#include "lib/capture.h"
#include "lib/dumbbell-options.h"
#include "lib/dumbbell-parameters.h"
#include "lib/jitter-channel.h"
#include "lib/link.h"
#include "lib/options.h"
#include "lib/output-files.h"
#include "lib/plugins.h"
#include "lib/program.h"
#include "lib/run-record.h"
#include "lib/streams.h"
#include "lib/subnet-routing.h"

#include <ns3/double.h>
#include <ns3/error-model.h>
#include <ns3/flow-monitor-helper.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/node-container.h>
#include <ns3/random-variable-stream.h>
#include <ns3/simulator.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <vector>

/**
 * @file
 * Flows from senders of their own to receivers of their own over one link that they share:
 *
 *     sender 0 ──┐                                      ┌── receiver 0
 *                ├── left router ══════ right router ───┤
 *     sender n ──┘            bottleneck                └── receiver n
 */

namespace tcpsweep
{

namespace
{

const ns3::Ipv4Address BOTTLENECK_NETWORK("10.0.0.0");
const ns3::Ipv4Address SENDERS_NETWORK("10.1.0.0");
const ns3::Ipv4Address RECEIVERS_NETWORK("10.2.0.0");
constexpr uint32_t ADDRESSES_PER_LINK = 4;
const char* const RECORD_FILE = "run.json";

/// The nodes and the link that the flows share.
struct Network
{
    ns3::NodeContainer senders;           //!< one per flow
    ns3::NodeContainer receivers;         //!< one per flow
    Link bottleneck;                      //!< from the left router to the right one
    ns3::Ptr<SubnetRouting> leftRouting;  //!< the left router's
    ns3::Ptr<SubnetRouting> rightRouting; //!< the right router's
    ns3::Ptr<ns3::QueueDisc> dataDisc; //!< the left router's disc there; nullptr where it has none
};

/**
 * Lose packets that arrive at a device.
 *
 * @param device the device
 * @param p the parameters
 * @param draw which direction it is
 */
void
AddLoss(ns3::Ptr<ns3::PointToPointNetDevice> device, const DumbbellParameters& p, Draw draw)
{
    const auto draws = ns3::CreateObject<ns3::UniformRandomVariable>();
    draws->SetStream(StreamOf(draw, 0));
    const auto model = ns3::CreateObject<ns3::RateErrorModel>();
    model->SetUnit(p.lossPerByte ? ns3::RateErrorModel::ERROR_UNIT_BYTE
                                 : ns3::RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(p.loss);
    model->SetRandomVariable(draws);
    device->SetReceiveErrorModel(model);
}

/**
 * Give a host and its router addresses on their link, and routes to each other.
 *
 * @param link the link, the router on the left
 * @param subnet its network
 * @param routing the router's routing
 */
void
AddHost(const Link& link, ns3::Ipv4Address subnet, SubnetRouting& routing)
{
    AssignAddresses(link, subnet);
    SetDefaultRoute(link.right);
    routing.AddSubnet(subnet, link.left);
}

/**
 * Connect a flow's sender and receiver with the routers.
 *
 * @param network the network, its bottleneck there
 * @param i the flow's index
 * @param p the parameters
 */
void
AddAccessLinks(const Network& network, uint32_t i, const DumbbellParameters& p)
{
    const auto& flow = p.flows[i];
    const auto channel = ns3::CreateObject<JitterChannel>();
    const Link sending = Connect(network.bottleneck.left->GetNode(),
                                 network.senders.Get(i),
                                 channel,
                                 flow.accessBandwidth,
                                 flow.accessDelay);
    if (p.packetJitter.IsStrictlyPositive())
    {
        channel->SetJitter(sending.right, p.packetJitter, StreamOf(Draw::PACKET_JITTER, i));
    }
    const Link receiving = Connect(network.bottleneck.right->GetNode(),
                                   network.receivers.Get(i),
                                   ns3::CreateObject<ns3::PointToPointChannel>(),
                                   flow.accessBandwidth,
                                   flow.accessDelay);
    const uint32_t offset = i * ADDRESSES_PER_LINK;
    AddHost(sending, ns3::Ipv4Address(SENDERS_NETWORK.Get() + offset), *network.leftRouting);
    AddHost(receiving, ns3::Ipv4Address(RECEIVERS_NETWORK.Get() + offset), *network.rightRouting);
}

/**
 * @param p the parameters
 * @return the network, ready for flows
 */
Network
BuildNetwork(const DumbbellParameters& p)
{
    const auto count = static_cast<uint32_t>(p.flows.size());
    Network network;
    ns3::NodeContainer routers(2);
    network.senders.Create(count);
    network.receivers.Create(count);

    ns3::InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    // ns-3's default asks a second routing protocol too, for every packet.
    stack.SetRoutingHelper(ns3::Ipv4StaticRoutingHelper());
    stack.Install(ns3::NodeContainer(routers, network.senders, network.receivers));

    network.bottleneck = Connect(routers.Get(0),
                                 routers.Get(1),
                                 ns3::CreateObject<ns3::PointToPointChannel>(),
                                 p.bandwidth,
                                 p.delay);
    const Link& bottleneck = network.bottleneck;
    network.dataDisc = p.buffer.Install(bottleneck.left, StreamOf(Draw::QUEUE_DISC, 0));
    p.buffer.Install(bottleneck.right, StreamOf(Draw::QUEUE_DISC, 1));
    AssignAddresses(bottleneck, BOTTLENECK_NETWORK);
    network.leftRouting = SubnetRouting::Install(routers.Get(0));
    network.leftRouting->SetDefault(bottleneck.left);
    network.rightRouting = SubnetRouting::Install(routers.Get(1));
    network.rightRouting->SetDefault(bottleneck.right);
    if (p.loss > 0 && p.lossOnData)
    {
        AddLoss(bottleneck.right, p, Draw::DATA_LOSS);
    }
    if (p.loss > 0 && p.lossOnAcks)
    {
        AddLoss(bottleneck.left, p, Draw::ACK_LOSS);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        AddAccessLinks(network, i, p);
    }
    return network;
}

/**
 * @param network the network
 * @param p the parameters
 * @param files where the flows' traces go
 * @return the flows
 */
std::vector<std::unique_ptr<BulkFlow>>
AddFlows(const Network& network, const DumbbellParameters& p, OutputFiles& files)
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
    const Network network = BuildNetwork(p);
    const auto flows = AddFlows(network, p, files);
    const BottleneckTrace bottleneck(network.bottleneck, network.dataDisc, files.Queue());
    ns3::FlowMonitorHelper monitorHelper;
    const auto monitor = monitorHelper.InstallAll();
    ns3::Simulator::Stop(p.duration);
    ns3::Simulator::Run();

    files.Close();
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
                           files};
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

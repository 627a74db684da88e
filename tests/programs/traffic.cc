// SPDX-License-Identifier: GPL-2.0-only
#include "flows/flow-parameters.h"
#include "network/internet.h"
#include "network/link.h"
#include "network/node-routing.h"
#include "options/ns3-types.h"
#include "options/program.h"
#include "options/values.h"
#include "scenario/timing-wheel-scheduler.h"
#include "traffic/sizes.h"
#include "traffic/traffic-kinds.h"
#include "traffic/video.h"

#include <ns3/config.h>
#include <ns3/error-model.h>
#include <ns3/global-value.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/node-container.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/uinteger.h>

#include <filesystem>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>
#include <utility>

/**
 * @file
 * One group of traffic on a small network:
 *
 *     s0 … ──── left ═════ right ──── … r0
 *
 * `traffic KIND OPTIONS…` writes `transfers.columns` into the folder `--out`, and the group's
 * record as JSON. `traffic sizes TEXT SHARE…` writes the mean of a distribution and its sizes at
 * the shares. `traffic bitrate NOW LEVEL RATE…` writes which place of a ladder a player goes to.
 * `traffic connections` opens one that stays, and 10 later ones of a client with four ports, and
 * writes how many of these were closed.
 */

namespace tcpsweep
{

namespace
{

/// The network's nodes.
struct Star
{
    std::vector<TrafficNode> senders;   //!< at the left
    std::vector<TrafficNode> receivers; //!< at the right
};

std::vector<Option>
NetworkOptions()
{
    return {{"out", "Folder for the files", "", "."},
            {"senders", "Nodes at the left", "", "1"},
            {"receivers", "Nodes at the right", "", "1"},
            {"bandwidth", "Of the link between", "bit/s", "10Mbps"},
            {"delay", "Of the link between", "s", "5ms"},
            {"queue", "Of the link between, both directions", "packets", "1000p"},
            {"loss", "Share of packets lost there, both directions", "", "0"},
            {"access_bandwidth", "Of the others", "bit/s", "1Gbps"},
            {"access_delay", "Of the others", "s", "0s"},
            {"variant", "Congestion control", "", "TcpNewReno"},
            {"window", "The largest window that receivers offer", "B", "4MiB"},
            {"duration", "Simulated time", "s", "60s"},
            {"from_all", "Whether all hosts are senders and receivers", "", "false"},
            {"traffic_number", "The number of the group", "", "0"}};
}

void
LoseAtRandom(ns3::Ptr<ns3::PointToPointNetDevice> device, double loss, int64_t stream)
{
    const auto model = ns3::CreateObject<ns3::RateErrorModel>();
    model->SetUnit(ns3::RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(loss);
    model->AssignStreams(stream);
    device->SetReceiveErrorModel(model);
}

Star
Build(const Options& options)
{
    const auto count = [&options](const std::string& name)
    {
        return options.As(name, [](const std::string& text) { return ParseCount(text, 1, 1000); });
    };
    ns3::NodeContainer routers;
    ns3::NodeContainer hosts;
    routers.Create(2);
    const auto senders = static_cast<uint32_t>(count("senders"));
    const auto receivers = static_cast<uint32_t>(count("receivers"));
    hosts.Create(senders + receivers);
    ns3::InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(ns3::Ipv4StaticRoutingHelper());
    stack.Install(routers);
    stack.Install(hosts);
    const auto channel = []
    {
        return ns3::CreateObject<ns3::PointToPointChannel>();
    };
    const Link link = Connect(routers.Get(0),
                              routers.Get(1),
                              channel(),
                              options.As("bandwidth", ParseRate),
                              options.As("delay", ParseTime));
    AssignAddresses(link, ns3::Ipv4Address("10.0.0.0"));
    for (const auto& device : {link.left, link.right})
    {
        device->SetQueue(MakeDropTail(ns3::QueueSize(options.Text("queue"))));
        const auto loss = ParseNumber(options.Text("loss"), 0, 1);
        if (loss > 0)
        {
            LoseAtRandom(device, loss, device == link.left ? 1 : 2);
        }
    }
    NodeRouting* const routing[] = {NodeRouting::Install(routers.Get(0)),
                                    NodeRouting::Install(routers.Get(1))};
    Star star;
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const bool isSender = i < senders;
        const auto host = hosts.Get(i);
        const Link access = Connect(host,
                                    routers.Get(isSender ? 0 : 1),
                                    channel(),
                                    options.As("access_bandwidth", ParseRate),
                                    options.As("access_delay", ParseTime));
        const ns3::Ipv4Address network(ns3::Ipv4Address("10.1.0.0").Get() + 4 * i);
        AssignAddresses(access, network);
        SetDefaultRoute(access.left);
        const auto address = AddressOf(host);
        routing[isSender ? 0 : 1]->AddHost(address, {access.right});
        routing[isSender ? 1 : 0]->AddHost(address, {isSender ? link.right : link.left});
        auto& side = isSender ? star.senders : star.receivers;
        std::string name(1, isSender ? 's' : 'r');
        name += std::to_string(side.size());
        side.push_back({name, host});
    }
    return star;
}

void
WriteSizes(int argc, char** argv)
{
    const auto sizes = Sizes::Parse(argv[2]);
    std::cout << std::setprecision(std::numeric_limits<double>::max_digits10) << sizes.Mean()
              << '\n';
    for (int i = 3; i < argc; ++i)
    {
        std::cout << sizes.At(std::stod(argv[i])) << '\n';
    }
}

void
WriteBitrate(int argc, char** argv)
{
    std::vector<ns3::DataRate> ladder;
    for (int i = 4; i < argc; ++i)
    {
        ladder.push_back(ParseRate(argv[i]));
    }
    std::cout << ChooseBitrate(ladder, std::stoul(argv[2]), std::stod(argv[3])) << '\n';
}

void
SetSockets(const Options& options)
{
    ns3::Config::SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(1448));
    ns3::Config::SetDefault("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(4 << 20));
    ns3::Config::SetDefault("ns3::TcpSocket::RcvBufSize",
                            ns3::UintegerValue(options.As("window", ParseBytes)));
}

void
OpenConnections(int argc, char** argv)
{
    Options options(NetworkOptions(), {}, {});
    options.Parse(argc - 1, argv + 1);
    SetSockets(options);
    const auto star = Build(options);
    const auto variant =
        FindType(options.Text("variant"), ns3::TcpCongestionOps::GetTypeId(), "congestion control");
    Connections connections({variant, 7000, 1448, {}, 4});
    int closed = 0;
    const auto open = [&]() -> Connection&
    {
        Connection::Events events;
        events.over = [&closed](Connection&, bool wasClosed)
        {
            closed += wasClosed ? 1 : 0;
        };
        auto& connection =
            connections.Open(star.senders[0].node, star.receivers[0].node, std::move(events));
        connection.Send(End::CLIENT, 1000);
        return connection;
    };
    open();
    for (int i = 1; i <= 10; ++i)
    {
        ns3::Simulator::Schedule(ns3::Seconds(i), [&open] { open().Close(); });
    }
    ns3::Simulator::Stop(ns3::Seconds(12));
    ns3::Simulator::Run();
    std::cout << closed << '\n';
    connections.Clear();
    ns3::Simulator::Destroy();
}

void
Simulate(int argc, char** argv)
{
    const std::string kind = argc > 1 ? argv[1] : "";
    if (kind == "sizes")
    {
        return WriteSizes(argc, argv);
    }
    if (kind == "bitrate")
    {
        return WriteBitrate(argc, argv);
    }
    if (kind == "connections")
    {
        return OpenConnections(argc, argv);
    }
    ns3::GlobalValue::Bind("SchedulerType", ns3::StringValue("tcpsweep::TimingWheelScheduler"));
    auto declared = NetworkOptions();
    const auto own = DeclareTrafficOptions(kind);
    declared.insert(declared.end(), own.begin(), own.end());
    Options options(declared, {}, {});
    options.Parse(argc - 1, argv + 1);
    SetSockets(options);
    const auto star = Build(options);
    const auto duration = options.As("duration", ParseDuration);
    const auto variant =
        FindType(options.Text("variant"), ns3::TcpCongestionOps::GetTypeId(), "congestion control");
    ns3::Simulator::Stop(duration);
    TrafficPlace place;
    place.number = static_cast<uint32_t>(ParseCount(options.Text("traffic_number"), 0, 99));
    place.name = "tested";
    place.from = star.senders;
    place.to = star.receivers;
    if (options.As("from_all", ParseFlag))
    {
        place.from.insert(place.from.end(), star.receivers.begin(), star.receivers.end());
        place.to = place.from;
    }
    place.variant = variant;
    place.hasOwnStream = HasAttribute(variant, STREAM) && !options.Sets(variant, STREAM);
    place.segmentBytes = 1448;
    place.datagramBytes = 1472;
    place.fullRate = options.As("bandwidth", ParseRate);
    const std::filesystem::path out = options.Text("out");
    TransferRows rows(out);
    const auto traffic = MakeTraffic(kind, options, place, &rows);
    ns3::Simulator::Run();
    traffic->Finish();
    Checksums checksums;
    rows.Close(checksums);
    JsonWriter json(std::cout);
    json.BeginObject()
        .Member("events", ns3::Simulator::GetEventCount())
        .Member("rows", rows.Rows());
    traffic->Write(json.Key("traffic"));
    json.EndObject();
    ns3::Simulator::Destroy();
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    return tcpsweep::RunProgram("traffic", [&] { tcpsweep::Simulate(argc, argv); });
}

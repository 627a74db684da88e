// SPDX-License-Identifier: GPL-2.0-only
#include "options/plugins.h"
#include "options/program.h"

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>
#include <ns3/traffic-control-module.h>

#include <iostream>

/**
 * @file
 * One flow of TcpWestwood over a bottleneck of 5 Mbps in a round trip of 40 ms, with a drop-tail
 * queue of one bandwidth-delay product: `link --load=LIB`. A line for each tenth of the 40 s says
 * the time in seconds, the bandwidth that the sender estimates in bit/s, and the bytes that the
 * receiving application has read.
 */

namespace
{

/// The values to print, as of now.
struct Progress
{
    ns3::Ptr<ns3::PacketSink> sink; //!< the receiving application
    double bandwidth = 0;           //!< the last estimate, in bit/s
};

/**
 * @param progress the values to print
 */
void
Trace(Progress& progress)
{
    ns3::Config::ConnectWithoutContext(
        "/NodeList/0/$ns3::TcpL4Protocol/SocketList/0/CongestionOps/$ns3::TcpWestwood/EstimatedBW",
        ns3::Callback<void, double, double>([&progress](double, double value)
                                            { progress.bandwidth = value; }));
}

/**
 * @param progress the values to print
 */
void
Print(Progress& progress)
{
    std::cout << ns3::Simulator::Now().GetSeconds() << ' ' << progress.bandwidth << ' '
              << progress.sink->GetTotalRx() << '\n';
    ns3::Simulator::Schedule(ns3::MilliSeconds(100), [&progress] { Print(progress); });
}

/**
 * @param argc the number of arguments
 * @param argv the arguments
 */
void
Run(int argc, char** argv)
{
    tcpsweep::LoadPlugins(argc, argv);
    ns3::Config::SetDefault("ns3::TcpL4Protocol::SocketType", ns3::StringValue("ns3::TcpWestwood"));
    ns3::Config::SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(1448));
    ns3::NodeContainer nodes(4);
    ns3::InternetStackHelper().Install(nodes);
    ns3::Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    ns3::Ipv4InterfaceContainer interfaces;
    for (uint32_t i = 0; i < 3; ++i)
    {
        const bool isBottleneck = i == 1;
        ns3::PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", ns3::StringValue(isBottleneck ? "5Mbps" : "1Gbps"));
        link.SetChannelAttribute("Delay", ns3::StringValue(isBottleneck ? "18ms" : "1ms"));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", ns3::StringValue("17p"));
        const auto devices = link.Install(nodes.Get(i), nodes.Get(i + 1));
        interfaces = addresses.Assign(devices);
        ns3::TrafficControlHelper().Uninstall(devices);
        addresses.NewNetwork();
    }
    ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    const ns3::InetSocketAddress to(interfaces.GetAddress(1), 5000);
    ns3::BulkSendHelper sender("ns3::TcpSocketFactory", to);
    sender.Install(nodes.Get(0)).Start(ns3::Seconds(0));
    ns3::PacketSinkHelper receiver("ns3::TcpSocketFactory", to);
    Progress progress{receiver.Install(nodes.Get(3)).Get(0)->GetObject<ns3::PacketSink>()};
    ns3::Simulator::Schedule(ns3::NanoSeconds(1), [&progress] { Trace(progress); });
    Print(progress);
    ns3::Simulator::Stop(ns3::Seconds(40));
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    return tcpsweep::RunProgram("link", [argc, argv] { Run(argc, argv); });
}

// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <iostream>

/**
 * @file
 * A bug report for ns-3, with ns-3 alone: one flow of TcpBbr fills the queue that it should leave
 * empty. The link has 10 Mbit/s and 20 ms each way. The program prints the mean of the smoothed
 * round-trip times after 10 s, in ms.
 */

namespace
{

using namespace ns3;

double sum = 0;       //!< of the round-trip times, in ms
uint32_t samples = 0; //!< their number

/// Count a smoothed round-trip time.
void
Count(Time, Time now)
{
    if (Simulator::Now() > Seconds(10))
    {
        sum += now.GetSeconds() * 1000;
        ++samples;
    }
}

} // namespace

int
main()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpBbr"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4000000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4000000));
    NodeContainer nodes(3);
    InternetStackHelper().Install(nodes);
    PointToPointHelper fast;
    fast.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    fast.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("10000p"));
    PointToPointHelper slow;
    slow.SetDeviceAttribute("DataRate", StringValue("10Mbps"));
    slow.SetChannelAttribute("Delay", StringValue("20ms"));
    slow.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("140p"));
    const auto first = fast.Install(nodes.Get(0), nodes.Get(1));
    const auto second = slow.Install(nodes.Get(1), nodes.Get(2));
    Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(first);
    const auto addresses = Ipv4AddressHelper("10.0.1.0", "255.255.255.0").Assign(second);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    const uint16_t port = 5000;
    BulkSendHelper source("ns3::TcpSocketFactory",
                          InetSocketAddress(addresses.GetAddress(1), port));
    auto sources = source.Install(nodes.Get(0));
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    sink.Install(nodes.Get(2));
    const auto follow = [&sources]
    {
        DynamicCast<BulkSendApplication>(sources.Get(0))
            ->GetSocket()
            ->TraceConnectWithoutContext("RTT", MakeCallback(&Count));
    };
    Simulator::Schedule(MilliSeconds(1), follow);
    Simulator::Stop(Seconds(30));
    Simulator::Run();
    Simulator::Destroy();
    std::cout << sum / samples << '\n';
    return 0;
}

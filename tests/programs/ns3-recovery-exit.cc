// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <iostream>
#include <list>

/**
 * @file
 * A bug report for ns-3, with ns-3 alone: a flow of TcpLinuxReno loses one segment. When the
 * recovery ends, the window should be the slow start threshold. The program prints the threshold
 * and the window of that moment, in segments.
 */

namespace
{

using namespace ns3;

constexpr uint32_t SEGMENT = 1000; //!< bytes
uint32_t window = 0;               //!< the congestion window, in bytes
uint32_t threshold = 0;            //!< the slow start threshold, in bytes

/// Keep the window.
void
KeepWindow(uint32_t, uint32_t now)
{
    window = now;
}

/// Keep the threshold.
void
KeepThreshold(uint32_t, uint32_t now)
{
    threshold = now;
}

/// Print threshold and window when a recovery has ended.
void
FollowState(TcpSocketState::TcpCongState_t before, TcpSocketState::TcpCongState_t now)
{
    if (before == TcpSocketState::CA_RECOVERY && now == TcpSocketState::CA_OPEN)
    {
        Simulator::ScheduleNow(
            []
            {
                std::cout << threshold / SEGMENT << ' ' << window / SEGMENT << '\n';
                Simulator::Stop();
            });
    }
}

} // namespace

int
main()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpLinuxReno"));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::TcpClassicRecovery"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
    link.SetChannelAttribute("Delay", StringValue("20ms"));
    const auto devices = link.Install(nodes);
    const auto lost = CreateObject<ReceiveListErrorModel>();
    lost->SetList({60}); // in a window of 40 segments or more
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(lost));
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    const uint16_t port = 5000;
    BulkSendHelper source("ns3::TcpSocketFactory",
                          InetSocketAddress(addresses.GetAddress(1), port));
    auto sources = source.Install(nodes.Get(0));
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    sink.Install(nodes.Get(1));
    const auto follow = [&sources]
    {
        const auto socket = DynamicCast<BulkSendApplication>(sources.Get(0))->GetSocket();
        socket->TraceConnectWithoutContext("CongestionWindow", MakeCallback(&KeepWindow));
        socket->TraceConnectWithoutContext("SlowStartThreshold", MakeCallback(&KeepThreshold));
        socket->TraceConnectWithoutContext("CongState", MakeCallback(&FollowState));
    };
    Simulator::Schedule(MilliSeconds(1), follow);
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    Simulator::Destroy();
    return 0;
}

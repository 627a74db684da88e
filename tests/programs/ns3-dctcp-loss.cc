// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <iostream>
#include <list>
#include <numeric>

/**
 * @file
 * A bug report for ns-3, with ns-3 alone: a flow of TcpDctcp should halve its window after a loss.
 * No packet is marked. The program prints the window and the new slow start threshold in segments,
 * at a fast retransmit and at a timeout.
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

/// Print window and threshold when a recovery begins.
void
FollowState(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t now)
{
    if (now == TcpSocketState::CA_RECOVERY || now == TcpSocketState::CA_LOSS)
    {
        std::cout << window / SEGMENT << ' ';
        Simulator::ScheduleNow(
            []
            {
                std::cout << threshold / SEGMENT << '\n';
                Simulator::Stop();
            });
    }
}

/**
 * Let a flow lose segments, and print how it reduces its window.
 *
 * @param segments how many segments in sequence it loses
 */
void
Lose(std::size_t segments)
{
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
    link.SetChannelAttribute("Delay", StringValue("20ms"));
    const auto devices = link.Install(nodes);
    std::list<uint32_t> numbers(segments);
    std::iota(numbers.begin(), numbers.end(), 60); // in a window of 40 segments or more
    const auto lost = CreateObject<ReceiveListErrorModel>();
    lost->SetList(numbers);
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
}

} // namespace

int
main()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpDctcp"));
    Config::SetDefault("ns3::TcpDctcp::DctcpAlphaOnInit", DoubleValue(0)); // no marks until now
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Lose(1);   // Later segments report it.
    Lose(500); // Nothing reports these.
    return 0;
}

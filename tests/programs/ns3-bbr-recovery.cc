// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <algorithm>
#include <iostream>
#include <list>

/**
 * @file
 * A bug report for ns-3, with ns-3 alone: a flow of TcpBbr loses one segment. After the recovery,
 * BBR's window should be as before. The program prints three windows in segments, for a loss in the
 * startup and for a later one: before the recovery, when it has ended, and the least one in the
 * second after it.
 */

namespace
{

using namespace ns3;

constexpr uint32_t SEGMENT = 1448; //!< bytes

/// The windows of a flow, in bytes.
struct Windows
{
    uint32_t now{0};            //!< the present window
    uint32_t before{0};         //!< before the recovery
    uint32_t after{0};          //!< when it has ended
    uint32_t least{UINT32_MAX}; //!< the least one since then

    /// Follow the window. An ACK may change it several times, so look when it is processed.
    void
    Follow(uint32_t, uint32_t window)
    {
        now = window;
        if (after > 0)
        {
            Simulator::ScheduleNow([this] { least = std::min(least, now); });
        }
    }

    /// Follow the state.
    void
    FollowState(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t state)
    {
        if (state == TcpSocketState::CA_DISORDER)
        {
            before = now;
        }
        else if (state == TcpSocketState::CA_OPEN && before > 0)
        {
            Simulator::ScheduleNow([this] { after = least = now; });
            Simulator::Stop(Seconds(1));
        }
    }
};

/**
 * Print the windows of a flow.
 *
 * @param segment the number of the segment that is lost
 */
void
Print(uint32_t segment)
{
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Mbps"));
    link.SetChannelAttribute("Delay", StringValue("20ms"));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1000p"));
    const auto devices = link.Install(nodes);
    const auto lost = CreateObject<ReceiveListErrorModel>();
    lost->SetList({segment});
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(lost));
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    const uint16_t port = 5000;
    BulkSendHelper source("ns3::TcpSocketFactory",
                          InetSocketAddress(addresses.GetAddress(1), port));
    auto sources = source.Install(nodes.Get(0));
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    sink.Install(nodes.Get(1));
    Windows windows;
    const auto follow = [&sources, &windows]
    {
        const auto socket = DynamicCast<BulkSendApplication>(sources.Get(0))->GetSocket();
        socket->TraceConnectWithoutContext("CongestionWindow",
                                           MakeCallback(&Windows::Follow, &windows));
        socket->TraceConnectWithoutContext("CongState",
                                           MakeCallback(&Windows::FollowState, &windows));
    };
    Simulator::Schedule(MilliSeconds(1), follow);
    Simulator::Stop(Seconds(9)); // before a ProbeRTT
    Simulator::Run();
    Simulator::Destroy();
    std::cout << windows.before / SEGMENT << ' ' << windows.after / SEGMENT << ' '
              << windows.least / SEGMENT << '\n';
}

} // namespace

int
main()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpBbr"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4000000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4000000));
    Print(60);
    Print(3000);
    return 0;
}

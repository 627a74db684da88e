// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <iostream>

/**
 * @file
 * A bug report for ns-3, with ns-3 alone: a flow of TcpLinuxReno in slow start loses one segment,
 * just after one whose ACK is delayed. The next segment arrives, so that one ACK acknowledges the
 * delayed segment and has news of SACK. RFC 5681, section 3.1, lets the window grow with each ACK
 * that acknowledges new data. The program prints how many segments this ACK acknowledges, and the
 * window before and after it, in segments.
 */

namespace
{

using namespace ns3;

constexpr uint32_t SEGMENT = 1000; //!< bytes
SequenceNumber32 acked(1);         //!< the first byte without an ACK
uint32_t window = 0;               //!< the congestion window, in bytes

/// Keep the window.
void
KeepWindow(uint32_t, uint32_t now)
{
    window = now;
}

/// Print what the first ACK with SACK changes.
void
FollowAcks(Ptr<const Packet>, const TcpHeader& header, Ptr<const TcpSocketBase>)
{
    if (header.HasOption(TcpOption::SACK))
    {
        std::cout << (header.GetAckNumber() - acked) / SEGMENT << ' ' << window / SEGMENT << ' ';
        Simulator::ScheduleNow(
            []
            {
                std::cout << window / SEGMENT << '\n';
                Simulator::Stop();
            });
    }
    acked = header.GetAckNumber();
}

} // namespace

int
main()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpLinuxReno"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT));
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
    link.SetChannelAttribute("Delay", StringValue("20ms"));
    const auto devices = link.Install(nodes);
    const auto lost = CreateObject<ReceiveListErrorModel>();
    lost->SetList({34}); // the second of two segments that share an ACK
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
        socket->TraceConnectWithoutContext("Rx", MakeCallback(&FollowAcks));
    };
    Simulator::Schedule(MilliSeconds(1), follow);
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    Simulator::Destroy();
    return 0;
}

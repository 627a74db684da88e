// SPDX-License-Identifier: GPL-2.0-only
#include "flows/variant-socket-factory.h"
#include "options/options.h"
#include "options/plugins.h"
#include "options/program.h"

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>
#include <ns3/traffic-control-module.h>

#include <iomanip>
#include <iostream>

/**
 * @file
 * One flow of TcpPrague over a link of 20 Mbit/s and 10 ms with DualPI2, which can lose ACKs:
 *
 *     prague --load=LIBS --lose_acks=0.3 --duration=10s
 *
 * The program prints a line for each event: the event, the time in s, and its value.
 *
 *     m   the disc marks a packet: its payload in bytes
 *     r   the receiver has reported more marks: the bytes until now
 *     k   an ACK arrives: its number
 *     a   alpha changes: the new one
 *     w   the congestion window changes: the new one, in bytes
 */

namespace
{

using tcpsweep::Options;

constexpr uint32_t SEGMENT = 536; //!< bytes
constexpr uint16_t PORT = 5000;   //!< of the receiver

/// Prints an event.
template <typename T>
void
Say(char event, T value)
{
    std::cout << event << ' ' << ns3::Simulator::Now().GetSeconds() << ' ' << value << '\n';
}

/// The disc marks a packet.
void
SayMark(ns3::Ptr<const ns3::QueueDiscItem> item, const char*)
{
    ns3::TcpHeader header;
    item->GetPacket()->PeekHeader(header);
    Say('m', item->GetPacket()->GetSize() - header.GetSerializedSize());
}

/// The sender receives an ACK.
void
SayAck(ns3::Ptr<const ns3::Packet>,
       const ns3::TcpHeader& header,
       ns3::Ptr<const ns3::TcpSocketBase>)
{
    Say('k', header.GetAckNumber().GetValue());
}

/// Report the events of the sender's socket.
void
Follow(ns3::Ptr<ns3::BulkSendApplication> source)
{
    const auto socket = source->GetSocket();
    ns3::PointerValue control;
    socket->GetAttribute("CongestionOps", control);
    const auto say = [](char event)
    {
        return ns3::Callback<void, double, double>([event](double, double now)
                                                   { Say(event, now); });
    };
    control.GetObject()->TraceConnectWithoutContext("Alpha", say('a'));
    control.GetObject()->TraceConnectWithoutContext("MarkedBytes", say('r'));
    socket->TraceConnectWithoutContext("Rx", ns3::MakeCallback(&SayAck));
    socket->TraceConnectWithoutContext(
        "CongestionWindow",
        ns3::Callback<void, uint32_t, uint32_t>([](uint32_t, uint32_t now) { Say('w', now); }));
}

void
Run(const Options& options)
{
    const auto duration = ns3::Time(options.Text("duration"));
    ns3::Config::SetDefault("ns3::TcpSocketBase::Timestamp", ns3::BooleanValue(false));
    ns3::NodeContainer nodes(2);
    ns3::InternetStackHelper().Install(nodes);
    ns3::PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", ns3::StringValue("20Mbps"));
    link.SetChannelAttribute("Delay", ns3::StringValue("10ms"));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", ns3::StringValue("1p"));
    const auto devices = link.Install(nodes);
    const auto losses = ns3::CreateObject<ns3::RateErrorModel>();
    losses->SetUnit(ns3::RateErrorModel::ERROR_UNIT_PACKET);
    losses->SetRate(std::stod(options.Text("lose_acks")));
    ns3::TrafficControlHelper discs;
    discs.SetRootQueueDisc("ns3::DualPi2QueueDisc");
    const auto disc = discs.Install(devices.Get(0)).Get(0);
    disc->TraceConnectWithoutContext("Mark", ns3::MakeCallback(&SayMark));
    const auto addresses = ns3::Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    const auto variant = ns3::TypeId::LookupByName("ns3::TcpPrague");
    const auto type = tcpsweep::VariantSocketFactory::Install(nodes.Get(0), variant, SEGMENT);
    tcpsweep::VariantSocketFactory::Install(nodes.Get(1), variant, SEGMENT);
    const auto source = ns3::CreateObject<ns3::BulkSendApplication>();
    source->SetAttribute("Protocol", ns3::TypeIdValue(type));
    source->SetAttribute("Remote",
                         ns3::AddressValue(ns3::InetSocketAddress(addresses.GetAddress(1), PORT)));
    source->SetStopTime(duration);
    nodes.Get(0)->AddApplication(source);
    ns3::PacketSinkHelper(type.GetName(), ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), PORT))
        .Install(nodes.Get(1));
    ns3::Simulator::Schedule(ns3::NanoSeconds(1), &Follow, source);
    // The connection is open when ACKs begin to be lost.
    ns3::Simulator::Schedule(
        ns3::MilliSeconds(100),
        [&] { devices.Get(0)->SetAttribute("ReceiveErrorModel", ns3::PointerValue(losses)); });
    std::cout << std::setprecision(17);
    ns3::Simulator::Stop(duration + ns3::Seconds(2));
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    return tcpsweep::RunProgram("prague",
                                [&]
                                {
                                    tcpsweep::LoadPlugins(argc, argv);
                                    Options options({{"load", "", "", ""},
                                                     {"lose_acks", "", "", "0"},
                                                     {"duration", "", "", "10s"}},
                                                    {},
                                                    {});
                                    options.Parse(argc, argv);
                                    Run(options);
                                });
}

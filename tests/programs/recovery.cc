// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/corrections.h"
#include "flows/variant-socket-factory.h"
#include "options/options.h"
#include "options/program.h"
#include "recovery-link.h"

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

/**
 * @file
 * One TCP flow over a link that loses, delays and holds chosen packets. The program prints a line
 * for each event: the event, the time in ms, and its value.
 *
 *     y   a SYN reaches the end of the link, where it may be lost: 0
 *     s   a data segment is sent: its number, from 0
 *     l   a data segment is lost on the link: its number
 *     c   the congestion state changes: the new one, as in ns3::TcpSocketState
 *     a   an ACK arrives: the first segment that it does not acknowledge
 *     b   SACK reports segments in this ACK: the first one, and the one after the last, as two
 *         numbers of five digits
 *     t   the slow start threshold changes: the new one, in bytes
 *     w   the congestion window changes: the new one, in bytes
 *     d   the receiver has all data: 0
 */

namespace
{

using namespace recovery;
using tcpsweep::Options;

constexpr uint16_t PORT = 5000; //!< of the receiver
constexpr auto DELAY = "20ms";  //!< of the link, one way

/**
 * @param packet a segment that the sender sends
 * @param header its header
 */
void
SaySent(ns3::Ptr<const ns3::Packet> packet,
        const ns3::TcpHeader& header,
        ns3::Ptr<const ns3::TcpSocketBase>)
{
    if (packet->GetSize() > 0)
    {
        Say('s', Number(header.GetSequenceNumber()));
    }
}

/**
 * @param header an ACK that the sender receives
 */
void
SayReceived(ns3::Ptr<const ns3::Packet>,
            const ns3::TcpHeader& header,
            ns3::Ptr<const ns3::TcpSocketBase>)
{
    Say('a', Number(header.GetAckNumber()));
    if (header.HasOption(ns3::TcpOption::SACK))
    {
        const auto option = header.GetOption(ns3::TcpOption::SACK);
        for (const auto& [begin, end] :
             ns3::DynamicCast<const ns3::TcpOptionSack>(option)->GetSackList())
        {
            Say('b', 100000 * Number(begin) + Number(end));
        }
    }
}

/// The congestion state changes.
void
SayState(ns3::TcpSocketState::TcpCongState_t, ns3::TcpSocketState::TcpCongState_t now)
{
    Say('c', now);
}

/// The congestion window changes.
void
SayWindow(uint32_t, uint32_t now)
{
    Say('w', now);
}

/// The slow start threshold changes.
void
SayThreshold(uint32_t, uint32_t now)
{
    Say('t', now);
}

/// Counts what the receiver gets.
class Receiver
{
  public:
    /// @param bytes all bytes
    explicit Receiver(uint64_t bytes)
        : m_left(bytes)
    {
    }

    /// @param packet data
    void
    Receive(ns3::Ptr<const ns3::Packet> packet, const ns3::Address&)
    {
        m_left -= packet->GetSize();
        if (m_left == 0)
        {
            Say('d', 0);
        }
    }

  private:
    uint64_t m_left; //!< bytes that are still to come
};

void
Run(const Options& options)
{
    tcpsweep::VariantSocketFactory::Correct(
        tcpsweep::Corrections::Parse(options.Text("corrections")));
    ns3::Config::SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(SEGMENT));
    if (options.Text("ecn") == "true")
    {
        ns3::Config::SetDefault("ns3::TcpSocketBase::UseEcn", ns3::StringValue("On"));
    }
    ns3::Config::SetDefault("ns3::TcpSocket::ConnTimeout", ns3::TimeValue(ns3::Seconds(1)));
    ns3::Config::SetDefault("ns3::TcpSocket::DelAckCount", ns3::UintegerValue(1));
    ns3::Config::SetDefault("ns3::TcpSocketBase::MinRto", ns3::TimeValue(ns3::MilliSeconds(200)));
    ns3::Config::SetDefault("ns3::TcpSocketBase::Timestamp",
                            ns3::BooleanValue(options.Text("timestamps") == "true"));
    if (const auto segments = options.Text("buffer"); !segments.empty())
    {
        ns3::Config::SetDefault("ns3::TcpSocket::SndBufSize",
                                ns3::UintegerValue(SEGMENT * std::stoul(segments)));
    }
    ns3::NodeContainer nodes(2);
    ns3::InternetStackHelper().Install(nodes);
    ns3::PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", ns3::StringValue(BANDWIDTH));
    link.SetChannelAttribute("Delay", ns3::StringValue(DELAY));
    const auto devices = link.Install(nodes);
    devices.Get(1)->SetAttribute(
        "ReceiveErrorModel",
        ns3::PointerValue(ns3::CreateObject<Losses>(devices.Get(1),
                                                    std::stoul(options.Text("lose_syns")),
                                                    Pairs(options.Text("lose")),
                                                    Pairs(options.Text("late")))));
    devices.Get(0)->SetAttribute(
        "ReceiveErrorModel",
        ns3::PointerValue(ns3::CreateObject<AckLosses>(options.Text("lose_acks"))));
    Hold(devices.Get(0), options.Text("hold"));
    const auto addresses = ns3::Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    const uint64_t bytes =
        SEGMENT * (std::stoul(options.Text("segments")) - 1) + std::stoul(options.Text("last"));
    const auto variant = ns3::TypeId::LookupByName("ns3::" + options.Text("variant"));
    const auto type = tcpsweep::VariantSocketFactory::Install(nodes.Get(0), variant, SEGMENT);
    tcpsweep::VariantSocketFactory::Install(nodes.Get(1), variant, SEGMENT);
    const auto source = ns3::CreateObject<ns3::BulkSendApplication>();
    source->SetAttribute("Protocol", ns3::TypeIdValue(type));
    source->SetAttribute("Remote",
                         ns3::AddressValue(ns3::InetSocketAddress(addresses.GetAddress(1), PORT)));
    source->SetAttribute("MaxBytes", ns3::UintegerValue(bytes));
    source->SetAttribute("SendSize", ns3::UintegerValue(SEGMENT));
    nodes.Get(0)->AddApplication(source);
    ns3::PacketSinkHelper sink(type.GetName(),
                               ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), PORT));
    const auto sinks = sink.Install(nodes.Get(1));
    Receiver receiver(bytes);
    sinks.Get(0)->TraceConnectWithoutContext("Rx",
                                             ns3::MakeCallback(&Receiver::Receive, &receiver));
    const auto follow = [source]
    {
        const auto socket = source->GetSocket();
        socket->TraceConnectWithoutContext("Tx", ns3::MakeCallback(&SaySent));
        socket->TraceConnectWithoutContext("Rx", ns3::MakeCallback(&SayReceived));
        socket->TraceConnectWithoutContext("SlowStartThreshold", ns3::MakeCallback(&SayThreshold));
        socket->TraceConnectWithoutContext("CongState", ns3::MakeCallback(&SayState));
        socket->TraceConnectWithoutContext("CongestionWindow", ns3::MakeCallback(&SayWindow));
    };
    ns3::Simulator::Schedule(ns3::NanoSeconds(1), follow);
    ns3::Simulator::Stop(ns3::Seconds(60));
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    return tcpsweep::RunProgram("recovery",
                                [&]
                                {
                                    Options options({{"corrections", "", "", "none"},
                                                     {"variant", "", "", "TcpLinuxReno"},
                                                     {"segments", "", "", "100"},
                                                     {"last", "", "", "1000"},
                                                     {"lose_syns", "", "", "0"},
                                                     {"ecn", "", "", "false"},
                                                     {"lose", "", "", ""},
                                                     {"late", "", "", ""},
                                                     {"buffer", "", "", ""},
                                                     {"lose_acks", "", "", ""},
                                                     {"timestamps", "", "", "true"},
                                                     {"hold", "", "", ""}},
                                                    {},
                                                    {});
                                    options.Parse(argc, argv);
                                    Run(options);
                                });
}

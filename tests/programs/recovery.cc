// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/corrections.h"
#include "flows/variant-socket-factory.h"
#include "options/options.h"
#include "options/program.h"

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <iostream>
#include <map>
#include <sstream>
#include <utility>

/**
 * @file
 * One TCP flow over a link that loses chosen transmissions. The program prints a line for each
 * event: the event, the time in ms, and its value.
 *
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

using tcpsweep::Options;

constexpr uint32_t SEGMENT = 1000;   //!< bytes
constexpr uint16_t PORT = 5000;      //!< of the receiver
constexpr auto BANDWIDTH = "10Mbps"; //!< of the link
constexpr auto DELAY = "20ms";       //!< of the link, one way

/// Prints an event.
void
Say(char event, uint32_t value)
{
    std::cout << event << ' ' << ns3::Simulator::Now().GetMilliSeconds() << ' ' << value << '\n';
}

/// @return the number of a segment, from 0
uint32_t
Number(ns3::SequenceNumber32 begin)
{
    return (begin.GetValue() - 1 + SEGMENT - 1) / SEGMENT;
}

/// Loses chosen ACKs.
class AckLosses : public ns3::ErrorModel
{
  public:
    /// @param text the first ACK to lose, from 0, and how many; joined by a colon
    explicit AckLosses(const std::string& text)
    {
        const auto colon = text.find(':');
        if (colon != std::string::npos)
        {
            m_before = std::stoul(text.substr(0, colon));
            m_count = std::stoul(text.substr(colon + 1));
        }
    }

  private:
    bool
    DoCorrupt(ns3::Ptr<ns3::Packet>) override
    {
        const auto number = m_seen++;
        return number >= m_before && number < m_before + m_count;
    }

    void
    DoReset() override
    {
    }

    uint32_t m_seen{0};   //!< packets until now; the first is the receiver's SYN
    uint32_t m_before{0}; //!< packets before the first one to lose
    uint32_t m_count{0};  //!< how many to lose
};

/**
 * @param text pairs of numbers, as 1:2, joined by commas
 * @return the pairs
 */
std::map<uint32_t, uint32_t>
Pairs(const std::string& text)
{
    std::map<uint32_t, uint32_t> pairs;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
    {
        const auto colon = word.find(':');
        pairs[std::stoul(word.substr(0, colon))] = std::stoul(word.substr(colon + 1));
    }
    return pairs;
}

/// Loses chosen transmissions of data segments, and lets chosen segments arrive late.
class Losses : public ns3::ErrorModel
{
  public:
    /**
     * @param device the receiving device
     * @param lose segments to lose, each with how many of its first transmissions
     * @param late segments that arrive late, each with by how many ms its first transmission does
     */
    Losses(ns3::Ptr<ns3::NetDevice> device,
           std::map<uint32_t, uint32_t> lose,
           std::map<uint32_t, uint32_t> late)
        : m_device(ns3::DynamicCast<ns3::PointToPointNetDevice>(device)),
          m_left(std::move(lose)),
          m_late(std::move(late))
    {
    }

  private:
    bool
    DoCorrupt(ns3::Ptr<ns3::Packet> packet) override
    {
        const auto copy = packet->Copy();
        ns3::PppHeader ppp;
        ns3::Ipv4Header ip;
        ns3::TcpHeader tcp;
        copy->RemoveHeader(ppp);
        copy->RemoveHeader(ip);
        copy->RemoveHeader(tcp);
        if (copy->GetSize() == 0)
        {
            return false;
        }
        const auto number = Number(tcp.GetSequenceNumber());
        if (const auto late = m_late.extract(number))
        {
            const auto time = ns3::MilliSeconds(late.mapped());
            ns3::Simulator::Schedule(time,
                                     &ns3::PointToPointNetDevice::Receive,
                                     m_device,
                                     packet->Copy());
            return true;
        }
        auto& left = m_left[number];
        if (left == 0)
        {
            return false;
        }
        --left;
        Say('l', number);
        return true;
    }

    void
    DoReset() override
    {
    }

    ns3::Ptr<ns3::PointToPointNetDevice> m_device; //!< the receiving device
    std::map<uint32_t, uint32_t> m_left; //!< how many transmissions of a segment are still to lose
    std::map<uint32_t, uint32_t> m_late; //!< by how many ms a segment's next transmission is late
};

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

/**
 * Let a link hold a packet, and all packets behind it.
 *
 * @param device the link's device
 * @param text from when and for how long, as two numbers of ms joined by a colon; empty for never
 */
void
Hold(ns3::Ptr<ns3::NetDevice> device, const std::string& text)
{
    if (text.empty())
    {
        return;
    }
    const auto colon = text.find(':');
    const auto from = ns3::MilliSeconds(std::stoul(text.substr(0, colon)));
    const auto time = ns3::MilliSeconds(std::stoul(text.substr(colon + 1)));
    const auto set = [device](uint64_t rate)
    {
        device->SetAttribute("DataRate", ns3::DataRateValue(ns3::DataRate(rate)));
    };
    const uint64_t bits = 8 * (SEGMENT + 52); // IP, TCP and PPP need about 52 bytes
    ns3::Simulator::Schedule(from, [=] { set(static_cast<uint64_t>(bits / time.GetSeconds())); });
    ns3::Simulator::Schedule(from + time / 2, [=] { set(ns3::DataRate(BANDWIDTH).GetBitRate()); });
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
    const auto type = tcpsweep::VariantSocketFactory::Install(nodes.Get(0), variant);
    tcpsweep::VariantSocketFactory::Install(nodes.Get(1), variant);
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

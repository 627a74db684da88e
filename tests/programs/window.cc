// SPDX-License-Identifier: GPL-2.0-only
#include "control-values.h"
#include "corrections/corrections.h"
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
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

/**
 * @file
 * The window of one TCP flow on a link. Packets are lost at chosen times, the
 * link is slow for a while, or the application pauses. The program prints a line for each change:
 * what, the time in seconds, and the new value.
 *
 *     w   the congestion window, in bytes
 *     t   the slow start threshold, in bytes
 *     c   the congestion state, as in ns3::TcpSocketState
 *     f   the bytes in flight, if the congestion control's own values are asked for
 *
 * With --values=State, it also prints the congestion control's trace source of that name.
 */

namespace
{

using tcpsweep::Options;

constexpr uint32_t SEGMENT = 1000;   //!< bytes
constexpr uint32_t BUFFER = 1 << 21; //!< bytes
constexpr uint16_t PORT = 5000;      //!< of the receiver

/// Prints a change.
void
Say(char what, uint32_t value)
{
    std::cout << what << ' ' << ns3::Simulator::Now().GetSeconds() << ' ' << value << '\n';
}

/// A span of time.
struct Span
{
    ns3::Time begin; //!< its begin
    ns3::Time end;   //!< its end
};

/**
 * @param text a time, or two joined by a hyphen
 * @return the span, which ends at its begin if there is one time
 */
Span
ParseSpan(const std::string& text)
{
    const auto hyphen = text.find('-');
    const ns3::Time begin(text.substr(0, hyphen));
    return {begin, hyphen == std::string::npos ? begin : ns3::Time(text.substr(hyphen + 1))};
}

/// Loses all packets with data of some spans of time, but at least one in each.
class Losses : public ns3::ErrorModel
{
  public:
    /// @param text spans, joined by commas
    explicit Losses(const std::string& text)
    {
        std::istringstream words(text);
        for (std::string word; std::getline(words, word, ',');)
        {
            m_spans.push_back(ParseSpan(word));
        }
    }

  private:
    bool
    DoCorrupt(ns3::Ptr<ns3::Packet> packet) override
    {
        const auto now = ns3::Simulator::Now();
        if (m_spans.empty() || now < m_spans.front().begin || packet->GetSize() < SEGMENT)
        {
            return false;
        }
        if (now >= m_spans.front().end)
        {
            const bool wasOne = m_hasLost;
            m_hasLost = false;
            m_spans.erase(m_spans.begin());
            return !wasOne;
        }
        m_hasLost = true;
        return true;
    }

    void
    DoReset() override
    {
    }

    std::vector<Span> m_spans; //!< when to lose
    bool m_hasLost{false};     //!< whether the present one has lost a packet
};

/// Sends as much as the socket takes, with a pause.
class Source : public ns3::Application
{
  public:
    /**
     * @param protocol makes the socket
     * @param receiver the other end
     * @param before bytes to send before the pause
     * @param pauseEnd the end of the pause
     * @param values trace sources of the congestion control, joined by commas
     */
    Source(ns3::TypeId protocol,
           ns3::Address receiver,
           uint64_t before,
           ns3::Time pauseEnd,
           std::string values)
        : m_protocol(protocol),
          m_receiver(receiver),
          m_left(before),
          m_pauseEnd(pauseEnd),
          m_values(std::move(values))
    {
    }

  private:
    void
    StartApplication() override
    {
        m_socket = ns3::Socket::CreateSocket(GetNode(), m_protocol);
        m_socket->TraceConnectWithoutContext(
            "CongestionWindow",
            ns3::Callback<void, uint32_t, uint32_t>([](uint32_t, uint32_t now) { Say('w', now); }));
        m_socket->TraceConnectWithoutContext(
            "SlowStartThreshold",
            ns3::Callback<void, uint32_t, uint32_t>([](uint32_t, uint32_t now) { Say('t', now); }));
        m_socket->TraceConnectWithoutContext(
            "CongState",
            ns3::Callback<void,
                          ns3::TcpSocketState::TcpCongState_t,
                          ns3::TcpSocketState::TcpCongState_t>(
                [](ns3::TcpSocketState::TcpCongState_t, ns3::TcpSocketState::TcpCongState_t now)
                { Say('c', now); }));
        SayValues(m_socket, m_values);
        m_socket->SetSendCallback(ns3::MakeCallback(&Source::Fill, this));
        m_socket->Bind();
        m_socket->Connect(m_receiver);
        ns3::Simulator::Schedule(m_pauseEnd, &Source::EndPause, this);
    }

    /// Send on.
    void
    EndPause()
    {
        m_left = std::numeric_limits<uint64_t>::max();
        Fill(m_socket, m_socket->GetTxAvailable());
    }

    /// Fill the socket's buffer.
    void
    Fill(ns3::Ptr<ns3::Socket> socket, uint32_t)
    {
        while (m_left >= SEGMENT && socket->GetTxAvailable() >= SEGMENT)
        {
            socket->Send(ns3::Create<ns3::Packet>(SEGMENT));
            m_left -= SEGMENT;
        }
    }

    ns3::TypeId m_protocol;         //!< makes the socket
    ns3::Address m_receiver;        //!< the other end
    uint64_t m_left;                //!< bytes to send before the pause
    ns3::Time m_pauseEnd;           //!< its end
    std::string m_values;           //!< trace sources of the congestion control
    ns3::Ptr<ns3::Socket> m_socket; //!< the socket
};

void
Run(const Options& options)
{
    tcpsweep::VariantSocketFactory::Correct(
        tcpsweep::Corrections::Parse(options.Text("corrections")));
    ns3::Config::SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(SEGMENT));
    ns3::Config::SetDefault("ns3::TcpSocket::DelAckCount",
                            ns3::StringValue(options.Text("ack_every")));
    ns3::Config::SetDefault("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(BUFFER));
    ns3::Config::SetDefault("ns3::TcpSocket::RcvBufSize", ns3::UintegerValue(BUFFER));
    ns3::Config::SetDefault("ns3::TcpSocket::InitialSlowStartThreshold",
                            ns3::UintegerValue(SEGMENT * std::stoul(options.Text("threshold"))));
    std::cout << std::setprecision(9);
    ns3::NodeContainer nodes(2);
    ns3::InternetStackHelper().Install(nodes);
    ns3::PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", ns3::StringValue(options.Text("bandwidth")));
    link.SetChannelAttribute("Delay", ns3::StringValue(options.Text("delay")));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", ns3::StringValue(options.Text("queue")));
    const auto devices = link.Install(nodes);
    devices.Get(1)->SetAttribute(
        "ReceiveErrorModel",
        ns3::PointerValue(ns3::CreateObject<Losses>(options.Text("lose"))));
    const auto addresses = ns3::Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    ns3::TrafficControlHelper().Uninstall(devices); // so that the device's queue is the only one

    const auto variant = ns3::TypeId::LookupByName("ns3::" + options.Text("variant"));
    const auto type = tcpsweep::VariantSocketFactory::Install(nodes.Get(0), variant, SEGMENT);
    tcpsweep::VariantSocketFactory::Install(nodes.Get(1), variant, SEGMENT);
    const auto source =
        ns3::CreateObject<Source>(type,
                                  ns3::InetSocketAddress(addresses.GetAddress(1), PORT),
                                  SEGMENT * std::stoull(options.Text("pause_after")),
                                  ns3::Time(options.Text("pause_end")),
                                  options.Text("values"));
    nodes.Get(0)->AddApplication(source);
    ns3::PacketSinkHelper sink(type.GetName(),
                               ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), PORT));
    sink.Install(nodes.Get(1));
    const auto slow = ParseSpan(options.Text("slow"));
    const auto channel = devices.Get(0)->GetChannel();
    const ns3::Time delay(options.Text("delay"));
    const auto set = [channel](ns3::Time to)
    {
        channel->SetAttribute("Delay", ns3::TimeValue(to));
    };
    const ns3::Time by(options.Text("slow_by"));
    ns3::Simulator::Schedule(slow.begin, [=] { set(delay + by); });
    ns3::Simulator::Schedule(slow.end, [=] { set(delay); });
    ns3::Simulator::Stop(ns3::Time(options.Text("duration")));
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    return tcpsweep::RunProgram("window",
                                [&]
                                {
                                    Options options({{"load", "", "", ""},
                                                     {"corrections", "", "", "none"},
                                                     {"variant", "", "", "TcpCubic"},
                                                     {"bandwidth", "", "", "1Gbps"},
                                                     {"delay", "", "", "50ms"},
                                                     {"queue", "", "", "100000p"},
                                                     {"values", "", "", ""},
                                                     {"ack_every", "", "", "1"},
                                                     {"threshold", "", "", "100"},
                                                     {"lose", "", "", ""},
                                                     {"slow", "", "", "0s"},
                                                     {"slow_by", "", "", "0s"},
                                                     {"pause_after", "", "", "1000000000"},
                                                     {"pause_end", "", "", "0s"},
                                                     {"duration", "", "", "10s"}},
                                                    {},
                                                    {});
                                    tcpsweep::LoadPlugins(argc, argv);
                                    options.Parse(argc, argv);
                                    Run(options);
                                });
}

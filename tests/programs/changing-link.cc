// SPDX-License-Identifier: GPL-2.0-only
#include "network/buffer.h"
#include "network/changing-way.h"
#include "network/link-channel.h"
#include "network/opportunity-device.h"
#include "network/random-loss.h"
#include "options/program.h"
#include "options/values.h"

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>
#include <ns3/traffic-control-module.h>

#include <functional>
#include <iostream>

/**
 * @file
 * A link whose forward direction has everything that ChangingWay offers. It carries UDP packets or,
 * with --tcp, the acknowledgments of TCP flows whose data use the reverse direction. The program
 * prints a line for each event of a forward packet: the event, the time in ns, the packet's number,
 * and the packet's bytes in this event.
 *
 *     s   sent by the application         r   received          d   dropped before the queue
 *     b   its transmission begins         l   lost              a   dropped after it
 *     e   its transmission ends
 *
 * Last, a line of names and values.
 */

namespace
{

using tcpsweep::ChangingWay;
using tcpsweep::Link;
using tcpsweep::Options;
using tcpsweep::Way;

/// @return the options
std::vector<tcpsweep::Option>
Declared()
{
    auto options = ChangingWay::Declared();
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"loss", "0"},
                                                          {"loss_unit", "packet"},
                                                          {"loss_on", "data"},
                                                          {"loss_burst", "1"},
                                                          {"loss_stream", "own"},
                                                          {"step_time", "0s"},
                                                          {"step_delay", "none"},
                                                          {"step_bandwidth", "none"},
                                                          {"bandwidth", "10Mbps"},
                                                          {"delay", "10ms"},
                                                          {"back_delay", "same"},
                                                          {"back_bandwidth", "1Gbps"},
                                                          {"jitter", "0s"},
                                                          {"channel", "own"},
                                                          {"queue", "1000p"},
                                                          {"queue_disc", "none"},
                                                          {"device_queue", "1p"},
                                                          {"sizes", "1500"},
                                                          {"packets", "100"},
                                                          {"gap", "0s"},
                                                          {"tcp", "0"},
                                                          {"duration", "100s"},
                                                          {"ip", "4"}})
    {
        options.push_back({name, "", "", value});
    }
    return options;
}

/**
 * @param event the event
 * @param packet to which packet
 */
void
Say(const char* event, ns3::Ptr<const ns3::Packet> packet)
{
    std::cout << event << ' ' << ns3::Simulator::Now().GetNanoSeconds() << ' ' << packet->GetUid()
              << ' ' << packet->GetSize() << '\n';
}

/**
 * @param object the object with the trace source
 * @param source the source's name
 * @param event the reported event
 */
void
Follow(ns3::Ptr<ns3::Object> object, const std::string& source, const char* event)
{
    object->TraceConnectWithoutContext(
        source,
        ns3::Callback<void, ns3::Ptr<const ns3::Packet>>([event](ns3::Ptr<const ns3::Packet> packet)
                                                         { Say(event, packet); }));
}

/**
 * @param disc a root queue disc
 * @param source the source's name
 * @param event the reported event
 */
void
FollowDisc(ns3::Ptr<ns3::QueueDisc> disc, const std::string& source, const char* event)
{
    using Item = ns3::Ptr<const ns3::QueueDiscItem>;
    disc->TraceConnectWithoutContext(
        source,
        ns3::Callback<void, Item, const char*>([event](Item item, const char*)
                                               { Say(event, item->GetPacket()); }));
}

/**
 * @param node the device's node
 * @param way the link's properties in its direction
 * @param rate its rate
 * @return the device
 */
ns3::Ptr<ns3::PointToPointNetDevice>
NewDevice(ns3::Ptr<ns3::Node> node, const ChangingWay& way, ns3::DataRate rate)
{
    auto device = ns3::CreateObject<ns3::PointToPointNetDevice>();
    if (way.trace)
    {
        const auto own = ns3::CreateObject<tcpsweep::OpportunityDevice>();
        own->SetTrace(way.trace);
        device = own;
    }
    device->SetAddress(ns3::Mac48Address::Allocate());
    device->SetDataRate(rate);
    device->SetQueue(tcpsweep::MakeEndlessQueue());
    node->AddDevice(device);
    return device;
}

/// The link and its counts.
struct TestLink
{
    Link link;
    ns3::Ptr<tcpsweep::LinkChannel> channel; //!< nullptr if the channel is another
    std::shared_ptr<const tcpsweep::Conditions::Counts> counts;
};

/**
 * @param options the options
 * @param nodes the two nodes, which have an Internet stack
 * @return the link between them
 */
TestLink
MakeLink(const Options& options, const ns3::NodeContainer& nodes)
{
    const auto way = ChangingWay::FromOptions(options);
    const auto rate = options.As("bandwidth", tcpsweep::ParseRate);
    const auto delay = options.As("delay", tcpsweep::ParseTime);
    const auto jitter = options.As("jitter", tcpsweep::ParseTime);
    TestLink made;
    ns3::Ptr<ns3::PointToPointChannel> channel;
    if (options.Text("channel") == "plain")
    {
        channel = ns3::CreateObject<ns3::PointToPointChannel>();
    }
    else
    {
        channel = made.channel = ns3::CreateObject<tcpsweep::LinkChannel>();
    }
    channel->SetAttribute("Delay", ns3::TimeValue(delay));
    const ChangingWay plain{};
    const Link& link = made.link = {
        NewDevice(nodes.Get(0), way, rate),
        NewDevice(nodes.Get(1), plain, options.As("back_bandwidth", tcpsweep::ParseRate))};
    link.left->Attach(channel);
    link.right->Attach(channel);
    if (options.Text("back_delay") != "same")
    {
        made.channel->SetDelay(link.right, options.As("back_delay", tcpsweep::ParseTime));
    }
    if (jitter.IsStrictlyPositive())
    {
        constexpr int64_t STREAM = 5;
        made.channel->SetJitter(link.left, jitter, STREAM);
    }
    tcpsweep::Buffer buffer;
    buffer.size = options.As("queue", tcpsweep::ParseQueueSize).Resolve(0, 1502);
    buffer.deviceSize = options.As("device_queue", tcpsweep::ParseBufferSize).Resolve(0, 1502);
    buffer.hasDisc = options.Text("queue_disc") != "none";
    buffer.disc = buffer.hasDisc ? ns3::TypeId::LookupByName("ns3::" + options.Text("queue_disc"))
                                 : ns3::TypeId();
    const auto installed = way.conditioner.Install(link.left, buffer.Install(link.left, 0));
    made.counts = installed.counts;
    tcpsweep::RandomLoss::FromOptions(options).Install(link, 0);
    const Way forth = tcpsweep::Forth(link, 0);
    way.gilbertElliott.Install(forth);
    way.reordering.Install(forth);
    way.schedule.Install({forth});
    Follow(link.left, "PhyTxBegin", "b");
    Follow(link.left, "PhyTxEnd", "e");
    Follow(link.right, "PhyRxEnd", "r");
    Follow(link.right, "PhyRxDrop", "l");
    Follow(link.left->GetQueue(), "DropBeforeEnqueue", "d");
    Follow(link.left->GetQueue(), "DropAfterDequeue", "a");
    if (installed.root)
    {
        FollowDisc(installed.root, "DropBeforeEnqueue", "d");
        FollowDisc(installed.root, "DropAfterDequeue", "a");
    }
    return made;
}

/**
 * @param link the link
 * @param isV6 whether it has IPv6
 * @return the address of its right end
 */
ns3::Address
Address(const Link& link, bool isV6)
{
    constexpr uint16_t PORT = 5000;
    if (isV6)
    {
        const ns3::Ipv6Address network("fd00::");
        tcpsweep::AssignAddresses(link, network);
        return ns3::Inet6SocketAddress(tcpsweep::AddressIn(network, 2), PORT);
    }
    tcpsweep::AssignAddresses(link, ns3::Ipv4Address("10.0.0.0"));
    return ns3::InetSocketAddress(ns3::Ipv4Address("10.0.0.2"), PORT);
}

/// Sends UDP packets.
class Source
{
  public:
    /**
     * @param options the options
     * @param node the sender's node
     * @param to the destination
     */
    Source(const Options& options, ns3::Ptr<ns3::Node> node, const ns3::Address& to)
        : m_socket(ns3::Socket::CreateSocket(node, ns3::UdpSocketFactory::GetTypeId())),
          m_sizes(options.ListAs("sizes",
                                 [](const std::string& text)
                                 { return tcpsweep::ParseCount(text, 29, 1500); })),
          m_packets(options.As("packets",
                               [](const std::string& text)
                               { return tcpsweep::ParseCount(text, 0, 100000000); })),
          m_gap(options.As("gap", tcpsweep::ParseTime))
    {
        m_socket->Connect(to);
        ns3::Simulator::ScheduleNow(&Source::Send, this);
    }

  private:
    /// Send a packet, or all if there is no gap between them.
    void
    Send()
    {
        constexpr uint64_t HEADERS = 28;
        while (m_sent < m_packets)
        {
            const auto packet = ns3::Create<ns3::Packet>(
                static_cast<uint32_t>(m_sizes[m_sent % m_sizes.size()] - HEADERS));
            Say("s", packet);
            m_socket->Send(packet);
            ++m_sent;
            if (m_gap.IsStrictlyPositive())
            {
                ns3::Simulator::Schedule(m_gap, &Source::Send, this);
                return;
            }
        }
    }

    ns3::Ptr<ns3::Socket> m_socket; //!< the socket
    std::vector<uint64_t> m_sizes;  //!< of IP packets, in turn
    uint64_t m_packets;             //!< the number of packets
    ns3::Time m_gap;                //!< between two
    uint64_t m_sent{0};             //!< so far
};

/**
 * @param argc the number of arguments
 * @param argv the arguments
 */
void
Run(int argc, char** argv)
{
    Options options(Declared(), {}, {});
    options.Parse(argc, argv);
    const bool isV6 = options.Text("ip") == "6";
    const ns3::NodeContainer nodes(2);
    ns3::InternetStackHelper stack;
    stack.SetIpv4StackInstall(!isV6);
    stack.SetIpv6StackInstall(isV6);
    stack.Install(nodes);
    const auto made = MakeLink(options, nodes);
    const auto to = Address(made.link, isV6);
    const auto flows = tcpsweep::ParseCount(options.Text("tcp"), 0, 100);
    ns3::Ptr<ns3::PacketSink> sink;
    std::unique_ptr<Source> source;
    if (flows > 0)
    {
        ns3::Config::SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(1448));
        const ns3::Address left =
            isV6 ? ns3::Address(
                       ns3::Inet6SocketAddress(tcpsweep::AddressIn(ns3::Ipv6Address("fd00::"), 1),
                                               5000))
                 : ns3::Address(ns3::InetSocketAddress(ns3::Ipv4Address("10.0.0.1"), 5000));
        ns3::PacketSinkHelper receiver("ns3::TcpSocketFactory", left);
        sink = receiver.Install(nodes.Get(0)).Get(0)->GetObject<ns3::PacketSink>();
        for (uint64_t i = 0; i < flows; ++i)
        {
            ns3::BulkSendHelper("ns3::TcpSocketFactory", left)
                .Install(nodes.Get(1))
                .Start(ns3::MilliSeconds(i));
        }
    }
    else
    {
        ns3::PacketSinkHelper receiver("ns3::UdpSocketFactory", to);
        sink = receiver.Install(nodes.Get(1)).Get(0)->GetObject<ns3::PacketSink>();
        source = std::make_unique<Source>(options, nodes.Get(0), to);
    }
    ns3::Simulator::Stop(options.As("duration", tcpsweep::ParseTime));
    ns3::Simulator::Run();
    const auto own = ns3::DynamicCast<tcpsweep::OpportunityDevice>(made.link.left);
    const auto counts = made.counts ? *made.counts : tcpsweep::Conditions::Counts{};
    std::cout << "received=" << sink->GetTotalRx() << " events=" << ns3::Simulator::GetEventCount()
              << " used=" << (own ? own->GetUsedOpportunities() : 0)
              << " late=" << (made.channel ? made.channel->CountLate(made.link.left) : 0)
              << " policed=" << counts.policedPackets << " thinned=" << counts.thinnedPackets
              << '\n';
    ns3::Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    return tcpsweep::RunProgram("changing-link", [argc, argv] { Run(argc, argv); });
}

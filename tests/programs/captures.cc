// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * Captures for the tests of the decoders, from a small network that has every kind of packet they
 * know:
 *
 *     sender 0 --+                                          +-- receiver 0
 *                +-- PPP -- left -- PPP -- right -- CSMA ---+
 *     sender 1 --+                                          +-- receiver 1
 *
 * Each sender has a TCP flow to the receiver of its number; sender 0 also sends UDP packets that
 * are too big for one frame. The bottleneck loses packets, so that there are retransmissions and
 * SACK blocks; with `--ecn` it marks them. The folder that `--out` names receives a pcap file per
 * device and `ascii.tr`.
 */
#include <ns3/ascii-file.h>
#include <ns3/boolean.h>
#include <ns3/bulk-send-helper.h>
#include <ns3/command-line.h>
#include <ns3/config.h>
#include <ns3/csma-helper.h>
#include <ns3/error-model.h>
#include <ns3/inet-socket-address.h>
#include <ns3/inet6-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/ipv4-global-routing-helper.h>
#include <ns3/ipv6-address-helper.h>
#include <ns3/on-off-helper.h>
#include <ns3/packet-sink-helper.h>
#include <ns3/point-to-point-helper.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/traffic-control-helper.h>
#include <ns3/uinteger.h>

#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint16_t TCP_PORT = 50000;
constexpr uint16_t UDP_PORT = 51000;

/// The network's nodes and links.
struct Network
{
    NodeContainer senders;                 //!< senders 0 and 1
    NodeContainer routers;                 //!< left, right
    NodeContainer receivers;               //!< receivers 0 and 1
    std::vector<NetDeviceContainer> links; //!< each sender's, the bottleneck, the receivers' bus
    std::vector<Address> destinations;     //!< the receivers' addresses
};

Network
Build(PointToPointHelper& ppp, CsmaHelper& csma)
{
    Network network;
    network.senders.Create(2);
    network.routers.Create(2);
    network.receivers.Create(2);
    ppp.SetDeviceAttribute("DataRate", StringValue("10Mbps"));
    ppp.SetChannelAttribute("Delay", StringValue("1ms"));
    for (uint32_t i = 0; i < 2; i++)
    {
        network.links.push_back(ppp.Install(network.senders.Get(i), network.routers.Get(0)));
    }
    ppp.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("5p"));
    ppp.SetDeviceAttribute("DataRate", StringValue("2Mbps"));
    ppp.SetChannelAttribute("Delay", StringValue("10ms"));
    network.links.push_back(ppp.Install(network.routers));
    csma.SetChannelAttribute("DataRate", StringValue("10Mbps"));
    csma.SetChannelAttribute("Delay", StringValue("100us"));
    network.links.push_back(csma.Install({network.routers.Get(1), network.receivers}));
    return network;
}

void
LosePackets(const Network& network)
{
    for (uint32_t end = 0; end < 2; end++)
    {
        const auto loss = CreateObject<RateErrorModel>();
        loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        loss->SetRate(end ? 0.005 : 0.01);
        loss->AssignStreams(end);
        DynamicCast<PointToPointNetDevice>(network.links[2].Get(end))->SetReceiveErrorModel(loss);
    }
}

void
AddressIpv4(Network& network)
{
    Ipv4AddressHelper addresses;
    for (size_t i = 0; i < network.links.size(); i++)
    {
        addresses.SetBase(("10.0." + std::to_string(i) + ".0").c_str(), "255.255.255.0");
        const auto interfaces = addresses.Assign(network.links[i]);
        if (i + 1 == network.links.size())
        {
            network.destinations = {interfaces.GetAddress(1), interfaces.GetAddress(2)};
        }
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
}

void
AddressIpv6(Network& network)
{
    Ipv6AddressHelper addresses;
    std::vector<Ipv6InterfaceContainer> links;
    for (size_t i = 0; i < network.links.size(); i++)
    {
        // ns-3 forwards no packet to addresses for documentation.
        addresses.SetBase(Ipv6Address(("fd00:0:0:" + std::to_string(i) + "::").c_str()),
                          Ipv6Prefix(64));
        auto interfaces = addresses.Assign(network.links[i]);
        for (uint32_t end = 0; end < interfaces.GetN(); end++)
        {
            interfaces.SetForwarding(end, true);
        }
        links.push_back(interfaces);
    }
    for (uint32_t i = 0; i < 2; i++)
    {
        links[i].SetDefaultRouteInAllNodes(1);
    }
    links[3].SetDefaultRouteInAllNodes(0);
    links[2].SetDefaultRoute(0, 1);
    links[2].SetDefaultRoute(1, 0);
    network.destinations = {links[3].GetAddress(1, 1), links[3].GetAddress(2, 1)};
}

Address
Endpoint(const Address& address, uint16_t port)
{
    if (Ipv4Address::IsMatchingType(address))
    {
        return InetSocketAddress(Ipv4Address::ConvertFrom(address), port);
    }
    return Inet6SocketAddress(Ipv6Address::ConvertFrom(address), port);
}

void
AddApplications(const Network& network, uint64_t bytes)
{
    const auto receive = [&](const char* protocol, uint32_t node, uint16_t port)
    {
        const auto destination = Endpoint(network.destinations[node], port);
        PacketSinkHelper helper(protocol, destination);
        helper.Install(network.receivers.Get(node));
        return destination;
    };
    for (uint16_t i = 0; i < 2; i++)
    {
        BulkSendHelper send("ns3::TcpSocketFactory",
                            receive("ns3::TcpSocketFactory", i, TCP_PORT + i));
        send.SetAttribute("MaxBytes", UintegerValue(bytes));
        send.Install(network.senders.Get(i)).Start(MilliSeconds(1000 + 100 * i));
    }
    OnOffHelper datagrams("ns3::UdpSocketFactory", receive("ns3::UdpSocketFactory", 0, UDP_PORT));
    datagrams.SetConstantRate(DataRate("100kbps"), 2000);
    const auto started = datagrams.Install(network.senders.Get(0));
    started.Start(Seconds(1.05));
    started.Stop(Seconds(4));
}

} // namespace

int
main(int argc, char** argv)
{
    std::string out;
    uint64_t bytes = 300000;
    bool ipv6 = false;
    bool ecn = false;
    CommandLine command(__FILE__);
    command.AddValue("out", "Folder that receives the files", out);
    command.AddValue("bytes", "What each TCP flow sends", bytes);
    command.AddValue("ipv6", "IPv6 instead of IPv4", ipv6);
    command.AddValue("ecn", "Mark packets at the bottleneck, too", ecn);
    command.Parse(argc, argv);

    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue(ecn ? "On" : "Off"));
    PointToPointHelper ppp;
    if (!ecn)
    {
        // Without it there are no queue discs: the device's own queue is the buffer, and drops.
        ppp.DisableFlowControl();
    }
    CsmaHelper csma;
    auto network = Build(ppp, csma);
    InternetStackHelper internet;
    internet.Install(NodeContainer::GetGlobal());
    if (ecn)
    {
        TrafficControlHelper control;
        control.SetRootQueueDisc("ns3::CoDelQueueDisc",
                                 "UseEcn",
                                 BooleanValue(true),
                                 "Target",
                                 StringValue("2ms"),
                                 "Interval",
                                 StringValue("20ms"));
        control.Install(network.links[2]);
    }
    ipv6 ? AddressIpv6(network) : AddressIpv4(network);
    LosePackets(network);
    AddApplications(network, bytes);

    ppp.EnablePcapAll(out + "/capture");
    csma.EnablePcapAll(out + "/capture", true);
    AsciiTraceHelper ascii;
    const auto stream = ascii.CreateFileStream(out + "/ascii.tr");
    ppp.EnableAsciiAll(stream);
    csma.EnableAsciiAll(stream);

    Simulator::Stop(Seconds(60));
    Simulator::Run();
    Simulator::Destroy();
}

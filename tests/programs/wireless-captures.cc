// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * Captures of radio links for the tests of the decoders, by `--link`:
 *
 * - wifi: two stations of 802.11 and their access point, or three stations without one (`--adhoc`),
 *   with IPv4. Some frames arrive damaged, so that they are sent again.
 * - lrwpan: three stations of 802.15.4 with 6LoWPAN and IPv6, in a row. With `--mesh` only
 *   neighbours hear each other, and the middle one passes on what it hears.
 *
 * The first and the last station have a TCP flow to each other, the first also sends UDP packets
 * that are too big for one IP packet. The folder that `--out` names receives a pcap file per
 * station.
 */
#include <ns3/boolean.h>
#include <ns3/bulk-send-helper.h>
#include <ns3/command-line.h>
#include <ns3/config.h>
#include <ns3/double.h>
#include <ns3/error-model.h>
#include <ns3/inet-socket-address.h>
#include <ns3/inet6-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/ipv6-address-helper.h>
#include <ns3/lr-wpan-helper.h>
#include <ns3/mobility-helper.h>
#include <ns3/on-off-helper.h>
#include <ns3/packet-sink-helper.h>
#include <ns3/pointer.h>
#include <ns3/simulator.h>
#include <ns3/sixlowpan-helper.h>
#include <ns3/ssid.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>
#include <ns3/wifi-net-device.h>
#include <ns3/yans-wifi-helper.h>

#include <optional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint16_t TCP_PORT = 50000;
constexpr uint16_t UDP_PORT = 51000;
constexpr double SPACING_M = 10;

/// What the command line says.
struct Parameters
{
    std::string out;                 //!< folder that receives the files
    std::string link{"wifi"};        //!< which link
    uint64_t bytes{30000};           //!< what each TCP flow sends
    uint32_t segment{536};           //!< payload of its segments
    std::string rate{"100kbps"};     //!< of the UDP packets
    bool adhoc{false};               //!< wifi: no access point
    bool radiotap{false};            //!< wifi: captures with radiotap's header
    std::string standard{"802.11a"}; //!< wifi: which
    bool mesh{false};                //!< lrwpan: mesh-under
};

/// The stations between which there are flows, and their addresses.
struct Ends
{
    Ptr<Node> nodes[2];
    Address addresses[2];
};

/// Stations in a row.
NodeContainer
MakeNodes()
{
    NodeContainer nodes(3);
    MobilityHelper mobility;
    mobility.SetPositionAllocator("ns3::GridPositionAllocator", "DeltaX", DoubleValue(SPACING_M));
    mobility.Install(nodes);
    return nodes;
}

/// Some frames of 802.11 arrive damaged.
void
DamageFrames(const NetDeviceContainer& devices)
{
    for (uint32_t i = 0; i < devices.GetN(); i++)
    {
        const auto loss = CreateObject<RateErrorModel>();
        loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        loss->SetRate(0.05);
        loss->AssignStreams(i);
        DynamicCast<WifiNetDevice>(devices.Get(i))->GetPhy()->SetPostReceptionErrorModel(loss);
    }
}

Ends
BuildWifi(const Parameters& p)
{
    const auto nodes = MakeNodes();
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    phy.SetPcapDataLinkType(p.radiotap ? WifiPhyHelper::DLT_IEEE802_11_RADIO
                                       : WifiPhyHelper::DLT_IEEE802_11);
    WifiHelper wifi;
    wifi.SetStandard(p.standard == "802.11a"    ? WIFI_STANDARD_80211a
                     : p.standard == "802.11ac" ? WIFI_STANDARD_80211ac
                                                : WIFI_STANDARD_80211ax);
    wifi.SetRemoteStationManager("ns3::IdealWifiManager");
    WifiMacHelper mac;
    NetDeviceContainer devices;
    if (p.adhoc)
    {
        mac.SetType("ns3::AdhocWifiMac");
        devices = wifi.Install(phy, mac, nodes);
    }
    else
    {
        const auto ssid = SsidValue(Ssid("tests"));
        mac.SetType("ns3::StaWifiMac", "Ssid", ssid);
        devices.Add(wifi.Install(phy, mac, nodes.Get(0)));
        mac.SetType("ns3::ApWifiMac", "Ssid", ssid);
        devices.Add(wifi.Install(phy, mac, nodes.Get(1)));
        mac.SetType("ns3::StaWifiMac", "Ssid", ssid);
        devices.Add(wifi.Install(phy, mac, nodes.Get(2)));
    }
    WifiHelper::AssignStreams(devices, 100);
    DamageFrames(devices);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    const auto interfaces = addresses.Assign(devices);
    phy.EnablePcap(p.out + "/capture", devices, true);
    return {{nodes.Get(0), nodes.Get(2)}, {interfaces.GetAddress(0), interfaces.GetAddress(2)}};
}

/// Build the network; the channel exists only as long as the helper.
Ends
BuildLrWpan(const Parameters& p, LrWpanHelper& lrWpan)
{
    const auto nodes = MakeNodes();
    lrWpan.SetPropagationDelayModel("ns3::ConstantSpeedPropagationDelayModel");
    lrWpan.AddPropagationLossModel("ns3::RangePropagationLossModel",
                                   "MaxRange",
                                   DoubleValue((p.mesh ? 1.5 : 2.5) * SPACING_M));
    const auto links = lrWpan.Install(nodes);
    lrWpan.CreateAssociatedPan(links, 7);
    lrWpan.AssignStreams(links, 100);
    InternetStackHelper internet;
    internet.SetIpv4StackInstall(false);
    internet.Install(nodes);
    SixLowPanHelper sixLowPan;
    sixLowPan.SetDeviceAttribute("UseMeshUnder", BooleanValue(p.mesh));
    const auto devices = sixLowPan.Install(links);
    sixLowPan.AssignStreams(devices, 200);
    Ipv6AddressHelper addresses(Ipv6Address("fd00::"), Ipv6Prefix(64));
    const auto interfaces = addresses.Assign(devices);
    lrWpan.EnablePcap(p.out + "/capture", links, true);
    return {{nodes.Get(0), nodes.Get(2)},
            {interfaces.GetAddress(0, 1), interfaces.GetAddress(2, 1)}};
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
AddApplications(const Ends& ends, const Parameters& p)
{
    const auto receive = [&](const char* protocol, uint32_t end, uint16_t port)
    {
        const auto destination = Endpoint(ends.addresses[end], port);
        PacketSinkHelper helper(protocol, destination);
        helper.Install(ends.nodes[end]);
        return destination;
    };
    for (uint16_t i = 0; i < 2; i++)
    {
        BulkSendHelper send("ns3::TcpSocketFactory",
                            receive("ns3::TcpSocketFactory", 1 - i, TCP_PORT + i));
        send.SetAttribute("MaxBytes", UintegerValue(p.bytes));
        send.Install(ends.nodes[i]).Start(MilliSeconds(2000 + 100 * i));
    }
    OnOffHelper datagrams("ns3::UdpSocketFactory", receive("ns3::UdpSocketFactory", 1, UDP_PORT));
    datagrams.SetConstantRate(DataRate(p.rate), 2500);
    const auto started = datagrams.Install(ends.nodes[0]);
    started.Start(Seconds(2.05));
    started.Stop(Seconds(4));
}

} // namespace

int
main(int argc, char** argv)
{
    Parameters p;
    CommandLine command(__FILE__);
    command.AddValue("out", "Folder that receives the files", p.out);
    command.AddValue("link", "wifi or lrwpan", p.link);
    command.AddValue("bytes", "What each TCP flow sends", p.bytes);
    command.AddValue("segment", "Payload of its segments", p.segment);
    command.AddValue("rate", "Data rate of the UDP packets", p.rate);
    command.AddValue("adhoc", "wifi: without an access point", p.adhoc);
    command.AddValue("radiotap", "wifi: captures with radiotap's header", p.radiotap);
    command.AddValue("standard", "wifi: 802.11a, 802.11ac or 802.11ax", p.standard);
    command.AddValue("mesh", "lrwpan: mesh-under", p.mesh);
    command.Parse(argc, argv);

    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(p.segment));
    std::optional<LrWpanHelper> lrWpan;
    const auto ends = p.link == "wifi" ? BuildWifi(p) : BuildLrWpan(p, lrWpan.emplace());
    AddApplications(ends, p);

    Simulator::Stop(Seconds(30));
    Simulator::Run();
    Simulator::Destroy();
}

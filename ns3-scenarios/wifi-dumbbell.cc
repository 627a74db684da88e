// SPDX-License-Identifier: GPL-2.0-only
#include "network/streams.h"
#include "options/ns3-types.h"
#include "scenario/scenario.h"
#include "wireless/stations.h"
#include "wireless/wifi-interface.h"
#include "wireless/wifi-parameters.h"

#include <ns3/arp-l3-protocol.h>
#include <ns3/double.h>
#include <ns3/mac48-address.h>
#include <ns3/propagation-delay-model.h>
#include <ns3/ssid.h>
#include <ns3/string.h>
#include <ns3/threshold-preamble-detection-model.h>
#include <ns3/wifi-helper.h>
#include <ns3/wifi-mac-helper.h>
#include <ns3/wifi-mac.h>
#include <ns3/wifi-net-device.h>
#include <ns3/wifi-phy.h>
#include <ns3/yans-wifi-channel.h>
#include <ns3/yans-wifi-helper.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * Two Wi-Fi networks of stations, each with an access point and a channel of its own, whose access
 * points are the ends of the link that all flows share:
 *
 *     sender 0 ))                                            (( receiver 0
 *                 left access point ══════ right access point
 *     sender n ))                 bottleneck                 (( receiver n
 *
 * A station that its access point does not hear never joins, and its flows carry nothing.
 */

namespace tcpsweep
{

namespace
{

const ns3::Ipv4Address LEFT_NETWORK("10.1.0.0");
const ns3::Ipv4Address RIGHT_NETWORK("10.2.0.0");
const ns3::Ipv4Mask NETWORK_MASK("/16");

/**
 * @param device a Wi-Fi device
 * @param attribute the name of an attribute of its PHY
 * @return the attribute's value
 */
double
OfPhy(ns3::Ptr<ns3::NetDevice> device, const std::string& attribute)
{
    ns3::DoubleValue value;
    ns3::DynamicCast<ns3::WifiNetDevice>(device)->GetPhy()->GetAttribute(attribute, value);
    return value.Get();
}

/**
 * @param device a Wi-Fi device; all are alike
 * @return its transmit power, and the least power at which its PHY detects a frame
 */
Radio
RadioOf(ns3::Ptr<ns3::NetDevice> device)
{
    const auto preamble =
        std::stod(ValueInForce(ns3::ThresholdPreambleDetectionModel::GetTypeId(), "MinimumRssi"));
    return {OfPhy(device, "TxPowerStart") + OfPhy(device, "TxGain"),
            std::max(OfPhy(device, "RxSensitivity"), preamble) - OfPhy(device, "RxGain")};
}

/**
 * @param stations where to note it
 * @param station a station that is associated now
 */
void
Associated(Stations* stations, ns3::Ptr<ns3::Node> station, ns3::Mac48Address)
{
    stations->NoteAssociation(station);
}

/**
 * Make the Wi-Fi network of one side: devices, addresses, routes.
 *
 * @param stations the nodes, which have an Internet stack
 * @param side the side
 * @param places their positions
 * @param wifi its devices' parameters
 * @param[in,out] interfaces the network's are added
 * @return its access point's device
 */
ns3::Ptr<ns3::NetDevice>
BuildSide(Stations& stations,
          Side side,
          const StationParameters& places,
          const WifiParameters& wifi,
          std::vector<Interface>& interfaces)
{
    const auto loss = places.MakeLoss();
    loss->AssignStreams(StreamOf(Draw::PROPAGATION, STREAMS_PER_NODE * RouterStream(side)));
    const auto channel = ns3::CreateObject<ns3::YansWifiChannel>();
    channel->SetPropagationLossModel(loss);
    channel->SetPropagationDelayModel(ns3::CreateObject<ns3::ConstantSpeedPropagationDelayModel>());
    ns3::YansWifiPhyHelper phy;
    phy.SetChannel(channel);
    if (!wifi.channelSettings.empty())
    {
        phy.Set("ChannelSettings", ns3::StringValue(wifi.channelSettings));
    }
    ns3::WifiHelper devices;
    devices.SetStandard(wifi.standard);
    devices.SetRemoteStationManager(wifi.rateControl.GetName());
    // Flow control stops queue discs, and a station has none: its device's queue drops what exceeds
    // it.
    devices.DisableFlowControl();
    const bool left = side == Side::LEFT;
    const ns3::SsidValue ssid(ns3::Ssid(left ? "left" : "right"));
    const uint32_t subnet = (left ? LEFT_NETWORK : RIGHT_NETWORK).Get();
    const ns3::Ipv4Address gateway(subnet + 1);
    const auto install = [&](ns3::Ptr<ns3::Node> node,
                             const std::string& label,
                             const std::string& type,
                             ns3::Ipv4Address address,
                             uint32_t stream)
    {
        ns3::WifiMacHelper mac;
        mac.SetType(type, "Ssid", ssid);
        const auto device = devices.Install(phy, mac, node).Get(0);
        devices.AssignStreams(device, StreamOf(Draw::RADIO, STREAMS_PER_NODE * stream));
        node->GetObject<ns3::ArpL3Protocol>()->AssignStreams(StreamOf(Draw::ARP, stream));
        AssignAddress(device, address, NETWORK_MASK);
        interfaces.push_back(WifiInterface(label, ns3::DynamicCast<ns3::WifiNetDevice>(device)));
        return device;
    };
    const auto accessPoint = install(stations.Router(side),
                                     left ? "left-access-point" : "right-access-point",
                                     "ns3::ApWifiMac",
                                     gateway,
                                     RouterStream(side));
    for (uint32_t i = 0; i < places.perSide; ++i)
    {
        const auto station = stations.Station(side, i);
        const auto device = install(station,
                                    StationInterface(side, i),
                                    "ns3::StaWifiMac",
                                    ns3::Ipv4Address(subnet + 2 + i),
                                    StationStream(side, i));
        SetDefaultRoute(device, gateway);
        ns3::DynamicCast<ns3::WifiNetDevice>(device)->GetMac()->TraceConnectWithoutContext(
            "Assoc",
            ns3::MakeBoundCallback(&Associated, &stations, station));
    }
    return accessPoint;
}

/// @return the options that wired scenarios do not have
std::vector<Option>
DeclareOptions()
{
    auto options = StationParameters::DeclareOptions();
    const auto wifi = WifiParameters::DeclareOptions();
    options.insert(options.end(), wifi.begin(), wifi.end());
    return options;
}

/**
 * @param p the parameters
 * @param options the options, with the scenario's own
 * @return the network
 */
Network
Build(const ScenarioParameters& p, const Options& options)
{
    const auto places = StationParameters::FromOptions(options);
    const auto wifi = WifiParameters::FromOptions(options);
    const auto stations = std::make_shared<Stations>(places, "access point");
    InstallStack(stations->All());
    const auto left = stations->Router(Side::LEFT);
    const auto right = stations->Router(Side::RIGHT);
    auto network = ConnectBottleneck(p, left, right);
    SetDefaultRoute(network.links.front().link.left);
    SetDefaultRoute(network.links.front().link.right);
    const auto radio = RadioOf(BuildSide(*stations, Side::LEFT, places, wifi, network.interfaces));
    BuildSide(*stations, Side::RIGHT, places, wifi, network.interfaces);
    const auto count = static_cast<uint32_t>(p.flows.size());
    for (uint32_t i = 0; i < count; ++i)
    {
        network.flows.push_back(stations->EndsOf(i));
    }
    for (uint32_t i = 0; i < p.cbr.count; ++i)
    {
        network.cbr.push_back(stations->EndsOf(count + i));
    }
    network.places = stations->Places();
    network.writeNodes = [stations, radio](JsonWriter& json)
    {
        stations->Write(json, radio);
    };
    return network;
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    return tcpsweep::RunScenario({"wifi-dumbbell",
                                  0,
                                  tcpsweep::StationParameters::WiredConstants("4", "1500"),
                                  tcpsweep::Build,
                                  tcpsweep::DeclareOptions(),
                                  tcpsweep::StationParameters::Attributes(),
                                  // No two pairs of stations are alike.
                                  {{"assignment", "rotated"}}},
                                 argc,
                                 argv);
}

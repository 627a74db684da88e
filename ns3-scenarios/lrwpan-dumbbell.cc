// SPDX-License-Identifier: GPL-2.0-only
#include "network/streams.h"
#include "options/values.h"
#include "scenario/scenario.h"
#include "wireless/lr-wpan.h"
#include "wireless/six-low-pan.h"
#include "wireless/stations.h"

#include <ns3/boolean.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/mac48-address.h>
#include <ns3/propagation-delay-model.h>
#include <ns3/single-model-spectrum-channel.h>
#include <ns3/sixlowpan-net-device.h>
#include <ns3/uinteger.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * Two networks of 802.15.4 with 6LoWPAN, each with a channel of its own, whose routers are the ends
 * of the link that all flows share:
 *
 *     sender 0 ))                                (( receiver 0
 *                 left router ══════ right router
 *     sender n ))             bottleneck         (( receiver n
 *
 * All nodes speak IPv6. Within a network, each node forwards what it hears for the first time, up
 * to the mesh's radius.
 */

namespace tcpsweep
{

namespace
{

/// Not addresses for documentation, 2001:db8::/32, to which ns-3 forwards no packet.
const ns3::Ipv6Address LEFT_NETWORK("fd00:0:0:1::");
const ns3::Ipv6Address RIGHT_NETWORK("fd00:0:0:2::");
/// The MTU of the link between the routers, from which queue discs take a packet's size.
constexpr uint16_t WIRED_MTU = 1500;
/// The router's number in its network; the stations' follow.
constexpr uint16_t ROUTER = 1;

/// One side.
struct Pan
{
    Side side;                //!< which one
    ns3::Ipv6Address network; //!< its addresses
    uint32_t radius;          //!< the number of times that a packet is forwarded
};

/**
 * @param options the options in force
 * @return the sides
 */
std::array<Pan, 2>
ReadPans(const Options& options)
{
    const auto radius = [&options](const std::string& name)
    {
        return static_cast<uint32_t>(
            options.As(name, [](const std::string& text) { return ParseCount(text, 0, 255); }));
    };
    return {{{Side::LEFT, LEFT_NETWORK, radius("mesh_radius_left")},
             {Side::RIGHT, RIGHT_NETWORK, radius("mesh_radius_right")}}};
}

/**
 * @param pan a side
 * @param host a node's number there
 * @return the node's link-layer address: 48 bits, from which ns-3 takes the PAN's id and the short
 * address. So neither needs ns-3's helper, which differs between versions
 */
ns3::Mac48Address
LinkAddress(const Pan& pan, uint16_t host)
{
    const auto id = static_cast<uint8_t>(static_cast<uint32_t>(pan.side) + 1);
    const std::array<uint8_t, 6> bytes{0,
                                       id,
                                       0,
                                       0,
                                       static_cast<uint8_t>(host >> 8),
                                       static_cast<uint8_t>(host)};
    ns3::Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

/**
 * Make one side's network: devices, addresses, routes.
 *
 * @param stations the nodes, which have an Internet stack
 * @param pan the side
 * @param places the positions of the nodes
 * @param[in,out] interfaces the network's are added
 */
void
BuildSide(const Stations& stations,
          const Pan& pan,
          const StationParameters& places,
          std::vector<Interface>& interfaces)
{
    const auto loss = places.MakeLoss();
    loss->AssignStreams(StreamOf(Draw::PROPAGATION, STREAMS_PER_NODE * RouterStream(pan.side)));
    const auto channel = ns3::CreateObject<ns3::SingleModelSpectrumChannel>();
    channel->AddPropagationLossModel(loss);
    channel->SetPropagationDelayModel(ns3::CreateObject<ns3::ConstantSpeedPropagationDelayModel>());
    const auto install =
        [&](ns3::Ptr<ns3::Node> node, const std::string& label, uint16_t host, uint32_t streams)
    {
        const auto radio = ns3::CreateObject<lrwpan::LrWpanNetDevice>();
        radio->SetChannel(channel);
        node->AddDevice(radio);
        radio->SetAddress(LinkAddress(pan, host));
        const auto device = ns3::CreateObject<ns3::SixLowPanNetDevice>();
        device->SetAttribute("UseMeshUnder", ns3::BooleanValue(true));
        device->SetAttribute("MeshUnderRadius", ns3::UintegerValue(pan.radius));
        node->AddDevice(device);
        device->SetNetDevice(radio);
        KeepTags(device);
        AssignAddress(device, AddressIn(pan.network, host));
        auto stream = StreamOf(Draw::RADIO, STREAMS_PER_NODE * streams);
        stream += AssignStreams(radio, stream);
        stream += device->AssignStreams(stream);
        ns3::InternetStackHelper().AssignStreams(node, stream);
        interfaces.push_back(LrWpanInterface(label, radio));
        return device;
    };
    install(stations.Router(pan.side),
            pan.side == Side::LEFT ? "left-router" : "right-router",
            ROUTER,
            RouterStream(pan.side));
    for (uint32_t i = 0; i < places.perSide; ++i)
    {
        const auto device = install(stations.Station(pan.side, i),
                                    StationInterface(pan.side, i),
                                    static_cast<uint16_t>(ROUTER + 1 + i),
                                    StationStream(pan.side, i));
        SetDefaultRoute(device, AddressIn(pan.network, ROUTER));
    }
}

/// @return the options that wired scenarios do not have
std::vector<Option>
DeclareOptions()
{
    auto options = StationParameters::DeclareOptions();
    options.push_back(
        ParameterOption("mesh_radius_left",
                        "Largest number of hops of a packet within the senders' network"));
    options.push_back(
        ParameterOption("mesh_radius_right",
                        "Largest number of hops of a packet within the receivers' network"));
    return options;
}

/// @return the attributes that these options set
std::vector<std::string>
Attributes()
{
    auto attributes = StationParameters::Attributes();
    attributes.push_back("ns3::SixLowPanNetDevice::UseMeshUnder");
    attributes.push_back("ns3::SixLowPanNetDevice::MeshUnderRadius");
    return attributes;
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
    const auto pans = ReadPans(options);
    const auto stations = std::make_shared<Stations>(places, "router");
    InstallStack(stations->All(), Ip::V6);
    const auto left = stations->Router(Side::LEFT);
    const auto right = stations->Router(Side::RIGHT);
    auto network = ConnectBottleneck(p, left, right);
    for (const auto& device : {network.links.front().link.left, network.links.front().link.right})
    {
        device->SetMtu(WIRED_MTU);
    }
    SetDefaultRoute(network.links.front().link.left,
                    ns3::Ipv6Address::ConvertFrom(AddressOf(right)));
    SetDefaultRoute(network.links.front().link.right,
                    ns3::Ipv6Address::ConvertFrom(AddressOf(left)));
    for (const auto& pan : pans)
    {
        BuildSide(*stations, pan, places, network.interfaces);
    }
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
    network.writeNodes = [stations](JsonWriter& json)
    {
        stations->Write(json, LR_WPAN_RADIO);
    };
    return network;
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    return tcpsweep::RunScenario({"lrwpan-dumbbell",
                                  0,
                                  // The MTU of 6LoWPAN.
                                  tcpsweep::StationParameters::WiredConstants("6", "1280"),
                                  tcpsweep::Build,
                                  tcpsweep::DeclareOptions(),
                                  tcpsweep::Attributes(),
                                  // No two pairs of stations are alike.
                                  {{"segment_size", "100"}, {"assignment", "rotated"}}},
                                 argc,
                                 argv);
}

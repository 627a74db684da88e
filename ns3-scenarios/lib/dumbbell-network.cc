// SPDX-License-Identifier: GPL-2.0-only
#include "dumbbell-network.h"

#include "jitter-channel.h"
#include "streams.h"

#include <ns3/error-model.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/random-variable-stream.h>

#include <string>
#include <utility>

namespace tcpsweep
{

namespace
{

const ns3::Ipv4Address BOTTLENECK_NETWORK("10.0.0.0");
const ns3::Ipv4Address SENDERS_NETWORK("10.1.0.0");
const ns3::Ipv4Address RECEIVERS_NETWORK("10.2.0.0");
constexpr uint32_t ADDRESSES_PER_LINK = 4;

/**
 * Give a host and its router addresses on their link, and routes to each other.
 *
 * @param link the link, the router on the left
 * @param subnet its network
 * @param routing the router's routing
 */
void
AddHost(const Link& link, ns3::Ipv4Address subnet, SubnetRouting& routing)
{
    AssignAddresses(link, subnet);
    SetDefaultRoute(link.right);
    routing.AddSubnet(subnet, link.left);
}

/**
 * Lose packets that arrive at a device.
 *
 * @param device the device
 * @param p the parameters
 * @param draw which direction it is
 */
void
AddLoss(ns3::Ptr<ns3::PointToPointNetDevice> device, const DumbbellParameters& p, Draw draw)
{
    const auto draws = ns3::CreateObject<ns3::UniformRandomVariable>();
    draws->SetStream(StreamOf(draw, 0));
    const auto model = ns3::CreateObject<ns3::RateErrorModel>();
    model->SetUnit(p.lossPerByte ? ns3::RateErrorModel::ERROR_UNIT_BYTE
                                 : ns3::RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(p.loss);
    model->SetRandomVariable(draws);
    device->SetReceiveErrorModel(model);
}

/**
 * Connect a flow's sender and receiver with the routers.
 *
 * @param network the network, its bottleneck there; receives the interfaces
 * @param i the flow's index
 * @param p the parameters
 */
void
AddAccessLinks(DumbbellNetwork& network, uint32_t i, const DumbbellParameters& p)
{
    const auto& flow = p.flows[i];
    const auto channel = ns3::CreateObject<JitterChannel>();
    const Link sending = Connect(network.bottleneck.left->GetNode(),
                                 network.senders.Get(i),
                                 channel,
                                 flow.accessBandwidth,
                                 flow.accessDelay);
    if (p.packetJitter.IsStrictlyPositive())
    {
        channel->SetJitter(sending.right, p.packetJitter, StreamOf(Draw::PACKET_JITTER, i));
    }
    const Link receiving = Connect(network.bottleneck.right->GetNode(),
                                   network.receivers.Get(i),
                                   ns3::CreateObject<ns3::PointToPointChannel>(),
                                   flow.accessBandwidth,
                                   flow.accessDelay);
    const uint32_t offset = i * ADDRESSES_PER_LINK;
    AddHost(sending, ns3::Ipv4Address(SENDERS_NETWORK.Get() + offset), *network.leftRouting);
    AddHost(receiving, ns3::Ipv4Address(RECEIVERS_NETWORK.Get() + offset), *network.rightRouting);
    const std::string number = std::to_string(i);
    network.interfaces.push_back({"sender" + number, sending.right});
    network.interfaces.push_back({"left-to-sender" + number, sending.left});
    network.interfaces.push_back({"receiver" + number, receiving.right});
    network.interfaces.push_back({"right-to-receiver" + number, receiving.left});
}

} // namespace

DumbbellNetwork
BuildNetwork(const DumbbellParameters& p)
{
    const auto count = static_cast<uint32_t>(p.flows.size());
    DumbbellNetwork network;
    network.routers.Create(2);
    const auto& routers = network.routers;
    network.senders.Create(count);
    network.receivers.Create(count);

    ns3::InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    // ns-3's default asks a second routing protocol too, for every packet.
    stack.SetRoutingHelper(ns3::Ipv4StaticRoutingHelper());
    stack.Install(ns3::NodeContainer(routers, network.senders, network.receivers));

    network.bottleneck = Connect(routers.Get(0),
                                 routers.Get(1),
                                 ns3::CreateObject<ns3::PointToPointChannel>(),
                                 p.bandwidth,
                                 p.delay);
    const Link& bottleneck = network.bottleneck;
    network.dataDisc = p.buffer.Install(bottleneck.left, StreamOf(Draw::QUEUE_DISC, 0));
    p.buffer.Install(bottleneck.right, StreamOf(Draw::QUEUE_DISC, 1));
    AssignAddresses(bottleneck, BOTTLENECK_NETWORK);
    network.leftRouting = SubnetRouting::Install(routers.Get(0));
    network.leftRouting->SetDefault(bottleneck.left);
    network.rightRouting = SubnetRouting::Install(routers.Get(1));
    network.rightRouting->SetDefault(bottleneck.right);
    if (p.loss > 0 && p.lossOnData)
    {
        AddLoss(bottleneck.right, p, Draw::DATA_LOSS);
    }
    if (p.loss > 0 && p.lossOnAcks)
    {
        AddLoss(bottleneck.left, p, Draw::ACK_LOSS);
    }
    network.interfaces = {{"bottleneck-left", bottleneck.left},
                          {"bottleneck-right", bottleneck.right}};
    for (uint32_t i = 0; i < count; ++i)
    {
        AddAccessLinks(network, i, p);
    }
    return network;
}

} // namespace tcpsweep

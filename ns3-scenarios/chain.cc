// SPDX-License-Identifier: GPL-2.0-only
#include "network/jitter-channel.h"
#include "network/streams.h"
#include "scenario/scenario.h"

/**
 * @file
 * One flow over two links in a row, the second of which is the bottleneck. Flows of a constant bit
 * rate begin at the gateway:
 *
 *     source ────── gateway ══════ sink
 *            access         bottleneck
 */

namespace tcpsweep
{

namespace
{

const ns3::Ipv4Address ACCESS_NETWORK("10.1.0.0");

/**
 * @param p the parameters
 * @return the network
 */
Network
Build(const ScenarioParameters& p, const Options&)
{
    const FlowParameters& flow = p.flows.front();
    ns3::NodeContainer nodes;
    nodes.Create(3);
    InstallStack(nodes);
    const auto source = nodes.Get(0);
    const auto gateway = nodes.Get(1);
    const auto sink = nodes.Get(2);
    auto network = ConnectBottleneck(p, gateway, sink);
    const AccessLink access = flow.senderAccess;
    const auto channel = ns3::CreateObject<JitterChannel>();
    const Link link = Connect(gateway, source, channel, access.bandwidth, access.delay);
    if (p.packetJitter.IsStrictlyPositive())
    {
        channel->SetJitter(link.right, p.packetJitter, StreamOf(Draw::PACKET_JITTER, 0));
    }
    AssignAddresses(link, ACCESS_NETWORK);
    SetDefaultRoute(link.right);
    SetDefaultRoute(network.bottleneck.right);
    network.interfaces.push_back({"sender0", link.right});
    network.interfaces.push_back({"left-to-sender0", link.left});
    network.flows = {{source, sink, "sender0", BOTTLENECK_RIGHT, access, {}}};
    network.cbr.assign(p.cbr.count, {gateway, sink, BOTTLENECK_LEFT, BOTTLENECK_RIGHT, {}, {}});
    network.places = {{source, "source", 0, 0},
                      {gateway, "gateway", COLUMN, 0},
                      {sink, "sink", 2 * COLUMN, 0}};
    return network;
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    return tcpsweep::RunScenario({"chain",
                                  1,
                                  {{"flows", "1"},
                                   {"reverse_flows", "0"},
                                   {"assignment", "fixed"},
                                   {"receiver_access_bandwidth", "none"},
                                   {"receiver_access_delay", "none"}},
                                  tcpsweep::Build},
                                 argc,
                                 argv);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"

/**
 * @file
 * A single link whose two ends are the hosts of all flows.
 */

namespace tcpsweep
{

namespace
{

/**
 * @param p the parameters
 * @return the network
 */
Network
Build(const ScenarioParameters& p, const Options&)
{
    ns3::NodeContainer nodes;
    nodes.Create(2);
    InstallStack(nodes, p.ip);
    const auto left = nodes.Get(0);
    const auto right = nodes.Get(1);
    auto network = ConnectBottleneck(p, left, right);
    for (const auto& flow : p.flows)
    {
        if (flow.direction == Direction::FORWARD)
        {
            network.flows.push_back({left, right, BOTTLENECK_LEFT, BOTTLENECK_RIGHT});
        }
        else
        {
            network.flows.push_back({right, left, BOTTLENECK_RIGHT, BOTTLENECK_LEFT});
        }
    }
    network.cbr.assign(p.cbr.count, {left, right, BOTTLENECK_LEFT, BOTTLENECK_RIGHT});
    return network;
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    return tcpsweep::RunScenario({"shared-hosts",
                                  0,
                                  {{"access_bandwidth", "none"},
                                   {"access_delay", "none"},
                                   {"receiver_access_bandwidth", "none"},
                                   {"receiver_access_delay", "none"},
                                   {"packet_jitter", "0"}},
                                  tcpsweep::Build},
                                 argc,
                                 argv);
}

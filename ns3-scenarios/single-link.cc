// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"

/**
 * @file
 * One flow over one link. The link's ends are the flow's sender and receiver, and those of the
 * flows of a constant bit rate:
 *
 *     source ══════ sink
 *          bottleneck
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
    InstallStack(nodes);
    const auto source = nodes.Get(0);
    const auto sink = nodes.Get(1);
    auto network = ConnectBottleneck(p, source, sink);
    const FlowEnds ends{source, sink, BOTTLENECK_LEFT, BOTTLENECK_RIGHT, {}, {}};
    network.flows = {ends};
    network.cbr.assign(p.cbr.count, ends);
    network.places = {{source, "source", 0, 0}, {sink, "sink", COLUMN, 0}};
    return network;
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    // There is no link before the bottleneck whose packets could be delayed.
    return tcpsweep::RunScenario({"single-link",
                                  0,
                                  {{"flows", "1"},
                                   {"reverse_flows", "0"},
                                   {"assignment", "fixed"},
                                   {"access_bandwidth", "none"},
                                   {"access_delay", "none"},
                                   {"receiver_access_bandwidth", "none"},
                                   {"receiver_access_delay", "none"},
                                   {"packet_jitter", "0"}},
                                  tcpsweep::Build},
                                 argc,
                                 argv);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"
#include "scenario/wired-network.h"

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
    WiredNetwork wired{p.links, p.ip};
    wired.flows = {{"left", "right"}};
    wired.cbr.assign(p.cbr.count, {"left", "right"});
    return BuildWired(wired, {{"left", "source", 0, 0}, {"right", "sink", COLUMN, 0}});
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

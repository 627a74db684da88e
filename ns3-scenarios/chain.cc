// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"
#include "scenario/wired-network.h"

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

/**
 * @param p the parameters
 * @return the network
 */
Network
Build(const ScenarioParameters& p, const Options&)
{
    const AccessLink& is = p.flows.front().senderAccess;
    LinkParameters access;
    access.name = "sender0";
    access.left = "left";
    access.right = "sender0";
    access.mtuBytes = p.Bottleneck().mtuBytes;
    access.forward.delay = is.delay;
    access.reverse.delay = is.delay;
    access.forward.bandwidth = is.bandwidth;
    access.reverse.bandwidth = is.bandwidth;
    access.reverse.jitter = p.packetJitter;
    WiredNetwork wired{p.links, p.ip};
    wired.links.push_back(access);
    wired.flows = {{"sender0", "right"}};
    wired.cbr.assign(p.cbr.count, {"left", "right"});
    return BuildWired(wired,
                      {{"sender0", "source", 0, 0},
                       {"left", "gateway", COLUMN, 0},
                       {"right", "sink", 2 * COLUMN, 0}});
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

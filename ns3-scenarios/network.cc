// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"
#include "scenario/wired-network.h"

/**
 * @file
 * Any network of point-to-point links, as its options describe it: `--links.NAME.FIELD=VALUE` for
 * each link, `--flows.NAME.FIELD=VALUE` for flows that are alike.
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
    wired.ecmp = p.ecmp;
    for (const auto& flow : p.flows)
    {
        wired.flows.push_back({flow.from, flow.to, flow.hasOwnRoute ? flow.route : Route()});
    }
    for (const auto& group : p.traffic)
    {
        wired.traffic.push_back({group.from, group.to});
    }
    return BuildWired(wired, {});
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    return tcpsweep::RunScenario({"network", 0, {}, tcpsweep::Build, {}, {}, {}, true}, argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DESCRIBED_TRAFFIC_H
#define TCPSWEEP_DESCRIBED_TRAFFIC_H

#include "network/graph.h"
#include "network/link-parameters.h"
#include "options/options.h"
#include "scenario/scenario-parameters.h"

#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * @param kind the word for a kind of traffic
 * @return the fields of traffic of that kind
 */
std::vector<Option> TrafficFields(const std::string& kind);

/**
 * @param options the options
 * @param graph the network
 * @param links its links
 * @param ecmp whether it takes all shortest paths
 * @return the traffic in addition to the flows
 */
std::vector<TrafficGroup> ReadTraffic(const Options& options,
                                      const Graph& graph,
                                      const std::vector<LinkParameters>& links,
                                      bool ecmp);

} // namespace tcpsweep

#endif // TCPSWEEP_DESCRIBED_TRAFFIC_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DESCRIBED_TRAFFIC_H
#define TCPSWEEP_DESCRIBED_TRAFFIC_H

#include "network/graph.h"
#include "network/link-parameters.h"
#include "options/options.h"
#include "scenario/scenario-parameters.h"

#include <ns3/nstime.h>

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
 * @param ecmp whether it takes all shortest ways
 * @return the traffic beside the flows
 */
std::vector<TrafficGroup> ReadTraffic(const Options& options,
                                      const Graph& graph,
                                      const std::vector<LinkParameters>& links,
                                      bool ecmp);

/**
 * Note what links traffic crosses: the ways to each of its ends from the farthest of its begins.
 *
 * @param graph the network
 * @param links its links
 * @param group the traffic
 * @param[in,out] longest each link's longest base RTT
 * @param[in,out] hasDctcp whether DCTCP crosses each link
 */
void AddTrafficsRoundTrips(const Graph& graph,
                           const std::vector<LinkParameters>& links,
                           const TrafficGroup& group,
                           std::vector<ns3::Time>& longest,
                           std::vector<bool>& hasDctcp);

} // namespace tcpsweep

#endif // TCPSWEEP_DESCRIBED_TRAFFIC_H

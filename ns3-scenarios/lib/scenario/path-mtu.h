// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PATH_MTU_H
#define TCPSWEEP_PATH_MTU_H

#include "network/graph.h"
#include "scenario/scenario-parameters.h"

namespace tcpsweep
{

/**
 * Set the segments of a custom topology's flows and traffic. As after path MTU discovery (RFC 1191,
 * RFC 8201), they fit the smallest MTU on their path; with ECMP, on all paths that a hash may
 * choose; of traffic, on the paths between all its nodes.
 *
 * @param graph the network
 * @param[in,out] p the parameters, with all links, flows and traffic
 */
void FitSegments(const Graph& graph, ScenarioParameters& p);

} // namespace tcpsweep

#endif // TCPSWEEP_PATH_MTU_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BOUNDS_OF_LAG_H
#define TCPSWEEP_BOUNDS_OF_LAG_H

#include "flows/flow-parameters.h"
#include "kernel/lag.h"
#include "scenario/scenario-parameters.h"

#include <vector>

namespace tcpsweep
{

/**
 * How late a simulation may be for the flows that live in real time; ns-3's own do not notice.
 *
 * What such flows send while the simulator is away is what the acknowledgments that were under way
 * ask for: a link gets it no faster than the narrowest links of their ways let it come, and sends
 * it no faster than itself. The acknowledgments of such data come to the links of the way back, one
 * for each packet at most.
 *
 * @param p the parameters of the network
 * @param flows those of its flows that live in real time
 * @return the bounds
 */
LagBounds BoundsOfLag(const ScenarioParameters& p, const std::vector<const FlowParameters*>& flows);

} // namespace tcpsweep

#endif // TCPSWEEP_BOUNDS_OF_LAG_H

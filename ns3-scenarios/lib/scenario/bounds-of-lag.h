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
 * How late a simulation may be for flows in real time; ns-3's own flows do not notice a lag.
 *
 * While the simulator lags, such flows send only data that acknowledgments in flight allow. These
 * data reach a link no faster than the narrowest links of their paths allow, and leave it at its
 * own rate. Their acknowledgments reach the links of the reverse path, at most one for each packet.
 *
 * @param p the parameters of the network
 * @param flows its flows in real time
 * @return the bounds
 */
LagBounds BoundsOfLag(const ScenarioParameters& p, const std::vector<const FlowParameters*>& flows);

} // namespace tcpsweep

#endif // TCPSWEEP_BOUNDS_OF_LAG_H

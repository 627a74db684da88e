// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TIME_ALONE_H
#define TCPSWEEP_TIME_ALONE_H

#include "scenario/network.h"
#include "scenario/scenario-parameters.h"
#include "traffic/transfers.h"

namespace tcpsweep
{

/**
 * @param network the network, which lives longer than the result
 * @param p the parameters, which also live longer
 * @return a function that computes the least time of a transfer
 */
TimeAlone MakeTimeAlone(const Network& network, const ScenarioParameters& p);

} // namespace tcpsweep

#endif // TCPSWEEP_TIME_ALONE_H

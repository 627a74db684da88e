// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TIME_ALONE_H
#define TCPSWEEP_TIME_ALONE_H

#include "scenario/network.h"
#include "scenario/scenario-parameters.h"
#include "traffic/transfers.h"

namespace tcpsweep
{

/**
 * @param network the network, which outlives what is returned
 * @param p the parameters, which outlive it too
 * @return what gives the time that a transfer takes at least
 */
TimeAlone MakeTimeAlone(const Network& network, const ScenarioParameters& p);

} // namespace tcpsweep

#endif // TCPSWEEP_TIME_ALONE_H

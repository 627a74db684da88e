// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DESCRIBED_FLOWS_H
#define TCPSWEEP_DESCRIBED_FLOWS_H

#include "flows/flow-parameters.h"
#include "network/graph.h"
#include "network/link-parameters.h"
#include "options/options.h"

#include <cstdint>
#include <vector>

namespace tcpsweep
{

/// @return the fields of flows
std::vector<Option> FlowFields();

/**
 * @param options the options
 * @param graph the network
 * @param links its links
 * @param segmentBytes payload of a full segment
 * @return the flows
 */
std::vector<FlowParameters> ReadFlows(const Options& options,
                                      const Graph& graph,
                                      const std::vector<LinkParameters>& links,
                                      uint32_t segmentBytes);

} // namespace tcpsweep

#endif // TCPSWEEP_DESCRIBED_FLOWS_H

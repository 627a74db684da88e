// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ASSIGNMENT_H
#define TCPSWEEP_ASSIGNMENT_H

#include "options/options.h"

#include <ns3/type-id.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * The assignment of a mix's variants to flows.
 */

namespace tcpsweep
{

/// The flows of both directions, the forward ones first.
struct FlowCounts
{
    uint64_t forward{1}; //!< from left to right
    uint64_t reverse{0}; //!< from right to left
};

/// A flow's variant; nothing for an omitted flow, whose position and number stay unused.
using Assigned = std::optional<ns3::TypeId>;

/**
 * The flows take the variants in turn. With rotation, each flow of a direction takes the variant of
 * the flow that is `run - 1` positions further, as in a Latin square. If the number of runs equals
 * the number of flows, or of turns before they repeat, each flow has each variant equally often.
 *
 * @param options the options
 * @param counts the numbers of flows
 * @param flowsDiffer whether an option gives the flows different values
 * @return each flow's variant
 * @throws UsageError
 */
std::vector<Assigned>
AssignVariants(const Options& options, const FlowCounts& counts, bool flowsDiffer);

/**
 * The flows of a custom topology take the variants in turn. With rotation, all flows move on by one
 * turn with each run. If the number of runs equals the number of turns, each flow has each variant
 * as often as the mix has it, even a flow that is the only one in its group.
 *
 * @param options the options, with variant and assignment
 * @param first the number of flows that took their turns before
 * @param count the number of flows
 * @return each flow's variant
 * @throws UsageError
 */
std::vector<Assigned> AssignInTurn(const Options& options, uint64_t first, uint64_t count);

/**
 * @param options the options
 * @param flowsDiffer whether an option gives the flows different values
 * @return whether the variants of a mix change their flows from run to run
 * @throws UsageError
 */
bool IsRotated(const Options& options, bool flowsDiffer);

} // namespace tcpsweep

#endif // TCPSWEEP_ASSIGNMENT_H

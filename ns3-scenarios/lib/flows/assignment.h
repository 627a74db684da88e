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
 * Which flow has which variant of a mix.
 */

namespace tcpsweep
{

/// The flows of both directions, the forward ones first.
struct FlowCounts
{
    uint64_t forward{1}; //!< from left to right
    uint64_t reverse{0}; //!< from right to left
};

/// A flow's variant; nothing for a flow that is left out, whose place and number nobody takes.
using Assigned = std::optional<ns3::TypeId>;

/**
 * The flows take the variants in turn. Rotated, each flow of a direction takes the variant of the
 * one as many places further as the run's number is above 1, as in a Latin square: within as many
 * runs as there are flows, or fewer where turns repeat, each flow has each variant equally often.
 *
 * @param options the options
 * @param counts how many flows there are
 * @param flowsDiffer whether an option gives the flows different values
 * @return each flow's variant
 * @throws UsageError
 */
std::vector<Assigned>
AssignVariants(const Options& options, const FlowCounts& counts, bool flowsDiffer);

/**
 * The flows of a described network take the variants in turn. Rotated, all of them move on by one
 * turn with each run: within as many runs as there are turns, each flow has each variant as often
 * as the mix has it, also a flow that is alone in its group.
 *
 * @param options the options, with variant and assignment
 * @param first how many flows took their turns before
 * @param count how many flows there are
 * @return each flow's variant
 * @throws UsageError
 */
std::vector<Assigned> AssignInTurn(const Options& options, uint64_t first, uint64_t count);

/**
 * @param options the options
 * @param flowsDiffer whether an option gives the flows different values
 * @return whether the variants of a mix change places from run to run
 * @throws UsageError
 */
bool IsRotated(const Options& options, bool flowsDiffer);

} // namespace tcpsweep

#endif // TCPSWEEP_ASSIGNMENT_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DESCRIPTION_H
#define TCPSWEEP_DESCRIPTION_H

#include "options/options.h"
#include "scenario/scenario-parameters.h"

#include <string>
#include <vector>

/**
 * @file
 * A network that its command line describes: links and flows with names, and fields in
 * `--links.NAME.FIELD=VALUE`. Of `count` links or flows that are alike, member i has its number in
 * braces in the names of nodes, and of a value that is a list the one whose turn it is.
 */

namespace tcpsweep
{

/// @return the groups of what is described
std::vector<std::string> DescribedGroups();

/// @return the options beside those that describe
std::vector<Option> OptionsOfDescriptions();

/**
 * @param options the options in force, with the links, flows and traffic that they describe
 * @return the parameters of the network
 * @throws UsageError
 */
ScenarioParameters ReadDescription(const Options& options);

} // namespace tcpsweep

#endif // TCPSWEEP_DESCRIPTION_H

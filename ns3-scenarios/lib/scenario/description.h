// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DESCRIPTION_H
#define TCPSWEEP_DESCRIPTION_H

#include "options/options.h"
#include "scenario/scenario-parameters.h"

#include <string>
#include <vector>

/**
 * @file
 * A custom topology, which the command line describes: links and flows with names, and fields in
 * `--links.NAME.FIELD=VALUE`. If `count` links or flows are similar, braces in the names of nodes
 * stand for member i's number, and member i takes its item of a value that is a list.
 */

namespace tcpsweep
{

/// @return the groups of described parts
std::vector<std::string> DescribedGroups();

/// @return the other options
std::vector<Option> OptionsOfDescriptions();

/**
 * @param options the options in force, with the described links, flows and traffic
 * @return the parameters of the network
 * @throws UsageError
 */
ScenarioParameters ReadDescription(const Options& options);

} // namespace tcpsweep

#endif // TCPSWEEP_DESCRIPTION_H

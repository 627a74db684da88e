// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SCENARIO_OPTIONS_H
#define TCPSWEEP_SCENARIO_OPTIONS_H

#include "options/options.h"

#include <string>
#include <vector>

namespace tcpsweep
{

/// @return the options that determine a simulation, with their defaults
std::vector<Option> ScenarioOptions();

/// @return the attributes that these options set, and that the command line must not
std::vector<std::string> AttributesOfScenarioOptions();

} // namespace tcpsweep

#endif // TCPSWEEP_SCENARIO_OPTIONS_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DUMBBELL_OPTIONS_H
#define TCPSWEEP_DUMBBELL_OPTIONS_H

#include "options.h"

#include <string>
#include <vector>

namespace tcpsweep
{

/// @return the options that determine a dumbbell, with their defaults
std::vector<Option> DumbbellOptions();

/// @return the attributes that these options set, and that nobody else may
std::vector<std::string> AttributesOfDumbbellOptions();

} // namespace tcpsweep

#endif // TCPSWEEP_DUMBBELL_OPTIONS_H

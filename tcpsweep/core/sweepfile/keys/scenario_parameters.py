# SPDX-License-Identifier: MIT
"""The scenarios' parameters as a C++ header, so that units and defaults are written once, in `config/schema.yaml`."""

import json

from tcpsweep.core.identity import source_folders
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import units

HEADER = source_folders.SCENARIOS / "lib" / "options" / "parameters.h"
_BEGIN = """\
// SPDX-License-Identifier: GPL-2.0-only
// Made by `tcpsweep parameters ns3-scenarios/lib/options/parameters.h` from config/schema.yaml.
#ifndef TCPSWEEP_PARAMETERS_H
#define TCPSWEEP_PARAMETERS_H

namespace tcpsweep
{

/// A scenario parameter, as the schema of sweep files describes it.
struct Parameter
{
    const char* name;  //!< its name, and the option's
    const char* unit;  //!< the unit of its values; empty without one
    const char* value; //!< its default as text
};

/// All parameters that reach a simulator, in the order of their names.
constexpr Parameter PARAMETERS[] = {
"""
_END = """\
};

} // namespace tcpsweep

#endif // TCPSWEEP_PARAMETERS_H
"""


def header_text() -> str:
    """The header's text."""
    parameters = schema.raw()["parameters"]
    rows = [
        (name, description.get("unit", ""), units.value_text(description["default"]))
        for name, description in sorted(parameters.items())
        if "stage" not in description
    ]
    lines = [f"    {{{', '.join(map(json.dumps, row))}}},\n" for row in rows]
    return "".join([_BEGIN, *lines, _END])

# SPDX-License-Identifier: MIT
"""The header from which scenarios have their parameters' units and defaults."""

from tcpsweep.sweepfile.keys import scenario_parameters


def test_the_header_has_what_the_schema_says():
    made = scenario_parameters.header_text()
    assert scenario_parameters.HEADER.read_text() == made, (
        "run `tcpsweep parameters ns3-scenarios/lib/options/parameters.h`"
    )

# SPDX-License-Identifier: MIT
"""The precision that a sweep file requests instead of a number of runs."""

from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.sweepfile.combinations import grid, limits
from tcpsweep.core.sweepfile.keys import schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.features.precision import precision_record
from tcpsweep.features.precision.precision_record import Precision

DATA = {"sweep": "s", "scenario": "dumbbell", "grid": {"variant": ["TcpCubic", "TcpBbr"], "loss": [0, 0.01]}}


def test_it_is_a_share_of_the_mean_or_a_value_and_runs_begin_with_ten():
    data = DATA | {"precision": {"goodput_bps": "5%", "jain": 0.02, "queueing_delay_mean_s": "1ms"}, "at_most": 40}
    assert schema_check.problems(data) == limits.problems(SweepFile(data)) == []
    sweep, problems = grid.expand(SweepFile(data))
    assert problems == []
    asked = {
        "goodput_bps": ShareOrValue(share=0.05),
        "jain": ShareOrValue(absolute=0.02),
        "queueing_delay_mean_s": ShareOrValue(absolute=0.001),
    }
    assert precision_record.of(sweep) == Precision(asked, 40)
    assert sweep.runs == tuple(range(1, 41))
    assert sweep.run_counts() == [10] * 4
    assert sweep.runs_in_words() == "10"

# SPDX-License-Identifier: MIT
"""A sweep file's smallest effect of interest."""

from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.keys import schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import metrics

DATA = {"sweep": "s", "scenario": "dumbbell", "grid": {"variant": ["TcpCubic", "TcpBbr"]}}


def read(given):
    data = DATA | {"smallest_effect": given}
    assert schema_check.problems(data) == []
    sweep, problems = grid.expand(SweepFile(data))
    assert problems == [], problems
    return sweep.smallest_effects


def test_it_is_a_fiftieth_of_the_reference_unless_given():
    found = grid.expand(SweepFile(DATA))[0].smallest_effects
    assert list(found) == metrics.compared()
    assert found["goodput_bps"] == found["utilisation"] == ShareOrValue(share=0.02)
    # An index near 1 hides unfair shares: of 1 − J, 10 %.
    assert found["jain"] == found["jain_windows"] == ShareOrValue(share=0.1, absolute=0.005, origin=1)
    # Of nothing a share says nothing: losses and times in a state have values.
    assert found["congestion_loss"] == found["random_loss"] == ShareOrValue(share=0.1, absolute=1e-4)
    assert found["loss_share"] == ShareOrValue(absolute=0.02)


def test_it_is_given_for_all_metrics_or_by_metric():
    assert read("5%")["goodput_bps"] == ShareOrValue(share=0.05)
    assert read("5%")["congestion_loss"] == ShareOrValue(share=0.1, absolute=1e-4)
    found = read({"all": "1%", "queueing_delay_mean_s": "1ms", "jain": 0.05, "congestion_loss": "10 %"})
    assert found["goodput_bps"] == ShareOrValue(share=0.01)
    assert found["queueing_delay_mean_s"] == ShareOrValue(absolute=0.001)
    assert found["jain"] == ShareOrValue(absolute=0.05)
    assert found["congestion_loss"] == ShareOrValue(share=0.1)
    assert read({"congestion_loss": ["10%", 0.001]})["congestion_loss"] == ShareOrValue(share=0.1, absolute=0.001)
    assert read({"congestion_loss": ["0%", 0.001]})["congestion_loss"] == ShareOrValue(absolute=0.001)
    assert read("0%")["goodput_bps"] == ShareOrValue()

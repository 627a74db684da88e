# SPDX-License-Identifier: MIT
"""The precision that a sweep file requests instead of a number of runs."""

import pytest

from tcpsweep.sweep.rounds import Precision
from tcpsweep.sweep.sweep_parts import ShareOrValue
from tcpsweep.sweepfile.combinations import grid, limits
from tcpsweep.sweepfile.keys import schema_check

DATA = {"sweep": "s", "scenario": "dumbbell", "grid": {"variant": ["TcpCubic", "TcpBbr"], "loss": [0, 0.01]}}


def test_it_is_a_share_of_the_mean_or_a_value_and_runs_begin_with_ten():
    data = DATA | {"precision": {"goodput_bps": "5%", "jain": 0.02, "queueing_delay_mean_s": "1ms"}, "at_most": 40}
    assert schema_check.problems(data) == limits.problems(data) == []
    sweep, problems = grid.expand(data)
    assert problems == []
    asked = {
        "goodput_bps": ShareOrValue(share=0.05),
        "jain": ShareOrValue(absolute=0.02),
        "queueing_delay_mean_s": ShareOrValue(absolute=0.001),
    }
    assert sweep.precision == Precision(asked, 40)
    assert sweep.runs == tuple(range(1, 41))
    assert sweep.run_counts() == [10] * 4
    assert sweep.runs_in_words() == "10"


@pytest.mark.parametrize(
    ("given", "path", "words"),
    [
        ({"precision": {"godput_bps": "5%"}}, ("precision", "godput_bps"), "did you mean 'goodput_bps'?"),
        ({"precision": {"throughput": "5%"}}, ("precision", "throughput"), "did you mean 'throughput_bps'?"),
        ({"precision": {"goodput_bps": "0%"}}, ("precision", "goodput_bps"), "no number of repetitions makes"),
        ({"precision": {"jain": 0}}, ("precision", "jain"), "no number of repetitions makes"),
        (
            {"precision": {"goodput_bps": 0.05}},
            ("precision", "goodput_bps"),
            "with its unit, got 0.05; did you mean '5%'?",
        ),
        ({"precision": {"goodput_bps": "tight"}}, ("precision", "goodput_bps"), "expected a share of the mean"),
        ({"precision": {"completion_mean_s": "5%"}}, ("precision", "completion_mean_s"), "flows without `bytes`"),
        ({"precision": {"steady": "5%"}}, ("precision", "steady"), "steady is not compared"),
        (
            {"precision": {"jain": 0.1}, "repetitions": 5},
            ("repetitions",),
            "give `repetitions` or `precision`, not both",
        ),
        ({"at_most": 30}, ("at_most",), "`at_most` needs `precision`"),
    ],
)
def test_mistakes_are_named_with_what_was_expected(given, path, words):
    data = DATA | given
    assert schema_check.problems(data) == []
    (problem,) = grid.expand(data)[1]
    assert problem.path == path
    assert words in problem.message


@pytest.mark.parametrize("given", [{"at_most": 0}, {"at_most": 9}, {"precision": {}}, {"precision": "5%"}])
def test_a_budget_of_nothing_and_an_empty_wish_break_the_schema(given):
    data = DATA | {"precision": {"jain": 0.1}} | given
    (problem,) = schema_check.problems(data)
    assert problem.path[0] in given

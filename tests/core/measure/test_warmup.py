# SPDX-License-Identifier: MIT
"""The end of the warm-up: the formula, examples with a known answer, and real cells."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.core.measure import warmup_search
from tcpsweep.core.report.sections import steadiness
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.sweep.span import mean_rate
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.keys import schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tests.support import synthetic

FLOW = {"direction": "forward", "start_s": 0.0, "finish_s": None, "stop_s": None}


def by_definition(values):
    """MSER-5 as White writes it, a sum for each truncation."""
    z = [sum(values[i : i + 5]) / 5 for i in range(0, len(values) - len(values) % 5, 5)]
    m = len(z)

    def error(d):
        left = z[d:]
        mean = sum(left) / len(left)
        return sum((x - mean) ** 2 for x in left) / len(left) ** 2

    return [error(d) for d in range(m // 2 + 1)]


@given(st.lists(st.integers(0, 100), min_size=50, max_size=120))
def test_no_other_truncation_has_a_lesser_error(values):
    errors, found = by_definition(values), warmup_search.mser(np.array(values))
    if found is None:
        assert min(errors) >= errors[-1] - 1e-9
    else:
        assert errors[found // 5] <= min(errors) + 1e-9


def test_a_beginning_of_another_level_is_left_out():
    # 40 values of the beginning are 8 batches; the level that follows moves by a little.
    assert warmup_search.mser(np.array([0.0] * 40 + [10.0, 10.1] * 80)) == 40
    assert warmup_search.mser(np.arange(200.0)) is None, "which never settles"
    assert warmup_search.mser(np.ones(45)) is None, "too short"


def received(rates, step_s=0.1):
    """A trace of received bytes of flows with given rates, in bytes per step, each until a time."""
    rows = []
    for flow, parts in enumerate(rates):
        time_s, total = 0.0, 0.0
        for number, (until_s, rate) in enumerate(parts):
            while time_s < until_s - 1e-9:
                time_s = round(time_s + step_s, 6)
                total += rate + number * (round(time_s / step_s) % 2)
                rows.append((flow, time_s, total))
    return pl.DataFrame(rows, schema={"flow": pl.Int32, "time_s": pl.Float64, "value": pl.Float64}, orient="row")


def test_the_last_flow_to_settle_says_when_what_counts_begins():
    types = {"finish_s": pl.Float64, "stop_s": pl.Float64}
    flows = pl.DataFrame([FLOW | {"flow": number} for number in (0, 1)], schema_overrides=types)
    trace = received([[(5, 10), (40, 1000)], [(10, 10), (40, 1000)]])
    assert warmup_search.warmup_end(flows, trace, 40.0, 0.1) == (pytest.approx(10, abs=0.5), True)
    assert warmup_search.warmup_end(flows, trace, 40.0, 0.0)[1]  # links without a delay
    growing = received([[(until, 100 * until) for until in range(1, 41)]] * 2)
    assert warmup_search.warmup_end(flows, growing, 40.0, 0.1) == (20.0, False)


def test_the_mean_rate_follows_a_step():
    rates = [[0.0, 2e6], [30.0, 1e6]]
    assert mean_rate(rates, 10.0, 40.0) == pytest.approx((20 * 2e6 + 10 * 1e6) / 30)
    assert mean_rate(rates, 35.0, 40.0) == 1e6
    assert mean_rate(rates[:1], 35.0, 40.0) == 2e6


SWEEP = """\
sweep: small
scenario: dumbbell
grid: {variant: [TcpCubic, TcpNewReno]}
repetitions: 2
fixed: {duration: 60s, warmup: auto}
"""


def test_a_report_says_what_was_found(here):
    folder = synthetic.sweep(SWEEP)
    table = pl.read_parquet(folder / "summary.parquet")
    words = steadiness.warmup(sweep_record.read(folder), table)
    assert words.startswith("found in each run by MSER-5")
    assert "warmup_s" not in set(pl.read_parquet(folder / "effects.parquet")["metric"])


REFUSED = {"automatic": "expected auto or a time, such as 15s", "90s": "must be shorter than duration"}


@pytest.mark.parametrize("value", REFUSED)
def test_what_is_no_warm_up_is_refused(value):
    data = {"sweep": "s", "scenario": "dumbbell", "grid": {"variant": ["TcpCubic"]}}
    data |= {"fixed": {"duration": "60s", "warmup": value}}
    problems = schema_check.problems(data) or grid.expand(SweepFile(data))[1]
    assert any(REFUSED[value] in problem.message for problem in problems)

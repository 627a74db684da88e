# SPDX-License-Identifier: MIT
"""Completion times when some flows never end: computed by hand, and in verdicts."""

import random

import polars as pl
import pytest

from tcpsweep.measure import cell_metrics, completion
from tcpsweep.measure.cell import Cell
from tcpsweep.words import table_columns
from tests.support import synthetic

FLOW = {"direction": "forward", "variant": "A", "bytes": 1000, "start_s": 0.0, "finish_s": None, "stop_s": None}


def cell(*flows):
    """Flows in a simulation of 20 s whose last 5 s count."""
    made = [FLOW | {"flow": number} | flow for number, flow in enumerate(flows)]
    return Cell(pl.DataFrame(made, schema=table_columns.schema("flows")), {}, None, 15.0, 20.0)


def of_variants(made):
    return {(variant, metric): value for variant, metric, value in completion.per_variant(made)}


def test_flows_that_did_not_end_count_with_the_horizon():
    # A's flows take 2 s and 4 s; of B's, one takes 1 s and one is not through after 14 s, nor one after 10 s, when it
    # leaves. That is the horizon of both.
    of_b = ({"start_s": 2.0, "finish_s": 3.0}, {"start_s": 6.0}, {"start_s": 3.0, "stop_s": 13.0})
    first, *others = ({"variant": "B"} | flow for flow in of_b)
    made = cell({"finish_s": 2.0}, first, {"start_s": 5.0, "finish_s": 9.0}, *others)
    flows = cell_metrics.per_flow(made)
    assert flows["completion_s"] == {0: 2, 1: 1, 2: 4, 3: None, 4: None}
    assert flows["finished_share"] == {0: 1, 1: 1, 2: 1, 3: 0, 4: 0}
    assert cell_metrics.per_network(made, None)["completion_horizon_s"] == 10
    found = of_variants(made)
    assert found[("A", "completion_mean_s")] == 3
    assert found[("B", "completion_mean_s")] == pytest.approx((1 + 10 + 10) / 3)
    assert found[("A", "completion_p50_s")] == 2
    assert found[("A", "completion_p95_s")] == found[("A", "completion_p99_s")] == 4
    assert ("B", "completion_p50_s") not in found


def test_percentiles_take_into_account_how_long_each_flow_was_watched():
    # 1, 2 and 3 s; one leaves after 2.5 s. By Kaplan and Meier 3/4 last beyond 1 s, 2/4 beyond 2 s, none beyond 3 s.
    ends = [{"finish_s": float(end)} for end in (1, 2, 3)]
    found = of_variants(cell(*ends, {"stop_s": 2.5}))
    assert found[("A", "completion_p50_s")] == 2
    assert found[("A", "completion_p95_s")] == 3
    assert found[("A", "completion_mean_s")] == pytest.approx((1 + 2 + 2.5 + 2.5) / 4)


def test_a_run_in_which_no_flow_ends_has_a_value_and_one_without_limits_has_none():
    assert of_variants(cell({}, {"start_s": 5.0})) == {("A", "completion_mean_s"): 15}
    unlimited = cell({"bytes": None}, {"bytes": None})
    assert completion.per_variant(unlimited) == []
    assert cell_metrics.per_flow(unlimited)["finished_share"] == {}
    assert "completion_horizon_s" not in cell_metrics.per_network(unlimited, None)


def test_reverse_flows_and_flows_that_never_came_do_not_count():
    made = cell({"finish_s": 3.0}, {"start_s": 19.0, "direction": "reverse"}, {"start_s": 5.0, "stop_s": 4.0})
    assert of_variants(made)[("A", "completion_mean_s")] == 3
    assert cell_metrics.per_flow(made)["finished_share"] == {0: 1, 1: 0}


SWEEP = """\
sweep: small
scenario: dumbbell
grid: {variant: [TcpNewReno, TcpCubic]}
repetitions: 6
fixed: {flows: 4, bytes: 1000000, duration: 40s, warmup: 10s}
"""


def goodput(row, run):
    """Any that differs from run to run."""
    return [1e6 + random.Random(f"{run} {row['variant']}").gauss(0, 1e4)] * 4


def finishes(row, run):
    """NewReno's flows take 8 to 9 s; Cubic's first takes 2 s and starves the others in most runs."""
    noise = random.Random(f"{run} {row['variant']}").random()
    if row["variant"] == "TcpNewReno":
        return [8 + noise / 2 + flow / 10 for flow in range(4)]
    return [2 + noise, *[None if run != 3 else 9 + noise] * 3]


def test_a_variant_that_starves_flows_is_not_called_faster(here):
    folder = synthetic.sweep(SWEEP, goodput, finishes=finishes)
    effects = pl.read_parquet(folder / "effects.parquet").filter(pl.col("metric").str.contains("completion|finished"))
    found = {row["metric"]: row for row in effects.iter_rows(named=True)}
    assert "completion_s" not in found  # its mean over the flows that ended is 2.5 s, against 8.4 s
    mean = found["completion_mean_s"]
    assert (mean["variant"], mean["finding"], mean["runs"]) == ("TcpCubic", "higher", 6)
    assert found["finished_share"]["finding"] == "lower"
    # In one run Cubic's median is reached; the other runs have none, and a mean of one run would mean nothing.
    assert found["completion_p50_s"]["finding"] == "no value"
    summary = pl.read_parquet(folder / "summary.parquet").filter(pl.col("metric") == "completion_p50_s")
    means = {row["flow_variant"]: row["mean"] for row in summary.iter_rows(named=True)}
    assert means["TcpNewReno"] == pytest.approx(8.35, abs=0.3)
    assert means["TcpCubic"] is None
    flows = pl.read_parquet(folder / "flows.parquet")
    assert flows["completion_s"].null_count() == 5 * 3


def test_single_flows_times_are_not_averaged_in_expectations(here):
    with pytest.raises(AssertionError, match="did you mean 'completion_"):
        synthetic.sweep(SWEEP + "expect: completion_s <= 3s\n", finishes=finishes)

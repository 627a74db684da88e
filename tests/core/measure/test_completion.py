# SPDX-License-Identifier: MIT
"""Completion times when some flows never end: computed by hand, and in verdicts."""

import random
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.core.measure import cell_metrics, completion_times
from tcpsweep.core.measure.cell import Cell
from tcpsweep.core.words import table_columns
from tests.support import synthetic

FLOW = {"direction": "forward", "variant": "A", "bytes": 1000, "start_s": 0.0, "finish_s": None, "stop_s": None}


BY_HAND = yaml.safe_load(Path(__file__).with_name("completion_by_hand.yaml").read_text())


@pytest.mark.parametrize("claim", BY_HAND)
def test_completion_times_computed_by_hand(claim):
    given = BY_HAND[claim]
    rows = [FLOW | {"flow": number} | flow for number, flow in enumerate(given["flows"])]
    made = Cell(pl.DataFrame(rows, schema=table_columns.schema("flows")), {}, None, 15.0, 20.0)
    of_flows, of_network = cell_metrics.per_flow(made), cell_metrics.per_network(made, None)
    for name in given.keys() & {"completion_s", "finished_share"}:
        assert of_flows[name] == dict(enumerate(given[name]))
    assert of_network.get("completion_horizon_s") == given.get("horizon_s", of_network.get("completion_horizon_s"))
    found = {(variant, metric): value for variant, metric, value in completion_times.per_variant(made)}
    for variant, expected in given["variants"].items():
        assert {name: found.get((variant, name)) for name in expected} == pytest.approx(expected)


SWEEP = """\
sweep: small
scenario: dumbbell
grid: {variant: [TcpNewReno, TcpCubic]}
repetitions: 10
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
    assert (mean["variant"], mean["finding"], mean["runs"]) == ("TcpCubic", "higher", 10)
    assert found["finished_share"]["finding"] == "lower"
    # In one run Cubic's median is reached; the other runs have none, and a mean of one run would mean nothing.
    assert found["completion_p50_s"]["finding"] == "no value"
    summary = pl.read_parquet(folder / "summary.parquet").filter(pl.col("metric") == "completion_p50_s")
    means = {row["flow_variant"]: row["mean"] for row in summary.iter_rows(named=True)}
    assert means["TcpNewReno"] == pytest.approx(8.35, abs=0.3)
    assert means["TcpCubic"] is None
    flows = pl.read_parquet(folder / "flows.parquet")
    assert flows["completion_s"].null_count() == 9 * 3


def test_single_flows_times_are_not_averaged_in_expectations(here):
    with pytest.raises(AssertionError, match="did you mean 'completion_"):
        synthetic.sweep(SWEEP + "expect: completion_s <= 3s\n", finishes=finishes)

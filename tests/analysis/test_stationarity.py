# SPDX-License-Identifier: MIT
"""Which runs count, decided for all runs of a side together, and trends that all runs share."""

import numpy as np
import polars as pl
import pytest

from tcpsweep.analysis import stationarity, summaries


def measures(steady, trend=None, goodput=None):
    """Measures of two flows in runs 1, 2, …: ``steady`` says of each run whether its flow 0 is."""
    rows = []
    for run, first in enumerate(steady, 1):
        for flow in (0, 1):
            of = {"steady": float(first or flow), "goodput_trend": 0.0 if trend is None else trend[run - 1]}
            of["goodput_bps"] = 1.0 if goodput is None else goodput[run - 1]
            rows += [
                {"combination": 0, "run": run, "digest": f"d{run}", "cell": "c", "flow": flow, "direction": "forward"}
                | {"variant": "TcpBbr", "metric": metric, "value": value}
                for metric, value in of.items()
            ]
        rows.append(rows[-1] | {"flow": None, "direction": None, "variant": None, "metric": "jain", "value": 1.0})
    return pl.DataFrame(rows, infer_schema_length=None)


def counting(found, metric="goodput_bps"):
    return found.filter(pl.col("metric").cast(pl.String) == metric)["counts"].to_list()


def test_all_runs_of_a_variant_count_or_none_does():
    # One of 20 flows in ten runs is not steady; then three of 20, which is more than a tenth.
    for metric in ("goodput_bps", "jain"):
        assert counting(summaries.by_run(measures([False] + [True] * 9)), metric) == [True] * 10
        assert counting(summaries.by_run(measures([False] * 3 + [True] * 7)), metric) == [False] * 10


def test_what_counts_is_not_chosen_by_its_outcome():
    # The runs of low goodput are those that are not steady: without them the mean would be 10 % too high.
    goodput = np.random.default_rng(1).normal(1.0, 0.3, 20)
    low = goodput < np.quantile(goodput, 0.2)
    found = summaries.by_run(measures(~low, goodput=goodput)).filter("counts")
    mean = found.filter(pl.col("metric").cast(pl.String) == "goodput_bps")["value"].mean()
    assert goodput[~low].mean() > 1.05 * goodput.mean()
    assert mean == pytest.approx(goodput.mean())


def test_a_trend_that_all_runs_share_is_not_steady_though_it_has_many_epochs():
    noise = np.random.default_rng(2).normal(0, 0.05, 10)
    for trend, steady in ((-0.2, False), (0.2, False), (0.0, True), (0.02, True)):
        found = stationarity.sides(measures([True] * 10, noise + trend).rename({"variant": "flow_variant"}))
        assert set(found["steady"]) == {steady}, trend
    # A few runs with trends of their own share none.
    found = summaries.by_run(measures([True] * 10, [0.5, -0.5] * 5))
    assert counting(found) == [True] * 10


def test_a_trend_is_called_so_by_chance_in_a_twentieth_of_noisy_sides():
    noise = np.random.default_rng(3).normal(0, 0.5, (2000, 10))
    flows = pl.DataFrame(
        {
            "combination": np.repeat(np.arange(2000), 10),
            "flow_variant": "TcpBbr",
            "run": np.tile(np.arange(10), 2000),
            "digest": [str(number) for number in range(20_000)],
            "trend": noise.ravel(),
        }
    )
    assert stationarity.trends(flows)["trending"].mean() == pytest.approx(0.05, abs=3 * 0.005)


def test_flows_of_unknown_steadiness_do_not_count():
    unknown = measures([True] * 10).filter(pl.col("metric") != "steady")
    assert counting(summaries.by_run(unknown)) == [False] * 10

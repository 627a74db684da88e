# SPDX-License-Identifier: MIT
"""Which runs count, decided for all runs of a side together: by congestion epochs, or by a common level."""

import numpy as np
import polars as pl
import pytest

from tcpsweep.core.analysis import stationarity, summaries
from tcpsweep.core.words.thresholds import LEAST_EPOCHS, LEVEL

PARTS = 10
OFFSETS = np.arange(PARTS) - (PARTS - 1) / 2
OUTER = np.isin(np.arange(PARTS), (0, 1, PARTS - 2, PARTS - 1))


def measures(steady, trend=None, goodput=None, epochs=LEAST_EPOCHS):
    """Measures of two flows in runs 1, 2, …: ``steady`` says of each run whether its flow 0 is."""
    rows = []
    for run, first in enumerate(steady, 1):
        for flow in (0, 1):
            of = {"steady": float(first or flow), "congestion_epochs": epochs}
            of["goodput_trend"] = (-1.0) ** run if trend is None else trend[run - 1]
            of["goodput_bps"] = 1.0 if goodput is None else goodput[run - 1]
            rows += [
                {"combination": 0, "run": run, "digest": f"d{run}", "cell": "c", "flow": flow, "direction": "forward"}
                | {"variant": "TcpBbr", "metric": metric, "value": value}
                for metric, value in of.items()
            ]
        rows.append(rows[-1] | {"flow": None, "direction": None, "variant": None, "metric": "jain", "value": 1.0})
    nameless = [pl.lit(None, pl.String).alias(name) for name in ("link", "bottleneck")]
    return pl.DataFrame(rows, infer_schema_length=None).with_columns(nameless)


def counting(measures, metric="goodput_bps"):
    """Whether each run counts."""
    return summaries.by_run(measures).filter(pl.col("metric").cast(pl.String) == metric)["counts"].to_list()


def made_up(shape, noise, epochs=0.0, sides=2000, runs=5, seed=1):
    """Flows of sides whose goodput follows ``shape`` in equal parts of the time, with noise; their delay is level."""
    draw = np.random.default_rng(seed)
    columns = {
        "combination": np.repeat(np.arange(sides), runs),
        "flow_variant": "TcpBbr",
        "run": np.tile(np.arange(1, runs + 1), sides),
        "digest": [str(number) for number in range(sides * runs)],
        "steady": float(epochs >= LEAST_EPOCHS),
        "congestion_epochs": float(epochs),
    }
    for name, weight, own in (("goodput", "goodput_bps", shape), ("owd", "owd_mean_s", 0.0)):
        values = 1 + np.asarray(own) + draw.normal(0, noise, (sides * runs, PARTS))
        mean = values.mean(axis=1)
        columns[weight] = mean
        columns[f"{name}_trend"] = values @ OFFSETS / (OFFSETS**2).sum() * PARTS / mean
        columns[f"{name}_bend"] = (values[:, ~OUTER].mean(axis=1) - values[:, OUTER].mean(axis=1)) / mean
    return pl.DataFrame(columns)


def drift(kind, size):
    """A drift whose trend, or whose bend, is ``size`` of the mean."""
    return size * (OFFSETS / PARTS if kind == "trend" else np.where(OUTER, -0.6, 0.4))


def steady_share(*args, **kwargs):
    return stationarity.sides(made_up(*args, **kwargs))["steady"].mean()


def test_all_runs_of_a_variant_count_or_none_does():
    # One of 20 flows in ten runs is not steady; then three of 20, which is more than a tenth.
    for metric in ("goodput_bps", "jain"):
        assert counting(measures([False] + [True] * 9), metric) == [True] * 10
        assert counting(measures([False] * 3 + [True] * 7), metric) == [False] * 10


def test_what_counts_is_not_chosen_by_its_outcome():
    # The runs of low goodput are those that are not steady: without them the mean would be 10 % too high.
    goodput = np.random.default_rng(1).normal(1.0, 0.3, 20)
    low = goodput < np.quantile(goodput, 0.2)
    found = summaries.by_run(measures(~low, goodput=goodput)).filter("counts")
    mean = found.filter(pl.col("metric").cast(pl.String) == "goodput_bps")["value"].mean()
    assert goodput[~low].mean() > 1.05 * goodput.mean()
    assert mean == pytest.approx(goodput.mean())


def drifting(trends):
    """Whether the goodput of runs with these trends drifts; they are the only side of a sweep."""
    found = stationarity.counted(measures([True] * len(trends), trends).rename({"variant": "flow_variant"}))
    return set(found["goodput_trend_drifts"])


def test_a_trend_that_all_runs_share_is_a_drift_though_it_has_many_epochs():
    noise = np.random.default_rng(2).normal(0, 0.05, 10)
    for trend, drifts in ((-0.2, True), (0.2, True), (0.0, False), (0.02, False)):
        assert drifting(noise + trend) == {drifts}, trend
    # A few runs with trends of their own share none.
    assert drifting([0.5, -0.5] * 5) == {False}


def test_a_drift_of_the_goodput_refuses_what_is_made_of_it_and_no_other_metric():
    # Ten runs with a trend of 30 ± 13 %, as BBR has in small buffers: t(9) = 2.262 · 30 / 13.
    noise = np.tile([-1, 1], 5) * 0.187 * 0.9**0.5
    first = measures([True] * 10, 0.3 + noise)
    others = ("throughput_bps", "congestion_loss", "cwnd_reductions", "owd_mean_s", "rtt_mean_s")
    goodput = pl.col("metric") == "goodput_bps"
    every = pl.concat([first, *(first.filter(goodput).with_columns(metric=pl.lit(name)) for name in others)])
    counts = {name: set(counting(every, name)) for name in ("goodput_bps", "jain", *others)}
    refused = {name for name, runs in counts.items() if runs == {False}}
    assert refused == {"goodput_bps", "jain", "throughput_bps"}
    assert counts["congestion_loss"] == {True}


def test_of_sweeps_with_32_level_sides_a_twentieth_at_most_loses_one_by_chance():
    # 300 sweeps: three standard errors of the binomial are 3.8 percentage points. Uncorrected, 81 % lose one.
    sides = 32
    for runs, noise in ((5, 0.22), (10, 0.5)):
        made = made_up(0.0, noise, epochs=LEAST_EPOCHS, sides=300 * sides, runs=runs, seed=3)
        found = stationarity.sides(made, number=sides).sort("combination")
        drift = found["why"].fill_null("").to_numpy().reshape(300, sides) == stationarity.DRIFTING
        assert drift.any(axis=1).mean() <= 0.05 + 0.038


@pytest.mark.parametrize("runs", [5, 10, 14])
def test_a_rise_of_a_fifth_is_called_steady_in_a_twentieth_at_most_at_the_noise_of_lossy_flows(runs):
    # A loss of 1 % at random makes goodput differ by 22 % between tenths of the time.
    def shown(trend):
        made = made_up(drift("trend", trend), 0.22, LEAST_EPOCHS, runs=runs)
        return stationarity.sides(made)["goodput_trend_shown"].mean()

    assert shown(0.2) <= 0.05 + 3 * 0.005
    assert shown(0.3) <= 0.01
    # docs/statistics.md has the shares of level sides that are shown to be steady.
    assert shown(0.0) == pytest.approx({5: 0.18, 10: 0.57, 14: 0.80}[runs], abs=0.035)


def test_sides_with_enough_epochs_are_compared_whether_they_are_shown_to_be_steady_or_not():
    found = stationarity.sides(made_up(drift("trend", 0.1), 0.22, LEAST_EPOCHS, runs=10))
    assert found["steady"].all()
    assert 0 < found["goodput_trend_shown"].mean() < 1
    # A drift is shown by fewer runs than a level.
    own = made_up(drift("trend", 0.3), 0.01, sides=5, runs=3).with_columns(steady=1.0)
    assert set(stationarity.sides(own)["why"]) == {stationarity.DRIFTING}


@pytest.mark.long
@pytest.mark.parametrize("kind", ["trend", "bend"])
@pytest.mark.parametrize("runs", [5, 10])
def test_a_side_without_epochs_that_drifts_is_called_steady_in_a_twentieth_at_most(kind, runs):
    for noise in (0.002, 0.01, 0.02, 0.05, 0.1):
        for size in (LEVEL, 1.5 * LEVEL, -3 * LEVEL):
            share = steady_share(drift(kind, size), noise, runs=runs)
            assert share <= 0.05 + 3 * 0.005, (noise, size)


def test_a_level_side_is_steady_whatever_its_epochs():
    # The share that is called steady, by the noise of a tenth of the time in the flow of a run.
    for runs, noise, least in ((5, 0.005, 1.0), (5, 0.01, 0.99), (10, 0.02, 0.95), (5, 0.2, 0.0)):
        for epochs in (0.0, 3.5):
            assert steady_share(0.0, noise, epochs, runs=runs) >= least
    assert steady_share(0.0, 0.2) < 0.05, "and noise that hides a drift is not"


def test_it_is_said_why_a_side_is_not_steady():
    drifts = (("trend", 0.0), ("trend", 20.0), ("bend", 0.0))
    sides = [(drift(kind, 0.3), 0.02, epochs, stationarity.DRIFTING) for kind, epochs in drifts]
    sides += [(0.0, 0.5, 3.5, stationarity.FEW_EPOCHS), (0.0, 0.5, 0.0, stationarity.NOT_LEVEL)]
    for shape, noise, epochs, why in sides:
        found = stationarity.sides(made_up(shape, noise, epochs, sides=200), number=1).drop_nulls("why")
        assert (found["why"] == why).mean() > 0.8
        assert set(found["epochs"]) == {epochs}


def test_the_runs_of_a_rotation_are_one_replicate():
    # Odd runs rise and even runs fall, because flow positions do: over whole rotations there is no trend.
    trend = np.where(np.arange(20) % 2, 0.04, -0.04)
    flows = made_up(0.0, 0.001, sides=1, runs=20).with_columns(goodput_trend=pl.Series(trend))
    (alone,), (rotated,) = (stationarity.sides(flows, lengths)["steady"] for lengths in ([1], [2]))
    assert (alone, rotated) == (True, True)
    few = flows.filter(pl.col("run") <= 8)  # four rotations show nothing
    assert not stationarity.sides(few, [2])["steady"].item()


def test_flows_of_unknown_steadiness_do_not_count():
    unknown = measures([True] * 10).filter(~pl.col("metric").is_in(["steady", "goodput_trend"]))
    assert counting(unknown) == [False] * 10

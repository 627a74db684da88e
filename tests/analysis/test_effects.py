# SPDX-License-Identifier: MIT
"""Comparisons by paired runs against scipy.stats, published examples and verdicts worked by hand."""

import json
import math
import random

import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.analysis import comparisons, effects, findings, verdict_words
from tcpsweep.statistics import bootstrap, means, significance
from tcpsweep.sweep import sweep_record
from tcpsweep.sweepfile import grid
from tcpsweep.words import metrics
from tests.support import synthetic

SWEEP = synthetic.record(
    baseline="TcpCubic",
    combinations=[{"variant": v, "delay": d} for d in ("10ms", "20ms") for v in ("TcpCubic", "TcpBbr")],
)


def values(by_combination, metric="goodput_bps", counts=True, digests=None):
    """Values by run as `summaries.by_run` gives them, of a variant in each of `SWEEP`'s combinations."""
    rows = [
        {
            "combination": number,
            "flow_variant": SWEEP.combinations[number]["variant"],
            "metric": metric,
            "run": run,
            "digest": (digests or {}).get(number, {}).get(run, f"{number}-{run}"),
            "value": float(value),
            "counts": counts,
        }
        for number, runs in enumerate(by_combination)
        for run, value in enumerate(runs, 1)
    ]
    return pl.DataFrame(rows, schema_overrides={"metric": pl.Enum(list(metrics.METRICS))})


def drawn(seed, mean, sd=1.0, n=6):
    return list(np.random.default_rng(seed).normal(mean, sd, n))


def test_a_comparison_is_scipys_paired_t_test():
    x, y = drawn(1, 10), drawn(2, 9)
    row = effects.effects(SWEEP, values([y, x])).row(0, named=True)
    test = scipy.stats.ttest_rel(x, y)
    interval = test.confidence_interval(0.95)
    assert row["difference"] == pytest.approx(np.mean(x) - np.mean(y))
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))
    assert row["p"] == pytest.approx(test.pvalue)
    assert row["correlation"] == pytest.approx(scipy.stats.pearsonr(x, y).statistic)
    of_logs = scipy.stats.ttest_rel(np.log(x), np.log(y)).confidence_interval(0.95)
    assert (row["ratio_low"], row["ratio_high"]) == pytest.approx((math.exp(of_logs.low), math.exp(of_logs.high)))
    assert row["ratio"] == pytest.approx(scipy.stats.gmean(x) / scipy.stats.gmean(y))


def test_holms_correction_by_its_definition_worked_by_hand():
    # The example of Wikipedia's "Holm–Bonferroni method": 0.005 and 0.01 are rejected at 5 %, the others are not.
    adjusted, levels = significance.holm([0.01, 0.04, 0.03, 0.005])
    assert adjusted == pytest.approx([0.03, 0.06, 0.06, 0.02])
    # 0.005 ≤ 0.05/4, 0.01 ≤ 0.05/3, 0.03 > 0.05/2: the last two are held against 0.05/2.
    assert levels == pytest.approx([0.05 / 3, 0.05 / 2, 0.05 / 2, 0.05 / 4])


@given(st.lists(st.floats(1e-9, 1), min_size=1, max_size=20))
def test_holm_shows_what_its_levels_say_and_all_that_bonferroni_shows(p):
    adjusted, levels = significance.holm(p)
    assert ((adjusted <= 0.05) == (np.array(p) <= levels)).all()
    assert (adjusted <= np.minimum(1, np.array(p) * len(p)) + 1e-12).all()
    assert (adjusted >= p).all()


def test_the_verdict_counts_networks():
    better = values([drawn(1, 10), drawn(2, 20), drawn(3, 10), drawn(4, 10)])
    found = effects.effects(SWEEP, better)
    assert found["finding"].to_list() == ["higher", "none"]
    assert verdict_words.verdicts(found)["verdict"].to_list() == [
        "TcpBbr > TcpCubic in 1 of 2 networks; no difference shown in 1"
    ]


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"higher": 14, "none": 2}, "A > B in 14 of 16 networks; no difference shown in 2"),
        ({"higher": 10, "lower": 2, "none": 4}, "A > B in 10 of 16 networks; A < B in 2; no difference shown in 4"),
        ({"none": 1}, "no difference between A and B shown in 1 of 1 network"),
        ({"lower": 1, "not_steady": 2}, "A < B in 1 of 3 networks; not tested: not steady in 2"),
        ({"too_few_runs": 3}, "A and B not compared: fewer than 5 different runs in 3"),
    ],
)
def test_verdicts_in_words(counts, words):
    row = {verdict_words._column(name): 0 for name in findings.FINDINGS} | counts
    row |= {"variant": "A", "reference": "B", "mix": None, "networks": sum(counts.values())}
    assert verdict_words.said(row) == words


@given(st.integers(0, 10_000), st.floats(-3, 3))
def test_no_verdict_claims_a_difference_whose_corrected_interval_holds_zero(seed, shift):
    runs = [drawn(seed + i, shift * (i == 1)) for i in range(4)]
    for row in effects.effects(SWEEP, values(runs)).iter_rows(named=True):
        shown = row["holm_low"] > 0 or row["holm_high"] < 0
        assert shown == (row["finding"] in ("higher", "lower")) == (row["holm_p"] <= 0.05)
        assert row["holm_low"] <= row["low"]
        assert row["high"] <= row["holm_high"]


@given(st.integers(0, 10_000), st.floats(0, 3))
def test_another_network_never_makes_a_comparison_more_certain(seed, shift):
    runs = [drawn(seed + i, shift * (i % 2)) for i in range(4)]
    alone = effects.effects(SWEEP, values(runs[:2])).row(0, named=True)
    with_another = effects.effects(SWEEP, values(runs)).row(0, named=True)
    assert with_another["holm_p"] >= alone["holm_p"]
    assert with_another["p"] == alone["p"]


def test_nothing_is_claimed_of_fewer_than_five_runs():
    found = effects.effects(SWEEP, values([drawn(1, 1, n=4), drawn(2, 100, n=4)]))
    assert found["finding"].to_list() == ["too few runs"]
    assert found["holm_p"].to_list() == [None]


def test_a_run_that_repeats_another_of_either_variant_does_not_count():
    again = {0: dict.fromkeys(range(1, 7), "same")}
    found = effects.effects(SWEEP, values([[5.0] * 6, drawn(2, 100)], digests=again))
    assert found.select("runs", "distinct_runs", "finding").row(0) == (6, 1, "deterministic")
    twice = {1: {1: "same", 2: "same"}}
    found = effects.effects(SWEEP, values([drawn(1, 1), drawn(2, 100)], digests=twice))
    assert found.select("distinct_runs", "finding").row(0) == (5, "higher")


def test_flows_that_are_not_steady_take_no_part():
    found = effects.effects(SWEEP, values([drawn(1, 1), drawn(2, 100)], counts=False))
    assert found.select("runs", "steady_runs", "finding").row(0) == (6, 0, "not steady")


def test_runs_without_a_value_are_not_passed_over():
    # Jain's index is there in all seven runs, the time to converge in six of them.
    runs = values([drawn(1, 1), drawn(2, 100)], "convergence_s")
    others = values([drawn(1, 1, n=7), drawn(2, 100, n=7)], "jain")
    found = effects.effects(SWEEP, pl.concat([runs, others]))
    assert dict(found.select("metric", "finding").iter_rows()) == {"jain": "higher", "convergence_s": "no value"}


def test_networks_without_a_result_are_counted():
    found = effects.effects(SWEEP, values([drawn(1, 10), drawn(2, 20)]))
    assert verdict_words.verdicts(found, comparisons.pairs(SWEEP))["verdict"].to_list() == [
        "TcpBbr > TcpCubic in 1 of 2 networks; not tested: no result in 1"
    ]


def test_equal_values_are_no_difference_and_equal_differences_no_claim():
    same = effects.effects(SWEEP, values([[3.0] * 6, [3.0] * 6]))
    assert same.select("finding", "holm_low", "holm_high", "p").row(0) == ("none", 0, 0, 1)
    shifted = effects.effects(SWEEP, values([[3.0] * 6, [4.0] * 6]))
    assert shifted["finding"].to_list() == ["no spread"]


def test_newreno_as_baseline_brings_linuxreno_beside_it():
    variants = ["TcpNewReno", "TcpLinuxReno", "TcpCubic", "TcpCubic+TcpNewReno"]
    sweep = synthetic.record(baseline="TcpNewReno", combinations=[{"variant": v} for v in variants])
    compared = comparisons.pairs(sweep)
    flows = compared.filter(pl.col("own").is_not_null()).select("variant", "reference", "mix").rows()
    assert flows == [
        ("TcpLinuxReno", "TcpNewReno", None),
        ("TcpCubic", "TcpNewReno", None),
        ("TcpCubic", "TcpLinuxReno", None),
        ("TcpCubic", "TcpNewReno", "TcpCubic+TcpNewReno"),
    ]


def test_a_thousand_networks_of_no_difference_hardly_ever_yield_a_claim():
    # Holm keeps the probability of any false claim at 5 %: of 200 sweeps about 10, at most 20 by the binomial's tail.
    rng = np.random.default_rng(7)
    false = 0
    for _ in range(200):
        d = rng.normal(size=(16, 5))
        p = scipy.stats.ttest_1samp(d, 0, axis=1).pvalue
        false += bool((significance.holm(p)[0] <= 0.05).any())
    assert false <= 20


@pytest.mark.parametrize(("sd", "half", "n"), [(1.0, 1.0, 7), (2.0, 1.0, 18), (0.0, 1.0, 2), (1.0, 0.0, 0)])
def test_the_runs_needed_are_the_least_that_do(sd, half, n):
    # t(0.975; 6) = 2.447 / √7 = 0.92 ≤ 1 < t(0.975; 5) = 2.571 / √6; 2 · 2.110 / √18 = 0.99 ≤ 1 < 2 · 2.120 / √17.
    assert means.runs_needed([sd], [half])[0] == n


DRAWS = {
    "normal": (lambda rng, size: rng.normal(size=size), 0),
    "uniform": (lambda rng, size: rng.uniform(size=size), 0.5),
    "beta": (lambda rng, size: rng.beta(8, 1, size=size), 8 / 9),
    "exponential": (lambda rng, size: rng.exponential(size=size), 1),
}


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("n", [5, 7, 12])
def test_bootstrap_intervals_cover_the_mean_as_often_as_students(name, n):
    draw, mean = DRAWS[name]
    samples = draw(np.random.default_rng(3), (4000, n))
    low, high = bootstrap.expanded_percentile(samples)
    assert (low >= samples.min(axis=1) - 1e-12).all()
    assert (high <= samples.max(axis=1) + 1e-12).all()
    students = scipy.stats.t.interval(0.95, n - 1, samples.mean(axis=1), samples.std(axis=1, ddof=1) / n**0.5)
    # No interval that stays among the values can do better than these together do: all n lie on one side of the middle
    # of a symmetric distribution with probability 2 / 2ⁿ. The other 2 % are three standard errors of both shares.
    best = min(np.mean((students[0] <= mean) & (mean <= students[1])), 1 - 2 ** (1 - n))
    assert best - 0.02 <= np.mean((low <= mean) & (mean <= high)) <= 0.97


def test_all_resamples_of_few_values_are_counted():
    weights, probabilities = bootstrap._resamples(5)
    assert len(weights) == math.comb(9, 5)
    assert probabilities.sum() == pytest.approx(1)
    assert weights.sum(axis=1) == pytest.approx(1)


def test_bounded_metrics_have_the_bootstraps_interval():
    for name, metric in metrics.METRICS.items():
        assert metric.interval in ("t", "bootstrap")
        assert metric.unit != "1" or metric.interval == "bootstrap", name


def expanded(**more):
    document = {"sweep": "s", "scenario": "dumbbell", "grid": {"variant": ["TcpA+TcpB", "TcpCubic", "TcpBbr"]}}
    return grid.expand(document | more)


def test_the_baseline_is_the_first_variant_that_is_no_mix_unless_given():
    assert expanded()[0].baseline == "TcpCubic"
    assert expanded(baseline="ns3::TcpBbr")[0].baseline == "TcpBbr"
    _, problems = expanded(baseline="TcpCubc")
    assert [problem.path for problem in problems] == [("baseline",)]
    assert "did you mean 'TcpCubic'?" in problems[0].message
    assert expanded(baseline="TcpA+TcpB")[1]


def test_a_sweep_has_its_effects_and_verdicts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rates = {"TcpNewReno": 1e6, "TcpCubic": 2e6}

    def goodput(row, run):
        noise = random.Random(f"{run} {row['variant']}").gauss(0, 1e4)
        variants = row["variant"].split("+")
        return [rates[variants[flow % len(variants)]] + noise * (1 + flow) for flow in range(row["flows"])]

    text = """\
sweep: small
scenario: dumbbell
grid: {variant: [TcpNewReno, TcpCubic, TcpNewReno+TcpCubic]}
repetitions: 5
fixed: {duration: 60s, warmup: 10s}
"""
    folder = synthetic.sweep(text, goodput)
    verdicts = pl.read_csv(folder / "verdicts.csv").filter(pl.col("metric") == "goodput_bps")["verdict"].to_list()
    assert verdicts == [
        "TcpCubic > TcpNewReno in 1 of 1 network",
        "in TcpNewReno+TcpCubic: TcpCubic > TcpNewReno in 1 of 1 network",
    ]
    assert json.loads((folder / "sweep.json").read_text())["baseline"] == "TcpNewReno"
    found = pl.read_parquet(folder / "effects.parquet").filter(pl.col("metric") == "jain")
    assert found["variant"].to_list() == ["TcpCubic", "TcpNewReno+TcpCubic"]
    assert sweep_record.read(folder).combinations

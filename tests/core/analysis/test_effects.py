# SPDX-License-Identifier: MIT
"""Comparisons by paired runs against scipy.stats, published examples and verdicts worked by hand."""

import dataclasses
import json
import random
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import scipy.stats
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tcpsweep.core.analysis import comparisons, effects, verdict_words
from tcpsweep.core.statistics import significance
from tcpsweep.core.sweep import compared_variants, sweep_record
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.sweepfile.asked import smallest_effects
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import metrics, rounding
from tests.support import synthetic
from tests.support.finding_counts import counts

RUNS = 14  # as many as "equivalent" needs
SWEEP = synthetic.record(
    baseline="TcpCubic",
    smallest_effects=smallest_effects.smallest_effects({}),
    runs=tuple(range(1, RUNS + 1)),
    combinations=[{"variant": v, "delay": d} for d in ("10ms", "20ms") for v in ("TcpCubic", "TcpBbr")],
)


def values(by_combination, metric="goodput_bps", counts=True, digests=None):
    """Values by run as `summaries.by_run` gives them, of a variant in each of `SWEEP`'s combinations."""
    variants = [row["variant"] for row in SWEEP.combinations]
    names = {(number, run): name for number, own in (digests or {}).items() for run, name in own.items()}
    return synthetic.by_run(
        (number, variants[number], metric, run, names.get((number, run), f"{number}-{run}"), value, counts)
        for number, runs in enumerate(by_combination)
        for run, value in enumerate(runs, 1)
    )


def effects_of(sweep, values):
    """The whole table of effects."""
    return pl.concat(effects.by_metric(sweep, values))


def drawn(seed, mean, sd=1.0, n=RUNS):
    return list(np.random.default_rng(seed).normal(mean, sd, n))


def test_a_comparison_is_scipys_paired_t_test():
    x, y = drawn(1, 10), drawn(2, 9)
    row = effects_of(SWEEP, values([y, x])).row(0, named=True)
    test = scipy.stats.ttest_rel(x, y)
    interval = test.confidence_interval(0.95)
    assert row["difference"] == pytest.approx(np.mean(x) - np.mean(y))
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))
    assert row["p"] == pytest.approx(test.pvalue)
    assert row["correlation"] == pytest.approx(scipy.stats.pearsonr(x, y).statistic)
    assert row["ratio"] == pytest.approx(np.mean(x) / np.mean(y))
    for end in ("ratio_low", "ratio_high"):  # Fieller's interval ends where the contrast just differs from 0
        assert scipy.stats.ttest_1samp(np.array(x) - row[end] * np.array(y), 0).pvalue == pytest.approx(0.05)


def test_the_verdict_counts_networks_and_says_how_large_the_effects_are():
    better = values([drawn(1, 10), drawn(2, 20), drawn(3, 10), drawn(4, 10)])
    found = effects_of(SWEEP, better)
    assert found["finding"].to_list() == ["higher", "undecided"]
    first, second = ([row[f"effect{end}"] * 100 for end in ("", "_low", "_high")] for row in found.rows(named=True))
    assert verdict_words.verdicts(found)["verdict"].to_list() == [
        f"TcpBbr > TcpCubic in 1 of 2 network conditions, by {first[0]:.0f} % ({first[1]:.0f} to {first[2]:.0f}); "
        f"inconclusive in 1 (−{-second[1]:.0f} to +{second[2]:.0f} %)"
    ]


SENTENCES = yaml.safe_load(Path(__file__).with_name("sentences.yaml").read_text())


@pytest.mark.parametrize("given", SENTENCES, ids=lambda given: given["says"])
def test_verdicts_in_words(given):
    sizes = {name: tuple(numbers) for name, numbers in given.get("sizes", {}).items()}
    row = counts(**sizes, **given.get("counts", {})) | given.get("row", {})
    assert verdict_words.verdict_sentence(row) == given["says"]


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.floats(-3, 3))
def test_no_verdict_names_an_effect_whose_interval_holds_one_below_the_smallest(seed, shift):
    runs = [[10 + value for value in drawn(seed + i, shift * (i == 1))] for i in range(4)]
    for row in effects_of(SWEEP, values(runs)).iter_rows(named=True):
        shown = row["effect_low"] > 0.02 or row["effect_high"] < -0.02
        assert shown or row["finding"] not in ("higher", "lower")
        assert (row["finding"] in ("higher", "lower")) == (row["beyond_holm"] <= 0.05)
        assert row["finding"] == "same" or row["holm_low"] <= row["low"]
        assert row["finding"] == "same" or row["high"] <= row["holm_high"]


def test_a_difference_below_the_smallest_effect_is_the_same_and_not_higher():
    # Utilisations of 0.9991 and 0.9962, which the default sweep once called different.
    near = [[0.9991 + 1e-5 * value for value in drawn(i, 0)] for i in (1, 2)]
    near[0] = [value - 0.0029 for value in near[0]]
    found = effects_of(SWEEP, values(near, "utilisation"))
    assert found["p"][0] < 1e-6
    assert found["finding"].to_list() == ["same"]
    finer = dataclasses.replace(SWEEP, smallest_effects={"utilisation": ShareOrValue(share=0.001)})
    assert effects_of(finer, values(near, "utilisation"))["finding"].to_list() == ["higher"]


def findings_of(metric, mean, reference):
    """The finding on nearly equal runs with these means, by the metric's own smallest effect."""
    runs = [[value + 1e-5 * noise for noise in drawn(seed, 0)] for seed, value in ((1, reference), (2, mean))]
    (finding,) = effects_of(SWEEP, values(runs, metric))["finding"]
    return finding


def test_intervals_of_effects_stay_inside_what_can_be():
    # BBR's goodput is 0.1 ± 2 against 1: no effect is below −100 %. A difference of losses is at most 100 points.
    runs = [[1 + 0.01 * value for value in drawn(1, 0)], [0.1 + 2 * value for value in drawn(2, 0)]]
    row = effects_of(SWEEP, values(runs)).row(0, named=True)
    assert (row["effect_low"], row["ratio_low"]) == (-1, 0)
    assert row["low"] < -1
    losses = [[float((run + first) % 2) for run in range(3)] for first in (0, 1)]
    row = effects_of(SWEEP, values(losses, "congestion_loss")).row(0, named=True)
    assert (row["low"], row["high"], row["holm_low"], row["holm_high"]) == (-1, 1, -1, 1)


def test_margins_see_unfair_shares_and_follow_the_loss():
    # J = 1 / (2 · (0.57² + 0.43²)) = 0.9808 of two flows with 57 and 43 %, and 0.9982 with 53 and 47 %.
    assert findings_of("jain", 0.9808, 0.9999) == findings_of("jain_windows", 0.9808, 0.9999) == "lower"
    assert findings_of("jain", 0.9964, 0.9999) == "same"
    assert findings_of("jain", 0.62, 0.6) == "same"  # 5 % of 1 − J
    assert findings_of("congestion_loss", 0.00147, 0.00186) == "lower"  # 21 % fewer
    for name in ("congestion_loss", "random_loss", "ecn_marks", "network_drop_ratio"):
        assert [findings_of(name, loss, 0.01) for loss in (0.0105, 0.012)] == ["same", "higher"]
        assert [findings_of(name, loss, 0.0) for loss in (0.00005, 0.0002)] == ["same", "higher"]
    assert [findings_of("network_delivery_ratio", share, 0.99) for share in (0.9895, 0.988)] == ["same", "lower"]


def test_of_two_smallest_effects_the_larger_one_counts():
    # A difference of 0.4 percentage points: below a tenth of a loss of 10 %, and above 0.1 points at 1 %.
    def found(loss):
        runs = [[loss + step + 1e-5 * value for value in drawn(i, 0)] for i, step in ((1, 0), (2, 0.004))]
        return effects_of(SWEEP, values(runs, "congestion_loss"))["finding"].to_list()

    assert (found(0.1), found(0.01)) == (["same"], ["higher"])


def test_headline_metrics_are_corrected_together_and_others_by_themselves():
    runs = [[10 + value for value in drawn(i, i % 2, sd=0.4)] for i in range(4)]
    both = pl.concat([values(runs, name) for name in ("goodput_bps", "jain", "timeouts", "fast_recoveries")])
    found = effects_of(SWEEP, both)
    primary, exploratory = (set(found.filter(family=family)["metric"]) for family in ("primary", "exploratory"))
    assert (primary, exploratory) == ({"goodput_bps", "jain"}, {"timeouts", "fast_recoveries"})
    of_two = significance.holm(found.filter(metric="timeouts")["beyond_p"])[0]
    of_four = significance.holm(found.filter(family="primary")["beyond_p"])[0]
    assert found.filter(metric="timeouts")["beyond_holm"].to_list() == pytest.approx(of_two)
    assert found.filter(family="primary")["beyond_holm"].to_list() == pytest.approx(of_four)
    assert verdict_words.verdicts(found)["family"].to_list() == ["primary"] * 2 + ["exploratory"] * 2


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.floats(0, 3))
def test_another_network_never_makes_a_comparison_more_certain(seed, shift):
    runs = [[10 + value for value in drawn(seed + i, shift * (i % 2))] for i in range(4)]
    alone = effects_of(SWEEP, values(runs[:2])).row(0, named=True)
    with_another = effects_of(SWEEP, values(runs)).row(0, named=True)
    assert with_another["beyond_holm"] >= alone["beyond_holm"]
    assert with_another["within_holm"] >= alone["within_holm"]
    assert with_another["p"] == alone["p"]


@pytest.mark.parametrize(("axis", "ways"), [("corrections", ["none", "all"]), ("tcp", ["ns-3", "corrected"])])
def test_an_axis_of_the_simulator_is_no_network_condition_and_makes_a_family_of_its_own(axis, ways):
    places = [(way, delay, name) for way in ways for delay in ("5ms", "9ms") for name in ("TcpCubic", "TcpBbr")]
    rows = [Combination("dumbbell", {"variant": name, axis: way, "delay": delay}) for way, delay, name in places]
    axes = {"variant": ["TcpCubic", "TcpBbr"], axis: ways, "delay": ["5ms", "9ms"]}
    swept = dataclasses.replace(SWEEP, combinations=rows, axes=axes)
    assert compared_variants.primary(swept) == 2 * len(metrics.headline(metrics.METRICS))
    runs = synthetic.by_run(
        (number, row["variant"], "goodput_bps", run, f"{number}-{run}", value + 10 * (row["variant"] == "TcpBbr"), True)
        for number, row in enumerate(rows)
        for run, value in enumerate(drawn(number, 10), 1)
    )
    found = effects_of(swept, runs)
    both = verdict_words.verdicts(found, comparisons.pairs(swept))
    assert both.select("simulator", "networks", "higher").rows() == [
        (f"{axis} {ways[0]}", 2, 2),
        (f"{axis} {ways[1]}", 2, 2),
    ]
    assert both["verdict"][1].startswith(f"{axis} {ways[1]}: TcpBbr > TcpCubic in 2 of 2 network conditions")
    # Corrected for two comparisons, not for four.
    for part in found.partition_by("simulator"):
        assert part["beyond_holm"].to_list() == pytest.approx(significance.holm(part["beyond_p"])[0])


def test_effects_made_metric_by_metric_are_those_made_at_once(monkeypatch):
    lost = values([drawn(9, 5), drawn(10, 5.2)], "jain").filter((pl.col("combination") == 0) | (pl.col("run") != 3))
    names = ("goodput_bps", "utilisation", "rtt_mean_s", "delivery_ratio")
    rows = pl.concat([*(values([drawn(2 * n, 9), drawn(2 * n + 1, 10)], name) for n, name in enumerate(names)), lost])
    at_once = list(effects.by_metric(SWEEP, rows))
    monkeypatch.setattr(effects, "MOST_PAIRED", 1)
    one_by_one = list(effects.by_metric(SWEEP, rows))
    assert len(at_once) == 1 and len(one_by_one) > 3
    assert pl.concat(one_by_one).equals(at_once[0])
    assert set(at_once[0]["lost_runs"]) == {0, 1}


def test_few_runs_carry_few_verdicts_and_say_how_many_are_needed():
    # A comparison needs 6 runs, because 2^(1 − 5) is above 5 %. A family of 7 needs 9, and one of equal variants 14.
    for runs, sizes in ((5, []), (6, [1]), (8, [1, 6]), (9, [1, 6, 7])):
        for size in (1, 6, 7):
            names = (
                list(metrics.headline(metrics.METRICS))[:size] if size < 7 else list(metrics.headline(metrics.METRICS))
            )
            every = pl.concat([values([drawn(1, 1, n=runs), drawn(2, 100, n=runs)], name) for name in names])
            found = effects_of(dataclasses.replace(SWEEP, smallest_effects={}), every)
            assert found.height == size
            assert set(found["finding"]) == {"higher" if size in sizes else "too few runs"}
            assert set(found["runs_needed"]) == {{1: 6, 6: 8, 7: 9}[size]}
    found = effects_of(SWEEP, values([drawn(1, 1, 1e-6, 13), drawn(2, 1, 1e-6, 13)]))
    assert found.select("finding", "within_p", "runs_needed").row(0) == ("too few runs", 1, 14)
    row = found.row(0, named=True)
    assert row["low"] < row["difference"] < row["high"]


def test_identical_runs_count_as_one():
    again = {0: dict.fromkeys(range(1, RUNS + 1), "same")}
    found = effects_of(SWEEP, values([[5.0] * RUNS, drawn(2, 100)], digests=again))
    assert found.select("runs", "distinct_runs", "finding").row(0) == (RUNS, 1, "deterministic")
    twice = {1: {1: "same", 2: "same"}}
    found = effects_of(SWEEP, values([drawn(1, 1), drawn(2, 100)], digests=twice))
    assert found.select("distinct_runs", "finding").row(0) == (RUNS, "higher")


def test_comparisons_that_are_not_judged_still_count_in_their_family():
    # Lost runs may depend on the outcome: a family of only the other comparisons would be corrected too little.
    runs = values([drawn(i, 10 + i % 2) for i in range(4)])
    lost = runs.filter(~((pl.col("combination") == 3) & (pl.col("run") == 3)))
    both, one = (effects_of(SWEEP, rows) for rows in (runs, lost))
    assert one["finding"].to_list()[1] == "uneven loss"
    assert one["beyond_holm"][0] == pytest.approx(min(1, 2 * one["beyond_p"][0]))
    assert one["beyond_p"][0] == both["beyond_p"][0]


def test_a_comparison_that_lost_more_runs_on_one_side_is_not_judged():
    runs = values([drawn(1, 10), drawn(2, 20)])
    lost = runs.filter(~((pl.col("combination") == 1) & (pl.col("run") == 3)))
    found = effects_of(SWEEP, lost)
    names = ["runs", "lost_runs", "reference_lost_runs", "finding"]
    assert found.select(names).row(0) == (RUNS - 1, 1, 0, "uneven loss")
    (said,) = verdict_words.verdicts(found)["verdict"]
    assert "more runs lost on one side in 1 of 1 network condition (TcpBbr 1, TcpCubic 0)" in said
    # What both sides lost, one run each, leaves them alike.
    both = effects_of(SWEEP, runs.filter(pl.col("run") != 3))
    assert both.select(names).row(0) == (RUNS - 1, 1, 1, "higher")


def test_runs_without_a_value_and_networks_without_a_result_are_not_passed_over():
    # Jain's index is there in all runs, the time to converge in all but one.
    runs = values([drawn(1, 1), drawn(2, 100)], "convergence_s")
    others = values([drawn(1, 1, n=RUNS + 1), drawn(2, 100, n=RUNS + 1)], "jain")
    found = effects_of(SWEEP, pl.concat([runs, others]))
    assert dict(found.select("metric", "finding").iter_rows()) == {"jain": "higher", "convergence_s": "no value"}
    # A network without a result is counted.
    found = effects_of(SWEEP, values([drawn(1, 10), drawn(2, 20)]))
    assert verdict_words.verdicts(found, comparisons.pairs(SWEEP))["verdict"].to_list() == [
        "TcpBbr > TcpCubic in 1 of 2 network conditions, by 97 % (92 to 102); not tested: no result in 1"
    ]


def test_equal_values_are_no_difference_and_equal_differences_no_claim():
    same = effects_of(SWEEP, values([[3.0] * RUNS, [3.0] * RUNS]))
    assert same.select("finding", "holm_low", "holm_high", "p").row(0) == ("same", 0, 0, 1)
    shifted = effects_of(SWEEP, values([[3.0] * RUNS, [4.0] * RUNS]))
    assert shifted["finding"].to_list() == ["no spread"]


def test_newreno_as_baseline_brings_linuxreno_beside_it():
    variants = ["TcpNewReno", "TcpLinuxReno", "TcpCubic", "TcpCubic+TcpNewReno"]
    sweep = synthetic.record(baseline="TcpNewReno", combinations=[{"variant": v} for v in variants])
    compared = comparisons.pairs(sweep).filter(pl.col("own").is_not_null())
    assert compared.select("variant", "reference", "mix").rows() == [
        ("TcpLinuxReno", "TcpNewReno", None),
        ("TcpCubic", "TcpNewReno", None),
        ("TcpCubic", "TcpLinuxReno", None),
        ("TcpCubic", "TcpNewReno", "TcpCubic+TcpNewReno"),
    ]


def test_bounded_metrics_have_the_bootstraps_interval():
    for name, metric in metrics.METRICS.items():
        assert metric.interval in ("t", "bootstrap")
        assert metric.unit != "1" or metric.interval == "bootstrap", name


def expanded(**more):
    document = {"sweep": "s", "scenario": "dumbbell", "grid": {"variant": ["TcpA+TcpB", "TcpCubic", "TcpBbr"]}}
    return grid.expand(SweepFile(document | more))


def test_the_baseline_is_the_first_variant_that_is_no_mix_unless_given():
    assert expanded()[0].baseline == "TcpCubic"
    assert expanded(baseline="ns3::TcpBbr")[0].baseline == "TcpBbr"
    _, problems = expanded(baseline="TcpCubc")
    assert [problem.path for problem in problems] == [("baseline",)]
    assert "did you mean 'TcpCubic'?" in problems[0].message
    assert expanded(baseline="TcpA+TcpB")[1]


def test_a_sweep_has_its_effects_and_verdicts(here):
    rates = {"TcpNewReno": 1e6, "TcpCubic": 2e6}

    def goodput(row, run):
        noise = random.Random(f"{run} {row['variant']}").gauss(0, 1e4)
        variants = row["variant"].split("+")
        return [rates[variants[flow % len(variants)]] + noise * (1 + flow) for flow in range(row["flows"])]

    grid = "{variant: [TcpNewReno, TcpCubic, TcpNewReno+TcpCubic]}"
    text = f"sweep: small\nscenario: dumbbell\ngrid: {grid}\nrepetitions: 12\n"
    folder = synthetic.sweep(text + "fixed: {duration: 60s, warmup: 10s}\n", goodput)
    verdicts = pl.read_csv(folder / "verdicts.csv").filter(pl.col("metric") == "goodput_bps")["verdict"].to_list()
    assert verdicts == [
        "TcpCubic > TcpNewReno in 1 of 1 network condition, 2 times (2)",
        "in TcpNewReno+TcpCubic: TcpCubic > TcpNewReno in 1 of 1 network condition, by 100 % (100)",
    ]
    assert json.loads((folder / "sweep.json").read_text())["baseline"] == "TcpNewReno"
    found = pl.read_parquet(folder / "effects.parquet").filter(pl.col("metric") == "jain")
    assert found["variant"].to_list() == ["TcpCubic", "TcpNewReno+TcpCubic"]
    assert sweep_record.read(folder).combinations


def test_means_that_differ_by_a_rounding_error_do_not_differ():
    """Sums of tenths in another order differ in the last bit (IEEE 754)."""
    assert sum([0.1, 0.2, 0.3]) != sum([0.3, 0.2, 0.1])
    found = effects_of(SWEEP, values([[0.6 + 4e-17 * n, 0.6] for n in (3, 1)], counts=False))
    (said,) = verdict_words.verdicts(found)["verdict"]
    assert said.endswith(", the means do not differ")
    assert [rounding.signed(value) for value in (3.7e-15, -3.7e-15, 1e-8)] == ["0", "0", "+0.00000001"]


def test_what_is_not_tested_has_means_and_a_plain_interval():
    found = effects_of(SWEEP, values([drawn(1, 10), drawn(2, 20)], counts=False))
    row = found.row(0, named=True)
    assert (row["runs"], row["steady"], row["reference_steady"]) == (RUNS, False, False)
    assert row["finding"] == "not steady"
    assert row["mean"] > row["reference_mean"] > 0
    assert row["low"] < row["difference"] < row["high"]
    assert row["effect"] == pytest.approx(row["difference"] / row["reference_mean"])
    assert (row["p"], row["holm_low"]) == (None, None)
    (said,) = verdict_words.verdicts(found)["verdict"]
    assert re.search(r"not tested: not steady in 1 of 1 network condition \(.*\), the means differ by \+\d+ %$", said)

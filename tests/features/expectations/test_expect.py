# SPDX-License-Identifier: MIT
"""Expectations of a sweep: their grammar, the compared values, and a sweep that fails with names."""

from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.core.sweep import bounds, sweep_record
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.features.expectations import judged, language, outcomes
from tests.support import synthetic
from tests.support.networks import mistakes
from tests.support.project import SMALL

CASES = yaml.safe_load(Path(__file__).with_name("expectations.yaml").read_text())
HEAD, SWEEP, NETWORK = (CASES[name] for name in ("head", "sweep", "network"))


def told(text):
    """The messages about a sweep file with this under `expect`."""
    return mistakes(f"{HEAD}expect: {text}\n")


def parsed(text):
    sweep, _ = grid.expand(SweepFile(yaml_document.parse(HEAD, "f").data))
    return language.parse(text, "dumbbell", language.names_in(sweep.combinations)), sweep.combinations


def test_an_expectation_is_a_metric_a_value_and_conditions():
    found, rows = parsed("goodput_bps of TcpCubic >= 1.5Mbps where bandwidth == 4000kbps and delay < 20ms")
    assert (found.metric, found.variant, found.operator, found.value) == ("goodput_bps", "TcpCubic", ">=", 1.5e6)
    assert {rows[number]["delay"] for number in found.select(rows)} == {"10ms"}
    assert len(found.select(rows)) == len(rows) / 2


@pytest.mark.parametrize("text", CASES["values"])
def test_values_are_in_the_metrics_unit(text):
    assert parsed(text)[0].value == pytest.approx(CASES["values"][text], rel=1e-12)


@pytest.mark.parametrize("condition", CASES["conditions"])
def test_conditions_select_combinations(condition):
    selected = CASES["conditions"][condition]
    found, rows = parsed(f"jain >= 0.9 where {condition}")
    chosen = [rows[number] for number in found.select(rows)]
    assert {name: sorted({row[name] for row in chosen}) for name in selected} == selected


@pytest.mark.parametrize("text", CASES["mistakes"])
def test_a_mistake_is_told_with_its_place_and_the_nearest_value(text):
    place, words = CASES["mistakes"][text]
    (line,) = told(text)
    assert line.startswith("6:")
    assert place in line
    assert words in line


@pytest.mark.parametrize("text", CASES["mistakes in networks"])
def test_a_link_or_traffic_that_is_not_there_is_a_mistake(text):
    (line,) = mistakes(f"{NETWORK}expect: {text}\n")
    assert CASES["mistakes in networks"][text] in line


@pytest.mark.parametrize("sign", CASES["findings"])
def test_an_expectation_is_compared_with_the_whole_interval(sign):
    for low, high, finding in CASES["findings"][sign]:
        assert bounds.met(sign, 0.9, (low + high) / 2, low, high) == finding, (low, high)
        by_mean = {bounds.met(sign, 0.9, mean, None, None) for mean in (low, high)}
        assert finding == "not shown" or by_mean == {finding}, "without an interval"


def goodput(row, run):
    """Runs of 1, 2 and 3 Mbit/s at 2Mbps; of 4.9, 5.0 and 5.1 at 4Mbps."""
    rate = run if row["bandwidth"] == "2Mbps" else 4.8 + run / 10
    return [rate * 1e6] * row["flows"]


def test_each_place_is_judged_by_its_interval(here):
    folder = synthetic.sweep(SWEEP, goodput)
    table = pl.read_parquet(folder / "expectations.parquet")
    assert table.columns[:3] == ["combination", "variant", "bandwidth_bps"]
    found = {each.name: each for each in outcomes.outcomes_of(sweep_record.read(folder), folder)}
    assert found["goodput_bps > 0.5Mbps where bandwidth == 4Mbps"].holds
    assert found["goodput_bps > 0.5Mbps where bandwidth == 4Mbps"].places == 3  # a mix has two variants
    # 1, 2, 3: 2 ± 4.303 · 1 / √3 = 2 ± 2.48 reaches below 1, where the mean does not. A half-width of 1 takes 7 runs:
    # t(0.975; 6) = 2.447 / √7 = 0.92 ≤ 1 < t(0.975; 5) = 2.571 / √6.
    enough = found["enough"]
    assert (enough.places, enough.holding) == (4, 2)
    hint = "about 4 more runs would show it, if mean and spread stay"
    assert enough.others == [
        f"TcpCubic, bandwidth 2Mbps: not shown, 2.0 [0.0, 4.5] Mbit/s; {hint}",
        f"TcpNewReno+TcpCubic, bandwidth 2Mbps, of TcpCubic: not shown, 2.0 [0.0, 4.5] Mbit/s; {hint}",
    ]
    never = found["goodput_bps >= 9Mbps where variant == TcpCubic and bandwidth == 2Mbps"]
    assert never.others == ["TcpCubic, bandwidth 2Mbps: fails, 2.0 [0.0, 4.5] Mbit/s"]
    assert found["jain == 1"].holds
    text = outcomes.outcomes_in_words(list(found.values()))
    assert "  enough (goodput_bps of TcpCubic >= 1Mbps): does not hold in 2 of 4" in text


def test_a_run_without_a_value_shows_nothing(here):
    # In runs 2 and 3 one flow has nine tenths: Jain's index 1 / (2 (0.9² + 0.1²)) = 0.61 never settles at 0.9 or more.
    folder = synthetic.sweep(SWEEP, lambda row, run: [1e6, 1e6] if run == 1 else [1.8e6, 2e5])
    table = pl.read_parquet(folder / "expectations.parquet")
    assert set(table.filter(pl.col("metric") == "convergence_s")["finding"]) == {"no value"}


def test_a_sweep_without_results_shows_nothing(here):
    folder = synthetic.sweep(SWEEP, goodput, fails=lambda row, run: True)
    assert set(pl.read_parquet(folder / "expectations.parquet")["finding"]) == {"no value"}


@pytest.mark.long
def test_a_real_sweep_fails_by_name_and_passes_when_corrected(copy_of_finished):
    kept = SMALL.replace("fixed:", "capture: {keep_raw: true}\nfixed:")
    wrong = kept + 'expect:\n- {name: full link, that: "goodput_bps > 2Mbps where delay == 5ms"}\n- utilisation <= 1\n'
    ran = copy_of_finished.run(sweep=wrong)
    assert ran.status == 1
    assert not ran.simulated | ran.parsed
    assert "1 of 2 expectations hold" in ran.text
    assert "full link (goodput_bps > 2Mbps where delay == 5ms): does not hold in 2 of 2" in ran.text
    page = copy_of_finished / "reports" / "small.html"
    assert "1 of 2 expectations do not hold" in page.read_text()
    assert "full link" in (copy_of_finished / "results/sweeps/small/logs/finish.log").read_text()
    corrected = copy_of_finished.run(sweep=wrong.replace("> 2Mbps", "< 9Mbps"))
    assert corrected.status == 0, corrected.text
    assert "2 of 2 hold" in page.read_text()


def test_a_group_of_flows_is_compared_with_its_own_means_of_each_variant():
    rows = [(n, own, "goodput_bps", 3, 3, *[mean, 0.0, mean, mean]) for n, own, mean in ((0, "A", 1e6), (1, "B", 3e6))]
    groups = summary_of(rows).with_columns(group=pl.lit("far"))
    assert found_for("goodput_bps of group far >= 2Mbps", TWO_WAYS, group=groups) == ["fails", "holds"]
    assert found_for("goodput_bps of group long >= 2Mbps", TWO_WAYS, group=groups) == ["no value", "no value"]
    for text, words in CASES["mistakes in groups"].items():
        (line,) = mistakes(f"{TWO_WAYS}expect: {text}\n")
        assert words in line


TWO_WAYS = NETWORK.replace("{long: {from: a, to: c1}}", "{long: {from: a, to: c1, count: 2}, far: {from: a, to: c0}}")


@pytest.mark.parametrize("text", CASES["parts"])
def test_an_expectation_can_name_a_link_or_traffic(text):
    sweep, _ = grid.expand(SweepFile(yaml_document.parse(NETWORK, "f").data))
    part = language.parse(text, "network", language.names_in(sweep.combinations)).part
    assert [part.kind, part.name, part.direction] == CASES["parts"][text]
    assert mistakes(f"{NETWORK}expect: {text}\n") == []


def summary_of(rows):
    columns = ("combination", "flow_variant", "metric", "runs", "distinct_runs", "mean", "sd", "low", "high")
    schema = dict(zip(columns, (pl.Int64, pl.String, pl.String, pl.Int64, pl.Int64, *[pl.Float64] * 4), strict=True))
    return pl.LazyFrame(rows, schema=schema, orient="row")


def found_for(text, network=None, **parts):
    document = yaml_document.parse(f"{network or NETWORK}expect: {text}\n", "f").data
    sweep, _ = language.asked_of_combinations(SweepFile(document), grid.expand(SweepFile(document))[0])
    whole = summary_of([(number, None, "utilisation", 3, 3, 0.5, 0.0, 0.5, 0.5) for number in (0, 1)])
    values = pl.LazyFrame({"combination": [0] * 3 + [1] * 3, "run": [1, 2, 3] * 2}).with_columns(
        flow_variant=pl.lit(None, pl.String), metric=pl.lit("utilisation"), value=pl.lit(0.5)
    )
    return judged.judged_expectations(sweep, whole, values, parts)["finding"].to_list()


def test_a_link_is_compared_with_its_own_means():
    rows = [(number, None, "utilisation", 3, 3, mean, 0.0, mean, mean) for number, mean in ((0, 0.95), (1, 0.2))]
    links = summary_of(rows).with_columns(link=pl.lit("hop-0"), direction=pl.lit("forward"))
    assert found_for("utilisation of link hop-0 >= 0.9", link=links) == ["holds", "fails"]
    assert found_for("utilisation of link hop-0 back >= 0.9", link=links) == ["no value", "no value"]
    # What nothing crosses has no means of another.
    assert found_for("utilisation of link hop-0 < 0.9") == ["no value", "no value"]


def test_an_unfinished_transfer_is_longer_than_any_expectation():
    rows = [(0, "x", "slowdown_p99", 3, 3, None, None, None, None), (1, "x", "slowdown_p99", 3, 3, 2.0, 0.1, 1.9, 2.1)]
    traffic = summary_of(rows).with_columns(traffic=pl.lit("short"))
    assert found_for("slowdown_p99 of traffic short <= 3", traffic=traffic) == ["fails", "holds"]

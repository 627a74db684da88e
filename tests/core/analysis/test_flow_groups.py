# SPDX-License-Identifier: MIT
"""Groups of flows and of traffic: their numbers, means, steady states and comparisons, which infinite values have not.

Values of different links are no pair.
"""

import itertools
import math

import polars as pl
import pytest
from scipy import stats

from tcpsweep.core.analysis import comparisons, group_effects, group_values, paired_runs, stationarity, summaries
from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.words import metrics, table_columns
from tests.support import synthetic
from tests.support.networks import commands, read

TEXT = """\
sweep: s
scenario: network
network:
  links:
    mid: {between: [a, b]}
  flows:
    upload: {from: a, to: b, count: 2}
    backup: {from: b, to: a}
grid: {network.flows.upload.count: [2, 1]}
"""


def test_flows_are_numbered_group_by_group_in_each_combination():
    found = summaries.flow_groups(read(TEXT))
    assert found.rows() == [(0, 0, "upload"), (0, 1, "upload"), (0, 2, "backup"), (1, 0, "upload"), (1, 1, "backup")]


def test_the_simulator_numbers_them_alike(program, simulated):
    sweep = read(TEXT.replace("[2, 1]", "[2]") + "fixed: {duration: 1s, warmup: 0s}\nruns: [1]\n")
    (command,) = commands(sweep)
    cell = simulated(program("network"), *command.arguments)
    assert [flow["group"] for flow in cell.record["flows"]] == ["upload", "upload", "backup"]


def measured(*rows):
    """Measures, of which rows say what is not that of the first combination's first run."""
    schema = {"combination": pl.Int64, "run": pl.Int64, "digest": pl.String} | table_columns.schema("measures")
    first = dict.fromkeys(schema) | {"combination": 0, "run": 1, "digest": "d1"}
    frame = pl.DataFrame([first | row for row in rows], schema=schema)
    return frame.with_columns(pl.col("metric").cast(pl.Enum(list(metrics.METRICS))))


def test_the_table_of_flows_has_their_groups_and_null_without_them():
    of_each = {"combination": 1, "cell": "c", "variant": "TcpCubic", "direction": "forward", "metric": "goodput_bps"}
    measures = measured(*(of_each | {"flow": flow, "value": 1e6 * (flow + 1)} for flow in (1, 0)))
    found = summaries.flows(measures, summaries.flow_groups(read(TEXT)))
    assert found.columns == [*summaries.FLOW_COLUMNS, "goodput_bps"]
    assert found.select("flow", "group", "goodput_bps").rows() == [(1, "backup", 2e6), (0, "upload", 1e6)]
    plain = summaries.flows(measures, summaries.flow_groups(synthetic.record(combinations=[{"flows": 2}] * 2)))
    assert plain.schema == found.schema
    assert plain["group"].to_list() == [None, None]


def test_each_group_is_judged_by_itself_for_steady_state_where_groups_differ():
    rows = [
        {"combination": number, "run": run, "digest": f"{run}", "direction": "forward", "flow_variant": "TcpCubic"}
        | {"flow": flow, "group": group, "steady": steady, "congestion_epochs": 10.0 * steady}
        | {"goodput_bps": 1e6, "goodput_trend": trend + 0.001 * run, "goodput_bend": 0.001 * run}
        for number in (0, 1)
        for run in range(1, 6)
        for flow, (group, steady, trend) in enumerate((("upload", 1.0, 0.0), ("backup", 0.0, 0.5)))
    ]
    flows = pl.DataFrame(rows)
    found = group_values.sides(read(TEXT), flows)
    of_first = dict(found.filter(combination=0).select("flow_variant", "why").iter_rows())
    assert of_first == {"TcpCubic, upload": None, "TcpCubic, backup": stationarity.DRIFTING}
    # Groups over the same path count together, as their numbers do.
    together = group_values.sides(read(TEXT.replace("from: b, to: a", "from: a, to: b")), flows)
    assert together.filter(combination=0).select("flow_variant", "steady").rows() == [("TcpCubic", False)]


VARIANTS = ["TcpCubic", "TcpBbr+TcpCubic"]
SWEEP = synthetic.record(
    combinations=[{"variant": each} for each in VARIANTS],
    axes={"variant": VARIANTS},
    baseline="TcpCubic",
    runs=tuple(range(1, 15)),
    smallest_effects={"goodput_bps": ShareOrValue(share=0.02)},
)
RUNS = range(1, 15)


def by_run(*links):
    """Utilisation in all runs of both combinations, each of its own link."""
    places = itertools.product((0, 1), RUNS)
    rows = [(number, None, "utilisation", run, f"{number} {run}", 0.5 + 0.01 * run, True) for number, run in places]
    names = pl.Series([links[row[0]] for row in rows], dtype=pl.String)
    return synthetic.by_run(rows).with_columns(link=names)


def test_values_of_different_links_are_no_pair_and_have_means_of_their_own():
    compared = comparisons.pairs(SWEEP).with_row_index("pair")
    assert paired_runs.paired(by_run("up", "up"), compared).height == len(RUNS)
    assert paired_runs.paired(by_run("up", "down"), compared).is_empty()
    link = pl.when(pl.col("run") > 4).then(pl.lit("down")).otherwise("link")
    mixed = by_run("up", "up").filter(combination=0).with_columns(link=link)
    found = summaries.summarise(mixed).select("link", "runs", "mean").sort("link").rows()
    assert found == [("down", 10, pytest.approx(0.595)), ("up", 4, pytest.approx(0.525))]


def test_each_group_is_compared_with_itself_in_the_other_combination():
    # The upload is the same next to BBR; the download has twice as much, and the flow next to it the rest.
    shares = {("download", 0): 2e6, ("download", 1): 4e6, ("other", 0): 2e6, ("other", 1): 0.1e6}
    rows = [
        {"combination": number, "group": group, "flow_variant": "TcpCubic", "link": link, "metric": "goodput_bps"}
        | {"run": run, "digest": f"{number} {run}", "counts": True, "steady_shown": True}
        | {"value": shares.get((group, number), 1e6) * (1 + 0.001 * ((run * (number + 2)) % 5))}
        for group, link in (("download", "down"), ("other", "down"), ("upload", "up"))
        for number in (0, 1)
        for run in RUNS
    ]
    values = group_values.of_whole_groups(pl.DataFrame(rows)).lazy()
    tables = list(group_effects.by_group(SWEEP, values, "group"))
    rows = [row for effects, _ in tables for row in effects.iter_rows(named=True)]
    assert [(row["group"], row["link"], row["finding"], round(row["ratio"], 2)) for row in rows] == [
        ("download", "down", "higher", 2.0),
        ("other", "down", "lower", 0.05),
        ("upload", "up", "same", 1.0),
    ]
    told = next(row for _, verdicts in tables for row in verdicts.rows(named=True))
    assert told["verdict"].startswith("down: TcpBbr+TcpCubic > TcpCubic in 1 of 1 network condition, by 100 % (100)")


# --- traffic ---


def of_runs(values, metric="slowdown_p99", group="short"):
    """Measures of a group of traffic in runs of a combination, with one of a flow and one of a link."""
    own = {"traffic": group, "variant": "TcpCubic", "metric": metric}
    flow = {"flow": 0, "direction": "forward", "variant": "TcpCubic", "metric": "goodput_bps", "value": 1e6}
    link = {"link": "first", "direction": "forward", "metric": "utilisation", "value": 0.5}
    rows = [own | {"run": run, "digest": f"d{run}", "value": value} for run, value in enumerate(values, 1)]
    return measured(*rows, flow, link)


def test_a_groups_metric_is_a_mean_over_runs_with_a_bootstrap_interval():
    (row,) = summaries.of_traffic(of_runs([1.0, 2.0, 6.0])).to_dicts()
    assert (row["combination"], row["traffic"], row["flow_variant"]) == (0, "short", "TcpCubic")
    assert (row["metric"], row["unit"], row["interval"]) == ("slowdown_p99", "1", "bootstrap")
    assert (row["runs"], row["distinct_runs"], row["infinite_runs"]) == (3, 3, 0)
    assert row["mean"] == pytest.approx(3)
    assert 1 <= row["low"] < 3 < row["high"] <= 6
    assert summaries.of_traffic(of_runs([])).is_empty(), "without traffic"


@pytest.mark.parametrize("infinite", [1, 2, 3])
def test_where_a_run_is_infinite_there_is_no_mean_but_a_count(infinite):
    values = [math.inf] * infinite + [2.0] * (3 - infinite)
    (row,) = summaries.of_traffic(of_runs(values)).to_dicts()
    assert (row["runs"], row["infinite_runs"], row["distinct_runs"]) == (3, infinite, 3 - infinite)
    assert [row[name] for name in ("mean", "sd", "low", "high", "unit")] == [None] * 4 + ["1"]


def test_the_summary_of_combinations_without_flows_has_a_row_for_each():
    rows = [(0, "TcpCubic", "goodput_bps", 3, 3), (0, "TcpBbr", "goodput_bps", 3, 3), (0, None, "utilisation", 3, 3)]
    columns = ["combination", "flow_variant", "metric", "runs", "distinct_runs"]
    summary = pl.DataFrame([*rows, (1, None, "utilisation", 2, 2)], schema=columns, orient="row")
    found = summaries.variants(summary, ["TcpCubic+TcpBbr", "TcpDctcp"])
    assert found.rows() == [(0, "TcpCubic", 3, 3), (0, "TcpBbr", 3, 3), (1, "TcpDctcp", 2, 2)]


OWN = [2.0, 2.2, 2.1, 2.4, 2.2, 2.6, 2.25] * 2  # a variant's values
THE_BASELINES = [3.0, 3.3, 3.1, 3.2, 3.5, 3.4, 3.25] * 2


def compared(own, others, metric="slowdown_p50"):
    """The effects and verdicts on two groups of traffic: one with these values, and one that is always the same."""
    rows = []
    for number, values in enumerate((others, own)):
        columns = {"combination": pl.lit(number, pl.Int64), "digest": pl.format("{}-{}", pl.lit(number), "run")}
        always = (("short", "unfinished_share", [0.0] * 14), ("other", metric, [float(run) for run in RUNS]))
        for group, name, of_group in (("short", metric, values), *always):
            rows.append(of_runs(of_group, name, group).with_columns(**columns))
    combinations = [{"variant": "TcpCubic"}, {"variant": "TcpDctcp"}]
    sweep = synthetic.record(combinations=combinations, baseline="TcpCubic", runs=tuple(RUNS))
    found = list(group_effects.by_group(sweep, group_effects.values(pl.concat(rows)).lazy()))
    return [pl.concat(parts).filter(pl.col("metric") == metric) for parts in zip(*found, strict=True)]


def test_variants_are_compared_for_each_group_run_by_run():
    effects, verdicts = compared(OWN, THE_BASELINES)
    row, other = (effects.row(by_predicate=pl.col("traffic") == name, named=True) for name in ("short", "other"))
    assert (row["variant"], row["reference"], row["metric"]) == ("TcpDctcp", "TcpCubic", "slowdown_p50")
    assert (row["mean"], row["reference_mean"]) == pytest.approx((2.25, 3.25))
    assert row["p"] == pytest.approx(stats.ttest_rel(OWN, THE_BASELINES).pvalue)
    assert (row["finding"], other["finding"]) == ("lower", "same")
    said = dict(verdicts.select("traffic", "verdict").iter_rows())
    assert said["short"].startswith("TcpDctcp < TcpCubic in 1 of 1 network condition, by 31 %")


def test_where_a_run_is_infinite_variants_are_not_compared():
    effects, verdicts = compared([math.inf, *OWN[1:]], THE_BASELINES)
    assert effects.filter(pl.col("traffic") == "short")["finding"].to_list() == ["no value"]
    assert "no value in some runs" in verdicts.filter(pl.col("traffic") == "short")["verdict"].item()


def test_how_many_transfers_there_are_is_not_compared():
    found = {name for name in metrics.compared() if metrics.METRICS[name].scope == "traffic"}
    assert {"slowdown_p99", "unfinished_share", "round_goodput_bps"} <= found
    assert not any("transfers" in name for name in found)

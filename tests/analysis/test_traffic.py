# SPDX-License-Identifier: MIT
"""The sweep's table of traffic: means over runs, and no mean where a run's value is infinite."""

import math

import polars as pl
import pytest
from scipy import stats

from tcpsweep.analysis import summaries, traffic_effects
from tcpsweep.words import metrics, table_columns
from tests.support import synthetic


def of_runs(values, metric="slowdown_p99", group="short"):
    """Measures of a group of traffic in runs of a combination, with one of a flow and one of a link."""
    schema = {"combination": pl.Int64, "run": pl.Int64, "digest": pl.String} | table_columns.schema("measures")
    other = dict.fromkeys(schema) | {"combination": 0, "run": 1, "digest": "d1"}
    own = other | {"traffic": group, "variant": "TcpCubic", "metric": metric}
    rows = [own | {"run": run, "digest": f"d{run}", "value": value} for run, value in enumerate(values, 1)]
    rows += [other | {"flow": 0, "direction": "forward", "variant": "TcpCubic", "metric": "goodput_bps", "value": 1e6}]
    rows += [other | {"link": "first", "direction": "forward", "metric": "utilisation", "value": 0.5}]
    frame = pl.DataFrame(rows, schema=schema)
    return frame.with_columns(pl.col("metric").cast(pl.Enum(list(metrics.METRICS))))


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


OWN = [2.0, 2.2, 2.1, 2.4, 2.2, 2.6]  # a variant's values in six runs
THE_BASELINES = [3.0, 3.3, 3.1, 3.2, 3.5, 3.4]


def compared(own, others, metric="slowdown_p50"):
    """The effects and verdicts on two groups of traffic: one with these values, and one that is always the same."""
    rows = [
        of_runs(values, name, group).with_columns(
            combination=pl.lit(number, pl.Int64), digest=pl.format("{}-{}", pl.lit(number), "run")
        )
        for number, values in enumerate((others, own))
        for group, name, values in (
            ("short", metric, values),
            ("short", "unfinished_share", [0.0] * 6),  # which each run has
            ("other", metric, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        )
    ]
    combinations = [{"variant": "TcpCubic"}, {"variant": "TcpDctcp"}]
    sweep = synthetic.record(combinations=combinations, baseline="TcpCubic", runs=(1, 2, 3, 4, 5, 6))
    found = list(traffic_effects.by_group(sweep, traffic_effects.values(pl.concat(rows)).lazy()))
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

# SPDX-License-Identifier: MIT
"""The summary of a sweep that has traffic but no flows."""

import csv
import dataclasses
import math
from pathlib import Path

import polars as pl
import pytest
import yaml

import tcpsweep
from tcpsweep.core.command_line.terminal import summary_table
from tcpsweep.core.sweep import sweep_tables
from tcpsweep.core.words.aligned import in_lines
from tcpsweep.features.traffic import traffic_table
from tests.support import synthetic

COMBINATIONS = [{"variant": variant, "delay": delay} for variant in ("TcpCubic", "TcpBbr") for delay in ("1ms", "9ms")]
NO_FLOWS = pl.DataFrame(schema={"flow_variant": pl.String})
CASES = yaml.safe_load(Path(__file__).with_name("traffic_tables.yaml").read_text(encoding="utf-8"))
AXES = {"variant": ["TcpCubic", "TcpBbr"], "delay": ["1ms", "9ms"]}


def rows(means, metric="slowdown_mean", infinite=0):
    """Rows of the sweep's table, one for each combination."""
    return pl.DataFrame(
        [
            {"combination": number, "traffic": "short", "flow_variant": COMBINATIONS[number]["variant"]}
            | {"metric": metric, "runs": 3, "distinct_runs": 3, "infinite_runs": 0 if mean else infinite}
            | {"mean": mean, "low": mean and mean - 0.25, "high": mean and mean + 0.5}
            for number, mean in enumerate(means)
        ],
        schema_overrides={"mean": pl.Float64, "low": pl.Float64, "high": pl.Float64},
    )


@pytest.mark.parametrize("case", CASES)
def test_a_table_has_a_row_for_each_combination_or_of_many_for_each_variant(case, monkeypatch):
    means, metrics, variant, most, lines = CASES[case].values()
    traffic = pl.concat([rows(means, metric, infinite=2) for metric in metrics])
    if variant:
        traffic = traffic.with_columns(flow_variant=pl.lit(variant))
    sweep = synthetic.record(combinations=COMBINATIONS, axes=AXES)
    monkeypatch.setattr(summary_table, "MOST_COMBINATIONS", most)
    found = traffic_table.tables(synthetic.results(sweep, traffic=traffic, traffic_effects=pl.DataFrame()))
    assert [" ".join(line.split()) for line in in_lines(found).splitlines()] == lines


def test_the_first_metric_is_held_against_the_baselines_and_a_legend_explains_it_once(monkeypatch):
    found = {"metric": "slowdown_mean", "traffic": "short", "reference": "TcpCubic", "variant": "TcpBbr", "mix": None}
    found |= {"finding": "lower", "effect": -0.25, "difference": -1.0, "smallest_value": 0.0, "effect_low": -0.5}
    rows_of = pl.DataFrame([found | {"combination": 2, "effect_high": -0.1}, found | {"combination": 3}])
    undecided = rows_of.with_columns(finding=pl.Series(["lower", "undecided"]))
    sweep = dataclasses.replace(synthetic.record(combinations=COMBINATIONS, axes=AXES), baseline="TcpCubic")
    results = synthetic.results(sweep, traffic=rows([2.0, 3.0, 1.5, 4.0]), traffic_effects=undecided, summary=NO_FLOWS)
    name, table, legend = traffic_table.tables(results)
    assert [row[-1].split()[-1] for row in table if row[-1]] == ["compared", "−25%", "?"]
    assert "the first metric of each table is compared with the baseline's, CUBIC" in legend
    monkeypatch.setattr(summary_table, "has_signs", lambda _: True)
    assert traffic_table.tables(results) == [name, table]


def test_what_was_shown_is_said_and_no_more_than_a_few_lines():
    names = ("slowdown_mean", "slowdown_p50", "slowdown_p99", "fct_p50_s")
    one = {"traffic": "short", "higher": 1, "lower": 0}
    verdicts = pl.DataFrame([one | {"metric": name, "verdict": f"told of {name}"} for name in names])
    shown = [f"short, slowdown {part}: told of slowdown_{part}" for part in ("p50", "p99")]
    assert traffic_table.findings(verdicts) == ["short, mean slowdown: told of slowdown_mean", *shown]
    many = pl.concat([verdicts, verdicts.with_columns(traffic=pl.lit("long"))])
    assert traffic_table.findings(many)[-1] == "2 more in traffic_verdicts.csv"
    assert traffic_table.findings(verdicts.with_columns(higher=pl.lit(0))) == []


SWEEP = Path(__file__).parent.joinpath("sweeps", "traffic.yaml").read_text()
NOTHING_TRACED = SWEEP.replace("sweep: traffic", "sweep: bare") + "capture: {flow_monitor: false, queue: false}\n"


@pytest.mark.long
@pytest.mark.parametrize(("name", "text"), [("traffic", SWEEP), ("bare", NOTHING_TRACED)])
def test_a_sweep_of_traffic_alone_ends_with_its_tables_and_has_no_empty_cells(project, name, text):
    ran = project.run(sweep=text, name=f"{name}.yaml")
    assert ran.status == 0, ran.text
    said = ran.text.partition("means ± 95 % confidence")[2]
    for group in ("answers", "bursts", "call", "film", "pages", "short"):
        _, _, rest = said.partition(f"\n{group}:\n")
        head, *lines = rest.splitlines()[:3]
        assert head.split()[0] == "variant"
        assert [line.split()[0] for line in lines] == ["CUBIC", "NewReno"]
    assert "–" not in said
    opened = tcpsweep.open(name, project.folder)
    traffic = opened.traffic.collect()
    of_all = traffic.filter(~pl.col("metric").str.ends_with("MB"), ~pl.col("metric").str.ends_with("kB"))
    assert set(of_all["runs"]) == {5}, "not each run has flows of each size"
    assert traffic.filter(pl.col("infinite_runs") == 0)["mean"].null_count() == 0
    assert traffic.columns[:3] == ["combination", "variant", "traffic"]
    transfers = opened.transfers.collect()
    counts = transfers.filter(pl.col("began_s") >= 0.5).group_by("combination", "traffic").len()
    told = traffic.filter(pl.col("metric") == "transfers").select("combination", "traffic", total=pl.col("mean") * 5)
    both = told.join(counts.with_columns(pl.col("traffic").cast(pl.String)), on=["combination", "traffic"])
    assert both["total"].to_list() == pytest.approx(both["len"].to_list())
    assert both.height == 5 * 2
    folder = project / "results" / "sweeps" / name
    for table in sweep_tables.present_files(folder):
        if table in ("summary.csv", "traffic.csv"):
            found = list(csv.DictReader((folder / table).read_text().splitlines()))
            assert [row["flow_variant"] for row in found if not row["flow_variant"]] == []
            assert all(row.get("mean", "1") or row["infinite_runs"] != "0" for row in found)
    assert (folder / "verdicts.csv").is_file() == (name == "traffic"), "only queues have metrics that are compared"
    if name == "traffic":
        verdicts = pl.read_csv(folder / "verdicts.csv")
        assert verdicts["not_steady"].to_list() == [0] * verdicts.height, "there is nothing that could be unsteady"
        assert verdicts.filter(pl.col("metric") == "utilisation").height == 1
    measures = opened.of_cells("measures").collect()
    assert measures.filter(pl.col("value").is_nan()).is_empty()
    assert not measures["metric"].str.contains("goodput_bps$|flows_seen").filter(measures["traffic"].is_null()).any()
    assert math.isfinite(measures["value"].filter(measures["metric"] == "slowdown_p50").max())

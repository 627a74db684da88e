# SPDX-License-Identifier: MIT
"""Frames of a sweep: their columns, missing rows, measured times, and source files."""

import shutil
from pathlib import Path

import polars as pl
import pytest

import tcpsweep
from tcpsweep.core.frames import cell_frames, finding, opened_sweep
from tcpsweep.core.store import removal
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import metrics, table_columns
from tests.support import synthetic
from tests.support.project import SMALL, Project
from tests.support.recipes import blocks

FRAMES = ("summary", "runs", "flows", "traces", "queue", "packets")
# Flows that join, leave and end at times of their own, with and without a warm-up that is to be found.
LIVES = """\
sweep: lives
scenario: dumbbell
grid: {warmup: [1s, auto]}
repetitions: 2
fixed:
  {variant: TcpNewReno+TcpCubic, bandwidth: 2Mbps, duration: 5s, flows: 3, start_jitter: 100ms,
   start: [0s, 1s, 500ms], stop: [0s, 4s, 0s], bytes: [0, 0, 200000]}
"""


@pytest.fixture
def opened(recipes):
    return tcpsweep.open("recipes", recipes.folder)


@pytest.fixture
def small(here):
    """A sweep of 8 runs without a simulator, to change."""
    synthetic.sweep(SMALL, lambda row, run: [1e6 + run, 5e5])
    return tcpsweep.open("small")


@pytest.mark.long
def test_all_frames_are_lazy_and_begin_with_the_axes(opened):
    for name in FRAMES:
        frame = getattr(opened, name)
        assert isinstance(frame, pl.LazyFrame)
        columns = frame.collect_schema().names()
        more = ["flow_variant", "metric"] if name == "summary" else ["run", "cell"]
        assert columns[:5] == ["combination", "variant", "delay_s", *more]
        assert len(set(columns)) == len(columns)
        assert frame.select("delay_s").unique().collect().height == 2
    assert opened.axes == ["variant", "delay_s"]
    assert repr(opened).startswith("recipes: 30 of 30 runs finished; axes variant, delay_s; ")


@pytest.mark.long
def test_frames_of_cells_equal_their_files(opened):
    cell = opened.cells.row(12, named=True)
    for name in ("traces", "queue", "packets"):
        own = table_columns.scan(Path(cell["place"]) / f"{name}.parquet").collect()
        found = getattr(opened, name).filter(pl.col("cell") == cell["cell"]).collect()
        assert own.height > 100
        own = own.rename(cell_frames.RENAMED.get(name, {}))
        assert found.select(own.columns).equals(own)
        assert found["run"].unique().to_list() == [cell["run"]]


@pytest.mark.long
def test_a_flow_has_its_own_variant_in_a_mix(opened):
    mixed = opened.traces.filter(pl.col("variant").str.contains("+", literal=True))
    found = mixed.select("cell", "flow", "flow_variant").unique().sort("cell", "flow").collect()
    asked = opened.flows.filter(pl.col("variant").str.contains("+", literal=True))
    assert found.equals(asked.select(found.columns).sort("cell", "flow").collect())
    assert set(found["flow_variant"]) == {"TcpNewReno", "TcpCubic"}


@pytest.mark.long
def test_measured_times_equal_the_metrics_times_for_flows_that_join_and_leave(recipes, once, build_folder):
    def make(folder):
        project = Project(folder, build_folder)
        ran = project.run(project.tables("lives"), sweep=LIVES)
        assert ran.status == 0, ran.text

    lived = tcpsweep.open("lives", once("lives", make))
    assert lived.cells["cell"].n_unique() == 2  # both warm-ups are of the same simulations
    agree_on_round_trips(lived)
    held = lived.held("cwnd_bytes").filter(warmup="1s")
    times = held.group_by("cell", "flow").agg(pl.col("held_s").sum()).collect()
    assert times.filter(flow=0)["held_s"].to_list() == pytest.approx([4, 4])
    # Flow 1 counts from half of its 3 s, at most of the warm-up: 0.5 s after its start; its jitter is up to 0.1 s.
    assert times.filter(flow=1)["held_s"].is_between(2.4, 2.5).all()


@pytest.mark.long
def test_measured_times_equal_the_metrics_times_where_the_warmup_is_found_and_where_it_is_given(
    opened, recipes, tmp_path
):
    agree_on_round_trips(opened)
    to_change = recipes.copy(tmp_path / "project")
    sweep = blocks("yaml")[0].replace("warmup: 2s", "warmup: auto").replace("sweep: recipes", "sweep: auto")
    ran = to_change.run(to_change.tables("auto"), sweep=sweep)
    assert (ran.status, ran.simulated) == (0, set()), ran.text
    auto = tcpsweep.open("auto", to_change.folder)
    found = auto.runs.filter(pl.col("metric") == "warmup_s").collect().height
    assert 25 < found <= 30  # in nearly each
    agree_on_round_trips(auto)


def agree_on_round_trips(sweep):
    """Check that quantiles and means over time are those that `measure` finds, flow by flow."""
    key = [name for name in sweep.flows.collect_schema().names() if name in ("combination", "cell", "flow")]
    over_time = {f"p{rank}": tcpsweep.weighted_quantile("value", rank / 100) for rank in (50, 95, 99)}
    over_time["mean"] = tcpsweep.weighted_mean("value")
    found = sweep.held("rtt_s").group_by(key).agg(**over_time)
    both = sweep.flows.join(found, on=key, how="full", coalesce=True).collect()
    assert both.height == sweep.flows.collect().height
    for name in over_time:
        measured = both[f"rtt_{name}_s"]  # null if a flow ended before the warm-up
        assert both[name].is_null().equals(measured.is_null())
        assert both[name].drop_nulls().to_list() == pytest.approx(measured.drop_nulls().to_list(), rel=1e-12)


def test_a_name_that_is_not_there_is_told_with_the_nearest(small, tmp_path):
    with pytest.raises(finding.NoSweep) as told:
        tcpsweep.open("smal", tmp_path)
    assert str(told.value) == (
        "smal: expected a sweep that has run: its name, its folder or its file; "
        f"{tmp_path}/results/sweeps has small; did you mean 'small'?"
    )
    with pytest.raises(finding.NoSweep, match="results/sweeps has none"):
        tcpsweep.open("small", tmp_path / "results")


def test_a_sweep_is_found_by_its_folder_and_its_file_too(small, tmp_path, monkeypatch):
    folder = tmp_path / "results" / "sweeps" / "small"
    for given in (folder, tmp_path / "sweep.yaml"):
        assert tcpsweep.open(given, tmp_path).folder == folder
    monkeypatch.chdir("/")  # opened frames do not move
    assert small.traces.head(1).collect().height == 1
    assert tcpsweep.open(folder).queue.head(1).collect().height == 1


def test_an_unfinished_sweep_has_the_finished_cells_and_lists_the_missing_ones(small, tmp_path):
    gone, failed = small.cells["cell"].to_list()[0:3:2]  # of two combinations
    for cell in (gone, failed):
        removal.remove(tmp_path / "results" / "cells" / cell)
    (tmp_path / "results" / "failed" / failed).mkdir(parents=True)
    half = tcpsweep.open("small", tmp_path)
    assert "6 of 8 runs finished" in repr(half)
    assert half.missing.select("cell", "state").rows() == [(gone, "missing"), (failed, "failed")]
    assert half.missing["place"].to_list() == [None, str(tmp_path / "results" / "failed" / failed)]
    for name in ("runs", "flows", "traces", "queue"):
        assert {gone, failed}.isdisjoint(getattr(half, name).select("cell").unique().collect()["cell"])
    means = half.summary.filter(pl.col("metric") == "goodput_bps", pl.col("combination") < 2).collect()
    of_flows = half.flows.filter(pl.col("combination") < 2).group_by("combination").agg(pl.col("goodput_bps").mean())
    both = means.join(of_flows.collect(), on="combination")
    assert both["runs"].to_list() == [1, 1]
    assert both["mean"].to_list() == pytest.approx(both["goodput_bps"].to_list(), rel=1e-12)
    others = pl.col("combination") > 1
    whole = pl.read_parquet(half.folder / "summary.parquet")
    assert half.summary.filter(others).collect().equals(whole.filter(others))
    shutil.rmtree(tmp_path / "results" / "cells")
    none = tcpsweep.open("small", tmp_path)
    assert none.missing.height == 8
    assert all(getattr(none, name).collect().is_empty() for name in FRAMES if name != "packets")
    assert none.held("cwnd_bytes").collect().is_empty()


def test_selected_runs_read_only_their_own_cells(small, tmp_path):
    some = small.where(pl.col("run") == 2, pl.col("delay_s") == 0.01)
    for cell in (tmp_path / "results" / "cells").iterdir():
        if cell.name not in some.cells["cell"].to_list():
            removal.remove(cell)
    assert some.cells.height == 2
    for name in ("summary", "runs", "flows", "traces", "queue"):
        assert getattr(some, name).select("variant").unique().collect().height == 2
    assert set(some.summary.collect()["runs"]) == {1}


def test_a_missing_capture_is_reported_with_the_key_to_write(small):
    with pytest.raises(opened_sweep.NoTable, match=r"small captured no packets; .* `capture: \{pcap: bottleneck\}`"):
        small.packets  # noqa: B018
    for frame, name, said in (
        (small.held, "cwnd", r"no trace 'cwnd'; did you mean 'cwnd_bytes'\?"),
        (small.table, "effect", r"no table 'effect'; did you mean 'effects'\?$"),
        (small.table, "harm", "small has no table 'harm'"),
        (small.of_cells, "fairnes", r"no table 'fairnes'; did you mean 'fairness'\?$"),
    ):
        with pytest.raises(opened_sweep.NoTable, match=said):
            frame(name)
    assert small.of_cells("events").collect().is_empty()
    assert small.of_cells("fairness").collect().height > 8


def test_no_column_has_the_name_that_an_axis_may_have():
    axes = {
        name + suffix
        for scenario in schema.scenarios()
        for name, parameter in schema.parameters(scenario).items()
        for suffix in (("",) if "enum" in parameter else ("", "_bps", "_s"))
    }
    of_flows = [name for name, metric in metrics.METRICS.items() if metric.scope == "flow"]
    own = {"combination", "run", "cell", "digest", "flow_variant", "state", "place", "since_s", "held_s", *of_flows}
    assert axes & own == set()
    for table, columns in table_columns.COLUMNS.items():
        names = {cell_frames.RENAMED.get(table, {}).get(name, name) for name in columns}
        assert axes & names == set(), table

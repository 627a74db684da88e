# SPDX-License-Identifier: MIT
"""Figures of sweeps whose numbers are known, and the thinning of traces."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.core.figures import (
    example_cell,
    metric_data,
    metric_figure,
    picture_files,
    static_figures,
    trace_reduction,
)
from tcpsweep.core.figures.trace_reduction import Trace
from tcpsweep.core.sweep import axes, caveats, sweep_record
from tests.core.figures import svg_texts
from tests.support import synthetic

SWEEP = """\
sweep: small
scenario: dumbbell
grid: {variant: [TcpNewReno, TcpNewReno+TcpCubic], bandwidth: [2Mbps, 40Mbps], delay: [5ms, 10ms]}
repetitions: 2
fixed: {duration: 10s, warmup: 2s}
"""


def varied(row, run):
    """Goodputs that differ from run to run."""
    return [1e5 * (run + flow) for flow in range(row["flows"])]


def index(folder):
    return {figure["name"]: figure for figure in json.loads((folder / "figures.json").read_text())}


# Thinning


def thinned(times_s, values, end_s, spans):
    kept = trace_reduction.thin(Trace(np.array(times_s, float), np.array(values, float)), 0, end_s, spans)
    return list(zip(*(numbers.tolist() for numbers in kept), strict=True))


def test_thinning_keeps_each_spans_extremes_the_ends_and_the_value_that_holds_across_a_gap():
    # Two spans of 5 s: lowest and highest are 1 and 9, then 0 and 7; the ends are 5 and 3.
    found = thinned(list(range(10)), [5, 9, 4, 1, 2, 2, 0, 7, 7, 3], 10, 2)
    assert found == [(0, 5), (1, 9), (3, 1), (6, 0), (7, 7), (9, 3)]
    # The first span ends with 1, which is neither its lowest value nor its highest; the next two have none.
    times_s, values = [0.0, 1.0, 2.0, 3.0, 31.0], [2.0, 0.0, 3.0, 1.0, 5.0]
    assert thinned(times_s, values, 40, 4) == list(zip(times_s, values, strict=True))


@given(st.lists(st.tuples(st.floats(0, 100), st.integers(-5, 5)), min_size=1, max_size=200), st.integers(1, 20))
def test_no_span_loses_its_lowest_or_highest_value(rows, spans):
    times_s, values = zip(*sorted(rows, key=lambda row: row[0]), strict=True)
    kept = pl.DataFrame(thinned(times_s, values, 100, spans), schema=["time_s", "value"], orient="row")
    trace = pl.DataFrame({"time_s": times_s, "value": values}, schema=dict.fromkeys(("time_s", "value"), pl.Float64))
    of_span = pl.col("time_s").truediv(100 / spans).floor().clip(0, spans - 1).alias("span")

    def extremes(frame):
        return frame.group_by(of_span).agg(low=pl.col("value").min(), high=pl.col("value").max()).sort("span")

    assert extremes(kept).equals(extremes(trace))
    assert kept["time_s"].is_sorted()
    assert kept.height <= 2 * spans + 2


# Axes


def test_values_of_one_kind_are_numbers_in_a_unit_for_people_and_attributes_that_end_alike_keep_their_names():
    given = {"bandwidth": ["500kbps", "20Mbps"], "delay": ["5ms", "0.02s"], "queue": ["0.5bdp", "2bdp"]}
    given |= {"loss": [0, 1e-4, 1e-3], "access_delay": ["1ms", ["1ms", "5ms"]], "flows": [2]}
    found = axes.swept_axes(synthetic.record(axes=given | {"ns3::TcpSocket::InitialCwnd": ["4", "10"]}))
    assert "flows" not in found  # one value is no axis of a figure
    assert (found["bandwidth"].unit, [*found["bandwidth"].values.values()]) == ("Mbit/s", [0.5, 20])
    assert (found["delay"].unit, [*found["delay"].values.values()]) == ("ms", [5, 20])
    assert (found["queue"].unit, [*found["queue"].values.values()]) == ("BDP", [0.5, 2])
    assert [*found["loss"].values] == ["0", "0.0001", "0.001"]
    assert not found["access_delay"].numeric
    assert found["ns3::TcpSocket::InitialCwnd"].head == "InitialCwnd"
    assert [name for name, axis in found.items() if axis.logarithmic] == ["bandwidth", "loss"]
    names = ["ns3::A::Beta", "ns3::B::Beta", "ns3::A::Gamma"]
    assert [axes.title(name, names) for name in names] == ["ns3::A::Beta", "ns3::B::Beta", "Gamma"]


# Panels


def summary_of(sweep, metric="utilisation"):
    """A summary in which combination i has the mean i."""
    count = len(sweep.combinations)
    columns = {"combination": range(count), "mean": [float(i) for i in range(count)], "low": None, "high": None}
    schema = {"low": pl.Float64, "high": pl.Float64}
    network = {"flow_variant": pl.lit(None, dtype=pl.String), "runs": pl.lit(1), "distinct_runs": pl.lit(1)}
    return pl.DataFrame(columns, schema_overrides=schema).with_columns(metric=pl.lit(metric), **network)


def by_axis(axes=None, combinations=None, **values):
    """The panels of a sweep of crossed values, or of these combinations, by their axis; and the sweep."""
    sweep = synthetic.record(axes=axes, combinations=combinations) if axes else synthetic.crossed(**values)
    return {found.axis.name: found for found in metric_data.panels(sweep, summary_of(sweep))}, sweep


def test_no_point_mixes_networks():
    crossed = {"bandwidth": ["1Mbps", "2Mbps"], "delay": ["1ms", "2ms", "3ms"], "loss": [0, 0.1], "flows": [2, 3]}
    found, _ = by_axis(variant=["TcpCubic", "TcpBbr"], **crossed)
    for panels in found.values():
        place = panels.points.select("place", "series", "column", "row")
        assert place.is_duplicated().sum() == 0
        assert len(panels.levels("column")) * max(1, len(panels.levels("row"))) <= metric_data.MOST_PANELS


def test_axes_without_room_or_of_more_than_twelve_panels_are_held_at_their_first_value():
    axes = {"variant": ["TcpCubic"], "bandwidth": ["1Mbps", "2Mbps"]}
    by, sweep = by_axis(**axes, delay=["1ms", "2ms"], loss=[0, 0.1], flows=[3, 2])
    found = by["bandwidth"]
    assert found.fixed == {"flows": "3"}
    assert {found.columns.name, found.rows.name} == {"delay", "loss"}
    assert "All at flows 3." in metric_figure.caption(found, sweep)
    by, _ = by_axis(**axes, delay=[f"{i}ms" for i in range(1, 8)], loss=[0, 0.1, 0.2])
    found = by["bandwidth"]
    assert (found.fixed, len(found.levels("column")), found.rows) == ({"loss": "0"}, 7, None)


def test_axes_that_move_together_make_no_panels():
    rows = [{"variant": "TcpCubic", "bandwidth": f"{i}Mbps", "queue": f"{10 * i}p"} for i in (1, 2, 3)]
    by, sweep = by_axis({"bandwidth": ["1Mbps", "2Mbps", "3Mbps"], "queue": ["10p", "20p", "30p"]}, rows)
    found = by["bandwidth"]
    assert found.columns is None
    assert found.points["mean"].to_list() == [0, 1, 2]
    assert "Along with it change queue." in metric_figure.caption(found, sweep)


def test_a_star_shaped_grid_shows_only_panels_in_which_the_axis_varies():
    rows = [{"variant": "TcpCubic", "bandwidth": f"{i}Mbps", "delay": "10ms"} for i in (1, 2, 3)]
    rows += [{"variant": "TcpCubic", "bandwidth": "2Mbps", "delay": delay} for delay in ("20ms", "30ms")]
    found, _ = by_axis({"bandwidth": ["1Mbps", "2Mbps", "3Mbps"], "delay": ["10ms", "20ms", "30ms"]}, rows)
    assert found["bandwidth"].fixed == {"delay": "10ms"}
    assert found["bandwidth"].points["place"].to_list() == [1, 2, 3]
    assert found["delay"].fixed == {"bandwidth": "2Mbps"}


def test_an_attribute_that_some_blocks_do_not_set_has_its_default_there():
    name = "ns3::TcpSocket::InitialCwnd"
    rows = [{"variant": "TcpCubic", "bandwidth": bandwidth} for bandwidth in ("1Mbps", "2Mbps")]
    rows += [row | {name: window} for row in rows for window in ("4", "10")]
    found, _ = by_axis({"bandwidth": ["1Mbps", "2Mbps"], name: ["4", "10"]}, rows)
    assert found["bandwidth"].levels("column") == ["4", "10", "default"]
    assert sorted(found[name].points["place"].unique()) == [4, 10]


# Files


@pytest.mark.long
def test_every_metric_is_drawn_against_every_axis_in_every_format_as_long_as_it_is_there(here):
    folder = synthetic.sweep(SWEEP.replace("2Mbps, 40Mbps", "2Mbps"), varied)
    static_figures.write(folder)
    found = index(folder)
    headline = ["goodput_bps", "utilisation", "jain", "congestion_loss", "owd_mean_s", "owd_p95_s"]
    headline += ["queueing_delay_mean_s"]
    assert [name for name, figure in found.items() if figure["kind"] == "metric"] == [
        f"{metric}-by-{axis}" for metric in headline for axis in ("variant", "delay")
    ]
    cells = [name for name, figure in found.items() if figure["kind"] == "cell"]
    assert cells == ["cell-1-TcpNewReno", "cell-2-TcpNewReno-TcpCubic"]
    for figure in found.values():
        starts = {kind: (folder / path).read_bytes()[:5] for kind, path in figure["files"].items()}
        assert starts.pop("csv")  # the data
        assert starts == {"svg": b"<svg ", "png": b"\x89PNG\r", "pdf": b"%PDF-", "tex": b"% \\us"}
    # The figures of axes that went away are removed, and one combination has only its traces.
    assert (folder / "figures" / "jain-by-delay.pdf").exists()
    one = SWEEP.replace("2Mbps, 40Mbps", "2Mbps").replace("delay: [5ms, 10ms]", "delay: [5ms]")
    synthetic.sweep(one.replace("[TcpNewReno, TcpNewReno+TcpCubic]", "[TcpCubic]"), varied)
    static_figures.write(folder)
    assert list(index(folder)) == ["cell-1-TcpCubic"]
    assert {path.name for path in (folder / "figures").iterdir()} == {
        Path(file).name for file in index(folder)["cell-1-TcpCubic"]["files"].values()
    }


def test_without_a_finished_cell_there_is_no_figure_and_without_its_trace_none_of_a_metric(here):
    folder = synthetic.sweep(SWEEP, fails=lambda row, run: True)
    static_figures.write(folder)
    assert index(folder) == {}
    assert not list((folder / "figures").iterdir())
    untraced = captions(synthetic.sweep(SWEEP.replace("small", "other"), varied, traces=lambda row, run: {"owd_s": []}))
    assert not [name for name in untraced if name.startswith("owd_mean_s")]
    assert "jain-by-delay" in untraced


def test_a_mixs_variants_are_lines_of_their_own(here):
    folder = synthetic.sweep(SWEEP, lambda row, run: [1e6, 3e6])
    sweep, summary = sweep_record.read(folder), pl.read_parquet(folder / "summary.parquet")
    found = {(p.metric, p.axis.name): p.points for p in metric_data.panels(sweep, summary)}
    means = dict(found["goodput_bps", "bandwidth"].select("series", "mean").unique().rows())
    # The mix's flows take the variants in turn: flow 0 is NewReno's, flow 1 Cubic's.
    mix = "TcpNewReno+TcpCubic"
    assert means == pytest.approx({"TcpNewReno": 2, f"TcpNewReno in {mix}": 1, f"TcpCubic in {mix}": 3}, rel=1e-5)
    jain = found["jain", "bandwidth"]
    assert set(jain["series"]) == {"TcpNewReno", "TcpNewReno+TcpCubic"}
    assert jain["mean"].to_list() == pytest.approx([16 / 20] * 8, rel=1e-5)  # (1 + 3)² / (2 (1 + 9))


def captions(folder):
    sweep, summary = sweep_record.read(folder), pl.read_parquet(folder / "summary.parquet")
    return {f.name: f.caption for f in static_figures.of_metrics(sweep, summary)}


def test_captions_say_what_has_no_interval_and_count_points_of_fewer_runs(here):
    differing = captions(synthetic.sweep(SWEEP, varied))
    assert "means of 2 runs, bars their 95 % confidence intervals" in differing["goodput_bps-by-delay"]
    assert "without a bar" not in differing["goodput_bps-by-delay"]
    same = captions(synthetic.sweep(SWEEP.replace("small", "same") + "seed: 2\n"))
    assert "identical, byte for byte (deterministic)" in same["goodput_bps-by-delay"]
    one = SWEEP.replace("small", "one").replace("repetitions: 2", "repetitions: 1")
    assert "single runs and have no interval" in captions(synthetic.sweep(one, varied))["goodput_bps-by-delay"]
    # One run is left of the 10ms half: 2 bandwidths with 1 + 1 variants.
    few = SWEEP.replace("small", "few") + "seed: 3\n"
    less = captions(synthetic.sweep(few, varied, fails=lambda row, run: run == 2 and row["delay"] == "10ms"))
    assert "4 points without a bar: a single run." in less["jain-by-delay"]
    assert "4 points from fewer runs than the others" in less["jain-by-delay"]


def test_shorter_coordinates_do_not_change_the_labels():
    svg = '<g transform="translate(1.23456,2)"><text x="0.98765">loss 0.0001</text></g>'
    assert picture_files.short_numbers(svg) == '<g transform="translate(1.23,2)"><text x="0.98">loss 0.0001</text></g>'


# Cells


WINDOWS = {"cwnd_bytes": [(0, 0, 14480), (3, 0, 2896)]}


def traced(rows, seed=1, **how):
    """A sweep of one network and a run with these traces."""
    text = SWEEP.replace("2Mbps, 40Mbps", "2Mbps").replace("5ms, 10ms", "5ms") + f"seed: {seed}\n"
    return sweep_record.read(synthetic.sweep(text, varied, traces=lambda row, run: rows, **how))


def test_the_first_finished_run_of_each_variant_is_drawn_and_told_without_its_id(here):
    sweep = traced(WINDOWS, fails=lambda row, run: row["variant"] == "TcpNewReno" and run == 1)
    chosen = [(sweep.combinations[number]["variant"], run) for _, number, run in example_cell.chosen(sweep)]
    assert chosen == [("TcpNewReno", 2), ("TcpNewReno+TcpCubic", 1)]
    figure = next(static_figures.of_example_cells(sweep))
    assert figure.caption.startswith("Run 2 of NewReno, bandwidth 2Mbps, delay 5ms")
    assert not any(cell in figure.caption for cell, _, _ in sweep.cells)


def test_traces_are_in_segments_and_milliseconds_up_to_the_end(here):
    rows = WINDOWS | {"ssthresh_bytes": [(0, 0, 4294967295), (3, 0, 1448)], "rtt_s": [(1, 0, 0.05)]}
    sweep = traced(rows)
    traces, labels, smoothed = example_cell.traces(sweep, sweep.cells[0][0], sweep.combinations[0], 1)
    assert labels == ["flow 0", "flow 1"]
    assert smoothed == []
    found = {name: part.select("time_s", "value").rows() for (name,), part in traces.group_by("metric")}
    assert found == {
        "cwnd": [(0, 10), (3, 2), (10, 2)],  # 14480 B are 10 segments of 1448 B
        "ssthresh": [(0, pytest.approx(10.8)), (3, 1), (10, 1)],  # infinite at first, and cut where the axis ends
        "rtt": [(1, 50)],
    }


@pytest.mark.parametrize(("threshold", "is_cut"), [(4294967294, True), (14480, False)])
def test_the_axis_of_windows_ends_above_cwnd_and_a_cut_ssthresh_is_said(here, threshold, is_cut):
    sweep = traced(WINDOWS | {"ssthresh_bytes": [(1, 0, threshold)], "rtt_s": []})
    figure = next(static_figures.of_example_cells(sweep))
    assert ("drawn along its upper edge" in figure.caption) == is_cut
    cwnd, ssthresh = (
        [row["v"] for row in figure.chart["datasets"]["points 0"] if row["part"] == part]
        for part in ("cwnd", "ssthresh")
    )
    # The largest cwnd is of 10 segments, and the axis ends at 10.8; what lies beyond is drawn along that end.
    assert (max(cwnd), max(ssthresh)) == pytest.approx((10, 10.8 if is_cut else 10))
    axis = figure.chart["vconcat"][0]["layer"][0]["encoding"]["y"]
    assert axis["scale"]["domain"] == pytest.approx([0, 10.8])


def test_without_samples_the_smoothed_round_trip_time_is_drawn_and_said_and_without_traces_there_is_no_figure(here):
    smoothed = {"rtt_s": [], "srtt_s": [(1, 0, 0.04), (2, 0, 0.05)]}
    figure = next(static_figures.of_example_cells(traced(smoothed)))
    assert "the smoothed round-trip time" in figure.caption
    assert "smoothed RTT [ms]" in json.dumps(figure.chart)
    nothing = traced({"cwnd_bytes": [], "ssthresh_bytes": [], "rtt_s": []}, seed=2)
    assert list(static_figures.of_example_cells(nothing)) == []


@pytest.mark.parametrize("axis", ["variant", "bandwidth"])
def test_a_share_says_which_value_is_fair_and_has_a_line_there(axis):
    sweep = synthetic.crossed(variant=["TcpNewReno+TcpCubic", "TcpCubic+TcpBbr"], bandwidth=["1Mbps", "2Mbps"])
    found = {panels.axis.name: panels for panels in metric_data.panels(sweep, summary_of(sweep, "share"), ["share"])}
    figure = metric_figure.figure(sweep, found[axis], "share", "", "", 336)
    assert any("fair)" in text for text in svg_texts.texts(figure.chart))
    assert '"datum": 1.0' in json.dumps(figure.chart)


def test_every_figures_caption_names_the_defects_that_touch_what_it_shows(here):
    folder = synthetic.sweep("tcp: ns-3\n" + SWEEP, varied, traces=lambda row, run: WINDOWS)
    static_figures.write(folder)
    sweep = sweep_record.read(folder)
    touched = caveats.Touching(sweep)
    found = index(folder)
    for name in ("goodput_bps-by-variant", "jain-by-delay"):
        defects = touched.metric(name.partition("-by-")[0])
        assert defects
        for defect in defects:
            assert defect.name in found[name]["caption"]
    (cell,) = (figure for name, figure in found.items() if name == "cell-2-TcpNewReno-TcpCubic")
    assert "Known defects of ns-3" in cell["caption"]


def test_figures_have_names_for_print_and_their_data_the_sweep_files(here):
    folder = synthetic.sweep(SWEEP + "names: {TcpNewReno: Old Reno}\n", varied)
    static_figures.write(folder)
    svg = (folder / "figures/goodput_bps-by-bandwidth.svg").read_text()
    assert "Old Reno" in svg and "CUBIC (next to Old Reno)" in svg and "Tcp" not in svg
    data = pl.read_csv(folder / "figures/goodput_bps-by-bandwidth.csv")
    assert set(data["series"]) == {
        "TcpNewReno",
        "TcpNewReno in TcpNewReno+TcpCubic",
        "TcpCubic in TcpNewReno+TcpCubic",
    }


def test_two_mixes_of_the_same_variants_have_names_of_their_own():
    sweep = synthetic.crossed(variant=["TcpCubic+TcpBbr", "TcpCubic+TcpCubic+TcpBbr"])
    names = axes.names_for_print(sweep)
    assert names["TcpCubic in TcpCubic+TcpBbr"] == "CUBIC (next to BBR)"
    assert names["TcpCubic in TcpCubic+TcpCubic+TcpBbr"] == "CUBIC in CUBIC+CUBIC+BBR"
    assert len({*names.values()}) == len(names)

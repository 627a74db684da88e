# SPDX-License-Identifier: MIT
"""Figures over time that a sweep file requests: their data, their content, and messages about mistakes."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
import yaml

from tcpsweep.core.figures import (
    chart_look,
    colour_palette,
    picture_files,
    requested_chart,
    requested_data,
    static_figures,
    time_panels,
    trace_reduction,
)
from tcpsweep.core.figures.trace_reduction import Trace
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import requests, sweep_record
from tcpsweep.core.sweepfile.asked import figures_and_tables
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import table_columns
from tests.core.figures import svg_texts
from tests.support import synthetic
from tests.support.project import Project

HEAD = """\
sweep: s
scenario: dumbbell
grid: {variant: [TcpCubic, TcpNewReno+TcpCubic], delay: [10ms, 40ms], flows: [2, 4]}
fixed: {bandwidth: 4Mbps, duration: 20s, warmup: 2s}
repetitions: 3
"""


def chosen(text):
    """The figure's cells as (variant, delay, flows, run), by the values of `each`."""
    document = yaml_document.parse(f"{HEAD}figures: [{text}]\n", "my.yaml")
    sweep, _ = grid.expand(SweepFile(document.data))
    runs = [(None, number, run) for number in range(sweep.swept) for run in sweep.runs]
    (figure,) = figures_and_tables.asked(SweepFile(document.data)).traces
    rows = [tuple(row[name] for name in ("variant", "delay", "flows")) for row in sweep.combinations]
    found = requests.chosen_cells(figure, runs, sweep)
    return {values: [(*rows[number], run) for _, number, run in cells] for values, cells in found.items()}


# What a figure is of


def test_a_condition_names_one_value_or_several_and_sees_fixed_ones_and_without_one_all_cells_are_in_a_figure():
    (cells,) = chosen("{title: t, show: [cwnd]}").values()
    assert len(cells) == 8
    assert {run for *_, run in cells} == {1}
    where = "{delay: [10ms, 0.04s], flows: 2, bandwidth: 4000kbps}"
    (cells,) = chosen(f"{{title: t, show: [cwnd], run: 2, where: {where}}}").values()
    assert cells == [(name, delay, 2, 2) for name in ("TcpCubic", "TcpNewReno+TcpCubic") for delay in ("10ms", "40ms")]


def test_there_is_a_figure_for_each_value_of_an_axis_and_of_two():
    found = chosen("{title: t, show: [cwnd], each: delay}")
    assert {values: len(cells) for values, cells in found.items()} == {("10ms",): 4, ("40ms",): 4}
    found = chosen("{title: t, show: [cwnd], each: [flows, variant], where: {delay: 10ms}}")
    assert found["4", "TcpCubic"] == [("TcpCubic", "10ms", 4, 1)]
    assert len(found) == 4


def test_the_first_run_that_is_finished_is_drawn():
    figure = requests.FigureRequest("t", ["cwnd"], {}, [], None, False, 0.0, None, None)
    sweep = SimpleNamespace(combinations=[{}, {}], swept=2)
    found = requests.chosen_cells(figure, [("b", 0, 2), ("c", 0, 3), ("d", 1, 1)], sweep)
    assert found == {(): [("b", 0, 2), ("d", 1, 1)]}


@pytest.mark.parametrize("case", yaml.safe_load(Path(__file__).with_name("requested.yaml").read_text()))
def test_lines_are_told_apart_by_what_differs(case):
    plain = {"variant": "TcpCubic", "flows": 1, "reverse_flows": 0, "duration": "9s"}
    rows = [plain | row for row in case["rows"]]
    lines = requests.figure_lines(case["show"].split(), rows, [1] * len(rows))
    assert [line.label for line in lines] == case["found"]


# Parts of traces


def trace(*rows):
    return Trace(*np.array(rows, float).T)


def points(trace):
    return list(zip(*(numbers.tolist() for numbers in trace), strict=True))


def test_an_entry_for_a_part_of_the_time_begins_and_ends_with_it():
    assert points(trace_reduction.held(trace((1, 5), (3, 6), (7, 9)), 2, 6)) == [(2, 5), (3, 6), (6, 6)]
    assert points(trace_reduction.held(trace((4, 2)), 2, 6)) == [(4, 2), (6, 2)]


def test_rates_are_what_was_gained_over_the_time_it_took():
    # 125,000 bytes are 1 Mbit: one in 0 to 1 s, none to 2 s, two in the half second that is left.
    counted = trace((0.5, 125e3), (2.1, 250e3), (2.5, 375e3))
    assert trace_reduction.rates(counted, [0, 1, 2, 2.5]).tolist() == [1, 0, 4, 4]


def over(from_s, to_s, interval_s):
    """A picture over a part of the time."""
    request = requests.FigureRequest("t", ["goodput"], {}, [], None, False, from_s, to_s, interval_s)
    return requested_data.picture(request, (), [], missing=0, end_s=20.0)


def test_an_interval_that_does_not_divide_the_time_leaves_a_shorter_one():
    assert requested_data.bounds(over(1.0, 2.0, 0.4)) == pytest.approx([1, 1.4, 1.8, 2])
    assert len(requested_data.bounds(over(0.0, 0.3, 0.1))) == 4
    assert len(requested_data.bounds(over(0.1, 15.0, None))) == 101


def test_a_state_that_began_before_a_part_of_the_time_holds_in_it():
    # Parts of 1 s from 10 s on: recovery since 8 s, open from 12.5 s, a moment of loss in the part of 14 s.
    changes = trace_reduction.held(trace((8, 3), (12.5, 0), (14.2, 4), (14.3, 0)), 10, 20)
    assert trace_reduction.worst(changes, 10, 20, 10) == [(3, 10, 13), (4, 14, 15)]


# What is drawn


def test_twenty_lines_of_a_variant_differ_in_shade_or_dash():
    names = [f"line {number}" for number in range(20)]
    styles = time_panels.styles(dict.fromkeys(names, "TcpCubic"), {"TcpCubic": "#27b88a"})
    assert len({(style.colour, tuple(style.dash)) for style in styles.values()}) == 20
    frame = pl.DataFrame({"line": names, "part": "acked", "time_s": 0.0, "value": 1.0})
    chart = requested_chart.chart({"acked": frame}, None, styles, 0, 1, 336)
    assert set(names) <= svg_texts.texts(chart)


def test_a_variant_has_over_time_the_colour_that_it_has_elsewhere():
    bases = dict(zip(["TcpNewReno", "TcpCubic"], colour_palette.PALETTE, strict=False))
    styles = time_panels.styles({"TcpCubic": "TcpCubic", "TcpNewReno": "TcpNewReno", "bottleneck": None}, bases)
    assert {name: style.colour for name, style in styles.items()} == bases | {"bottleneck": time_panels.BOTTLENECK}


def drawn(folder):
    sweep = sweep_record.read(folder)
    return list(static_figures.of_requests(sweep, requests.read_asked(folder).traces))


def test_flows_without_samples_have_the_smoothed_round_trips_which_the_axis_says(here):
    both = {"rtt_s": [(1, 0, 0.04), (2, 0, 0.05)], "srtt_s": [(t, f, 0.04) for f in (0, 1) for t in (1, 2)]}
    text = HEAD + "figures: [{title: Trips, show: [rtt], where: {flows: 2, delay: 10ms}}]\n"
    (figure,) = drawn(synthetic.sweep(text, traces=lambda row, run: both))
    parts = figure.data.filter(pl.col("time_s") == 1).select("line", "part").unique()
    of_variants = parts.filter(pl.col("line").str.contains(r"TcpNewReno\+TcpCubic")).sort("part")
    assert of_variants["part"].to_list() == ["rtt_s", "srtt_s"], parts
    assert {"RTT, Linux'", "smoothed [ms]"} <= svg_texts.texts(figure.chart)


def test_cells_without_a_result_are_left_out_and_counted_and_without_any_result_there_is_no_figure(here):
    text = HEAD + "figures: [{title: Windows, show: [cwnd], each: delay, where: {flows: 2}}]\n"
    (first, second) = drawn(synthetic.sweep(text, fails=lambda row, run: row["delay"] == "40ms" and run < 3))
    assert (first.title, second.title) == ("Windows: delay 10ms", "Windows: delay 40ms")
    assert first.caption.startswith("Run 1 at flows 2. Segments are of 1448 B. The lines show")
    assert second.caption.startswith("Run 3 at flows 2.")
    only = synthetic.sweep(
        text.replace("sweep: s", "sweep: t") + "seed: 2\n", fails=lambda row, run: row["variant"] == "TcpCubic"
    )
    one = HEAD.replace("sweep: s", "sweep: u") + (
        "figures: [{title: Window, show: [cwnd], where: {flows: 2, delay: 10ms, variant: TcpCubic}}]\n"
    )
    (single,) = drawn(synthetic.sweep(one))
    assert single.caption.startswith("Run 1 of CUBIC, bandwidth 4Mbps, delay 10ms, queue 1bdp, flows 2.")
    assert "Cell " not in single.caption
    assert ["1 simulation without a result is missing." in figure.caption for figure in drawn(only)] == [True, True]
    none = synthetic.sweep(text.replace("sweep: s", "sweep: v") + "seed: 3\n", fails=lambda row, run: True)
    assert drawn(none) == []


# Of real cells

TIMES = Path(__file__).with_name("times.yaml").read_text()


@pytest.fixture(scope="module")
def times(build_folder, tmp_path_factory):
    """A project in which a sweep of two cells of one flow has run to its report. Tests only read it."""
    made = Project(tmp_path_factory.mktemp("times"), build_folder)
    ran = made.run(sweep=TIMES)
    assert ran.status == 0, ran.text
    return made


class Shown:
    """A figure's data, and its first cell's Parquet to hold it against."""

    def __init__(self, number, variant="TcpNewReno"):
        sweep = sweep_record.read(layout.SWEEPS / "times")
        request = requests.read_asked(layout.SWEEPS / "times").traces[number]
        found = list(requested_data.pictures(sweep, [request]))
        picture = next((each for each in found if each.title.endswith(variant)), found[0])
        self.panels, self.states = requested_data.panels(sweep, picture)
        self.folder = layout.parquet(picture.cells[0][0], sweep.parser)

    def drawn(self, panel, line="TcpNewReno", part=None):
        own = self.panels[panel].filter(pl.col("line") == line)
        return own if part is None else own.filter(pl.col("part") == part)

    def traced(self, name):
        rows = table_columns.scan(self.folder / "traces.parquet").collect()
        return rows.filter((pl.col("metric") == name) & pl.col("value").is_not_null()).select("time_s", "value")

    def queued(self):
        return table_columns.scan(self.folder / "queue.parquet").filter(pl.col("direction") == "forward").collect()


@pytest.fixture
def of_times(times, monkeypatch):
    monkeypatch.chdir(times.folder)
    return Shown


def between(frame, from_s, to_s):
    return frame.filter((pl.col("time_s") > from_s) & (pl.col("time_s") < to_s))


def at(frame, time_s):
    """The value that holds at a time."""
    return frame.filter(pl.col("time_s") <= time_s)["value"][-1]


@pytest.mark.long
def test_a_whole_flow_keeps_its_extremes_and_its_states(of_times):
    shown = of_times(0)
    cwnd = shown.traced("cwnd_bytes")
    assert shown.drawn("window", part="cwnd_bytes")["value"].max() == pytest.approx(cwnd["value"].max() / 536)
    assert shown.drawn("queue")["value"].max() == shown.queued()["queued_packets"].max()
    waited = shown.queued().filter(pl.col("event") == "transmit")["delay_s"]
    assert shown.drawn("queueing_delay")["value"].max() == pytest.approx(waited.max() * 1e3)
    rtt, trips = shown.traced("rtt_s")["value"], shown.drawn("rtt")["value"]
    assert (trips.min(), trips.max()) == pytest.approx((rtt.min() * 1e3, rtt.max() * 1e3))
    # Each recovery is shaded from its begin to its end, to the 500th of 6 s.
    changes = shown.traced("congestion_state").with_columns(until_s=pl.col("time_s").shift(-1, fill_value=6))
    recoveries = changes.filter((pl.col("value") == 3) & (pl.col("until_s") - pl.col("time_s") > 0.024))
    assert recoveries.height
    shaded = shown.states.filter(pl.col("state") == "recovery")
    for begin_s, _, until_s in recoveries.iter_rows():
        (row,) = shaded.filter((pl.col("time_s") <= begin_s) & (pl.col("until_s") >= until_s)).rows()
        assert (row[0], row[1]) == pytest.approx((begin_s, until_s), abs=0.012)


@pytest.mark.long
def test_both_flows_gain_what_their_traces_do(of_times):
    shown = of_times(1)
    acked, received = shown.traced("acked_bytes"), shown.traced("received_bytes")
    for time_s in (1, 2.5, 5):
        assert at(shown.drawn("acked"), time_s) == pytest.approx(at(acked, time_s) / 536, abs=3)
    rates = shown.drawn("goodput")
    assert rates["time_s"].to_list() == [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]
    gained = rates["value"][:-1].sum() * 0.5 * 1e6 / 8
    assert gained == pytest.approx(at(received, 5) - at(received, 1))
    assert set(shown.panels["in_flight"]["line"]) == {"TcpNewReno", "TcpCubic"}
    assert shown.states is None


@pytest.mark.long
@pytest.mark.parametrize("variant", ["TcpNewReno", "TcpCubic"])
def test_a_close_up_shows_every_packet(of_times, variant):
    shown = of_times(2, variant)
    shown_as = {"cwnd_bytes": ("window", 1 / 536), "acked_bytes": ("acked", 1 / 536), "rtt_s": ("rtt", 1e3)}
    for name, (panel, scale) in shown_as.items():
        part = name if panel == "window" else None
        own = between(shown.drawn(panel, variant, part), 2, 2.1).select("time_s", "value")
        wanted = between(shown.traced(name), 2, 2.1).with_columns(value=pl.col("value") * scale)
        assert own["time_s"].to_list() == wanted["time_s"].to_list()
        assert own["value"].to_list() == pytest.approx(wanted["value"].to_list())
    packets = between(shown.queued().filter(pl.col("event") == "transmit"), 2, 2.1)
    assert packets.height > 10
    assert between(shown.drawn("queueing_delay", variant), 2, 2.1)["time_s"].to_list() == packets["time_s"].to_list()


@pytest.mark.long
def test_the_pictures_say_what_they_show(times):
    folder = times / "results/sweeps/times/figures"
    words = (folder / "time-1-One-flow.svg").read_text()
    said = ["window [segments]", "RTT [ms]", "queue [packets]", "queueing delay [ms]", "cwnd", "ssthresh"]
    for text in [*said, *chart_look.SHADES, "time [s]"]:
        assert f">{text}<" in words
    words = (folder / "time-2-Both.svg").read_text()
    for text in ["acknowledged [segments]", "goodput [Mbit/s]", "throughput [Mbit/s]", "NewReno", "CUBIC"]:
        assert f">{text}<" in words
    names = [f"time-{number}-Close-up-{name}" for number, name in ((3, "TcpNewReno"), (4, "TcpCubic"))]
    assert {f"{name}.{kind}" for name in names for kind in picture_files.FORMATS} <= {
        path.name for path in folder.iterdir()
    }
    page = (times / "reports/times.html").read_text()
    assert '<figure id="time-4-Close-up-TcpCubic">' in page
    assert "In each 0.5 s, goodput counts the payload that the application read" in page


@pytest.mark.long
def test_other_figures_are_drawn_without_a_cell_or_a_table(times, tmp_path):
    changed = times.copy(tmp_path / "project")
    for text in (TIMES.replace("show: [acked, ", "show: ["), TIMES.partition("figures:")[0]):
        assert changed.run("-n", sweep=text).jobs == {"report": 1, "finish": 1, "all": 1}

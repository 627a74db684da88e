# SPDX-License-Identifier: MIT
"""The cells' pages: what they show of long traces, when they are made, and what a person does with them."""

import contextlib
import json
import time
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.figures import cell_timeline, trace_values
from tcpsweep.report import cell_page, sweep_page, templates
from tcpsweep.store import layout
from tcpsweep.sweep import sweep_record
from tcpsweep.words import table_columns
from tests.support import synthetic
from tests.support.browser import look

SWEEP = """\
sweep: small
scenario: dumbbell
grid:
  variant: [TcpCubic, TcpNewReno+TcpCubic]
  bandwidth: [2Mbps, 4Mbps]
repetitions: 2
fixed: {duration: 10s, warmup: 2s}
"""
REPORTS = Path("reports")
PLACE = REPORTS / "small_files"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder that a report and its cells' pages are in."""
    folder = tmp_path_factory.mktemp("pages")
    with contextlib.chdir(folder):
        sweep = synthetic.sweep(SWEEP)
        (sweep / "figures.json").write_text("[]")
        sweep_page.write(sweep, REPORTS / "small.html")
        cell_page.write(sweep, PLACE)
    return folder


def cell_of(folder):
    """A sweep's first cell, its folder, and that of its metrics."""
    sweep = sweep_record.read(folder)
    cell, combination, _ = sweep.cells[0]
    return (
        cell,
        layout.parquet(cell, sweep.parser),
        layout.measured(cell, sweep.parser, sweep.measures[combination]),
        sweep.combinations[combination],
    )


# What is shown


def states(*rows):
    return pl.DataFrame(rows, schema=["flow", "time_s", "value"], orient="row")


def test_each_part_of_the_time_shows_the_worst_state_it_saw():
    # Parts of 1 s. Recovery from 1.2 s to 3.5 s, of which a moment is loss; disorder and back within the part of 6 s.
    trace = states((0, 1.2, 3.0), (0, 2.1, 4.0), (0, 2.2, 3.0), (0, 3.5, 0.0), (0, 6.1, 1.0), (0, 6.2, 0.0))
    found = cell_timeline._states(trace.select("flow", "time_s", "value"), {0: "0"}, float(cell_timeline.SPANS))
    assert [(row["state"], row["t"], row["until"]) for row in found] == [
        ("recovery", 1, 2),
        ("loss", 2, 3),
        ("recovery", 3, 4),
        ("disorder", 6, 7),
    ]


def test_goodput_is_what_was_read_in_each_part():
    # 200 parts of 1 s: 125,000 bytes in the first second are 1 Mbit/s, and as much in the third.
    received = pl.DataFrame({"flow": [0, 0], "time_s": [0.5, 2.5], "value": [125_000.0, 250_000.0]})
    (line,) = cell_timeline._goodput(received, {0: "0"}, float(cell_timeline.WINDOWS))
    assert line["v"][:5] == [1, 0, 1, 0, 0]


def test_jains_index_ends_with_its_windows():
    # Windows of 1 s from 1 s on; from 3 s to 5 s no two flows are there, and in that of 6 s nothing is received.
    windows = pl.DataFrame({"from_s": [1.0, 2.0, 5.0, 6.0, 7.0], "jain": [0.5, 1.0, 0.8, None, 0.9]})
    found = cell_timeline._fairness(windows, 8.0)
    assert [(line["t"], line["v"]) for line in found] == [
        ([1, 2, 3], [0.5, 1, 1]),
        ([5, 6], [0.8, 0.8]),
        ([7, 8], [0.9, 0.9]),
    ]


def test_drops_are_counted_by_part_and_cause():
    events = [(0.1, "drop"), (0.2, "drop"), (0.3, "transmit"), (0.4, "loss"), (7.5, "mark")]
    queue = pl.DataFrame(events, schema={"time_s": pl.Float64, "event": table_columns.EVENT}, orient="row")
    assert cell_timeline._events(queue, float(cell_timeline.SPANS)) == [
        {"what": "dropped on arrival", "t": 0.1, "packets": 2},
        {"what": "lost on the link", "t": 0.4, "packets": 1},
        {"what": "marked", "t": 7.5, "packets": 1},
    ]


def test_a_page_of_long_traces_is_small_and_keeps_their_extremes(here):
    folder = synthetic.sweep(SWEEP)
    _, parquet, measured, row = cell_of(folder)
    count = 3_000_000
    long = pl.select(
        metric=pl.lit("cwnd_bytes", table_columns.METRIC),
        flow=pl.lit(0, pl.Int32),
        time_s=(pl.int_range(count) * (10 / count)).cast(table_columns.SECONDS),
        value=(pl.int_range(count) % 997 * 1448).cast(pl.Float64),
    )
    spike = pl.col("time_s").is_between(pl.lit(4.9999999), pl.lit(5.0000001))
    long = long.with_columns(pl.when(spike).then(1448.0 * 5000).otherwise("value").alias("value"))
    table_columns.write(long, "traces", parquet / "traces.parquet")
    began = time.monotonic()
    data = cell_timeline.reduced(parquet, measured, row, pl.read_parquet(parquet / "flows.parquet"))
    assert time.monotonic() - began < 10
    (line,) = data["cwnd"]
    assert max(line["v"]) == 5000
    assert min(line["v"]) == 0
    assert len(line["v"]) <= 2 * cell_timeline.SPANS + 3
    assert len(json.dumps(data)) < 200_000


# When it is made


def stamps():
    return {path.name: path.stat().st_mtime_ns for path in PLACE.glob("*.html")}


def test_pages_are_made_once_and_go_with_their_cells(here):
    folder = synthetic.sweep(SWEEP)
    cell_page.write(folder, PLACE)
    first = stamps()
    assert len(first) == 4 * 2
    cell_page.write(folder, PLACE)
    assert stamps() == first
    synthetic.sweep(SWEEP.replace("2Mbps, 4Mbps", "2Mbps"))
    cell_page.write(folder, PLACE)
    # The axis has gone from their titles, so that these are new.
    assert len(stamps()) == 4
    (PLACE / next(iter(stamps()))).unlink()
    cell_page.write(folder, PLACE)
    assert len(stamps()) == 4


def test_no_pages_are_made_where_the_sweep_says_so(here):
    folder = synthetic.sweep(SWEEP + "pages: false\n")
    cell_page.write(folder, PLACE)
    assert not PLACE.exists()
    (folder / "figures.json").write_text("[]")
    sweep_page.write(folder, REPORTS / "small.html")
    assert "small_files" not in (REPORTS / "small.html").read_text()


def test_files_that_cannot_be_read_are_named_and_cost_other_cells_nothing(here):
    folder = synthetic.sweep(SWEEP)
    sweep = sweep_record.read(folder)
    names = ["traces.parquet", "queue.parquet", "flows.parquet", "run.json", "measures.parquet", "audit.parquet"]
    broken = []
    for name, (cell, combination, _) in zip(names, sweep.cells, strict=False):
        parquet = layout.parquet(cell, sweep.parser)
        measured = layout.measured(cell, sweep.parser, sweep.measures[combination])
        path = next(place / name for place in (parquet, measured) if (place / name).is_file())
        path.write_bytes(b"PAR1 and no more")
        broken.append(f"no page of {cell}: {path}: ")
    with pytest.raises(cell_page.Failed) as error:
        cell_page.write(folder, PLACE)
    said = str(error.value).splitlines()
    assert len(said) == len(broken)
    assert all(line.startswith(start) for line, start in zip(said, broken, strict=True))
    first = stamps()
    assert len(first) == 8 - len(broken)
    (folder / "pages.json").unlink(missing_ok=True)  # as Snakemake does with what a job that failed has written
    with pytest.raises(cell_page.Failed):
        cell_page.write(folder, PLACE)
    assert stamps() == first


def test_a_table_that_lacks_a_column_costs_the_others_nothing(here):
    folder = synthetic.sweep(SWEEP)
    cell, parquet, _, _ = cell_of(folder)
    flows = pl.read_parquet(parquet / "flows.parquet")
    flows.drop("variant").write_parquet(parquet / "flows.parquet")
    with pytest.raises(cell_page.Failed, match="variant") as error:
        cell_page.write(folder, PLACE)
    assert f"no page of {cell}: {parquet}" in str(error.value)
    assert len(stamps()) == 7


def test_a_page_says_what_it_is_of_and_leads_to_all_files(made):
    with contextlib.chdir(made):
        sweep = sweep_record.read(Path("results/sweeps/small"))
        cell, _, run = sweep.cells[0]
        assert templates.of_cell(sweep, cell) in (REPORTS / "small.html").read_text()
        text = (REPORTS / "small_files" / f"{cell}.html").read_text()
        assert f"TcpCubic, bandwidth 2Mbps, run {run}" in text
        assert f"make cell ID={cell}" in text
        for name in ("traces.parquet", "queue.parquet", "run.json", "measures.parquet"):
            link = text.split(f">{name}<")[0].rsplit('href="', 1)[1].rstrip('"')
            assert (PLACE / link).resolve().is_file()


# In a browser


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1600])
def test_the_chosen_time_is_what_all_views_show(made, tmp_path, width):
    with contextlib.chdir(made):
        page = made / sorted(PLACE.glob("*NewReno+*.html"))[0]
    script = """
    const root = document.getElementById("timeline");
    await until(() => root.dataset.drawn);
    const texts = () => [...root.querySelectorAll(".chart svg text")].map((text) => text.textContent);
    const seen = { before: texts(), legend: texts() };
    const field = root.querySelector("input[name=to]"), drawn = root.dataset.drawn;
    field.value = "0.5";
    field.dispatchEvent(new Event("change"));
    await until(() => root.dataset.drawn !== drawn);
    seen.after = texts();
    seen.fits = document.documentElement.scrollWidth <= innerWidth;
    return seen;
    """
    seen = look(page, script, tmp_path, width=width)
    assert {"0 TcpNewReno [segments]", "1 TcpCubic [segments]", "RTT [ms]", "queue [packets]"} <= set(seen["before"])
    assert "recovery" in seen["before"]
    assert seen["before"].count("10") >= 5
    assert seen["after"].count("0.5") >= 5
    assert seen["fits"]


@pytest.mark.browser
def test_a_flow_chosen_in_the_legend_stands_out_and_a_drag_chooses_the_time(made, tmp_path):
    with contextlib.chdir(made):
        page = made / sorted(PLACE.glob("*NewReno+*.html"))[0]
    script = """
    const root = document.getElementById("timeline");
    await until(() => root.dataset.drawn);
    const svg = () => root.querySelector(".chart svg");
    const faded = () => {
      const lines = [...svg().querySelectorAll(".mark-line path[stroke]")];
      return [...new Set(lines.filter((line) => line.getAttribute("opacity") === "0.08")
        .map((line) => line.getAttribute("stroke")))];
    };
    const fire = (target, types, x, y) => {
      for (const type of types) {
        const Kind = type.startsWith("pointer") ? PointerEvent : MouseEvent;
        target.dispatchEvent(new Kind(type, { bubbles: true, cancelable: true, clientX: x, clientY: y, view: window }));
      }
    };
    const click = (text) => {
      const label = [...svg().querySelectorAll(".role-legend-label text")].find((item) => item.textContent === text);
      const { x, y } = label.getBoundingClientRect();
      fire(label, ["pointerdown", "mousedown", "pointerup", "mouseup", "click"], x + 2, y + 2);
    };
    const seen = { before: faded() };
    click("0 TcpNewReno");
    await until(() => faded().length);
    seen.chosen = faded();
    click("1 TcpCubic");
    await until(() => !faded().length);
    seen.both = faded();
    const box = svg().querySelector(".role-scope path.background").getBoundingClientRect();
    const y = box.y + box.height / 2, at = (part) => box.x + part * box.width;
    fire(document.elementFromPoint(at(0.25), y), ["pointerdown", "mousedown"], at(0.25), y);
    fire(window, ["pointermove", "mousemove"], at(0.5), y);
    fire(window, ["pointerup", "mouseup"], at(0.5), y);
    const fields = ["from", "to"].map((name) => root.querySelector(`input[name=${name}]`));
    await until(() => Number(fields[1].value) < 10);
    seen.time = fields.map((field) => Math.round(Number(field.value) * 10) / 10);
    return seen;
    """
    seen = look(page, script, tmp_path)
    # Of 10 s the second quarter, and flow 1's colour is all that fades.
    assert seen == {"before": [], "chosen": ["#d55e00"], "both": [], "time": [2.5, 5.0]}


@pytest.mark.browser
def test_the_legends_of_many_flows_fit_a_narrow_screen(here):
    folder = synthetic.sweep(SWEEP.replace("duration: 10s", "flows: 8, duration: 10s"))
    cell_page.write(folder, PLACE)
    script = """
    const root = document.getElementById("timeline");
    await until(() => root.dataset.drawn);
    const frame = root.querySelector(".chart").getBoundingClientRect();
    const labels = [...root.querySelectorAll(".role-legend-label text")].map((text) => text.getBoundingClientRect());
    return { count: labels.length, outside: labels.filter((label) => label.right > frame.right).length };
    """
    seen = look(sorted(PLACE.glob("*NewReno+*.html"))[0], script, here, width=400)
    assert seen == {"count": 8 + len(trace_values.STATES), "outside": 0}

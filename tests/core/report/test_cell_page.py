# SPDX-License-Identifier: MIT
"""The cells' pages: long traces, when the pages are made, and users' actions."""

import base64
import contextlib
import json
import math
import struct
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tcpsweep.core.figures import cell_timeline_data, packed_numbers
from tcpsweep.core.figures.trace_reduction import Trace
from tcpsweep.core.report import cell_page, cell_panels, page_parts
from tcpsweep.core.store import digests, layout, table_files
from tcpsweep.core.sweep import failures, sweep_record
from tcpsweep.core.words import table_columns
from tests.core.report.made_pages import traces_of, written
from tests.support import synthetic

SWEEP = """\
sweep: small
scenario: dumbbell
grid: {variant: [TcpCubic, TcpNewReno+TcpCubic], bandwidth: [2Mbps, 4Mbps]}
repetitions: 2
fixed: {duration: 10s, warmup: 2s}
"""
REPORTS = Path("reports")
PLACE = REPORTS / "small_files"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder that a report and its cells' pages are in."""
    folder = tmp_path_factory.mktemp("pages")
    with contextlib.chdir(folder):
        cell_page.write(written(SWEEP, REPORTS / "small.html"), PLACE)
    return folder


def folders(sweep, number=0):
    """The folders of a cell of a sweep and of its metrics."""
    cell, combination, _ = sweep.cells[number]
    return layout.parquet(cell, sweep.parser), layout.measured(cell, sweep.parser, sweep.measures[combination])


# What is shown


def test_each_part_of_the_time_shows_the_worst_state_it_saw():
    # Parts of 1 s. Recovery from 1.2 s to 3.5 s, with a moment of loss; disorder and back within the part at 6 s.
    trace = traces_of([(0, 1.2, 3), (0, 2.1, 4), (0, 2.2, 3), (0, 3.5, 0), (0, 6.1, 1), (0, 6.2, 0)])
    end_s = float(cell_timeline_data.SPANS)
    found = cell_timeline_data._states(trace, end_s)
    shaded = [("recovery", 1, 2), ("loss", 2, 3), ("recovery", 3, 4), ("disorder", 6, 7)]
    assert [(row["state"], row["t"], row["until"]) for row in found] == shaded


def test_goodput_is_what_was_read_in_each_window_and_jains_index_ends_with_its_windows():
    # Windows of 1 s: 125,000 bytes in the first are 1 Mbit/s, and as much in the third; the last is half as long.
    received = {0: Trace(np.array([0.5, 2.5, 5.4]), np.array([125e3, 250e3, 375e3]))}
    (line,) = cell_timeline_data._rates(received, 5.5, 1.0)
    assert list(line["t"]) == [0, 1, 2, 3, 4, 5, 5.5]
    assert list(line["v"]) == pytest.approx([1, 0, 1, 0, 0, 2, 2])
    # There is a maximum number: in a longer simulation, windows are longer.
    (line,) = cell_timeline_data._rates(received, 10.0 * cell_timeline_data.WINDOWS, 1.0)
    assert line["width"] == 10
    # Windows of 1 s from 1 s on. From 3 s to 5 s there are fewer than two flows, and at 6 s nothing is received.
    windows = pl.DataFrame({"from_s": [1.0, 2.0, 5.0, 6.0, 7.0], "jain": [0.5, 1.0, 0.8, None, 0.9]})
    found = cell_timeline_data._lines(cell_timeline_data._fairness(windows, 8.0), 8.0)
    lines = [(list(line["t"]), list(line["v"])) for line in found]
    assert lines == [([1, 2, 3], [0.5, 1, 1]), ([5, 6], [0.8, 0.8]), ([7, 8], [0.9, 0.9])]


def test_drops_are_counted_by_part_and_cause():
    events = [(0.1, "drop"), (0.2, "drop"), (0.3, "transmit"), (0.4, "loss"), (7.5, "mark")]
    queue = pl.DataFrame(events, schema={"time_s": pl.Float64, "event": table_columns.EVENT}, orient="row")
    assert cell_timeline_data._events(queue, float(cell_timeline_data.SPANS)) == [
        {"what": "dropped on arrival", "t": 0.1, "packets": 2},
        {"what": "lost on the link", "t": 0.4, "packets": 1},
        {"what": "marked", "t": 7.5, "packets": 1},
    ]


def test_a_page_of_long_traces_is_small_and_keeps_their_extremes(here):
    parquet, measured = folders(sweep_record.read(synthetic.sweep(SWEEP)))
    count = 300_000
    long = pl.select(
        metric=pl.lit("cwnd_bytes", table_columns.METRIC),
        flow=pl.lit(0, pl.Int32),
        time_s=(pl.int_range(count) * (10 / count)).cast(table_columns.SECONDS),
        value=(pl.int_range(count) % 997 * 1448).cast(pl.Float64),
    )
    spike = pl.col("time_s").is_between(pl.lit(4.999999), pl.lit(5.000001))
    long = long.with_columns(pl.when(spike).then(1448.0 * 5000).otherwise("value").alias("value"))
    table_files.write(long, "traces", parquet / "traces.parquet")
    tables = cell_timeline_data.cell_tables(parquet, measured, pl.read_parquet(parquet / "flows.parquet"))
    data = cell_timeline_data.reduced(tables, 10.0, 1448, 1.0)
    (line,) = data["cwnd"]
    assert max(line["v"]) == 5000
    assert min(line["v"]) == 0
    assert len(line["v"]) <= 2 * cell_timeline_data.SPANS + 3
    assert len(json.dumps(cell_timeline_data.for_script(data))) < 20_000


def test_packed_numbers_are_as_exact_as_a_screen():
    def unpacked(values):
        found = packed_numbers.packed(np.array(values, float))
        steps = struct.unpack(f"<{len(values)}H", base64.b64decode(found["steps"]))
        return [found["low"] + found["step"] * step for step in steps]

    assert unpacked([3, 7, 40_000]) == [3, 7, 40_000]
    assert unpacked([0.25, 0.25]) == [0.25, 0.25]
    assert unpacked([]) == []
    given = [0.001 * number**1.5 for number in range(2000)]
    assert max(abs(a - b) for a, b in zip(given, unpacked(given), strict=True)) <= max(given) / 65535 / 2 * 1.001


SEGMENT = 1000


def windows(cwnd, ssthresh):
    """Tables with only these windows of two flows: rows of flow, time and segments."""
    traces = {
        name: traces_of([(flow, time_s, value * SEGMENT) for flow, time_s, value in rows])
        for name, rows in (("cwnd_bytes", cwnd), ("ssthresh_bytes", ssthresh))
    }
    flows = pl.DataFrame({"flow": [0, 1], "variant": ["TcpBbr"] * 2, "direction": ["forward"] * 2})
    queue = pl.DataFrame(schema=table_columns.schema("queue")).with_columns(
        pl.col("time_s", "delay_s").cast(pl.Float64)
    )
    return cell_timeline_data.Tables(flows, traces, queue, None)


def shown(found):
    """What is shown of tables: the data of its traces, and its panels."""
    data = cell_timeline_data.reduced(found, 10.0, SEGMENT, 1.0)
    return data, cell_panels.panels(data, {0: "0 TcpBbr", 1: "1 TcpBbr"})


def below_100(cwnd, ssthresh):
    """What is shown of windows, and the panels' notes; the axis ends above the largest cwnd that counts, of 100."""
    found = windows(cwnd, ssthresh)
    assert cell_timeline_data.window_top(found, SEGMENT) == pytest.approx(1.08 * 100)
    data, panels = shown(found)
    return data, [panel.note for panel in panels]


def test_the_axis_of_windows_ends_above_cwnd_and_an_ssthresh_beyond_it_is_cut_and_said():
    # Flow 1 reaches 100 segments, flow 0 only 20; ssthresh is infinite at first, later 2**32 bytes, as of BBR's.
    ssthresh = [(0, 0, math.inf), (0, 2, 15), (0, 6, 2**32 / SEGMENT), (0, 8, 15), (1, 0, 50)]
    data, notes = below_100([(0, 0, 10), (0, 5, 20), (1, 0, 100)], ssthresh)
    of_flow_0, of_flow_1 = data["ssthresh"]
    assert max(of_flow_0["v"]) == pytest.approx(108)
    assert set(of_flow_1["v"]) == {50}
    assert [(row["t"], row["until"], row["most"]) for row in data["above"]] == [(0, 2, None), (6, 8, 2**32 / SEGMENT)]
    said = "ssthresh is infinite or up to 4,294,967 segments for 4 s in 2 parts: drawn at the upper edge."
    assert notes == [said, ""]


def test_a_cwnd_that_limits_nothing_is_cut_and_said():
    cwnd = [(0, 0, 10), (0, 5, (2**32 - 1) / SEGMENT), (0, 5.1, 20), (1, 0, 100)]
    data, notes = below_100(cwnd, [(0, 0, 15), (1, 0, 50)])
    of_flow_0, of_flow_1 = data["cwnd"]
    assert max(of_flow_0["v"]) == pytest.approx(1.08 * 20)
    assert set(of_flow_1["v"]) == {100}
    assert notes == ["cwnd is 2³² − 1 bytes at times, which limits nothing: drawn at the upper edge.", ""]


def test_round_trips_of_a_flow_without_samples_are_the_smoothed_ones_which_is_said():
    trips = {flow: Trace(np.array([1.0, 2.0]), np.array([0.04, 0.05])) for flow in (0, 1)}
    found = windows([(0, 0, 10), (1, 0, 10)], [])
    data, (*_, panel) = shown(found._replace(traces=found.traces | {"rtt_s": {0: trips[0]}, "srtt_s": trips}))
    assert [row["flow"] for row in data["rtt"]] == [0, 1]
    assert panel.title == "Round-trip time"
    assert panel.note == "Of 1 TcpBbr smoothed, because there are no single samples."


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


def test_several_processes_make_the_same_pages(here):
    folder = synthetic.sweep(SWEEP)
    texts = []
    for workers in (1, 2):
        cell_page.write(folder, PLACE, workers)
        texts.append({path.name: path.read_text() for path in PLACE.iterdir()})
        for path in PLACE.iterdir():
            path.unlink()
    assert len(texts[0]) == 4 * 2 + 2
    assert texts[0] == texts[1]


def test_no_pages_are_made_where_the_sweep_says_so(here):
    cell_page.write(written(SWEEP + "pages: false\n", REPORTS / "small.html"), PLACE)
    assert not PLACE.exists()
    assert "small_files" not in (REPORTS / "small.html").read_text()


def test_damaged_files_and_a_table_that_lacks_a_column_are_named_and_cost_other_cells_nothing(here, capsys):
    folder = synthetic.sweep(SWEEP)
    sweep = sweep_record.read(folder)
    names = ["traces.parquet", "queue.parquet", "flows.parquet", "run.json", "measures.parquet", "audit.parquet"]
    broken = []
    for number, name in enumerate(names):
        path = next(place / name for place in folders(sweep, number) if (place / name).is_file())
        path.write_bytes(b"PAR1 and no more")
        broken.append(f"no page of {sweep.cells[number].cell}: {path}: differs from its checksum")
    cell_page.write(folder, PLACE)
    assert [line for line in capsys.readouterr().err.splitlines() if line.startswith("no page")] == broken
    assert len(stamps()) == len(json.loads((folder / "pages.json").read_text())) == 8 - len(broken)
    assert len(failures.failures(folder)) == len(broken)
    cell, (parquet, _) = sweep.cells[len(broken)].cell, folders(sweep, len(broken))
    pl.read_parquet(parquet / "flows.parquet").drop("variant").write_parquet(parquet / "flows.parquet")
    digests.write(parquet)
    (PLACE / f"{cell}.html").unlink()
    with pytest.raises(cell_page.Failed, match="variant") as error:
        cell_page.write(folder, PLACE)
    assert f"no page of {cell}: {parquet}" in str(error.value)
    assert len(stamps()) == 7 - len(broken)


def test_a_page_says_what_it_is_of_and_leads_to_all_files(made):
    with contextlib.chdir(made):
        sweep = sweep_record.read(Path("results/sweeps/small"))
        cell, _, run = sweep.cells[0]
        assert page_parts.link_to_cell(sweep, cell) in (REPORTS / "small.html").read_text()
        text = (REPORTS / "small_files" / f"{cell}.html").read_text()
        assert f"CUBIC, bandwidth 2Mbps, run {run}" in text
        assert f"tcpsweep cell {cell}" in text
        for name in ("traces.parquet", "queue.parquet", "run.json", "measures.parquet"):
            link = text.split(f">{name}<")[0].rsplit('href="', 1)[1].rstrip('"')
            assert (PLACE / link).resolve().is_file()

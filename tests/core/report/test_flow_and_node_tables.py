# SPDX-License-Identifier: MIT
"""The tables of flows and nodes against what flowmon-parse-results.py and TraceMetrics print of the same files."""

import contextlib
import re
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.core.analysis import aggregate
from tcpsweep.core.parse import flow_monitor, nodes, raw_files
from tcpsweep.core.report import cell_page, flow_and_node_tables, sweep_page
from tcpsweep.core.store import digests, layout, table_files
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.words import table_columns
from tcpsweep.registry import report
from tcpsweep.registry.tables import TABLES
from tests.core.report.made_pages import swept
from tests.support import packet_files
from tests.support.chromium import opened, wait_until
from tests.support.tools import ROOT

DATA = ROOT / "tests" / "data"
UNITS = {"B": 1, "KB": 1024, "MB": 1024**2}
PRINTED = yaml.safe_load(Path(__file__).with_name("tracemetrics.yaml").read_text())


def monitored(path, flows=()):
    """The table of a FlowMonitor file; ``flows`` are the sweep's flows in the simulator's record."""
    return flow_monitor.printed_table(path, flow_monitor.monitored(path, path.read_bytes()), {"flows": flows})


@pytest.mark.parametrize(
    ("file", "printed", "count"), [("flow.xml", "printed.txt", 4), ("ipv6.xml", "ipv6-printed.txt", 5)]
)
def test_flows_are_what_flowmon_parse_results_prints(file, printed, count):
    shown = flow_and_node_tables.flows(monitored(DATA / "flowmon" / file))
    text = (DATA / "flowmon" / printed).read_text()
    printed = re.findall(
        r"\((\w+ \S+) --> (\S+)\)\s+TX bitrate: (\S+).*\s+RX bitrate: (\S+).*\s+Mean Delay: (\S+).*\s+"
        r"Packet Loss Ratio: (\S+)",
        text,
    )
    assert len(printed) == count
    expected = [[f"{a} → {b}", *("–" if v == "None" else v for v in values)] for a, b, *values in printed]
    assert [[name, *numbers] for _, name, numbers in shown.rows] == expected


@pytest.mark.parametrize(
    ("file", "source", "destination", "port", "known", "protocols"),
    [
        ("flow.xml", "10.1.0.2", "10.2.0.2", 5000, {1: "data", 2: "ack"}, [6, 6, 17, 6]),
        ("ipv6.xml", "fd00::ff:fe00:3", "fd00::ff:fe00:1", 50001, {3: "data", 4: "ack"}, [6, 6, 6, 6, 17]),
    ],
)
def test_a_flow_knows_which_of_the_sweeps_it_is(file, source, destination, port, known, protocols):
    ends = {"source": source, "source_port": 49153, "destination": destination, "destination_port": port}
    table = monitored(DATA / "flowmon" / file, [ends | {"flow": 7}])
    assert table.select("flow_id", "flow", "direction", "protocol").rows() == [
        (number, 7 if number in known else None, known.get(number), protocol)
        for number, protocol in enumerate(protocols, 1)
    ]


def test_a_flows_bitrates_are_its_bytes_over_the_time_between_its_packets(run, tmp_path):
    cell = run("--bandwidth=4Mbps", "--duration=4s", "--queue=50p", "--flows=2", "--reverse_flows=1", "--cbr_flows=1")
    parsed = raw_files.cell(cell.folder, tmp_path)
    table = pl.read_parquet(tmp_path / "flow_monitor.parquet")
    assert table.height == 7  # three connections' data and ACKs, and the CBR flow
    for flow in parsed.flows.iter_rows(named=True):
        data, acks = (
            table.row(by_predicate=(pl.col("flow") == flow["flow"]) & (pl.col("direction") == way), named=True)
            for way in ("data", "ack")
        )
        delays = parsed.traces["owd_s"].filter(pl.col("flow") == flow["flow"])
        between_s = delays["time_s"][-1] - delays["time_s"][0]
        # FlowMonitor's times have six digits.
        assert data["rx_bitrate_bps"] == pytest.approx(flow["rx_bytes"] * 8 / between_s, rel=1e-5)
        assert data["mean_delay_s"] == pytest.approx(delays["value"].mean(), rel=1e-5)
        assert acks["mean_delay_s"] == flow["ack_delay_sum_s"] / flow["ack_rx_packets"]


@pytest.fixture(scope="module")
def trace():
    frame, summary = packet_files.read_trace(DATA / "tracemetrics" / "ascii.tr")
    assert summary.unknown == 0
    return frame


def test_nodes_are_what_tracemetrics_shows(trace):
    found = nodes.nodes([trace], 0.05).rows_by_key("node", named=True, unique=True)
    printed = re.split(r"^Node:\s+", (DATA / "tracemetrics" / "printed.txt").read_text(), flags=re.MULTILINE)[1:]
    assert len(printed) == len(found) == 6
    for text in printed:
        node = found[int(text.split()[0])]
        for label, column in PRINTED.items():
            value, unit = re.search(rf"^{re.escape(label)}:\s+(\S+) ?(\w*)$", text, re.MULTILINE).groups()
            # Its E[W] is the difference of two sums that grow with the square of the packets.
            expected = pytest.approx(float(value) * UNITS.get(unit, 1), rel=1e-9, abs=1e-15)
            assert node[column] == expected, (node, label)


def test_the_published_node_is_what_its_counts_give():
    # The receiver of the first study, NewReno: 415 packets, 22.2578125 KB, λ 27.668326766272642, 702 received.
    end_s = round(415 / 27.668326766272642, 6)
    row = {"node": 2, "device": 1, "event": "dequeue", "time_s": 1.0, "ip_bytes": 52, "payload_bytes": 0}
    sent_bytes, received_bytes = 22.2578125 * 1024, 281.74609375 * 1024
    left = [row | {"ip_bytes": round(sent_bytes - 414 * 54 - 2)}] + [row] * 413 + [row | {"time_s": end_s}]
    came = [row | {"event": "enqueue", "time_s": time} for time in (*[1.0] * 414, end_s)]
    read = [row | {"event": "receive", "ip_bytes": round(received_bytes - 702 * 2)}]
    read += [row | {"event": "receive", "ip_bytes": 0}] * 701
    events = pl.DataFrame(came + left + read, schema=table_columns.schema("events"))
    (found,) = nodes.nodes([events], 15.0).to_dicts()
    assert (found["sent_packets"], found["received_packets"]) == (415, 702)
    assert found["tracemetrics_throughput_bytes_per_s"] == pytest.approx(1519.557840137075, rel=1e-7)
    assert found["tracemetrics_lambda_pps"] == pytest.approx(27.668326766272642, rel=1e-7)
    assert (found["tracemetrics_en_packets"], found["tracemetrics_ew_s"]) == (0, 0)
    assert (found["tracemetrics_sent_mean_bytes"], found["tracemetrics_received_mean_bytes"]) == (54, 410)


@pytest.mark.parametrize("rows", [1, 7, 50])
def test_blocks_of_any_size_make_the_same_nodes_and_no_event_none(trace, tmp_path, monkeypatch, rows):
    trace.write_parquet(tmp_path / "events.parquet")
    monkeypatch.setattr(nodes, "BLOCK_ROWS", rows)
    nodes.write(tmp_path / "events.parquet", 0.05, tmp_path / "nodes.parquet")
    assert pl.read_parquet(tmp_path / "nodes.parquet").equals(nodes.nodes([trace], 0.05))
    assert nodes.nodes([], 1.0).equals(pl.DataFrame(schema=table_columns.schema("nodes")))


SWEEP = """\
sweep: small
scenario: dumbbell
grid: {variant: [TcpCubic, TcpNewReno]}
repetitions: 2
fixed: {duration: 10s, warmup: 2s}
capture: {ascii: true}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory, trace):
    """The folder of a report whose cells have the flows and the nodes of the files above, and its sweep's folder."""
    here = tmp_path_factory.mktemp("tables")
    with contextlib.chdir(here):
        folder = swept(SWEEP, lambda row, run: [1e6 + 1e4 * run + flow for flow in range(row["flows"])])
        sweep = sweep_record.read(folder)
        flows, of_nodes = monitored(DATA / "flowmon" / "flow.xml"), nodes.nodes([trace], 0.05)
        for cell, _, _ in sweep.cells:
            place = layout.parquet(cell, sweep.parser)
            table_files.write(flows, "flow_monitor", place / "flow_monitor.parquet")
            table_files.write(of_nodes, "nodes", place / "nodes.parquet")
            digests.write(place)
        aggregate.write_tables(folder, TABLES)
        sweep_page.write(folder, "reports/small.html", report)
        cell_page.write(folder, Path("reports/small_files"))
    return here, here / folder


def test_a_sweep_has_the_flows_and_nodes_of_all_its_cells(made):
    _, folder = made
    for name, rows in (("flow_monitor", 4 * 4), ("nodes", 4 * 6)):
        table = pl.read_parquet(folder / f"{name}.parquet")
        assert table.columns == ["combination", "variant", "run", "cell", *table_columns.schema(name)]
        assert table.height == rows
        assert table["variant"].to_list() == sorted(table["variant"])
        assert pl.read_csv(folder / f"{name}.csv").columns == table.columns


def bitrates(tab, kind):
    """The table of flows, its column of bit rates, and its texts."""
    table = tab.locator("table[data-name$='-flow-monitor']")
    heads = table.locator("thead tr").first.locator("th")
    column = next(place for place, text in enumerate(heads.all_text_contents()) if text.startswith("TX"))
    heads.nth(column).locator(kind).dispatch_event("click")
    tab.wait_for_timeout(500)
    return table.locator(f"tbody tr > :nth-child({column + 1})").all_text_contents()


@pytest.mark.browser
def test_the_report_and_a_cells_page_show_and_sort_them(made, browser):
    reports = made[0] / "reports"
    with opened(browser, reports / "small.html") as tab:
        # Its tables are folded, and paged by a library.
        tab.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        equipped = "(name) => 'equipped' in document.querySelector(`table[data-name$='-${name}']`).dataset"
        flows, of_nodes = (
            tab.locator(".dt-container").filter(has=tab.locator(f"table[data-name$='-{name}']"))
            for name in ("flow-monitor", "nodes")
        )
        for name in ("flow-monitor", "nodes"):
            wait_until(tab, equipped, name)
        flows.locator(".dt-length select").select_option("-1")
        assert bitrates(tab, ".dt-column-order") == ["–"] * 4 + ["31.21"] * 4 + ["206.07"] * 4 + ["1608.76"] * 4
        assert f" of {4 * 6} " in of_nodes.locator(".dt-info").inner_text()
    with opened(browser, sorted((reports / "small_files").glob("*.html"))[0]) as tab:
        assert bitrates(tab, "button") == ["31.21", "206.07", "1608.76", "–"]
        assert tab.locator("table[data-name$='-nodes'] tbody tr").count() == 6


def test_a_long_table_is_cut_and_says_so(monkeypatch):
    monkeypatch.setattr(flow_and_node_tables, "MOST_ROWS", 3)
    shown = flow_and_node_tables.flows(monitored(DATA / "flowmon" / "flow.xml"), lambda row: "here")
    assert (len(shown.rows), shown.more) == (3, 1)
    assert shown.rows[0][0] == "here"

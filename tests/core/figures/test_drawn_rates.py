# SPDX-License-Identifier: MIT
"""Rates over time count arriving packets and never exceed a link's rate; utilisation is a share of that rate."""

import bisect
from pathlib import Path

import numpy as np
import pytest

from tcpsweep.core.figures import cell_timeline_data
from tcpsweep.core.measure import cell_metrics
from tcpsweep.core.parse import raw_files
from tcpsweep.core.plan import result_ids
from tcpsweep.core.report import cell_panels
from tests.support.networks import commands, read
from tests.support.tools import ROOT

LINK_BPS = 20e6
TRACE = ROOT / "config" / "traces" / "cellular.trace"
FOLLOWING = f"queue: 100p, trace: {TRACE}"


def sweep_of(link, warmup="0s"):
    """A flow over a link that is described like this."""
    return read(f"""\
sweep: s
scenario: network
network:
  links: {{only: {{between: [a, b], delay: 20ms, {link}}}}}
  flows: {{all: {{from: a, to: b}}}}
fixed: {{variant: cubic, duration: 8s, warmup: {warmup}, start_jitter: 0s}}
runs: [1]
""")


@pytest.fixture
def ran(program, simulated, tmp_path):
    """Simulates a sweep's only cell; returns its files and, from ``cell/``, its parsed tables."""

    def ran(sweep):
        (command,) = commands(sweep)
        cell = simulated(program("network"), *command.arguments)
        (tmp_path / "cell").mkdir()
        return cell, raw_files.cell(cell.folder, tmp_path / "cell")

    return ran


def test_arrivals_are_drawn_which_no_link_exceeds(ran, tmp_path):
    cell, parsed = ran(sweep_of("bandwidth: 20Mbps, queue: 300p, loss: 0.002"))
    tables = cell_timeline_data.cell_tables(tmp_path / "cell", tmp_path, parsed.flows)
    width_s = 0.1
    payload_bps, arrived_bps = (
        max(cell_timeline_data._rates(tables.trace(name), 8.0, width_s)[0]["v"]) * 1e6
        for name in ("received_bytes", "ip_received_bytes")
    )
    one_packet_bps = 1502 * 8 / width_s
    assert payload_bps < arrived_bps <= LINK_BPS + one_packet_bps
    # The same from FlowMonitor, over all of the time.
    (flow,) = cell.flow_monitor()
    drawn = cell_timeline_data.reduced(tables, 8.0, 1448, width_s)
    (line,) = drawn["goodput"]
    assert np.dot(line["v"][:-1], np.diff(line["t"])) * 1e6 / 8 == pytest.approx(int(flow.get("rxBytes")), rel=1e-9)
    assert cell_panels.panels(drawn, {0: "0 TcpCubic"})[0].title == "Throughput at the receiver"


def test_a_link_with_a_trace_is_used_as_far_as_the_trace_lets_it(ran):
    cell, parsed = ran(sweep_of(FOLLOWING, "2s"))
    times_ms = [int(line) for line in Path(TRACE).read_text().split()]
    for from_s in (2, 5):
        sweep = sweep_of(FOLLOWING, f"{from_s}s")
        span = result_ids.span(sweep.combinations[0], sweep.inputs)
        found = cell_metrics.tables(parsed, "c", span)["measures"].filter(metric="utilisation").drop_nulls("link")
        before, until = (bisect.bisect_right(times_ms, time_s * 1000) for time_s in (from_s, 8))
        sent = [row["bytes"] - 2 for row in cell.queue("t") if from_s < row["time"] <= 8]
        assert found["value"].to_list() == [pytest.approx(min(1, sum(sent) / 1500 / (until - before)), rel=1e-9)]
        assert found["value"][0] > 0.9
        assert sum(sent) <= 1500 * (until - before + 1)

# SPDX-License-Identifier: MIT
"""Shares, round trips and Little's law, compared with examples computed by hand, and in real ns-3."""

import itertools
import math

import polars as pl
import pytest

from tcpsweep.core.measure import cell as measured_cell
from tcpsweep.core.measure import cell_metrics, fairness
from tcpsweep.core.parse import nodes, raw_files
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.words import table_columns
from tests.support import packet_files

NEAR_FAR = ["--variant=TcpNewReno", "--bandwidth=2Mbps", "--delay=10ms", "--access_delay=1ms,11ms", "--duration=60s"]


def test_shares_of_a_mix_are_against_an_equal_share_and_others_have_none():
    # A's two flows have 4 of 10 Mbit/s, where 2 of 3 flows would have 6.667: 0.6; B has 6 instead of 3.333: 1.8.
    shares = fairness.shares({0: 3e6, 1: 6e6, 2: 1e6}, {0: "A", 1: "B", 2: "A"})
    assert (shares[0] + shares[2]) / 2 == pytest.approx(0.4 / (2 / 3))
    assert shares[1] == pytest.approx(0.6 / (1 / 3))
    assert fairness.shares({0: 3e6, 1: 1e6}, {0: "A", 1: "A"}) == {}
    assert fairness.shares({0: 0.0, 1: 0.0}, {0: "A", 1: "B"}) == {}


def rtts(*rows):
    frame = pl.DataFrame(rows, schema=["base_rtt_s", "goodput_bps"], orient="row")
    return fairness.between_rtts(frame.with_columns(rtt_s=pl.lit(None, pl.Float64)))


def test_goodput_over_round_trips():
    # Goodput as RTT^-2: four times the round trip, a sixteenth of the goodput; the flow between them does not count.
    found = rtts((0.02, 8e6), (0.04, 7e6), (0.08, 0.25e6), (0.02, 24e6), (0.08, 1.75e6))
    assert found == {"rtt_ratio": pytest.approx(16), "rtt_exponent": pytest.approx(2)}
    assert rtts((0.02, 3e6), (0.08, 3e6)) == {"rtt_ratio": 1, "rtt_exponent": 0}
    assert rtts((0.0, 4e6), (0.02, 1e6)) == {"rtt_ratio": 4}  # a round trip of zero has no exponent
    # Those that do not differ, and goodputs of zero, have no ratio.
    assert rtts((0.02, 1e6), (0.02, 3e6)) == rtts((0.02, 1e6), (0.04, 0.0)) == {}


def measured(cell, folder, from_s=10.0, to_s=60.0):
    out = folder / "parsed"
    out.mkdir(exist_ok=True)
    made = measured_cell.cell_inputs(raw_files.cell(cell.folder, out), Span(from_s, to_s))
    return cell_metrics.per_network(made, fairness.over_time(made))


def test_a_longer_round_trip_gets_less_and_littles_law_holds(run, tmp_path):
    cell = run(*NEAR_FAR)
    found = measured(cell, tmp_path)
    # What left the bottleneck, which no sink has counted.
    near, far = (
        sum(row["bytes"] for row in cell.queue("t") if row["flow"] == flow and row["time"] > 10) for flow in (0, 1)
    )
    assert found["rtt_ratio"] == pytest.approx(near / far, rel=0.02)
    assert found["rtt_exponent"] == pytest.approx(math.log(near / far) / math.log(64 / 24), abs=0.02)
    # Between the 0 of equal shares and the 2 that Lakshman and Madhow give as the most.
    assert 0 < found["rtt_exponent"] < 2

    # The simulator's own queue length at each leaving packet. Between two of them, it goes from the length after the
    # first to the length before the second, which is one more, and is at each half of the time within a packet.
    rows = [row for row in cell.queue("t") if row["time"] > 10]
    integral = sum(
        (after["time"] - before["time"]) * (before["packets"] + after["packets"] + 1) / 2
        for before, after in itertools.pairwise(rows)
    )
    length = integral / (rows[-1]["time"] - rows[0]["time"])
    assert found["queue_little_packets"] == pytest.approx(length, rel=0.02)
    assert found["queue_little_packets"] == pytest.approx(found["queue_mean_packets"], rel=0.005)
    assert found["queue_arrival_rate_pps"] == pytest.approx(len(rows) / 50, rel=0.005)


@pytest.mark.long
def test_without_packet_jitter_phase_decides(run, tmp_path):
    def ratios(jitter):
        """The ratio when the far flow's way is longer by fractions of a packet's 6 ms on the bottleneck."""
        found = []
        for extra in range(4):
            delay = f"--access_delay=1ms,{11 + extra * 0.7:g}ms"
            still = ("--start_jitter=0s", f"--packet_jitter={jitter}")
            cell = run(*NEAR_FAR, delay, *still, name=f"{jitter}-{extra}")
            found.append(measured(cell, cell.folder)["rtt_ratio"])
        return found

    # Floyd and Jacobson 1992: the phase of a window's end, not its length, decides whose packet finds the queue full.
    assert min(ratios(0)) > max(ratios(1)) > 1


def events(*rows):
    """Rows of (time, event, node), or with the device as a fourth value; 1000 bytes each."""
    made = [
        {"time_s": float(time), "event": event, "node": node, "device": device[0] if device else 1, "ip_bytes": 1000}
        | {"payload_bytes": 900}
        for time, event, node, *device in rows
    ]
    return pl.DataFrame(made, schema=table_columns.schema("events"))


def test_a_nodes_table_by_hand():
    # Node 0 holds packets from 1 to 3 s and 2 to 5 s on one device and from 4 to 4.5 s on the other: 5.5 in 10 s.
    received, left = [(0.5, "receive", 0), (3.5, "receive", 1)], [(2.5, "drop", 0), (5.5, "loss", 1)]
    held = [(1, "enqueue", 0), (2, "enqueue", 0), (3, "dequeue", 0), (5, "dequeue", 0)]
    other = [(4, "enqueue", 0, 2), (4.5, "dequeue", 0, 2)]
    trace = events(*sorted([*received, *left, *held, *other]))
    found = nodes.nodes([trace], 10.0)
    assert found.schema == pl.Schema(table_columns.schema("nodes"))
    counts = found.select("node", *(f"{name}_packets" for name in ("sent", "received", "dropped"))).rows()
    assert counts == [(0, 3, 1, 1), (1, 0, 1, 1)]
    assert found["sent_ip_bytes"].to_list() == [3000, 0]
    first, second = found.select("arrivals_pps", "mean_packets", "mean_time_s").rows()
    assert first == pytest.approx((0.3, 0.55, 5.5 / 3))
    assert second == (0, 0, None)
    found = nodes.nodes([events((4, "enqueue", 0))], 10.0)  # a packet that stays
    assert found.select("arrivals_pps", "mean_packets", "mean_time_s").row(0) == (0.1, pytest.approx(0.6), None)


def test_littles_law_and_conservation_hold_for_a_real_cells_nodes(run):
    cell = run("--bandwidth=2Mbps", "--delay=10ms", "--duration=8s", "--queue=20p", "--ascii=true")
    trace, _ = packet_files.read_trace(cell.folder / "ascii.tr")
    found = nodes.nodes([trace], 8.0)
    assert found.height == 6  # two routers, two senders, two receivers
    sent, received, dropped = (found[f"{name}_packets"].sum() for name in ("sent", "received", "dropped"))
    full = found.sort("mean_packets").row(-1, named=True)
    assert dropped == cell.way()["drop_packets"] == full["dropped_packets"]
    assert 0 <= sent - received <= 40  # on their way at the end: at most two bandwidth-delay products and their ACKs
    assert full["arrivals_pps"] * full["mean_time_s"] == pytest.approx(full["mean_packets"], rel=0.02)
    assert full["mean_packets"] == pytest.approx(sum(row["delay"] for row in cell.queue("t")) / 8.0, rel=0.02)

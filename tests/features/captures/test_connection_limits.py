# SPDX-License-Identifier: MIT
"""An import's analysis of a connection: its limits, timeouts, idle times, signals, and its diagram."""

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tcpsweep.features.captures import connection_limits, connection_metrics
from tcpsweep.features.captures.connection_limits import Acked, Sent
from tests.features.captures.imports import MS, here, imported, metrics, packet, page  # noqa: F401
from tests.support import packet_files as files
from tests.support import tshark
from tests.support.browser import look
from tests.support.told_connection import ACK, FIN, SYN, connection, pcap

RST, RTT_MS, SEGMENT = 4, 20, 1000
NETWORK = ("--variant=TcpCubic", "--bandwidth=5Mbps", "--delay=20ms", "--queue=1bdp", "--flows=1", "--duration=5s")
SYN_OPTIONS = b"\x02\x04\x05\xb4\x01\x03\x03\x02"  # MSS 1460, a window scale of 2


def opened(window=500):
    """The first three packets of a connection, whose receiver scales its window by 4."""
    return [
        (0, packet("data", 1000, 0, flags=SYN, options=SYN_OPTIONS)),
        (RTT_MS * MS, packet("ack", 500, 1001, flags=SYN | ACK, options=SYN_OPTIONS, window=window)),
        (RTT_MS * MS, packet("data", 1001, 501)),
    ]


def rounds(count, segments, window=60_000, pause_ms=0, size=SEGMENT):
    """Some round trips, each with some segments and an ACK of all; ``pause_ms`` is between them."""
    found, number, ms = opened(), 1001, RTT_MS
    for _ in range(count):
        for place in range(segments):
            found.append((ms * MS + place * 10, packet("data", number, 501, size)))
            number += size
        ms += RTT_MS
        found.append((ms * MS, packet("ack", 501, number, window=window // 4)))
        ms += pause_ms
    return found


def test_a_receiver_whose_window_is_full_limits():
    packets = rounds(50, segments=4, window=4 * SEGMENT)
    assert metrics(packets[3:], name="unknown.pcap")["receiver_limited_share"] == 0, "of an unknown scale"
    flow = metrics(packets)
    assert flow["receiver_limited_share"] > 0.95
    assert flow["receive_window_max_bytes"] == 4 * SEGMENT
    said = connection_metrics.limit_sentence(flow)
    assert re.fullmatch(r"The receiver's window limited this flow for \d+ % of its time: .* up to 4 kB\.", said)


def test_a_network_whose_acks_are_waited_for_limits():
    flow = metrics(rounds(50, segments=4))
    assert flow["network_limited_share"] > 0.95  # the window of the receiver's SYN has no room for a segment
    assert connection_metrics.limit_sentence(flow).startswith("The network limited this flow for 98 % of its time")


@pytest.mark.parametrize("given", [{"pause_ms": 200}, {"size": 300}], ids=["pauses", "small segments"])
def test_an_application_without_data_limits(given):
    flow = metrics(rounds(50, segments=4, **given))
    assert flow["sender_limited_share"] > 0.85
    assert connection_metrics.limit_sentence(flow).startswith("The sender's application limited this flow")


def test_the_shares_of_the_time_are_one():
    sent = Sent(np.array([0.0, 1, 2, 3]), np.full(4, 1000), np.array([1000, 2000, 3000, 4000]), np.zeros(4, bool))
    acked = Acked(np.array([0.5, 1.5, 2.9]), np.array([1000, 2000, 3000]), np.array([2000, 2500, 9000]))
    found = connection_limits.limits(sent, acked, 0.1, knows_window=True)
    # From 0 to 0.5 nothing is known of a window but the first; it has no room from 1 to 2.9.
    assert found.total_s == pytest.approx(3)
    assert found.receiver_s == pytest.approx(0.5 + 1 + 0.9)
    assert sum(found.shares().values()) == pytest.approx(1)


def test_timeouts_are_told_from_fast_retransmissions():
    fast = metrics(connection())
    assert (fast["fast_retransmissions"], fast["timeouts"]) == (2, 0)
    late = [*rounds(3, segments=2), (500 * MS, packet("data", 7001, 501, SEGMENT))]
    late += [(900 * MS, packet("data", 7001, 501, SEGMENT)), (920 * MS, packet("ack", 501, 8001))]
    flow = metrics(late, name="late.pcap")
    assert (flow["fast_retransmissions"], flow["timeouts"], flow["retransmitted_packets"]) == (0, 1, 1)


def test_idle_times_signals_and_zero_windows_are_counted():
    end = 1001 + 2 * SEGMENT
    packets = [
        *rounds(1, segments=2)[:-1],
        (1 * MS, packet("data", 1000, 0, flags=SYN, options=SYN_OPTIONS)),
        (40 * MS, packet("ack", 501, end, window=0)),
        (5000 * MS, packet("data", end, 501, SEGMENT)),
        (5020 * MS, packet("ack", 501, end + SEGMENT)),
        (5030 * MS, packet("data", end + SEGMENT, 501, flags=FIN | ACK)),
        (5230 * MS, packet("data", end + SEGMENT, 501, flags=FIN | ACK)),
        (5250 * MS, packet("ack", 501, end + SEGMENT + 1, flags=RST | ACK)),
    ]
    flow = metrics(sorted(packets, key=lambda each: each[0]))
    names = ("repeated_syns", "repeated_fins", "resets", "zero_windows")
    assert {name: flow[name] for name in names} == dict.fromkeys(names, 1)
    assert flow["idle_s"] == pytest.approx(4.96, abs=1e-6)


def test_the_round_trip_at_a_receiver_is_the_handshakes():
    """ACKs leave 0.005 ms after the data come, as at a receiver; only the handshake shows the path."""
    is_ack = [each[12:16] == bytes([10, 0, 0, 2]) for _, each in rounds(9, 1)]
    packets = [(us - 19_995 * ack, each) for ack, (us, each) in zip(is_ack, rounds(9, 1), strict=True)]
    handshake = [(0, opened()[0][1]), (5, opened()[1][1]), (RTT_MS * MS, opened()[2][1])]
    flow = metrics([*handshake, *packets[3:]])
    assert flow["rtt_min_s"] == pytest.approx(5e-6)
    assert flow["path_rtt_s"] == pytest.approx(RTT_MS / 1000)


@pytest.mark.parametrize("limit", ["network", "receiver"])
def test_ns3s_senders_and_receivers_show_the_same_limit(run, limit):
    given = ["--socket_buffer=8kB"] if limit == "receiver" else []
    run(*NETWORK, *given, "--pcap=all", name="cell")
    folder = Path("cell")
    for end in ("sender0", "receiver0"):
        flow = imported((folder / f"{end}.pcap").read_bytes(), name=f"{end}.pcap").flows.row(0, named=True)
        assert flow[f"{limit}_limited_share"] > 0.5, end


def test_a_slice_of_a_simulation_is_explained(capsys):
    opened_slice = imported(pcap(connection(begin_ms=500_000)), name="slice.pcap")
    assert "0 s is 500 s of the simulator's clock." in capsys.readouterr().out
    assert opened_slice.flows["start_s"].to_list() == [0]
    assert opened_slice.record["length_s"] < 2


def test_the_other_direction_has_metrics_and_a_diagram():
    segment = files.tcp(b"y" * 100, b"", 5001, 49153, seq=501, ack=1001 + 40 * 1000 + 1, window=500)
    answer = (2000 * MS, files.ipv4(segment, files.TCP, "10.0.0.2", "10.0.0.1"))
    opened_both = imported(pcap([*connection(), answer]))
    values = opened_both.table("measures").collect()
    reverse = dict(values.filter(direction="reverse").select("metric", "value").iter_rows())
    assert reverse["sent_payload_bytes"] == 100
    assert "0 back 10.0.0.2:5001 → 10.0.0.1:49153" in page()
    data = json.loads(re.search(r'id="timeline-data" type="application/json">(.*?)</script>', page())[1])
    assert {"segments", "acks", "edges", "sacks", "signals"} <= set(data["data"])


@pytest.mark.browser
def test_the_page_draws_its_panels_and_the_sequence_of_the_flow_that_is_chosen(browser):
    imported(pcap(connection(), connection(source=("10.0.0.3", 40000), begin_ms=100)))
    found = look(
        browser,
        Path("reports/import-capture.html").absolute(),
        """
        const timeline = document.getElementById("timeline");
        await until(() => timeline.dataset.drawn);
        const count = () => document.querySelectorAll('.sequence svg .mark-rule line').length;
        const select = document.querySelector("select[name=sequence]");
        const heads = [...document.querySelectorAll(".panels figure h3")];
        const titles = heads.map((head) => head.firstChild.textContent.trim());
        const again = document.querySelectorAll('[data-chart="seen"] svg .mark-symbol path').length;
        const rows = document.querySelectorAll("#flows ~ * tbody tr, section table.data tbody tr").length;
        const limit = document.querySelector(".limit").textContent;
        const first = { lines: count(), limit, titles, again, rows };
        const before = timeline.dataset.drawn;
        select.value = "1";
        select.dispatchEvent(new Event("change"));
        await until(() => timeline.dataset.drawn !== before);
        const details = document.querySelector(".sequence .details").textContent;
        return { ...first, after: count(), options: select.options.length, details };
        """,
    )
    titles = ["Time and sequence number", "Goodput", "Round-trip time", "In flight", "Payload sent"]
    assert (found["titles"], found["again"]) == (titles, 6)
    assert found["rows"] >= 2
    assert found["lines"] == found["after"] > 42  # segments and SACK blocks
    assert found["options"] == 2
    assert "limited this flow for" in found["limit"]
    assert "fast retransmissions: 2" in found["details"]


RECOVERY = 3  # ns-3's TcpSocketState::CA_RECOVERY
LOSSY = ("--flows=1", "--loss=0.004", "--packet_jitter=0", "--duration=8s", "--pcap=all")
SHORT = ("--bandwidth=8Mbps", "--delay=5ms", "--queue=8bdp")  # a queue that multiplies the round trip
LONG = ("--bandwidth=2Mbps", "--delay=50ms", "--queue=2bdp", "--receiver_access_delay=20ms")


@pytest.mark.tshark
@pytest.mark.parametrize("options", [SHORT, LONG])
def test_each_place_shows_the_senders_fast_retransmissions(run, options):
    cell = run(*LOSSY, *options)
    states = pl.Series([value for _, value in cell.rows("congestion_state")])
    repairs = int(((states == RECOVERY) & (states.shift(1) != RECOVERY)).sum())
    assert repairs >= 3
    for place in ("sender0", "bottleneck-right", "receiver0"):
        flows = imported((cell.folder / f"{place}.pcap").read_bytes(), name=f"{place}.pcap").flows
        assert flows["fast_retransmissions"][0] == repairs, place
    # Losses are single, so Wireshark, which counts packets, agrees at the sender's side.
    found = tshark.analysed(cell.folder / "sender0.pcap", "tcp.dstport", ["tcp.analysis.fast_retransmission"])
    assert sum(len(fields["tcp.analysis.fast_retransmission"]) for fields in found.values()) == repairs

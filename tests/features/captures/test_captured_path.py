# SPDX-License-Identifier: MIT
"""`tcpsweep import --path`: delay and loss between two captures whose clocks differ."""

from pathlib import Path

import polars as pl
import pytest

import tcpsweep
from tcpsweep.__main__ import run as run_command
from tests.features.captures.imports import here  # noqa: F401
from tests.support import packet_files as files
from tests.support import tshark
from tests.support.told_connection import SENDER, connection, pcap

OFFSET_S = 3.0  # of the second clock
ONWARD_S, BACK_S, QUEUE_S = 0.005, 0.007, 0.002
LOST_DATA, LOST_ACK = 41, 30
NEAR = [packet for number in range(20) for packet in connection(isn=1000 + number * 10**6, begin_ms=number * 2000)]


def is_data(packet):
    return packet[12:16] == bytes(map(int, SENDER[0].split(".")))


def both_captures(drift):
    """The captures at both places: a packet of each way is lost, and every fifth data packet waits in a queue."""
    far = []
    for number, (time_us, packet) in enumerate(NEAR):
        way_s = ONWARD_S + QUEUE_S * (number % 5 == 0) if is_data(packet) else -BACK_S
        if number != LOST_DATA:
            far.append((round(((time_us / 1e6 + way_s) * (1 + drift) + OFFSET_S) * 1e6), packet))
    near = [packet for number, packet in enumerate(NEAR) if number != LOST_ACK]
    Path("near.pcap").write_bytes(pcap(near))
    Path("far.pcap").write_bytes(pcap(sorted(far)))


@pytest.mark.parametrize("drift", [0, 50e-6, -20e-6])
@pytest.mark.parametrize("order", [("near", "far"), ("far", "near")])
def test_delay_loss_and_clocks_between_two_captures(order, drift):
    both_captures(drift)
    run_command(["import", *(f"{name}.pcap" for name in order), "--name", "path", "--path"])
    opened = tcpsweep.open_import("path")
    measures = opened.table("measures").collect()
    of_both = dict(measures.filter(pl.col("flow").is_null()).select("metric", "value").iter_rows())
    sign = 1 if order[0] == "near" else -1
    assert of_both["between_round_trip_s"] == pytest.approx(ONWARD_S + BACK_S, abs=1e-4)
    # The packets' times count from the first packet.
    offset_s = OFFSET_S + (ONWARD_S - BACK_S) / 2
    assert of_both["clock_offset_if_symmetric_s"] == pytest.approx(sign * offset_s, abs=5e-4)
    assert of_both["clock_drift"] == pytest.approx(sign * drift, abs=1e-6)
    assert measures.filter(metric="between_lost_packets")["value"].to_list() == [1, 1]
    path = opened.path.collect()
    assert path["is_lost"].sum() == 2
    if not drift:
        data = path.filter(direction="data").sort("sent_s")
        waited = [QUEUE_S * (n % 5 == 0) for n, (_, packet) in enumerate(NEAR) if is_data(packet) and n != LOST_DATA]
        assert sorted(data["delay_s"].drop_nulls()) == pytest.approx(sorted(waited), abs=2e-6)
        assert path.filter(direction="ack")["delay_s"].max() == pytest.approx(0, abs=2e-6)
    assert "Offset of the clocks" in Path("reports/import-path.html").read_text()


@pytest.mark.tshark
@pytest.mark.parametrize("name", ["ipv4", "ipv6"])
def test_ns3s_packets_between_a_sender_and_the_far_side_of_its_bottleneck_are_those_that_tshark_pairs(name):
    """Both captures have ns-3's one clock, so that delays are known: 1 ms and 10 ms of links, and queues."""
    folder = files.network(name, Path(name).absolute())
    near, far = folder / "capture-0-0.pcap", folder / "capture-3-0.pcap"
    run_command(["import", str(near), str(far), "--name", "path", "--path"])
    opened = tcpsweep.open_import("path")
    keys = ("tcp.srcport", "ip.id", "tcp.seq", "tcp.ack", "tcp.len", "tcp.flags", "tcp.options.timestamp.tsval")
    times = [tshark_times(path, keys) for path in (near, far)]
    flow = opened.flows.filter(protocol=6).row(0, named=True)
    path = opened.path.filter(flow=flow["flow"]).collect()
    for direction, port, (sent, arrived) in (
        ("data", flow["source_port"], times),
        ("ack", flow["destination_port"], times[::-1]),
    ):
        of_way = {key: time_s for key, time_s in sent.items() if key[0] == str(port)}
        rows = path.filter(direction=direction)
        raw_s = [arrived[key] - time_s for key, time_s in of_way.items() if key in arrived]
        lost = [key for key in of_way if key not in arrived]
        least_s = opened.path.filter(direction=direction).collect()["delay_s"].min()
        assert least_s == 0
        assert rows["delay_s"].drop_nulls().len() == len(raw_s)
        spread_s = rows["delay_s"].max() - rows["delay_s"].min()
        assert spread_s == pytest.approx(max(raw_s) - min(raw_s), abs=2e-6)
        assert rows["is_lost"].sum() == len(lost)
        assert lost or direction == "ack"
    clocks = opened.table("measures").filter(metric="between_round_trip_s").collect()["value"].item()
    assert 2 * 0.011 < clocks < 2 * 0.011 + 0.005


def tshark_times(path, keys):
    """When each TCP packet was captured, by its fields."""
    rows = tshark.fields(path, "frame.time_epoch", *keys, where="tcp")
    times = {tuple(key): float(time_s) for time_s, *key in rows}
    assert len(times) == len(rows)
    return times


def test_two_captures_are_needed():
    Path("near.pcap").write_bytes(pcap(connection()))
    with pytest.raises(SystemExit, match="--path: expected two captures, got 1"):
        run_command(["import", "near.pcap", "--path"])

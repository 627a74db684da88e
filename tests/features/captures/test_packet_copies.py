# SPDX-License-Identifier: MIT
"""Copies of a packet in a capture, which are no retransmissions: 802.11's retries, forwarded and duplicated packets."""

import struct

import polars as pl
import pytest

from tcpsweep.features.captures import packet_copies
from tests.features.captures.imports import here, imported  # noqa: F401
from tests.support import packet_files as files
from tests.support.told_connection import PACKETS, SENDER, TOLD, connection, pcap

HOPS = 8  # between the sender and the receiver, all of them heard in one place
HOP_US = 100
RETRY = 0x0908  # frame control of a data frame to an access point, retried


def numbered(packets, first=1, step=1):
    """The packets with the identifications of senders that count; with a step of 0 they all have the same."""
    return [
        (time_us, packet[:4] + struct.pack(">H", (first + number * step) % 2**16) + packet[6:])
        for number, (time_us, packet) in enumerate(packets)
    ]


def is_data(packet):
    return packet[20:22] == struct.pack(">H", SENDER[1])


def forwarded(packets):
    """Packets as a place between all nodes of a path hears them: data leave the first node when they did, and ACKs
    reach it when they did."""
    found = []
    for time_us, packet in packets:
        for hop in range(HOPS):
            late = hop if is_data(packet) else hop - HOPS + 1
            found.append((time_us + late * HOP_US, packet[:8] + bytes([64 - hop]) + packet[9:]))
    return found


def as_ipv6(packets):
    """The same segments in IPv6, with the time to live as the hop limit."""
    found = []
    for time_us, packet in packets:
        ends = ("fd00::1", "fd00::2") if is_data(packet) else ("fd00::2", "fd00::1")
        whole = files.ipv6(packet[20:], files.TCP, *ends)
        found.append((time_us, whole[:7] + packet[8:9] + whole[8:]))
    return found


def on_air(packets, retries=0):
    """802.11's frames of the packets, of which each is repeated this often, each time after 0.1 ms."""
    return [
        (time_us + again * HOP_US, files.wifi(files.llc(packet), control=RETRY if again else 0x0108))
        for time_us, packet in packets
        for again in range(retries + 1)
    ]


def in_ethernet(packets, copies):
    return [(time_us + 20 * n, files.ethernet(packet)) for time_us, packet in packets for n in range(copies)]


SEEN = {
    "retried frames": (files.WIFI, on_air(numbered(connection()), retries=2)),
    "retried frames of IPv6": (files.WIFI, on_air(as_ipv6(connection()), retries=2)),
    "retried frames without identifications": (files.WIFI, on_air(numbered(connection(), 0, 0), retries=2)),
    "relayed by an access point": (files.WIFI, on_air([p for p in numbered(connection()) for _ in range(2)])),
    "forwarded packets": (files.WIFI, on_air(forwarded(numbered(connection())))),
    "forwarded and retried packets": (files.WIFI, on_air(forwarded(numbered(connection())), retries=1)),
    "forwarded packets of IPv6": (files.RAW_IP, as_ipv6(forwarded(connection()))),
    "forwarded packets without identifications": (files.RAW_IP, forwarded(numbered(connection(), 0, 0))),
    "forwarded packets of a sender that does not count": (files.RAW_IP, forwarded(connection())),
    "identifications that wrap": (files.RAW_IP, forwarded(numbered(connection(), 65_500))),
    "packets captured twice": (files.ETHERNET, in_ethernet(numbered(connection()), 2)),
}


@pytest.mark.parametrize("seen", SEEN)
def test_copies_of_a_packet_are_no_retransmissions(seen):
    """The connection's own numbers, whatever copies of its packets a place hears."""
    link, packets = SEEN[seen]
    opened = imported(pcap(packets, link=link))
    (flow,) = opened.flows.to_dicts()
    assert {name: flow[name] for name in TOLD} == pytest.approx(TOLD, rel=1e-6)
    assert opened.packets.select(pl.len()).collect().item() == len(packets)
    (totals,) = opened.record["flows"]
    assert totals["packets"] + totals["ack_packets"] == len(connection())
    assert totals["packets"] == sum(is_data(packet) for _, packet in connection())


def test_a_retransmission_counts_next_to_its_copies_however_soon():
    """A path of which eight hops are heard, with two of 23 segments retransmitted: 2 of 25, not 177 of 200."""
    lost = {7, 15}
    sent, acked = [], []
    for number in range(23):
        for again in range(2 if number in lost else 1):
            segment = files.tcp(b"x" * 1000, source=SENDER[1], seq=1 + 1000 * number)
            sent.append((10_000 * number + 300 * again, files.ipv4(segment)))
        back = files.tcp(source=50000, destination=SENDER[1], ack=1001 + 1000 * number)
        acked.append((10_000 * number + 5000, files.ipv4(back, files.TCP, "10.0.0.2", "10.0.0.1")))
    for packets in (numbered(sent) + numbered(acked), sent + acked):
        (flow,) = imported(pcap(forwarded(sorted(packets))), "--name", f"id{packets[0][1][5]}").flows.to_dicts()
        assert (flow["retransmitted_packets"], flow["retransmitted_share"]) == (2, 2 / 25)
        assert flow["sent_payload_bytes"] == 25_000
        assert (flow["rtt_min_s"], flow["rtt_mean_s"]) == pytest.approx((0.005, 0.005))


def test_copies_are_found_across_blocks():
    whole = imported(pcap(forwarded(numbered(connection())))).packets.drop("time").collect()
    copies = packet_copies.Copies()
    kept = pl.concat([copies.without(whole.slice(start, 7)) for start in range(0, whole.height, 7)])
    assert kept.equals(packet_copies.Copies().without(whole))
    assert kept.filter(pl.col("payload_bytes") > 0).height == PACKETS + 2
    assert (kept["ttl"] == 64).all()


@pytest.mark.long
@pytest.mark.parametrize("standard", ["802.11a", "802.11ac"])
def test_a_station_captures_the_retransmissions_that_its_sender_counts(program, simulated, standard):
    """The simulator's own counter of retransmitted bytes, in a network whose frames collide."""
    rates = "AarfWifiManager" if standard == "802.11a" else "IdealWifiManager"
    network = ("--stations=3", "--flows=3", "--bandwidth=20Mbps", "--delay=10ms", "--duration=10s", "--pcap=all")
    cell = simulated(program("wifi-dumbbell"), *network, f"--standard={standard}", f"--rate_control={rates}")
    counts = []
    for flow, ends in enumerate(cell.record["flows"]):
        opened = imported((cell.folder / f"{ends['source_interface']}.pcap").read_bytes(), "--name", f"from{flow}")
        own = opened.flows.filter(pl.col("source") == ends["source"]).row(0, named=True)
        sent = [value for _, value in cell.trace("retransmitted_bytes", flow)][-1]
        counts.append((own["retransmitted_bytes"], sent))
    # Packets that wait for more than 0.5 s in the station's queue never go on the air.
    assert all(seen <= sent for seen, sent in counts)
    assert sum(seen == sent > 0 for seen, sent in counts) >= 2

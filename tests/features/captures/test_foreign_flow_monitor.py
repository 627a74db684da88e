# SPDX-License-Identifier: MIT
"""`tcpsweep import` of FlowMonitor's files: how flows share, and memory for any number of flows and captures."""

import itertools
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.measure import fairness
from tcpsweep.features.captures import monitored_flows
from tests.features.captures.imports import FLOW_XML, here, imported, page  # noqa: F401
from tests.support.told_connection import connection, pcap

MEMORY = """
import resource, sys
from pathlib import Path
from tcpsweep.__main__ import run
run(["import", *map(str, sorted(Path(sys.argv[1]).iterdir())), "--name", "many"])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def monitored_flow(number, rx_bytes, first_s, last_s, back=False, packets=None):
    """The two tags of a flow in FlowMonitor's file: packets sent at ``first_s``, received from 0.1 s later."""
    ends = [("10.0.0.1", 40000 + number), ("10.0.0.2", 80)][:: -1 if back else 1]
    packets = rx_bytes // 1000 if packets is None else packets
    times = {"FirstTx": first_s, "FirstRx": first_s + 0.1, "LastTx": last_s - 0.1, "LastRx": last_s}
    if not packets:
        times |= {"FirstRx": 0, "LastRx": 0}
    stats = "".join(f'time{name}Packet="+{time_s * 1e9:g}ns" ' for name, time_s in times.items())
    counts = f'txBytes="{rx_bytes + 1}" rxBytes="{rx_bytes}" txPackets="{packets + 1}" rxPackets="{packets}"'
    flow_id = 2 * number + back
    return (
        f'<Flow flowId="{flow_id}" {stats} delaySum="+1e9ns" jitterSum="+1e9ns" {counts} lostPackets="1"/>',
        f'<Flow flowId="{flow_id}" sourceAddress="{ends[0][0]}" sourcePort="{ends[0][1]}" '
        f'destinationAddress="{ends[1][0]}" destinationPort="{ends[1][1]}" protocol="6"/>',
    )


def flow_monitor_file(flows):
    """FlowMonitor's file with flows of `monitored_flow`."""
    stats, classified = ("".join(tags) for tags in zip(*flows, strict=True))
    return (
        f"<FlowMonitor><FlowStats>{stats}</FlowStats>"
        f"<Ipv4FlowClassifier>{classified}</Ipv4FlowClassifier></FlowMonitor>"
    ).encode()


def network_metrics(opened):
    rows = opened.table("measures").filter(pl.col("flow").is_null()).select("metric", "value").collect()
    return dict(rows.iter_rows())


def test_flow_monitors_flows_share_as_their_receive_bit_rates_do():
    # 8, 4 and 2 Mbit/s over 8 s, 8 s and 4 s: Jain's index is 14² / (3 · 84); 4 of 9.1 s have all three.
    flows = [(1, 8_000_000, 1, 9.1), (2, 4_000_000, 1, 9.1), (3, 1_000_000, 5, 9.1)]
    acks = monitored_flow(1, 1000, 1, 9.1, back=True)
    opened = imported(flow_monitor_file([*(monitored_flow(*flow) for flow in flows), acks]), name="flow.xml")
    assert opened.flows["bitrate_share"].to_list() == pytest.approx([8 * 3 / 14, 4 * 3 / 14, 2 * 3 / 14])
    shares = fairness.shares(dict(enumerate(opened.flows["receive_bitrate_bps"])), {0: "a", 1: "b", 2: "c"})
    assert opened.flows["bitrate_share"].to_list() == pytest.approx(list(shares.values()))
    expected = {"jain_bitrate": 14**2 / (3 * 84), "time_together_share": 4.1 / 8.1}
    assert network_metrics(opened) == pytest.approx(expected)
    assert "receive bit rates: 0.7778" in page("flow")
    # A flow that received nothing has no part.
    starved = flow_monitor_file([monitored_flow(1, 8_000_000, 1, 9.1), monitored_flow(2, 0, 1, 9.1)])
    opened = imported(starved, name="starved.xml")
    assert opened.flows["bitrate_share"].to_list() == [2, 0]
    assert network_metrics(opened)["jain_bitrate"] == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    "other", [(2, 8_000_000, 10, 12), (2, 1000, 1, 1.1)], ids=["one after the other", "one packet"]
)
def test_flows_that_cannot_be_compared_have_no_jain(other):
    opened = imported(flow_monitor_file([monitored_flow(1, 8_000_000, 1, 9.1), monitored_flow(*other)]), name="f.xml")
    assert network_metrics(opened) == {}
    assert "bitrate_share" not in opened.flows.columns


def test_jains_index_of_a_simulation_is_that_of_the_rates_that_ns3_prints():
    # The last flow of this file received nothing, and was there for one moment.
    assert network_metrics(imported(FLOW_XML.read_bytes(), name="starved.xml")) == {}
    opened = imported(FLOW_XML.with_name("ipv6.xml").read_bytes(), name="flow.xml")
    rates = [52.24, 33.22, 44.15]  # in kbit/s, in ipv6-printed.txt
    assert network_metrics(opened)["jain_bitrate"] == pytest.approx(
        sum(rates) ** 2 / (3 * sum(rate**2 for rate in rates)), rel=1e-3
    )


def test_the_tables_are_the_same_in_parts(monkeypatch):
    flows = [monitored_flow(n, 1000 * (n % 3 + 2), 1, 9.1, back) for n in range(1, 12) for back in (False, True)]
    data = flow_monitor_file(flows)
    whole = imported(data, "--name", "whole", name="flow.xml")
    monkeypatch.setattr(monitored_flows, "PART_FLOWS", 3)
    parts = imported(data, "--name", "parts", name="flow.xml")
    for table in ("flows", "flow_monitor"):
        assert parts.table(table).collect().equals(whole.table(table).collect())
    measures = [opened.table("measures").drop("cell").sort("metric", "flow").collect() for opened in (parts, whole)]
    assert measures[0].equals(measures[1])
    assert "11 flows" in repr(parts)
    assert "11 flows in" in page("parts")
    assert len(parts.record["flows"]) == 3
    beside = imported(pcap(connection()), "flow.xml", "--name", "beside", named="beside")
    assert beside.table("flow_monitor").collect().height == len(flows)


def memory_mb(folder):
    """The most memory that an import of a folder's files takes."""
    done = subprocess.run([sys.executable, "-c", MEMORY, folder], check=True, capture_output=True, text=True)
    return int(done.stdout.split()[-1])


@pytest.mark.long
def test_memory_does_not_grow_with_the_number_of_captures():
    used_mb = []
    for count in (1000, 10_000):
        folder = Path(f"captures-{count}")
        folder.mkdir()
        for number, (third, fourth) in enumerate(itertools.islice(itertools.product(range(40), range(1, 251)), count)):
            (folder / f"{number}.pcap").write_bytes(pcap(connection(source=(f"10.1.{third}.{fourth}", 40000))))
        used_mb.append(memory_mb(folder))
        Path("results/imported/many").rename(f"{count}")
    assert used_mb[1] < 1.25 * used_mb[0]


@pytest.mark.long
def test_memory_does_not_grow_with_the_number_of_monitored_flows():
    used_mb = []
    for count in (60_000, 180_000):
        folder = Path(f"monitored-{count}")
        folder.mkdir()
        flows = (monitored_flow(number % 20_000, 5000 + number, 1, 9.1) for number in range(1, count + 1))
        flows = ((stats, tag.replace("10.0.0.1", f"10.0.{n // 20_000}.3")) for n, (stats, tag) in enumerate(flows))
        flows = ([tag.replace(tag.split('"')[1], f"{n}", 1) for tag in tags] for n, tags in enumerate(flows, 1))
        (folder / "flow.xml").write_bytes(flow_monitor_file(flows))
        used_mb.append(memory_mb(folder))
        Path("results/imported/many").rename(f"{count}")
    assert used_mb[1] < 1.5 * used_mb[0]  # three times the flows

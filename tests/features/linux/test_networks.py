# SPDX-License-Identifier: MIT
"""Custom topologies in which all or some hosts use a kernel's TCP, also at the same nodes as ns-3's."""

import polars as pl
import pytest

from tcpsweep.core.measure import audit, cell_metrics
from tcpsweep.core.parse import raw_files
from tcpsweep.core.sweep.span import Span
from tests.support import kernel_counts
from tests.support.cell import Cell

pytestmark = pytest.mark.kernel
SEGMENT, WIRE = 1448, 1502
LINKS = {
    "first": {"between": "a,b", "bandwidth": "6Mbps", "delay": "20ms", "queue": "100p"},
    "second": {"between": "b,c", "bandwidth": "4Mbps", "delay": "20ms", "queue": "100p"},
}
QUICK = ("--start_jitter=0s", "--duration=4s")


def arguments(flows, *others, traffic=()):
    """The command line of a network of two links in a row."""
    named = {f"links.{name}": says for name, says in LINKS.items()} | {f"flows.{name}": says for name, says in flows}
    named |= {f"traffic.{name}": says for name, says in traffic}
    return [f"--{name}.{field}={value}" for name, says in named.items() for field, value in says.items()] + [*others]


@pytest.fixture
def mixed(simulated, program):
    """At the same nodes a flow of ns-3's, one of Linux' that does not end, one of Linux' that does, and arrivals."""
    flows = {
        "long": {"from": "a", "to": "c", "count": "2", "variant": "TcpCubic+linux:cubic"},
        "some": {"from": "a", "to": "c", "variant": "linux:reno", "bytes": "100000"},
        "back": {"from": "c", "to": "b", "variant": "linux:cubic"},
    }
    traffic = {"short": {"kind": "arrivals", "from": "a", "to": "c", "rate": "5", "sizes": "constant:20000"}}
    options = arguments(flows.items(), *QUICK, traffic=traffic.items())
    return Cell(simulated(*options, program=program("network"), common=()))


def checked(cell, folder):
    """A cell parsed, after its audit held."""
    parsed = raw_files.cell(cell.folder, folder)
    checks = audit.audit_table(parsed, None, cell.record["arguments"])
    assert checks.filter(~pl.col("agrees")).is_empty(), checks.filter(~pl.col("agrees"))
    return parsed


def test_flows_of_both_share_links_and_nodes_and_only_ns_3s_have_single_round_trips(mixed, tmp_path):
    flows, parsed = mixed.record["flows"], checked(mixed, tmp_path)
    assert [flow["stack"] for flow in flows] == ["ns-3", "linux", "linux", "linux"]
    assert [flow.get("kernel", {}).get("segment_bytes") for flow in flows] == [None, SEGMENT, SEGMENT, SEGMENT]
    assert flows[2]["received_bytes"] == 100_000
    assert mixed.record["virtual_time"]["refused_packets"] == 0
    for number in (1, 2, 3):
        sent = mixed.trace("sent_bytes", number)[-1][1]
        kernel_counts.unread_segments(flows[number]["kernel"], sent, is_finished=number == 2)
    # ns-3's transfers next to them finish, and the narrow link is full.
    assert parsed.transfers.filter(pl.col("finish_s").is_not_null()).height > 5
    assert mixed.way(link="second")["sent_bytes"] * 8 / 4 == pytest.approx(4e6, rel=0.1)
    settings = mixed.record["settings"]
    assert {"net.ipv4.tcp_sack", "kernel.osrelease", "ns3::TcpCubic::Beta"} <= set(settings)
    # Each is the host's own: its interface's queue discipline, and HZ, the timers' ticks in a second.
    assert settings["queue_discipline"] in ("pfifo_fast", "fq", "fq_codel", "noqueue")
    assert settings["CONFIG_HZ"] == "1000"
    assert {flow for flow, _ in mixed.rows("rtt_s")} == {0}
    found = cell_metrics.tables(parsed, "c", Span(1, 4))["measures"]
    of_flows = found.filter(pl.col("metric") == "rtt_mean_s", pl.col("flow").is_not_null())
    means = dict(of_flows.select("flow", "value").rows())
    assert [flow for flow in range(4) if means.get(flow)] == [0]


def test_a_network_may_be_linux_all_over_and_has_a_table_for_each_link(simulated, program, tmp_path):
    small = {"to": "c", "socket_buffer": "32kB"}
    flows = {
        "long": small | {"from": "a", "variant": "TcpCubic"},
        "cross": small | {"from": "b", "variant": "TcpLinuxReno", "route": "second", "start": "1s", "stop": "3s"},
    }
    cell = Cell(simulated(*arguments(flows.items(), *QUICK), program=program("network"), common=("--stack=linux",)))
    checked(cell, tmp_path)
    assert [flow["stack"] for flow in cell.record["flows"]] == ["linux", "linux"]
    assert cell.record["flows"][1]["stop_s"] == 3
    assert not any(name.startswith("ns3::Tcp") for name in cell.record["settings"])
    # What the receiver of 32 kB lets be on its way, in a round trip of 80 ms.
    most = 32e3 + 2 * SEGMENT
    assert max(value for _, value in cell.trace("in_flight_bytes", 0)) <= 2 * most
    assert {each["link"] for each in cell.record["links"]} == {"first", "second"}


ARRIVALS = {"short": {"kind": "arrivals", "from": "a", "to": "c", "rate": "5"}}
OWN = ("--flows.own.from=a", "--flows.own.to=b", "--flows.own.socket_buffer=64kB")


@pytest.mark.parametrize(
    ("told", "traffic", "said"),
    [
        ((), ARRIVALS, "always uses ns-3's TCP"),
        (("--flows.long.delayed_acks=1",), {}, "Linux decides by itself when it acknowledges"),
        (("--flows.long.variant=TcpNewReno",), {}, "Linux has no ns3::TcpNewReno"),
        (OWN, {}, "the same"),
    ],
)
def test_features_that_the_kernels_hosts_lack_are_refused(refused_by, program, told, traffic, said):
    flows = {"long": {"from": "a", "to": "c"}}
    given = arguments(flows.items(), "--stack=linux", *told, traffic=traffic.items())
    assert said in refused_by(program("network"), *given)


def test_a_scenario_of_radios_has_no_variant_of_linux(program, refused_by):
    assert "needs a wired scenario" in refused_by(program("wifi-dumbbell"), "--variant=linux:cubic")


@pytest.mark.parametrize("narrow", [1500, 9000])
def test_linux_has_the_mtu_of_its_link_and_the_segments_of_its_path(simulated, program, tmp_path, narrow):
    flows = {"long": {"from": "a", "to": "c", "variant": "linux:cubic"}, "own": {"from": "a", "to": "c"}}
    mtus = ("--links.first.mtu=9000", f"--links.second.mtu={narrow}", "--segment_size=8948")
    cell = Cell(simulated(*arguments(flows.items(), *QUICK, *mtus), program=program("network"), common=()))
    checked(cell, tmp_path)
    for flow in cell.record["flows"]:
        assert flow["segment_bytes"] == narrow - 52
    assert cell.record["flows"][0]["kernel"]["segment_bytes"] == narrow - 52
    assert cell.record["virtual_time"]["refused_packets"] == 0
    assert {row["bytes"] for row in cell.queue("t", link="second") if row["bytes"] > 1000} == {narrow + 2}

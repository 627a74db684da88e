# SPDX-License-Identifier: MIT
"""Which flow has which variant, which flows are left out, and each flow's two access links, in real ns-3."""

import pytest

from tcpsweep.core.plan import packet_counts
from tcpsweep.core.sweep import assignment
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import units
from tests.support.cell import audited

QUICK = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=6s", "--start_jitter=100ms")


def arguments(**given):
    """A combination of the dumbbell, and the command line that makes its cells."""
    fixed = {"bandwidth": "2Mbps", "delay": "10ms", "duration": "1s", "warmup": "0s", "start_jitter": "10ms"}
    sweep, problems = grid.expand(SweepFile({"sweep": "s", "scenario": "dumbbell", "fixed": fixed | given}))
    assert not problems
    (row,) = sweep.combinations
    return row, [f"--{name}={units.value_text(row[name])}" for name in fixed | given if name != "warmup"]


@pytest.mark.parametrize(
    "given",
    [
        {"variant": "TcpCubic+TcpBbr", "flows": 4},
        {"variant": "TcpCubic+TcpBbr", "flows": 3, "access_delay": ["1ms", "11ms"]},
        {"variant": "TcpCubic+TcpBbr+TcpVegas", "flows": 4, "reverse_flows": 3, "start_stagger": "1ms"},
        {"variant": "TcpCubic+TcpBbr", "flows": 2, "bytes": [0, 1000], "assignment": "fixed"},
        {"variant": "TcpCubic+TcpCubic+TcpBbr", "flows": 3, "assignment": "rotated"},
    ],
)
@pytest.mark.parametrize("number", [0, 1, 2, 7])
def test_each_flow_has_the_variant_that_planning_says_it_has(run, given, number):
    row, said = arguments(**given)
    record = run(*said, f"--RngRun={number}").record
    assert [flow["variant"] for flow in record["flows"]] == assignment.flow_variants(row, number)
    assert record["derived"]["assignment"] == ("rotated" if assignment.is_rotated(row) else "fixed")


@pytest.mark.parametrize("number", [1, 2])
def test_with_omitted_others_flows_keep_their_numbers_starts_and_random_numbers(run, number):
    network = (*QUICK, "--flows=4", "--access_delay=1ms,11ms", "--bytes=30000", f"--RngRun={number}", "--stop=5s")
    mixed = run(*network, "--variant=TcpNewReno+TcpBbr", name="mixed").record
    for name, variant in (("first", "TcpNewReno+none"), ("second", "none+TcpBbr")):
        alone = run(*network, f"--variant={variant}", name=name)
        kept = [flow for flow in mixed["flows"] if flow["variant"] in variant]
        assert len(kept) == 2
        for there, here in zip(kept, alone.record["flows"], strict=True):
            for key in ("flow", "variant", "start_s", "stream", "source", "source_port", "path", "stop_s"):
                assert there[key] == here[key], key
        # The network is the mix's, with a buffer for its longest round trip.
        assert alone.record["derived"]["base_rtt_s"] == mixed["derived"]["base_rtt_s"]
        (link,), (same,) = alone.record["links"], mixed["links"]
        for key in ("bdp_bytes", "over_time"):
            assert link[key] == same[key], key
        assert link["forward"]["queue_packets"] == same["forward"]["queue_packets"]


def test_a_cell_with_flows_left_out_agrees_with_itself(run, tmp_path):
    cell = run(*QUICK, "--flows=5", "--variant=none+TcpCubic", "--access_delay=1ms,11ms", "--loss=0.01")
    parsed, _, found = audited(cell, tmp_path / "parsed")
    assert parsed.flows["flow"].to_list() == [1, 3]
    assert found.height > 5
    assert found["agrees"].all()


def test_the_receivers_link_may_differ_from_the_senders(run):
    links = ("--access_delay=1ms,11ms", "--receiver_access_delay=30ms,same", "--receiver_access_bandwidth=5Mbps")
    cell = run(*QUICK, "--variant=TcpNewReno", "--queue=2bdp", *links)
    assert cell.record["derived"]["base_rtt_s"] == pytest.approx([2 * 0.041, 2 * 0.032])
    assert cell.record["links"][0]["bdp_bytes"] == pytest.approx(2e6 / 8 * 0.082)
    ends = [(flow["path"][0], flow["path"][-1]) for flow in cell.record["flows"]]
    assert [(near["delay_s"], far["delay_s"]) for near, far in ends] == [(0.001, 0.03), (0.011, 0.011)]
    assert {(near["bandwidth_bps"], far["bandwidth_bps"]) for near, far in ends} == {(10**9, 5 * 10**6)}
    for flow, least in enumerate((0.082, 0.064)):
        assert least < min(rtt for _, rtt in cell.trace("rtt_s", flow)) < least + 0.03
    back = run(*QUICK, "--flows=1", "--reverse_flows=1", *links, name="back")
    reverse = back.record["flows"][1]
    assert [step["delay_s"] for step in reverse["path"]] == [0.011, 0.01, 0.011]
    assert reverse["path"][1]["direction"] == "reverse"
    forth = back.record["flows"][0]
    assert (forth["source"][:5], reverse["source"][:5]) == ("10.1.", "10.2.")


def test_planning_knows_both_links_of_a_flow(run):
    given = {"access_delay": ["1ms", "11ms"], "receiver_access_delay": ["30ms", "same"]}
    row, said = arguments(receiver_access_bandwidth=["same", "1Mbps"], **given)
    record = run(*said).record
    assert network_views.round_trips_s(row) == pytest.approx(record["derived"]["base_rtt_s"])
    slow = row.with_values({"receiver_access_bandwidth": "100kbps"})
    assert packet_counts.load(row).packets > packet_counts.load(slow).packets

# SPDX-License-Identifier: MIT
"""The estimated and the actual costs of cells, and sweeps that do not fit on the disk."""

import json
import os
import shutil
import subprocess
from dataclasses import asdict, astuple, replace

import pytest

from tcpsweep.core.plan import congestion_epochs, disk_space, expected_costs, packet_counts
from tcpsweep.core.run import cell_costs
from tcpsweep.core.sweep import cost, sweep_parts
from tcpsweep.core.sweepfile.keys.sweep_fields import ALL_TRACES
from tcpsweep.core.words import units
from tests.support.project import SMALL, step
from tests.support.sweep_texts import sweep_of

KEPT = {"keep_raw": False, "pcap": "none", "snaplen": "headers", "ascii": False, "anim": False}
CAPTURE = sweep_parts.Capture(traces=list(ALL_TRACES), queue=True, **KEPT)


def packets(fixed):
    return packet_counts.load(sweep_of(f"fixed: {{{fixed}}}").combinations[0]).packets


FULL = 60 * 10e6 / 8 / 1502


@pytest.mark.parametrize(
    ("fixed", "expected"),
    [
        ("bandwidth: 10Mbps, duration: 60s", FULL),
        ("bandwidth: 20Mbps, duration: 60s", 2 * FULL),
        ("bandwidth: 10Mbps, duration: 30s", FULL / 2),
        ("bytes: 1448000", 2000),
        ("bytes: 1448000, reverse_flows: 1", 3000),
        # Two windows of 144800 bytes each round trip of 2 · (98 + 2) ms, for 60 s, in packets of 1502 bytes.
        ("socket_buffer: 144800, delay: 98ms, bandwidth: 1Gbps", 2 * 300 * 144800 / 1502),
        # Losses of 1 %: √(3 / 2p) segments a round trip, and the packets before the first loss.
        ("loss: 0.01, delay: 98ms, bandwidth: 1Gbps", 2 * (300 * 150**0.5 + 1000)),
        ("access_bandwidth: 1Mbps", 2 * 60 * 1e6 / 8 / 1502),
        ("packet_rate: 50, flows: 3, duration: 20s", 3 * 50 * 20),
        ("packet_rate: [50, 0], bytes: [0, 1448000], duration: 20s", 50 * 20 + 1000),
        ("packet_rate: 5000", FULL),
        ("bytes: 1448000, cbr_flows: 1, cbr_rate: 1Mbps, cbr_packet_size: 1000", 2000 + 60 * 125),
    ],
)
def test_packets_are_limited_by_the_link_and_by_what_limits_the_flows(fixed, expected):
    assert packets(fixed) == pytest.approx(expected)


def load(scenario, fixed):
    return packet_counts.load(sweep_of(f"fixed: {{{fixed}}}", scenario).combinations[0])


@pytest.mark.parametrize(
    ("scenario", "flows", "links", "constant_rate_links"),
    [("single-link", 1, 1, 1), ("chain", 1, 2, 1), ("dumbbell", 2, 3, 3)],
)
def test_packets_cross_the_links_of_the_scenarios_program(scenario, flows, links, constant_rate_links):
    """In `ns3-scenarios/chain.cc`, flows of a constant bit rate begin at the gateway."""
    alone = load(scenario, "bytes: 1448000")
    assert (alone.packets, alone.crossings) == pytest.approx((1000 * flows, 1000 * flows * links))
    beside = load(scenario, "bytes: 1448000, cbr_flows: 1, cbr_rate: 1Mbps, cbr_packet_size: 1000")
    assert beside.crossings - alone.crossings == pytest.approx(60 * 125 * constant_rate_links)


@pytest.mark.parametrize(("loss_on", "lossy_flows"), [("data", 2), ("acks", 3), ("both", 5)])
def test_losses_limit_the_flows_whose_data_cross_that_direction(loss_on, lossy_flows):
    """`RandomLoss::Install` puts ``data`` at the right end of the bottleneck, and ``acks`` at the left end."""
    flows = "flows: 2, reverse_flows: 3, bandwidth: 1Gbps, delay: 98ms, packet_rate: 300"
    lossy, clean = 300 * 150**0.5 + 1000, 60 * 300
    assert load("dumbbell", f"{flows}, loss: 0.01, loss_on: {loss_on}").packets == pytest.approx(
        lossy_flows * lossy + (5 - lossy_flows) * clean
    )


def test_reverse_flows_send_none_of_the_packets_between_two_losses_of_a_forward_flow():
    fixed = "flows: 2, loss: 0.01, variant: TcpCubic, bandwidth: 100Mbps"
    without, beside = (sweep_of(f"fixed: {{{fixed}, reverse_flows: {count}}}").combinations[0] for count in (0, 3))
    assert congestion_epochs.longest(without) == congestion_epochs.longest(beside)


def estimate(capture=None, **fixed):
    row = sweep_of(f"fixed: {json.dumps(fixed)}").combinations[0]
    return expected_costs.estimate(row, replace(CAPTURE, **(capture or {})), {})[1]


def test_the_estimate_is_near_what_a_cell_takes(run):
    """A clean link, a lossy one, and one with few bytes, within the factor two that such an estimate can promise."""
    for number, given in enumerate(({}, {"loss": 0.01}, {"bytes": 300000, "flows": 6}, {"bandwidth": "40Mbps"})):
        given = {"duration": "10s", "warmup": "0s"} | given
        out = run(*(f"--{name}={value}" for name, value in given.items() if name != "warmup"), name=f"out-{number}")
        expected = estimate(**given)
        raw = cell_costs.folder_bytes(out.folder)
        assert 0.5 < expected.raw_bytes / raw < 2, given
        assert expected.memory > out.record["peak_rss_bytes"]


@pytest.mark.long
@pytest.mark.parametrize(
    "capture", [{"pcap": "bottleneck"}, {"pcap": "all"}, {"pcap": "bottleneck", "snaplen": "full"}, {"ascii": True}]
)
def test_captures_cost_what_they_write(run, capture):
    given = {"duration": "5s", "start_jitter": "0s"}
    out = run(*(f"--{name}={units.value_text(value)}" for name, value in (given | capture).items()))
    expected = estimate(capture, warmup="0s", **given)
    assert 0.6 < expected.raw_bytes / cell_costs.folder_bytes(out.folder) < 1.7


def leave(folder, kind, estimated, factor):
    folder.mkdir(parents=True)
    taken = {name: factor * value for name, value in asdict(estimated).items()}
    record = {"cost": {"kind": kind, "estimated": asdict(estimated), "taken": taken}}
    (folder / "run.json").write_text(json.dumps(record))


def factors(sweep):
    """How much more the combinations are expected to take than estimated, the same for time, memory and disk."""
    costs = expected_costs.expected(sweep, [], "p")
    pairs = [zip(astuple(expected.cost), astuple(expected.estimated), strict=True) for expected in costs]
    (found,) = {tuple(round(cost / estimated, 6) for cost, estimated in each) for each in zip(*pairs, strict=True)}
    return found


def test_costs_are_learnt_from_finished_cells_of_the_kind(here):
    sweep = sweep_of("grid: {variant: [TcpCubic, TcpBbr], delay: [10ms, 12ms]}\nrepetitions: 2")
    before = expected_costs.expected(sweep, [], "p")
    (kind, mere, _), (bbr, *_) = before[0], before[2]
    assert all(expected.cost == expected.estimated for expected in before)
    assert kind[:-1] == bbr[:-1] and (kind[-1], bbr[-1]) == ("TcpCubic", "TcpBbr")
    cells = here / "results" / "cells"
    leave(cells / "dumbbell-other" / "p", kind, mere, 3)
    (cells / "dumbbell-unparsed").mkdir()
    leave(cells / "chain-0" / "p", ("chain", *kind[1:]), mere, 99)
    # The first finished cell counts for its kind, and for similar kinds until one of theirs has finished.
    assert factors(sweep) == pytest.approx([3, 3, 3, 3])
    leave(cells / "dumbbell-bbr" / "p", bbr, before[2].estimated, 2)
    assert factors(sweep) == pytest.approx([3, 3, 2, 2])
    # A combination with a finished run is expected to cost the same.
    leave(cells / "own" / "p", kind, mere, 7)
    assert expected_costs.expected(sweep, [("own", 0, 1)], "p")[0].cost.seconds == pytest.approx(7 * mere.seconds)


@pytest.mark.long
def test_every_cell_leaves_what_it_took(finished):
    for place in (finished / "results" / "cells").glob("*/*/run.json"):
        cost = json.loads(place.read_text())["cost"]
        assert cost["taken"]["seconds"] > 0
        assert cost["taken"]["parquet_bytes"] > 1000
        assert 0.3 < cost["estimated"]["raw_bytes"] / cost["taken"]["raw_bytes"] < 3


def test_what_a_sweep_needs():
    each = cost.Cost(1, 1, 1000, 10)
    needed = disk_space.needed_space([each] * 5, [each] * 3, 2, keeps_raw=False)
    assert (needed.parquet, needed.raw, needed.total) == (80, 2000, 2080)
    assert disk_space.needed_space([each] * 5, [each] * 3, 2, keeps_raw=True).raw == 5000


BIG = SMALL.replace("2Mbps, duration: 3s", "10Gbps, duration: 30000s")


@pytest.mark.long
def test_a_sweep_that_does_not_fit_is_refused_with_the_numbers_and_a_dry_run_warns(project):
    dry = project.run("-n", sweep=BIG)
    assert dry.status == 0
    assert "tcpsweep: warning: the sweep needs about" in dry.text
    checked = step(project, "check", "sweep.yaml")
    assert checked.returncode == 0
    assert "tcpsweep: warning: the sweep needs about" in checked.stdout
    (project / "results").rename(project / "of-the-dry-run")
    ran = project.run(sweep=BIG)
    assert ran.status == 1
    assert "sweep.yaml: the sweep needs about" in ran.text
    assert "tcpsweep prune" in ran.text
    assert "Traceback" not in ran.text
    assert not list((project / "results").glob("plans/*/*"))


@pytest.fixture
def small_disk(project):
    """The project's results on a disk of 20 MB."""
    place = project / "results"
    place.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", place]).returncode:
        pytest.skip("only root can mount a small disk")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.long
def test_a_full_disk_fails_cells_and_the_sweep_goes_on_when_there_is_room(project, small_disk, monkeypatch):
    monkeypatch.setenv(disk_space.IGNORED, "1")
    made = project.run("--until", "compile", sweep=SMALL)
    assert made.status == 0, made.text
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(shutil.disk_usage(small_disk).free - 400_000))
    ran = project.run()
    assert ran.status == 1
    assert "Traceback" not in ran.text
    whole = {place.parent.name for place in project.cells()}
    assert len(whole) < 8
    ballast.unlink()
    again = project.run()
    assert again.status == 0, again.text
    assert len(project.cells()) == 8
    assert not whole & again.simulated

# SPDX-License-Identifier: MIT
"""The times when flows join and are measured, as in the simulator."""

import pytest

from tcpsweep.core.measure import cell as measured_cell
from tcpsweep.core.measure import cell_metrics
from tcpsweep.core.parse import raw_files
from tcpsweep.core.plan import cell_commands, result_ids
from tcpsweep.core.sweep import base_network
from tcpsweep.core.sweepfile.checks import start_times
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import network_views
from tests.support import synthetic


def expanded(scenario="dumbbell", **fixed):
    return grid.expand(SweepFile({"sweep": "s", "scenario": scenario, "repetitions": 2, "fixed": fixed}))


def row(scenario="dumbbell", **fixed):
    sweep, problems = expanded(scenario, **fixed)
    assert not problems
    return sweep.combinations[0]


def arguments(scenario="dumbbell", **fixed):
    sweep, _ = expanded(scenario, **fixed)
    cells = cell_commands.cells(sweep, "code", synthetic.NS3, dict)
    return cells[0].id.rpartition("-")[2], [text for text in cells[0].arguments if text.startswith("--start_jitter")]


def test_the_default_jitter_is_at_most_half_of_the_warm_up():
    # Twenty round trips of 600 ms are 12 s.
    assert arguments(delay="298ms", duration="60s")[1] == ["--start_jitter=7.5s"]
    assert arguments(delay="298ms", duration="60s", warmup="30s")[1] == []
    assert arguments(delay="298ms", duration="60s", warmup="0s")[1] == []
    assert arguments(delay="298ms", duration="60s", warmup="auto")[1] == []
    assert arguments(delay="298ms", duration="60s", start_jitter="12s")[1] == ["--start_jitter=12s"]
    assert arguments(warmup="1s")[1] == ["--start_jitter=500ms"]


def test_another_warm_up_reruns_only_cells_whose_jitter_it_bounds():
    assert arguments(warmup="15s")[0] == arguments(warmup="2s", flow_warmup="5s")[0]
    assert arguments(warmup="15s")[0] != arguments(warmup="1s")[0]


@pytest.mark.parametrize(
    ("scenario", "given"),
    [
        ("dumbbell", {"delay": "100ms", "access_delay": ["1ms", "11ms"], "flows": 3, "reverse_flows": 1}),
        ("chain", {"delay": "100ms", "access_delay": "7ms"}),
        ("single-link", {"delay": "100ms"}),
    ],
)
def test_round_trips_and_latest_starts_are_the_simulators(program, simulated, scenario, given):
    made = row(scenario, duration="12s", warmup="11s", start="1s", start_stagger="500ms", **given)
    options = {name: ",".join(value) if isinstance(value, list) else value for name, value in given.items()}
    ran = simulated(
        program(scenario),
        *(f"--{name}={value}" for name, value in options.items()),
        *("--duration=12s", "--start=1s", "--start_stagger=500ms"),
    )
    flows = range(len(ran.record["flows"]))
    known, bottleneck = network_views.round_trips_s(made), network_views.bottleneck_topology(made)
    assert ran.record["derived"]["base_rtt_s"] == pytest.approx(known)
    assert ran.record["links"][0]["bdp_bytes"] == pytest.approx(base_network.bdp_bytes(made, bottleneck))
    queue = base_network.in_queue(made, made["queue"], bottleneck)
    assert queue == (ran.way()["queue_packets"], "p")
    latest = start_times.latest_starts(made)
    jitter_s = ran.record["derived"]["start_jitter_s"]
    assert latest == pytest.approx([1 + 0.5 * flow + jitter_s for flow in flows])
    for flow, at_most in zip(ran.record["flows"], latest, strict=True):
        assert at_most - jitter_s <= flow["start_s"] <= at_most


def test_a_late_flows_slow_start_does_not_count(run, tmp_path):
    # Flow 1 joins at 20 s, the warm-up has ended at 10 s: it counts from 25 s on.
    ran = run("--bandwidth=10Mbps", "--delay=50ms", "--duration=40s", "--start=0s,20s", "--start_jitter=0s")
    parsed = raw_files.cell(ran.folder, tmp_path)
    given = {"bandwidth": "10Mbps", "delay": "50ms", "duration": "40s", "warmup": "10s", "start": ["0s", "20s"]}
    given |= {"start_jitter": "0s"}

    def goodput(**more):
        made = measured_cell.cell_inputs(parsed, result_ids.span(row(**given, **more)))
        return cell_metrics.per_flow(made)["goodput_bps"][1]

    received = ran.trace("received_bytes", 1)

    def counted(from_s):
        before = max((value for time, value in received if time <= from_s), default=0)
        return (received[-1][1] - before) * 8 / (40 - from_s)

    assert goodput() == pytest.approx(counted(25))
    assert goodput(flow_warmup="2s") == pytest.approx(counted(22))
    assert goodput(flow_warmup="0s") == pytest.approx(counted(20))

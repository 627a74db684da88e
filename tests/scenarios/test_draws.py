# SPDX-License-Identifier: MIT
"""Random draws in real ns-3: each purpose, flow and node draws from a stream of its own, which no other object has."""

import os
import statistics
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.support.cell import Cell
from tests.support.tools import ROOT

PER_PURPOSE = 1_000_000  # streams.h
QUICK = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=15s")
TABLE = yaml.safe_load((Path(__file__).parent / "draws.yaml").read_text())
PURPOSES = TABLE["purposes"]
CONTROL = PURPOSES.index("control") + 1


@pytest.fixture(scope="session")
def counter(tmp_path_factory):
    """The library that counts random numbers."""
    library = tmp_path_factory.mktemp("draws") / "libdraws.so"
    source = ROOT / "tests" / "programs" / "draws.cc"
    subprocess.run(["c++", "-std=c++17", "-shared", "-fPIC", source, "-o", library, "-ldl"], check=True)
    return library


@pytest.fixture
def streams(counter, tmp_path):
    """Run a cell; returns the stream of each generator that was drawn from."""

    def streams(program, *arguments):
        found, out = tmp_path / "draws", tmp_path / "drawn"
        out.mkdir()
        environment = os.environ | {"LD_PRELOAD": str(counter), "DRAWS": str(found)}
        subprocess.run([program, *arguments, f"--out={out}"], check=True, env=environment)
        return Cell(out), [int(line.split()[0]) for line in found.read_text().splitlines()]

    return streams


@pytest.mark.long
@pytest.mark.parametrize("name", TABLE["cells"])
def test_no_two_things_draw_from_one_stream_and_ns3_numbers_none(program, streams, name):
    cell = TABLE["cells"][name]
    _, found = streams(program(cell["program"]), *cell["arguments"].format_map(TABLE["given"]).split())
    numbered = [stream for stream in found if stream >= 0]
    assert len(numbered) == len(set(numbered)), sorted(numbered)
    assert min(numbered) >= PER_PURPOSE, "ns-3's own default"
    assert {PURPOSES[stream // PER_PURPOSE - 1] for stream in numbered} == set(cell["purposes"])
    # Streams that ns-3 numbers: for the first sequence numbers of the eight 802.15.4 devices.
    assert len(found) - len(numbered) == (8 if name == "802.15.4" else 0)


def test_each_bbr_flow_has_a_stream_of_its_own_unless_the_command_line_gives_one(dumbbell, streams, run):
    cell, found = streams(dumbbell, *QUICK, "--variant=TcpBbr+TcpCubic", "--flows=6")
    of_flows = [flow["stream"] for flow in cell.record["flows"]]
    assert of_flows == [CONTROL * PER_PURPOSE + flow if flow % 2 == 0 else None for flow in range(6)]
    assert {stream for stream in found if stream // PER_PURPOSE == CONTROL} == set(of_flows) - {None}
    assert cell.record["settings"]["ns3::TcpBbr::Stream"] == "one per flow"
    given = run(*QUICK, "--variant=TcpBbr", "--ns3::TcpBbr::Stream=4", name="given")
    assert [flow["stream"] for flow in given.record["flows"]] == [None, None]
    assert given.record["settings"]["ns3::TcpBbr::Stream"] == "4"


CROWD = ("--flows=100", "--bandwidth=20Mbps", "--delay=10ms", "--queue=2000p", "--variant=TcpNewReno")
CROWD += ("--duration=16s", "--traces=received_bytes", "--queue_trace=false", "--flow_monitor=false")


def starved(cell):
    """The flows that get less than others after 6 s: those that share a queue of the disc with another."""
    gained = {}
    for flow in range(100):
        rows = cell.trace("received_bytes", flow)
        gained[flow] = rows[-1][1] - max((value for time, value in rows if time < 6), default=0)
    return {flow for flow, value in gained.items() if value < 0.9 * statistics.median(gained.values())}


@pytest.mark.long
@pytest.mark.parametrize("disc", ["FqCoDelQueueDisc", "FqPieQueueDisc"])
def test_which_flows_share_a_queue_of_a_fair_queue_differs_between_runs(run, disc):
    def cell(name, *more):
        return run(*CROWD, f"--queue_disc={disc}", *more, name=name)

    first, again, second = (cell(name, f"--RngRun={name[0]}") for name in ("1", "1again", "2"))
    salts = [each.record["settings"][f"ns3::{disc}::Perturbation"] for each in (first, again, second)]
    assert salts[0] == salts[1] != salts[2]
    assert (first.folder / "traces.columns").read_bytes() == (again.folder / "traces.columns").read_bytes()
    # 100 flows in 1024 queues: 9 or 10 share one, and which does not depend on the flow's number.
    found = [starved(each) for each in (first, second)]
    assert all(2 <= len(flows) <= 20 for flows in found)
    assert len(found[0] & found[1]) <= 2


def test_a_salt_that_the_command_line_gives_stays(run):
    cells = [
        run(*QUICK, "--duration=2s", f"--queue_disc={disc}", f"--ns3::{disc}::Perturbation=7", name=disc)
        for disc in ("FqCoDelQueueDisc", "FqPieQueueDisc", "FqCobaltQueueDisc")
    ]
    salts = [value for each in cells for name, value in each.record["settings"].items() if "Perturbation" in name]
    assert salts == ["7"] * 3

# SPDX-License-Identifier: MIT
"""Audits of congestion controls in real ns-3: honest ones pass, and those that read hidden things are found."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import yaml

from tcpsweep.core.command_line.commands import new_sweep
from tcpsweep.core.ns3 import catalogue, programs, simulator_environment, variants
from tcpsweep.features.rank import audit_run
from tcpsweep.features.rank.audit_run import Audited
from tests.support.programs import found_ns3

CHANGE, CWND_EVENT, ARGUMENTS, VALUES = 1, 7, 19, 31  # decision-log.h
COMPLETE_CWR, LOSS = 2, 3  # ns-3's TcpSocketState::TcpCAEvent_t
TABLE = yaml.safe_load(Path(__file__).with_name("controls.yaml").read_text())


def run(command, out, seconds):
    with (out / "log.txt").open("wb") as log:
        environment = simulator_environment.environment()
        return subprocess.run(command, env=environment, stdout=log, stderr=log, timeout=seconds).returncode


@pytest.fixture(scope="session")
def ns3(build_folder):
    return found_ns3(build_folder)


@pytest.fixture
def finding(ns3, tmp_path):
    """What an audit says of a control of ns-3, of ours, or of a source."""

    def finding(name, source=None, settings=(), network=audit_run.NETWORK, scenario="dumbbell"):
        auditor = audit_run.auditor(ns3, run, scenario=scenario)
        program = f"variants/{name}" if name in variants.names() else None
        if source:
            program = str(tmp_path / name)
            Path(f"{program}.cc").write_text(source)
        libraries = [programs.compile_program(ns3, program)] if program else []
        return auditor.audit(Audited(f"ns3::{name}", libraries, settings, network), tmp_path / "audit").finding

    return finding


def source(name, constructor="", code=""):
    return TABLE["source"].format(name=name, constructor=constructor, code=code)


@pytest.mark.parametrize("name", ["TcpCubic", "TcpBbr"])
def test_controls_of_ns3_pass(finding, name):
    assert finding(name) == ""


@pytest.mark.long
def test_all_controls_of_ns3_and_ours_pass_but_two_that_take_more(ns3, finding):
    names = [name.removeprefix("ns3::") for name in catalogue.descendants(catalogue.types(ns3), variants.OPS)]
    names += variants.of_kind(variants.OPS)
    assert len(names) > 20
    told = {name: finding(name) for name in names}
    assert told.pop("TcpBbr3") == "it is an AckObserver, too, and its functions as such were not audited"
    # It finds its socket among those of its node, and reads accurate feedback of marks from tags of packets.
    assert "it reads what a sender cannot know" in told.pop("TcpPrague")
    assert not any(told.values()), told


def test_a_recorded_simulation_is_the_same_as_without_an_audit(finding, dumbbell, tmp_path):
    assert finding("TcpIllinois") == ""
    alone = tmp_path / "alone"
    alone.mkdir()
    assert run([dumbbell, "--variant=TcpIllinois", *audit_run.NETWORK, f"--out={alone}"], alone, 60) == 0
    traces = ("traces.columns", "queue.columns", "flow.xml")
    assert all((alone / name).read_bytes() == (tmp_path / "audit/recorded" / name).read_bytes() for name in traces)


def test_an_audit_has_recoveries_and_timeouts(finding, tmp_path):
    assert finding("TcpLinuxReno") == ""
    numbers = np.fromfile(tmp_path / "audit" / "recorded" / "decisions", dtype=np.int64)
    events, place = Counter(), 0
    while place < len(numbers):
        _, call, _, first = numbers[place : place + 4]
        if call == CWND_EVENT:
            events[int(first)] += 1
        place += 5 if call == CHANGE else 3 + ARGUMENTS + 2 * VALUES
    assert events[COMPLETE_CWR] > 10  # the end of recoveries
    assert events[LOSS] >= 1


@pytest.mark.long
def test_the_template_of_new_passes_with_attributes_of_a_sweep(finding, here):
    new_sweep.write(Path("TcpMine.cc"), None, ())
    text = Path("TcpMine.cc").read_text()
    assert finding("TcpMine", text) == ""
    assert finding("TcpMine", text, ["--ns3::TcpMine::Beta=0.7", "--ns3::TcpSocketBase::MinRto=200ms"]) == ""


@pytest.mark.long
@pytest.mark.parametrize("name", TABLE["honest"])
def test_a_control_may_read_the_clock_and_keep_time(finding, name):
    assert finding(name, source(name, **TABLE["honest"][name])) == ""


@pytest.mark.long
@pytest.mark.parametrize("name", TABLE["cheats"])
def test_what_a_sender_cannot_know_is_found(finding, name):
    cheat = TABLE["cheats"][name]
    told = finding(name, source(name, cheat.get("constructor", ""), cheat["code"]))
    print(f"{name}: {told}")
    assert re.search(cheat["finding"], told), told


@pytest.mark.long
def test_what_is_hidden_in_some_networks_is_found_if_one_of_them_is_recorded(finding):
    text = source("TcpSometimes", code="if (LeastRate() == 9000000) { tcb->m_cWnd = 50 * tcb->m_segmentSize; }")
    network = ["--bandwidth=9Mbps", "--delay=10ms", "--flows=1", "--duration=5s", "--RngSeed=5", "--RngRun=3"]
    assert finding("TcpSometimes", text) == ""
    assert "it reads what a sender cannot know" in finding("TcpSometimes", text, network=network)


@pytest.mark.long
def test_another_scenario_can_be_recorded(finding):
    text = source("TcpChained", code="tcb->m_cWnd += LeastRate() / 1000000;")
    network = ["--bandwidth=9Mbps", "--duration=5s", "--RngSeed=5", "--RngRun=3"]
    assert finding("TcpVegas", network=network, scenario="chain") == ""
    assert "it reads what a sender cannot know" in finding("TcpChained", text, network=network, scenario="chain")

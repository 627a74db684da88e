# SPDX-License-Identifier: MIT
"""Audits of congestion controls in real ns-3: honest ones pass, and those that read hidden things are found."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tcpsweep.core.command_line.commands import new_sweep
from tcpsweep.core.ns3 import programs, simulator_environment, variants
from tcpsweep.features.rank import audit_run
from tcpsweep.features.rank.audit_run import Audited
from tests.support.programs import found_ns3

TABLE = yaml.safe_load(Path(__file__).with_name("controls.yaml").read_text())
# All variants of ns-3 3.44.
NS3 = "TcpLinuxReno TcpNewReno TcpCubic TcpBbr TcpVegas TcpIllinois TcpDctcp TcpVeno TcpYeah TcpHighSpeed TcpHybla"
NS3 += " TcpHtcp TcpScalable TcpLedbat TcpLp TcpBic TcpWestwoodPlus"


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
    auditor = audit_run.auditor(ns3, run)

    def finding(name, source=None, settings=()):
        program = f"variants/{name}" if name in variants.names() else None
        if source:
            program = str(tmp_path / name)
            Path(f"{program}.cc").write_text(source)
        libraries = [programs.compile_program(ns3, program)] if program else []
        return auditor.audit(Audited(f"ns3::{name}", libraries, settings), tmp_path / "audit").finding

    return finding


def source(name, constructor="", code=""):
    return TABLE["source"].format(name=name, constructor=constructor, code=code)


@pytest.mark.parametrize("name", ["TcpCubic", "TcpBbr"])
def test_controls_of_ns3_pass(finding, name):
    assert finding(name) == ""


@pytest.mark.long
def test_all_controls_of_ns3_and_ours_pass(finding):
    names = [*NS3.split(), *variants.of_kind(variants.OPS)]
    told = {name: finding(name) for name in names}
    assert told.pop("TcpBbr3") == "it is an AckObserver, too, and what it does as such was not audited"
    assert not any(told.values()), told


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

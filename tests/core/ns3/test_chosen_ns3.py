# SPDX-License-Identifier: MIT
"""On simulated machines without an ns-3 wheel, the ns-3 that the set-up chooses, and one that a sweep file names."""

import os
import sys
from pathlib import Path

import pytest

from tcpsweep.core.ns3 import engine
from tests.support.processes import ran
from tests.support.project import SMALL, TCPSWEEP
from tests.support.tools import ROOT


@pytest.fixture
def choose(tmp_path):
    """Let the set-up choose an ns-3 for a .venv; returns the status, the output, and the noted path."""
    (tmp_path / ".venv").mkdir()

    def choose(has_wheel="", **environment):
        given = {"envs": ROOT / "envs", "venv": tmp_path / ".venv", "system": "Linux aarch64", "has_wheel": has_wheel}
        done = ran("sh", Path(__file__).with_name("choose.sh"), env=os.environ | given | environment)
        note = tmp_path / ".venv" / "ns3.path"
        return done.returncode, done.stdout + done.stderr, note.read_text() if note.is_file() else ""

    return choose


@pytest.fixture
def debian(tmp_path):
    """A prefix with ns-3's headers, and the environment in which it is Debian's."""
    header = tmp_path / "usr" / "include" / "ns3" / "core-config.h"
    header.parent.mkdir(parents=True)
    header.touch()
    return {"DEBIAN_PREFIX": str(tmp_path / "usr")}


def test_a_wheel_is_taken_where_there_is_one_else_debians_ns3_else_its_package_is_named(choose, debian, tmp_path):
    status, told, note = choose("yes", **debian)
    assert (status, note) == (0, "")
    assert "pip install" in told and "ns3.txt" in told
    status, told, note = choose(**debian)
    assert (status, note) == (0, debian["DEBIAN_PREFIX"] + "\n")
    assert "there is no wheel for Linux aarch64, so sweeps use the ns-3 in " in told
    assert "pip install" not in told
    (tmp_path / ".venv" / "ns3.path").unlink()
    status, told, note = choose(DEBIAN_PREFIX=str(tmp_path))
    assert (status, note) == (1, "")
    for words in ("no ns-3 wheel for Linux aarch64", "NS3=... names another", "apt-get install libns3-dev"):
        assert words in told


def test_a_source_that_is_given_is_taken_before_debians_stays_and_gives_way_to_the_wheel(choose, debian, tmp_path):
    source = tmp_path / "ns-3.44.tar.bz2"
    source.touch()
    status, told, note = choose(**debian, NS3=f"{tmp_path}/./ns-3.44.tar.bz2")
    assert (status, note) == (0, f"{source}\n")
    assert "a source, which the first sweep builds" in told
    assert choose("yes", **debian)[2] == f"{source}\n"
    assert choose(**debian, NS3="~/ns-3.44.tar.bz2", HOME=str(tmp_path))[2] == f"{source}\n"  # as make has it
    (tmp_path / ".venv" / "ns3.path").unlink()  # with the rest of .venv, which is made again
    assert choose("yes", **debian, NS3="wheel")[2] == ""


def test_a_note_of_a_source_is_no_prefix(monkeypatch, tmp_path, debian):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert engine.chosen() == {}
    (tmp_path / "ns3.path").write_text("/somewhere/ns-3.44\n")
    assert engine.chosen() == {"source": "/somewhere/ns-3.44"}
    (tmp_path / "ns3.path").write_text(debian["DEBIAN_PREFIX"] + "\n")
    assert engine.chosen() == {"prefix": debian["DEBIAN_PREFIX"]}


@pytest.mark.long
def test_an_ns3_that_a_sweep_file_names_is_told_before_it_is_compiled_for_the_first_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    prefix = engine.find().prefix
    (tmp_path / "own.yaml").write_text(f"{SMALL}ns3: {{prefix: {prefix}}}\n")
    said = f"tcpsweep: own.yaml names its own ns-3: code in {prefix} is compiled and run as you"
    first, second = (ran(TCPSWEEP, "check", "own.yaml") for _ in range(2))
    assert first.returncode == second.returncode == 0, first.stderr
    lines = first.stderr.splitlines()
    assert lines[0] == said
    assert "compiling" in lines[1]
    assert said not in second.stderr

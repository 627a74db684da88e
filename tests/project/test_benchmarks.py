# SPDX-License-Identifier: MIT
"""Benchmarks run at their smallest size and leave no files. The results at this size are meaningless."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from tcpsweep.core.ns3 import engine, programs
from tests.support.processes import ran
from tests.support.tools import PATIENCE_S, ROOT, tool

# One of each kind: the others would take a minute of two cores in each run of the tests.
FIGURES = {"packets": 6, "overhead": 2, "sem": 0, "native": 0}


def command(*arguments):
    return [sys.executable, ROOT / "benchmarks", "--size=tiny", *arguments]


@pytest.mark.native
@pytest.mark.long
@pytest.mark.parametrize("name", FIGURES)
def test_a_benchmark_prints_its_table_and_cleans_up(name, dumbbell, tmp_path):
    if name == "packets":
        tool("tshark")
    environment = os.environ | {"NS3_SOURCE": "", "TMPDIR": str(tmp_path)}  # which would take 20 minutes to build
    done = ran(*command(name), env=environment)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "in all" in done.stdout.splitlines()[0]
    rows = re.findall(rf"^\| {name}: .* \| [0-9].* \|  \|  \|$", done.stdout, re.MULTILINE)
    assert len(rows) == FIGURES[name], done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.native
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_benchmark_leaves_nothing(number, dumbbell, tmp_path):
    environment, pipe = os.environ | {"TMPDIR": str(tmp_path)}, subprocess.PIPE
    process = subprocess.Popen(command("overhead"), env=environment, stdout=subprocess.DEVNULL, stderr=pipe, text=True)
    deadline = time.monotonic() + PATIENCE_S
    while not list(tmp_path.glob("*/project/results")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, said) == (128 + number, "")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_tool_is_named(tmp_path):
    done = ran(*command("packets"), env={"PATH": str(tmp_path)})
    assert (done.returncode, done.stderr) == (1, "tshark is not installed; `apt-get install tshark`\n")


@pytest.mark.long
def test_verdicts_on_paper_print_their_tables():
    done = ran(sys.executable, ROOT / "benchmarks" / "verdicts.py", "--sweeps=3")
    assert done.returncode == 0, done.stderr
    heads = [line for line in done.stdout.splitlines() if line.startswith("| data") or "true effect" in line]
    assert done.stdout.count("| --- |") >= 3
    assert len(heads) == 3


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), [("ranking", ["--races=2"]), ("hidden_networks", ["--searches=2"])])
def test_rankings_on_paper_print_their_tables(name, options, tmp_path):
    figure = tmp_path / "figure.svg"
    if name == "hidden_networks":
        options = [*options, f"--figure={figure}"]
    done = ran(sys.executable, ROOT / "benchmarks" / f"{name}.py", *options)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n| ") > 10
    assert figure.exists() == (name == "hidden_networks")


@pytest.mark.long
@pytest.mark.native
def test_the_control_that_gets_faults_compiles(tmp_path, build_folder, monkeypatch):
    code = "import faults; faults.versions(); print(faults.control())"
    made = ran(sys.executable, "-c", code, cwd=ROOT / "benchmarks")
    (tmp_path / "TcpTried.cc").write_text(made.stdout)
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    assert programs.compile_program(engine.find(), str(tmp_path / "TcpTried")).is_file()

# SPDX-License-Identifier: MIT
"""What the tests share: a copy of the project in a folder of its own, in which Snakemake runs real ns-3 cells."""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pytest

from benchmarks.harness import PARTS
from tcpsweep import engine
from tcpsweep.build import build

ROOT = Path(__file__).parent.parent

# A busy machine is no failure.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

SMALL = """\
sweep: small
scenario: dumbbell
grid:
  variant: [TcpNewReno, TcpCubic]
  delay: [5ms, 10ms]
repetitions: 2
fixed: {bandwidth: 2Mbps, duration: 3s, warmup: 1s, start_jitter: 100ms}
"""


def tool(name):
    """The path of a program that is no part of the set-up: where it is missing, CI fails and others skip and say so."""
    return shutil.which(name) or lacking(name)


def lacking(package):
    """End a test that a Debian package is missing for."""
    if os.environ.get("CI"):
        pytest.fail(f"{package} is not installed")
    pytest.skip(f"{package} is not installed; `apt-get install {package}`")


@dataclass(frozen=True)
class Ran:
    """What a run of Snakemake did: exit status, what it printed, its jobs by rule, the cells that its jobs took."""

    status: int
    text: str
    jobs: dict
    simulated: set
    parsed: set


class Project:
    """A copy of the project."""

    def __init__(self, folder, build):
        self.folder = folder
        for part in PARTS:
            source, place = ROOT / part, folder / part
            if source.is_dir():
                shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place.parent.mkdir(exist_ok=True)
                shutil.copy(source, place)
        if build:
            (folder / "build").symlink_to(build, target_is_directory=True)

    def copy(self, folder):
        """A copy of all that is in it, to change."""
        shutil.copytree(self.folder, folder, symlinks=True)
        copy = object.__new__(Project)
        copy.folder = folder
        return copy

    def __truediv__(self, path):
        return self.folder / path

    def command(self, *arguments):
        """Snakemake on the sweep file, and the environment that it gets: none of this process' package paths."""
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        return [sys.executable, "-m", "snakemake", "--cores", "2", *arguments], environment

    def start(self, *arguments, sweep="sweep.yaml", **options):
        """Start Snakemake without waiting for it."""
        command, environment = self.command(*arguments, "--configfile", *sweep.split())
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **options,
        )

    def run(self, *arguments, sweep=None, name="sweep.yaml"):
        """Run Snakemake; ``sweep`` is a new text for the sweep file. Fails the test on a traceback.

        -p, as what a person sees does not tell of jobs.
        """
        if sweep is not None:
            (self.folder / name).write_text(sweep)
        logs = self.folder / "results" / "logs"
        shutil.rmtree(logs, ignore_errors=True)
        process = self.start("-p", *arguments, sweep=name)
        text, _ = process.communicate(timeout=300)
        assert "Traceback" not in text, text
        cells = {kind: set() for kind in ("simulate", "parse", "measure")}
        for kind, found in cells.items():
            for log in (logs / kind).glob("*.log"):
                found |= set(re.findall(r"^dumbbell-\S+$", log.read_text(), re.MULTILINE))
        jobs = re.findall(r"^(\w+) +([0-9]+)$", text.partition("Job stats:")[2].partition("total")[0], re.MULTILINE)
        return Ran(process.returncode, text, {rule: int(n) for rule, n in jobs}, cells["simulate"], cells["parse"])

    def refuse(self, arguments):
        """Let the compiled simulators fail where their arguments match a shell's pattern."""
        for program in (self.folder / "build").glob("*/dumbbell-*/dumbbell"):
            refusing = self.folder / "own-build" / program.relative_to(self.folder / "build")
            refusing.parent.mkdir(parents=True)
            refusing.write_text(
                "#!/bin/sh\n"
                f'case "$*" in *{arguments}*) echo "the reason it failed" >&2; exit 3;; esac\n'
                f'exec {program.resolve()} "$@"\n'
            )
            refusing.chmod(0o755)
        (self.folder / "build").unlink()
        (self.folder / "own-build").rename(self.folder / "build")

    def tables(self, name="small"):
        """The target that ends with the tables, without figures and report."""
        return f"results/sweeps/{name}/summary.parquet"

    def cells(self):
        """The finished cells' Parquet folders."""
        return sorted((self.folder / "results" / "cells").glob("*/*"))


@pytest.fixture(scope="session")
def build_folder(tmp_path_factory):
    """Programs compiled once for all copies of the project."""
    return tmp_path_factory.mktemp("build")


def found_ns3(build_folder, prefix=None):
    """The ns-3 of an installation prefix or else of the Python environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "BUILD", build_folder)
        return engine.find(prefix)


def compiled(build_folder, prefix=None, name="dumbbell"):
    """A scenario, compiled against the ns-3 of an installation prefix or else of the Python environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "BUILD", build_folder)
        return engine.compile_program(engine.find(prefix), name).resolve()


@pytest.fixture(scope="session")
def program(build_folder):
    """The compiled program of a scenario, by its name."""
    return lambda name: compiled(build_folder, name=name)


@pytest.fixture(scope="session")
def dumbbell(program):
    """The compiled program."""
    return program("dumbbell")


@pytest.fixture(scope="session")
def variant_program(build_folder):
    """Compiles `tests/variants/<name>.cc`, which drives a variant of ours; returns the program."""

    def variant_program(name):
        ns3 = found_ns3(build_folder)
        options = [f"-DNS3_CORE={ns3.core}", f"-DNS3_VERSION={ns3.version}", f"-DPROGRAM=../tests/variants/{name}"]
        return build(ROOT / "ns3-scenarios", build_folder / "variants" / name / name, options)

    return variant_program


@pytest.fixture(scope="session")
def library_of(build_folder):
    """Compiles a variant of ours; returns the arguments that load it."""

    def library_of(variant):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine, "BUILD", build_folder)
            return engine.load([engine.compile_program(engine.find(), f"variants/{variant}").resolve()])

    return library_of


@pytest.fixture(scope="session")
def drive(variant_program, library_of):
    """Drives a variant of ours through steps, as `tests/variants/drive.cc` takes them.

    Returns what it says after each: cwnd and ssthresh in bytes, and its trace sources.
    """

    def drive(variant, *attributes, steps):
        command = [variant_program("drive"), *library_of(variant), f"ns3::{variant}", *attributes]
        lines = "".join(" ".join(map(str, step)) + "\n" for step in steps)
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        said = [dict(pair.split("=") for pair in line.split()) for line in done.stdout.splitlines()]
        assert len(said) == len(steps)
        return [{name: float(value) for name, value in row.items()} for row in said]

    return drive


class Cell:
    """What a cell that was run by hand left."""

    def __init__(self, folder):
        self.folder = folder
        self.record = json.loads((folder / "run.json").read_text())

    def trace(self, name, flow=None):
        rows = [line.split() for line in (self.folder / f"{name}.txt").read_text().splitlines()]
        return [(float(time), float(value)) for time, of, value in rows if flow is None or int(of) == flow]

    def queue(self, *events):
        rows = [line.split() for line in (self.folder / "queue.txt").read_text().splitlines()]
        return [
            {"time": float(r[0]), "event": r[1], "flow": int(r[2]), "bytes": int(r[3]), "delay": float(r[4])}
            | {"packets": int(r[5]), "queued": int(r[6])}
            for r in rows
            if not events or r[1] in events
        ]

    def flow_monitor(self):
        """FlowMonitor's numbers of each data flow, in the order of the sweep's flows."""
        root = ElementTree.parse(self.folder / "flow.xml").getroot()
        stats = {flow.get("flowId"): flow for flow in root.find("FlowStats")}
        keys = ("sourceAddress", "sourcePort", "destinationAddress", "destinationPort")
        by_ends = {
            tuple(flow.get(key) for key in keys): stats[flow.get("flowId")]
            for classifier in ("Ipv4FlowClassifier", "Ipv6FlowClassifier")
            for flow in root.find(classifier)
        }
        ends = ("source", "source_port", "destination", "destination_port")
        return [by_ends[tuple(str(flow[end]) for end in ends)] for flow in self.record["flows"]]


@pytest.fixture
def simulated(tmp_path):
    """Run a cell of a program by hand; returns what it left."""

    def simulated(program, *arguments, name=None):
        out = tmp_path / (name or f"out-{len(list(tmp_path.iterdir()))}")
        out.mkdir()
        done = subprocess.run([program, *arguments, f"--out={out}"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return Cell(out)

    return simulated


@pytest.fixture
def run(dumbbell, simulated):
    """Run a cell of the dumbbell by hand; returns its folder, its record and its queue's rows."""
    return lambda *arguments, name="out": simulated(dumbbell, *arguments, name=name)


@pytest.fixture
def project(tmp_path, build_folder):
    """A copy of the project, its programs shared with the other tests'."""
    return Project(tmp_path, build_folder)


@pytest.fixture(scope="session")
def finished(tmp_path_factory, build_folder):
    """A project in which the small sweep has run to its report. Tests only read it."""
    made = Project(tmp_path_factory.mktemp("finished"), build_folder)
    ran = made.run(sweep=SMALL.replace("fixed:", "capture: {keep_raw: true}\nfixed:"))
    assert ran.status == 0, ran.text
    return made


@pytest.fixture
def copy_of_finished(finished, tmp_path):
    """A finished project to change."""
    return finished.copy(tmp_path / "project")

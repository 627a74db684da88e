# SPDX-License-Identifier: MIT
"""A copy of the project in a separate folder, in which Snakemake runs real ns-3 cells."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import PARTS
from tests.support.processes import ran
from tests.support.programs import replace
from tests.support.tools import PATIENCE_S, ROOT

SMALL = """\
sweep: small
scenario: dumbbell
grid:
  variant: [TcpNewReno, TcpCubic]
  delay: [5ms, 10ms]
repetitions: 2
fixed: {bandwidth: 2Mbps, duration: 3s, warmup: 1s, start_jitter: 100ms}
"""
SNAKEMAKE = Path(sys.executable).with_name("snakemake")
TCPSWEEP = Path(sys.executable).with_name("tcpsweep")
# Raw files stay, so that only parsing can be requested again.
KEPT = SMALL.replace("fixed:", "capture: {keep_raw: true}\nfixed:")

CELL = SMALL.replace("[TcpNewReno, TcpCubic]", "[TcpNewReno]").replace("[5ms, 10ms]", "[5ms]")
CELL = CELL.replace("repetitions: 2", "runs: [1]")

_PIPED = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
SERVE = b"\0--serve\0"


@dataclass(frozen=True)
class Ran:
    """The result of a run of Snakemake: exit status, output, jobs by rule, and the cells of its jobs."""

    status: int
    text: str
    jobs: dict
    simulated: set
    parsed: set


class Project:
    """A copy of the project, with its byte code, so that processes in the copy need not compile it again."""

    def __init__(self, folder, build):
        self.folder = folder
        for part in PARTS:
            source, place = ROOT / part, folder / part
            if source.is_dir():  # without byte code that another process is just writing
                shutil.copytree(source, place, ignore=shutil.ignore_patterns("*.pyc.*"))
            else:
                place.parent.mkdir(exist_ok=True)
                shutil.copy(source, place)
        if build:
            (folder / "build").symlink_to(build, target_is_directory=True)

    @classmethod
    def at(cls, folder):
        """The copy that already exists in a folder."""
        project = object.__new__(cls)
        project.folder = folder
        return project

    def copy(self, folder):
        """A copy of the whole project, to change."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Project.at(folder)

    def own_build(self, *programs):
        """Stop sharing programs with the other tests, and use copies of them."""
        shared = (self.folder / "build").resolve()
        (self.folder / "build").unlink()
        for program in programs:
            shutil.copytree(program.parent, self.folder / "build" / program.parent.relative_to(shared))

    def __truediv__(self, path):
        return self.folder / path

    @property
    def environment(self):
        """The environment in which the installed command `tcpsweep` runs this copy's code.

        Its programs are in the folder that `build` links to.
        """
        return os.environ | {"PYTHONPATH": str(self.folder), "TCPSWEEP_BUILD": str((self.folder / "build").resolve())}

    def command(self, *arguments):
        """The command that starts Snakemake, and its environment."""
        return [SNAKEMAKE, "--logger", "tcpsweep", "--cores", "2", *arguments], self.environment

    def start(self, *arguments, sweep="sweep.yaml", **options):
        """Start Snakemake without waiting for it."""
        command, environment = self.command(*arguments, "--configfile", *sweep.split())
        return subprocess.Popen(command, cwd=self.folder, env=environment, **_PIPED, **options)

    def run(self, *arguments, sweep=None, name="sweep.yaml"):
        """Run Snakemake; ``sweep`` is a new text for the sweep file. Fails the test on a traceback.

        It uses -p, because the brief output does not list jobs.
        """
        if sweep is not None:
            (self.folder / name).write_text(sweep)
        for log in self.folder.glob("results/sweeps/*/jobs/*/*.log"):
            log.unlink()
        process = self.start("-p", *arguments, sweep=name)
        try:
            text, _ = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
        assert "Traceback" not in text, text
        cells = {kind: set() for kind in ("simulate", "parse", "measure")}
        for kind, found in cells.items():
            for log in self.folder.glob(f"results/sweeps/*/jobs/{kind}/*.log"):
                found |= set(re.findall(r"^dumbbell-\S+$", log.read_text(), re.MULTILINE))
        jobs = re.findall(r"^(\w+) +([0-9]+)$", text.partition("Job stats:")[2].partition("total")[0], re.MULTILINE)
        return Ran(process.returncode, text, {rule: int(n) for rule, n in jobs}, cells["simulate"], cells["parse"])

    def refuse(self, arguments):
        """Make the compiled simulators fail if their arguments match a shell pattern."""
        shared = (self.folder / "build").resolve()
        (self.folder / "build").unlink()
        for program in shared.glob("ns*/[!.]*-*/*"):
            own = self.folder / "build" / program.relative_to(shared)
            own.parent.mkdir(parents=True, exist_ok=True)
            if program.name == "dumbbell":
                refused = f'case "$*" in *{arguments}*) echo "the reason it failed" >&2; exit 3;; esac'
                replace(own, ["#!/bin/sh", '[ "$1" != --serve ] || exit 2', refused, f'exec {program} "$@"'])
            elif not program.parent.name.startswith("dumbbell-"):
                own.symlink_to(program)

    def tables(self, name="small"):
        """The target that ends with the tables, without figures and report."""
        return f"results/sweeps/{name}/summary.parquet"

    def cells(self):
        """The finished cells' Parquet folders."""
        return sorted((self.folder / "results" / "cells").glob("*/*"))


def edit(path, old, new):
    """Replace a text in a file, once. The text must exist."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def step(project, *arguments, answer="n\n"):
    """Run a command of tcpsweep in a project, with an answer to its question."""
    return ran(TCPSWEEP, *arguments, cwd=project.folder, env=project.environment, input=answer)


def sweep_started(project, sweep="sweep.yaml"):
    """The command that runs a sweep, started in a project."""
    return subprocess.Popen([TCPSWEEP, "sweep", sweep], cwd=project.folder, env=project.environment, **_PIPED)


def swept(project, sweep="sweep.yaml"):
    """Run the command that runs a sweep, without an error, and return its output."""
    process = sweep_started(project, sweep)
    text, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, text
    return text


def simulators(folder):
    """The process ids of the simulators that work in a folder."""
    found = _processes(folder)
    return [process for process, (command, parent) in found.items() if SERVE not in command or parent in found]


def programs(folder):
    """The process ids of the simulators that work in a folder, and of their parent servers."""
    return list(_processes(folder))


def _processes(folder):
    """The process ids of the scenario's program in a folder, each with its command and its parent."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (process / "cmdline").read_bytes()
            if (process / "cwd").readlink() == folder and b"/dumbbell\0" in command:
                parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
                found[int(process.name)] = command, int(parent)
    return found


def wait_for(condition, process):
    """Wait until a condition is true, as long as a process lives."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.05)

# SPDX-License-Identifier: MIT
"""The place of a tortured sweep: a copy of the project on a separate small disk, and its processes."""

import contextlib
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.programs import replace
from tests.support.project import TCPSWEEP, Project

# Root may write where modes forbid it, unless it gives that up.
NO_OVERRIDE = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
# Values that differ between runs of a cell: its time and its resources.
VARYING = ("wall_s", "cpu_s", "peak_rss_bytes", "cost")
SERVING = Path(__file__).with_name("listed_requests.py")
OURS = {".lock", ".steps", ".temporary", ".snakemake_timestamp"}


class Place:
    """A project on a disk, with a simulator that lists its simulations; everything else is in the folder ``root``."""

    def __init__(self, root, disk, programs, sweep, options=()):
        self.root = root
        self.folder = disk / "project"
        self.temporary = disk / "tmp"
        self.options = options
        self.begun_file = root / "begun"
        self.output = root / "output"
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir(parents=True)
        self.build = root / "build"
        if not self.build.is_dir():
            self._copy(programs)
        if not (root / "project").is_dir():  # copy once, because the code may be edited in the meantime
            (root / "project").mkdir()
            Project(root / "project", self.build)
        self.project = Project.at(root / "project").copy(self.folder)
        (self.folder / "sweep.yaml").write_text(sweep)
        self.begun_file.write_text("")
        self.output.write_text("")

    def _copy(self, programs):
        """Copy the programs, and make the simulator list its simulations."""
        shared = programs["dumbbell"].parents[2]
        for program in programs.values():
            shutil.copytree(program.parent, self.build / program.parent.relative_to(shared))
        for made in shared.glob("ns*/[!.]*-*/*"):  # includes the shared library
            own = self.build / made.relative_to(shared)
            if not own.exists():
                own.parent.mkdir(parents=True, exist_ok=True)
                own.symlink_to(made)
        own = self.build / programs["dumbbell"].relative_to(shared)
        real = programs["dumbbell"]
        serving = f'[ "$1" != --serve ] || exec -a "$0" {sys.executable} {SERVING} "$0" {real} {self.begun_file}'
        listing = f'printf "%s %s\\n" "$EPOCHREALTIME" "$*" >> {self.begun_file}'
        replace(own, ["#!/bin/bash", serving, listing, f'exec -a "$0" {real} "$@"'])

    def start(self):
        """Start the command."""
        prefix = NO_OVERRIDE if can_be_refused() else []
        # Write no byte code: on a full disk, CPython 3.11 truncates byte code files, which it then fails to read.
        environment = self.project.environment | {"PYTHONDONTWRITEBYTECODE": "1"}
        environment |= {"TMPDIR": str(self.temporary), "TCPSWEEP_IGNORE_SPACE": "1"}
        with self.output.open("a") as output:
            output.write("---- started\n")
            output.flush()
            return subprocess.Popen(
                [*prefix, TCPSWEEP, "sweep", "sweep.yaml", *self.options],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def is_to_the_end(self):
        """Whether the command runs all steps."""
        return "--until" not in self.options

    def finished(self):
        """The cells with metrics."""
        while True:
            try:
                return {path.parent.parent.name for path in self.folder.glob("results/cells/*/*/measured-*")}
            except FileNotFoundError:  # a folder vanished between reading its name and its files
                continue

    def begun(self):
        """The simulations that have begun: their times and their cells."""
        cells = {key(shlex.split(command)): cell for cell, command in self._commands().items()}
        lines = [line.split() for line in self.begun_file.read_text().splitlines()]
        return [(float(time), cells[key(arguments)]) for time, *arguments in lines]

    def _commands(self):
        with contextlib.suppress(OSError, ValueError):
            return json.loads(next(self.folder.glob("results/sweeps/*/commands.json")).read_text())
        return {}

    def processes(self, word=b""):
        """The ids of the processes in this place whose command contains a word."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                here = (process / "cwd").readlink().is_relative_to(self.folder)
                if here and word in (process / "cmdline").read_bytes():
                    found.append(int(process.name))
        return found

    def left(self):
        """Descriptions of files and processes that a run should not have left."""
        found = [path for path in self.folder.glob("results/**/.*") if path.name not in OURS]
        found += self.folder.glob("results/claims/*")
        found += self.folder.glob("results/raw/*")
        found += self.folder.glob("results/failed/*")
        found += self.folder.glob("reports/.*")
        found += self.folder.glob(".snakemake/incomplete/*")
        found += self.folder.glob(".snakemake/*tmp*")
        found += [path for path in self.build.glob("**/.*") if path.name != ".lock"]
        # If a job's own Snakemake on a node is killed, it leaves an empty folder there.
        found += [
            path for path in self.temporary.iterdir() if not self.options or path.is_file() or any(path.iterdir())
        ]
        return [str(path) for path in found] + [f"process {process}" for process in self.processes()]

    def digests(self):
        """The contents of all of a sweep's results, by path."""
        found = {}
        for path in self.folder.glob("results/**/*"):
            name = str(path.relative_to(self.folder))
            if path.suffix == ".parquet" or (path.suffix == ".csv" and "/figures/" not in name):
                found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
            elif path.name == "run.json":
                record = json.loads(path.read_text())
                record["arguments"] = key(record["arguments"])  # without its output folder
                record["parameters"].pop("out", None)
                found |= {f"{name}, {what}": json.dumps(record[what]) for what in record if what not in VARYING}
        return found


def key(arguments):
    """The key of a simulation: its arguments without its output folder."""
    return tuple(word for word in arguments if word.startswith("--") and not word.startswith("--out"))


def can_be_refused():
    """Whether file modes restrict this process and its children."""
    return os.geteuid() != 0 or shutil.which(NO_OVERRIDE[0]) is not None


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """Mount a disk of this size, in memory, on a folder. Returns whether that succeeded: only root can mount it."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder]
    mounted = os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", folder], start_new_session=True, check=False)

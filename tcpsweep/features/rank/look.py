# SPDX-License-Identifier: MIT
"""A look of a race: all candidates that are left, and the baseline, simulated in some of the networks."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.frames import opened_sweep
from tcpsweep.core.frames.opened_sweep import OpenedSweep
from tcpsweep.core.identity import hashing
from tcpsweep.core.store import removal
from tcpsweep.core.sweep import failures
from tcpsweep.core.words.mixes import JOINT
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.rank import confinement, rank_sweeps, scores
from tcpsweep.features.rank.rank_sweeps import Networks

_PROGRESS = re.compile(r" simulations( ·|, \d+ left)")  # the lines of a sweep that say how much is left
_OWN_OPTIONS = ("--load=", "--variant=", "--out=")  # of one simulation
_SETTINGS = ("--ns3::", "--corrections=")


@dataclass(frozen=True)
class Bench:
    """Where and how a ranking simulates: folder, baseline, weights, cores, and whether it is confined."""

    folder: Path
    baseline: str
    weights: Mapping[str, float]
    cores: int
    is_confined: bool

    def scores(self, name: str, networks: Networks, rows: Sequence[int], files: Mapping[str, Path]) -> Scored:
        """Simulate candidates, given by their files, in some networks; ``name`` is that of the sweep.

        Raises `UserError` if nothing could be simulated.
        """
        variants = [str(file) for file in files.values()]
        file = rank_sweeps.write(self.folder, name, networks, rows, variants, self.baseline)
        command = [sys.executable, "-P", "-m", "tcpsweep", "sweep", file.name]
        command += ["--until", "simulate", "--cores", str(self.cores)]
        if self.is_confined:
            command = confinement.campaign(self.folder, command)
        record = self.folder / "results/sweeps" / name / "sweep.json"
        removal.remove(record, within=self.folder)  # that of an earlier call, whose cells remain
        log = self.folder / f"{name}.log"
        status = self._run(command, log)
        if not record.is_file():
            raise UserError(f"the sweep {name} of the ranking was not planned; the last words of {log}:\n{_end(log)}")
        sweep = opened_sweep.read(name, self.folder)
        if sweep.cells.filter(pl.col("state") == "missing").height:
            raise UserError(f"the sweep {name} ended with status {status}; see {log}:\n{_end(log)}")
        table = scores.table(sweep, networks, self.baseline, self.weights)
        return Scored(table, _failures(sweep), sweep.cells.height)

    def _run(self, command: Sequence[str], log: Path) -> int:
        """Run a sweep with its messages in a file, and its progress on the standard error; returns the status."""
        with (
            log.open("w", encoding="utf-8") as out,
            subprocess.Popen(
                command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
            ) as process,
        ):
            assert process.stdout
            try:
                for line in process.stdout:
                    out.write(line)
                    if _PROGRESS.search(line):
                        say(line.rstrip(), file=sys.stderr, flush=True)
                return process.wait()
            except BaseException:
                process.kill()
                raise

    def options(self, name: str) -> tuple[list[str], list[str]]:
        """What the simulations of a sweep are told: the settings of all, and the first network with seed and run."""
        commands = json.loads((self.folder / "results/sweeps" / name / "commands.json").read_text(encoding="utf-8"))
        words = shlex.split(next(iter(commands.values())))
        options = [word for word in words if word.startswith("--") and not word.startswith(_OWN_OPTIONS)]
        settings = [word for word in options if word.startswith(_SETTINGS)]
        return settings, [word for word in options if word not in settings]


@dataclass(frozen=True)
class Scored:
    """The scores of a look, from `scores.table`, and the last words of candidates' simulations that failed."""

    scores: pl.DataFrame
    failures: Mapping[str, str]
    simulations: int


def _failures(sweep: OpenedSweep) -> dict[str, str]:
    """Each candidate of which a simulation failed, to the simulator's last words."""
    failed = sweep.cells.filter(pl.col("state") == "failed").select("variant", "place")
    return {
        variant.split(JOINT)[0]: " ".join(failures.last_lines(Path(place) / "log.txt")) or "its simulation failed"
        for variant, place in failed.rows()
    }


def _end(file: Path) -> str:
    """The last lines of a text file."""
    return "\n".join(failures.last_lines(file))


def dealt(networks: Networks) -> list[list[int]]:
    """The networks of each look, by their numbers: first six at random, then half as many again, until none is left.

    A race needs networks in random order. The order follows from the file's networks.
    """
    count = len(networks.rows)
    order = np.random.default_rng(int(hashing.short_hash(*map(str, networks.rows)), 16)).permutation(count).tolist()
    looks, end = [], 0
    while end < count:
        start, end = end, min(count, max(rank_sweeps.LEAST_NETWORKS, end + end // 2))
        looks.append(order[start:end])
    return looks


def cores(given: int | None) -> int:
    """The cores to use: the given number, or all of this process."""
    return given or len(os.sched_getaffinity(0))

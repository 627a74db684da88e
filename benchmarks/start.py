# SPDX-License-Identifier: MIT
"""Measure the overhead of many short cells: per cell, and for the start and end of their sweep.

Three commands run in turn: a sweep of 128 cells of about 0.15 s, with captured packets at the bottleneck; only its job
of cells; and only the cells' simulators under `xargs -P 2`. The overhead per cell is the CPU time of the job minus the
CPU time of the simulators, relative to the simulators. The overhead of start and end is the wall time of the sweep
minus the wall time of the job, relative to Snakemake's start. It includes Snakemake's work, planning, tables, figures,
cells' pages and the report.
"""

import json
import shlex
import sys
from dataclasses import dataclass

import harness

SWEEP = """\
sweep: start
scenario: dumbbell
grid:
  variant: [TcpNewReno, TcpCubic, TcpBbr, TcpVegas]
  bandwidth: [1Mbps, 2Mbps]
  delay: [10ms, 40ms]
repetitions: {repetitions}
fixed: {{duration: {duration}s, warmup: 1s, start_jitter: 100ms}}
capture: {{pcap: bottleneck}}
"""
COMBINATIONS = 16
# Limits: relative to the simulators' CPU time, and to the wall time of Snakemake's start.
MOST_BESIDE, MOST_ENDS = 0.15, 8


@dataclass(frozen=True)
class Size:
    """The repetitions of the combinations, the simulated seconds of a cell, and the number of rounds."""

    repetitions: int
    duration_s: int
    rounds: int


SIZES = {"full": Size(8, 20, 5), "quick": Size(8, 20, 1), "tiny": Size(1, 2, 1)}


def minutes(size):
    """The approximate duration."""
    return size.rounds * (COMBINATIONS * size.repetitions * 0.2 * 1.5 + 6) / 60


def measure(size, scratch):
    """Yield the CPU time of a cell, and the wall time of start and end."""
    harness.program()
    project = harness.Project(scratch / "project")
    text = SWEEP.format(repetitions=size.repetitions, duration=size.duration_s)
    (project / "sweep.yaml").write_text(text, encoding="utf-8")
    harness.cost(*project.sweep("-n"))
    kept = _Kept(project)

    def forget():
        project.forget()
        kept.copy_plan()

    sides = {
        harness.YARDSTICK: harness.START_SNAKEMAKE,
        "sweep": project.sweep(),
        "job of cells": kept.job(),
        "simulators": kept.simulators(),
    }
    costs = harness.interleaved(sides, size.rounds, forget)
    cells = COMBINATIONS * size.repetitions
    rounds = list(zip(*(costs[name] for name in sides), strict=True))
    beside = [(job.cpu_s - alone.cpu_s) / alone.cpu_s for _, _, job, alone in rounds]
    beside_ms = [1000 * (job.cpu_s - alone.cpu_s) / cells for _, _, job, alone in rounds]
    ends = [(sweep.wall_s - job.wall_s) / start.wall_s for start, sweep, job, _ in rounds]
    ends_s = [sweep.wall_s - job.wall_s for _, sweep, job, _ in rounds]
    ends_name = f"start: start and end of a sweep of {cells} cells"
    yield harness.judged("start: CPU time of a cell / of its simulator, minus 1", beside, most=MOST_BESIDE)
    yield harness.judged("start: CPU time of a cell beside its simulator", beside_ms, unit=" ms", digits=1)
    yield harness.judged(f"{ends_name} / {harness.YARDSTICK}, wall time", ends, most=MOST_ENDS, digits=1)
    yield harness.judged(f"{ends_name}, wall time", ends_s, unit=" s", digits=1)


class _Kept:
    """A copy of the plan of a sweep's only job, which stays when the results are removed."""

    def __init__(self, project):
        self.project = project
        (self.plan,) = (project / "results").glob("sweeps/*/jobs/simulate/*.json")
        self.text = self.plan.read_text(encoding="utf-8")
        self.arguments = project / "arguments"
        job = json.loads(self.text)
        self.binary = job["binary"]
        self.outs = [project / "by-hand" / cell["id"] for cell in job["cells"]]
        lines = [
            shlex.join([*cell["arguments"], f"--out={out}"]) for cell, out in zip(job["cells"], self.outs, strict=True)
        ]
        self.arguments.write_text("\n".join(lines), encoding="utf-8")
        self.copy_plan()

    def copy_plan(self):
        """Restore the plan, and the folders that simulators write to."""
        self.plan.parent.mkdir(parents=True, exist_ok=True)
        self.plan.write_text(self.text, encoding="utf-8")
        for out in self.outs:
            out.mkdir(parents=True, exist_ok=True)

    def job(self):
        """The command of the job, as in the rule."""
        command = 'POLARS_MAX_THREADS=1 OPENBLAS_NUM_THREADS=1 "$0" cells "$1" --workers 2'
        tcpsweep = str(self.project.sweep()[0][0])
        return ["sh", "-c", command, tcpsweep, self.plan.relative_to(self.project.folder)], self.project.folder

    def simulators(self):
        """The command that runs only the cells' simulators."""
        return ["xargs", "-a", self.arguments, "-P", "2", "-L", "1", self.binary], self.project.folder


if __name__ == "__main__":
    harness.main(sys.modules[__name__])

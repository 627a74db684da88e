# SPDX-License-Identifier: MIT
"""Measure the time before a sweep of 10,000 cells runs anything, relative to the start `snakemake --version`.

"Planned" is `snakemake -n` without results. "Found finished" is `snakemake -n` when all cells have folders, which this
script makes, empty. "One value added" is the time from the start of `snakemake` to a new cell's first simulator.
"""

import shutil
import sys
from dataclasses import dataclass

import harness

RUNS = 100
SWEEP = """\
sweep: planning
scenario: dumbbell
grid: {{variant: [TcpNewReno, TcpCubic], delay: [{delays}]}}
repetitions: {runs}
fixed: {{duration: 600s}}
"""


@dataclass(frozen=True)
class Size:
    """The number of cells and of rounds."""

    cells: int
    rounds: int


SIZES = {"full": Size(10_000, 5), "quick": Size(10_000, 1), "tiny": Size(200, 1)}


def minutes(size):
    """The approximate duration."""
    return (size.rounds + 1) * (size.cells / 1500 + 5) / 60


def sweep(cells):
    """A sweep file with this number of cells, rounded to whole delays."""
    delays = ", ".join(f"{i + 1}ms" for i in range(cells // (2 * RUNS)))
    return SWEEP.format(delays=delays, runs=RUNS)


FINISH = """
from tcpsweep.store import layout
from tcpsweep.sweep import sweep_record
sweep = sweep_record.read(layout.SWEEPS / "planning")
for run in sweep.cells:
    sweep.measured(run).mkdir(parents=True)
    (sweep.measured(run) / "SHA256SUMS").touch()
"""


def finish(project):
    """Make the folders of a planned sweep's cells."""
    harness.cost([sys.executable, "-c", FINISH], project.folder)


def measure(size, scratch):
    """Yield the wall time of each step, relative to Snakemake's start and in s."""
    harness.program()
    fresh, finished, grown = (harness.Project(scratch / name) for name in ("fresh", "finished", "grown"))
    for project in (fresh, finished, grown):
        (project / "sweep.yaml").write_text(sweep(size.cells), encoding="utf-8")
    harness.cost(*finished.snakemake("-n"))
    finish(finished)
    shutil.copytree(finished / "results", grown / "results")
    (grown / "sweep.yaml").write_text(sweep(size.cells + 2 * RUNS), encoding="utf-8")

    def simulating():
        return any((grown / "results/raw").glob(".*/log.txt"))

    def clean():
        fresh.forget()
        for path in ("raw", "plans"):
            shutil.rmtree(grown / "results" / path, ignore_errors=True)

    cells = f"{size.cells:,} cells"
    commands = {
        harness.YARDSTICK: harness.START_SNAKEMAKE,
        f"{cells} planned": fresh.snakemake("-n"),
        f"{cells} found finished": finished.snakemake("-n"),
        f"{cells}, one value added": [*grown.snakemake(), simulating],
    }
    costs = harness.interleaved(commands, size.rounds, clean)
    start = costs.pop(harness.YARDSTICK)
    yield harness.described(f"planning: {harness.YARDSTICK}", start)
    for name, found in costs.items():
        yield harness.described(f"planning: {name}", found)
        yield harness.judged(
            f"planning: {name} / {harness.YARDSTICK}, wall time", harness.ratios(found, start), digits=1
        )


if __name__ == "__main__":
    harness.main(sys.modules[__name__])

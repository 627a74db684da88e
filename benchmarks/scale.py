# SPDX-License-Identifier: MIT
"""Measure the cost of a sweep of 100,000 cells with four flows, without its simulations.

It has few or many combinations. The benchmark measures planning, finding the sweep finished, tables, page, static
figures, and the search of `tcpsweep prune`. One cell of each variant is simulated. `made_up_cells.py` makes up the
others.
"""

import shutil
import sys
from dataclasses import dataclass

import harness

UNWANTED = (
    "from tcpsweep.core.command_line.commands import prune; from tcpsweep.registry import connect; connect.connect(); "
    "assert not prune.unwanted().get('Parquet of cells')"
)
VARIANTS = ["TcpNewReno", "TcpLinuxReno", "TcpCubic", "TcpNewReno+TcpCubic"]
SWEEP = """\
sweep: scale
scenario: dumbbell
grid:
  variant: [{variants}]
  bandwidth: [{bandwidths}]
  loss: [{losses}]
  delay: [{delays}]
repetitions: {runs}
fixed: {{flows: 4, duration: 20s, warmup: 5s}}
"""
FOLDER = "results/sweeps/scale"


@dataclass(frozen=True)
class Part:
    """A sweep of ``combinations``, each run ``runs`` times; ``steps`` values of bandwidth and of loss."""

    combinations: int
    runs: int
    steps: int

    @property
    def cells(self):
        """The number of cells."""
        return self.combinations * self.runs


SIZES = {
    "full": (Part(5_000, 20, 5), Part(100_000, 1, 10)),
    "quick": (Part(500, 20, 5),),
    "tiny": (Part(8, 2, 1),),
}
# The limits for each step: a multiple of Snakemake's start, and MiB.
MOST = {"planned": (90, 2048), "found finished": (45, 2048), "tables": (150, 2048), "figures and page": (60, 4096)}
MOST_MB = 10  # limit for the page


def minutes(parts):
    """The approximate duration."""
    return sum(part.cells * 0.006 + 20 for part in parts) / 60


def sweep(combinations, runs, steps):
    """A sweep file with this number of combinations."""
    return SWEEP.format(
        variants=", ".join(VARIANTS),
        bandwidths=", ".join(f"{i + 1}Mbps" for i in range(steps)),
        losses=", ".join(f"{i}e-4" for i in range(steps)),
        delays=", ".join(f"{i + 1}ms" for i in range(combinations // (len(VARIANTS) * steps**2))),
        runs=runs,
    )


def steps(project):
    """The commands that follow the cells, by name."""

    def step(*arguments):
        return [[sys.executable, "-m", "tcpsweep", *arguments], project.folder]

    return {
        "tables": step("aggregate", FOLDER),
        "figures and page": step("report", FOLDER, "reports/scale.html"),
        "all looked through for what to prune": [
            [sys.executable, "-c", UNWANTED],
            project.folder,
        ],
    }


def measure(parts, scratch):
    """Yield the time and memory of each step, measured once, and the sizes of the steps' files."""
    harness.program()
    start_s = harness.yardstick_s()
    for part in parts:
        project = harness.Project(scratch / f"{part.combinations}")
        (project / "sweep.yaml").write_text(sweep(len(VARIANTS), 1, 1), encoding="utf-8")
        harness.cost(*project.snakemake("--until", "simulate"))
        (project / "sweep.yaml").write_text(sweep(part.combinations, part.runs, part.steps), encoding="utf-8")
        costs = harness.interleaved({"planned": project.snakemake("-n", "-q")}, 1)
        harness.cost([sys.executable, harness.ROOT / "benchmarks" / "made_up_cells.py", "scale"], project.folder)
        costs |= harness.interleaved({"found finished": project.snakemake("-n", "-q")} | steps(project), 1)
        for name, found in costs.items():
            yield from _rows(f"scale: {part.combinations:,} combinations × {part.runs}, {name}", name, found, start_s)
        size = (project / "reports/scale.html").stat().st_size / 1e6
        yield harness.judged(
            f"scale: {part.combinations:,} combinations × {part.runs}, the page", [size], MOST_MB, unit=" MB", digits=1
        )
        shutil.rmtree(project.folder)


def _rows(title, name, found, start_s):
    """The rows of a step: its cost, and its limits if it has any."""
    if name not in MOST:
        yield harness.described(title, found)
        return
    most, most_mib = MOST[name]
    yield harness.judged(f"{title}, wall time", [one.wall_s for one in found], unit=" s", digits=1)
    starts = [one.wall_s / start_s for one in found]
    yield harness.judged(f"{title} / {harness.YARDSTICK}, wall time", starts, most, digits=1)
    yield harness.judged(f"{title}, memory", [one.peak_mib for one in found], most_mib, unit=" MiB", digits=0)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])

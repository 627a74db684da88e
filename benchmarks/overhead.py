# SPDX-License-Identifier: MIT
"""Measure a sweep's overhead: compare `snakemake --cores 2` with the same simulators under `xargs -P 2`.

Snakemake runs a whole sweep from an empty folder, including the report and pages. `xargs` runs the commands that the
report shows for running each cell by hand, each in a new folder. As in a sweep, their files are removed after use,
because the longer cells would fill the disk.
"""

import json
import sys
from dataclasses import dataclass

import harness

SWEEP = """\
sweep: overhead
scenario: dumbbell
grid: {{variant: [TcpNewReno, TcpCubic]}}
repetitions: {repetitions}
fixed: {{duration: {duration}s, warmup: 0s, start_jitter: 100ms}}
pages: {pages}
"""


@dataclass(frozen=True)
class Part:
    """A sweep: its cells, the CPU seconds of a cell, its overhead limit, its rounds, and whether cells get pages."""

    cells: int
    seconds: float
    most: float
    rounds: int
    pages: bool = True


# By default, a sweep of 10,000 cells makes no pages.
_LONG, _TINY = 1.05, 1.35
SIZES = {
    "full": (Part(24, 30, _LONG, 2), Part(10_000, 0.2, _TINY, 1, pages=False)),
    "quick": (Part(8, 10, _LONG, 1), Part(400, 0.2, _TINY, 1, pages=False)),
    "tiny": (Part(2, 0.1, _LONG, 1),),
}


def minutes(parts):
    """The approximate duration of the simulators, and of the sweep at its limit."""
    return sum(part.rounds * (1 + part.most) * part.cells * part.seconds / 2 + 20 for part in parts) / 60


def pace(binary, scratch):
    """A cell's simulated seconds per second of CPU time, and the start time of its program in s."""
    short, long = 5, 25

    def command(duration):
        return [[binary, f"--duration={duration}s", f"--out={scratch}"]]

    costs = harness.interleaved({"5 s simulated": command(short), "25 s simulated": command(long)}, 3)
    least = [min(one.cpu_s for one in found) for found in costs.values()]
    speed = (long - short) / (least[1] - least[0])
    return speed, max(least[0] - short / speed, 0)


def commands(project):
    """Write the file with the cells' commands. Returns the `xargs` command that runs them, for `harness.cost`."""
    table = json.loads((project / "results/sweeps/overhead/commands.json").read_text(encoding="utf-8"))
    lines = [f"{line} > /dev/null && rm -r by-hand/{cell}" for cell, line in table.items()]
    (project / "commands").write_text("\n".join(lines), encoding="utf-8")
    return ["xargs", "-a", "commands", "-d", r"\n", "-P", "2", "-n", "1", "sh", "-c"], project.folder


def measure(parts, scratch):
    """Yield the ratio for each part, of wall times and of CPU times."""
    binary = harness.program()
    project = harness.Project(scratch / "project")

    def write(part, duration):
        pages = str(part.pages).lower()
        text = SWEEP.format(repetitions=part.cells // 2, duration=f"{duration:.1f}", pages=pages)
        (project / "sweep.yaml").write_text(text, encoding="utf-8")

    speed, start_s = pace(binary, scratch)
    for part in parts:
        write(part, max((part.seconds - start_s) * speed, 1))
        harness.cost(*project.snakemake("-n"))
        pair = {"tcpsweep": project.sweep(), "xargs": commands(project)}
        project.forget()
        costs = harness.interleaved(pair, part.rounds, project.forget)
        what = f"overhead: {part.cells} cells of {part.seconds} s, tcpsweep / xargs"
        walls, cpus = (harness.ratios(costs["tcpsweep"], costs["xargs"], name) for name in ("wall_s", "cpu_s"))
        yield harness.judged(f"{what}, wall time", walls, most=round(part.most, 2))
        yield harness.judged(f"{what}, CPU time", cpus)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])

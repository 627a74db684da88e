# SPDX-License-Identifier: MIT
"""What a sweep of 100,000 cells with four flows costs beside its simulations, in few combinations and in many.

Measured are planning, finding it finished, tables, page, static figures and the search of `make prune`. One cell of
each variant is simulated; all others get their own folders with the same files, and metrics drawn from some sets of
numbers.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass

import harness

UNWANTED = "from tcpsweep.commands import prune; assert not prune.unwanted().get('Parquet of cells')"
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
# Copy the files that tables are made from, so that each is opened and read; link the others.
COPY = """
import io, json, os, random
from pathlib import Path
import polars as pl
from tcpsweep.store import digests
SETS = 100
table = json.loads(Path("results/sweeps/scale/sweep.json").read_text())
numbers, models = random.Random(1), {}

def place_of(cell):
    return Path("results/cells") / cell / table["parser"]

def drawn(table, column):
    found, factor = io.BytesIO(), 1 + numbers.gauss(0, 0.02)
    table.with_columns(pl.col(column) * factor).write_parquet(found)
    return found.getvalue()

def model(place):
    measured = next(place.glob("measured-*"))
    measures = pl.read_parquet(measured / "measures.parquet")
    monitored = pl.read_parquet(place / "flow_monitor.parquet")
    return {
        "record": json.loads((place / "run.json").read_text()),
        "links": [path for path in place.glob("*.parquet") if path.name != "flow_monitor.parquet"],
        "flow_monitor": [drawn(monitored, "mean_delay_s") for _ in range(SETS)],
        "audit": (measured / "audit.parquet").read_bytes(),
        "fairness": (measured / "fairness.parquet").read_bytes(),
        "measures": [drawn(measures, "value") for _ in range(SETS)],
    }

left = [run for run in table["cells"] if not place_of(run[0]).is_dir()]
for cell, combination, _ in table["cells"]:
    if place_of(cell).is_dir():
        models[table["combinations"][combination]["variant"]] = model(place_of(cell))
for cell, combination, run in left:
    like, place = models[table["combinations"][combination]["variant"]], place_of(cell)
    measured = place / f"measured-{table['measures'][combination]}"
    measured.mkdir(parents=True)
    for path in like["links"]:
        os.link(path, place / path.name)
    (place / "flow_monitor.parquet").write_bytes(like["flow_monitor"][run % SETS])
    (place / "run.json").write_text(json.dumps(like["record"]))
    (measured / "audit.parquet").write_bytes(like["audit"])
    (measured / "fairness.parquet").write_bytes(like["fairness"])
    (measured / "measures.parquet").write_bytes(numbers.choice(like["measures"]))
    digests.write(place)
    digests.write(measured)
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
        """How many cells it has."""
        return self.combinations * self.runs


SIZES = {
    "full": (Part(5_000, 20, 5), Part(100_000, 1, 10)),
    "quick": (Part(500, 20, 5),),
    "tiny": (Part(40, 2, 1),),
}
# Seconds and MiB that each step may take.
MOST = {"planned": (60, 2048), "found finished": (30, 2048), "tables": (300, 4096)}
MOST_MB = 10  # of the page


def minutes(parts):
    """About how long it takes."""
    return sum(part.cells * 0.006 + 20 for part in parts) / 60


def sweep(combinations, runs, steps):
    """A sweep file with that many combinations."""
    return SWEEP.format(
        variants=", ".join(VARIANTS),
        bandwidths=", ".join(f"{i + 1}Mbps" for i in range(steps)),
        losses=", ".join(f"{i}e-4" for i in range(steps)),
        delays=", ".join(f"{i + 1}ms" for i in range(combinations // (len(VARIANTS) * steps**2))),
        runs=runs,
    )


def steps(project):
    """The commands that follow the cells, by their products."""

    def step(*arguments):
        return [[sys.executable, "-m", "tcpsweep", *arguments], project.folder]

    return {
        "tables": step("aggregate", FOLDER),
        "figures": step("figures", FOLDER),
        "page": step("report", FOLDER, "reports/scale.html"),
        "all looked through for what to prune": [
            [
                sys.executable,
                "-c",
                UNWANTED,
            ],
            project.folder,
        ],
    }


def measure(parts, scratch):
    """Time and memory of each step, measured once; in between, the sizes of what the steps leave."""
    harness.program()
    for part in parts:
        project = harness.Project(scratch / f"{part.combinations}")
        (project / "sweep.yaml").write_text(sweep(len(VARIANTS), 1, 1), encoding="utf-8")
        harness.cost(*project.snakemake("--until", "simulate"))
        (project / "sweep.yaml").write_text(sweep(part.combinations, part.runs, part.steps), encoding="utf-8")
        costs = harness.interleaved({"planned": project.snakemake("-n", "-q")}, 1)
        shutil.rmtree(next(project.glob("results/sweeps/*/jobs")))
        command = [sys.executable, "-c", COPY]
        done = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise harness.Failed(done.stderr.strip())
        costs |= harness.interleaved({"found finished": project.snakemake("-n", "-q")} | steps(project), 1)
        for name, found in costs.items():
            yield from _rows(f"scale: {part.combinations:,} combinations × {part.runs}, {name}", name, found)
        size = (project / "reports/scale.html").stat().st_size / 1e6
        yield harness.judged(
            f"scale: {part.combinations:,} combinations × {part.runs}, the page", [size], MOST_MB, unit=" MB", digits=1
        )
        shutil.rmtree(project.folder)


def _rows(title, name, found):
    """The rows of a step: what it cost, with its limits if it has any."""
    if name not in MOST:
        yield harness.described(title, found)
        return
    most_s, most_mib = MOST[name]
    yield harness.judged(f"{title}, wall time", [one.wall_s for one in found], most_s, unit=" s", digits=1)
    yield harness.judged(f"{title}, memory", [one.peak_mib for one in found], most_mib, unit=" MiB", digits=0)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])

# SPDX-License-Identifier: MIT
"""Measure the cost of a separate Snakemake job for each simulation, in contrast to tcpsweep's batches.

Each job only touches a file. So the wall time is Snakemake's own time for its start, its graph and its jobs, with the
settings of `profiles/default`. For comparison, `xargs -P 2` starts the same commands.
"""

import sys
from dataclasses import dataclass

import harness

# As in profiles/default, without its messages about simulations.
SETTINGS = [
    *("--workflow-profile", "none", "--scheduler", "greedy", "--scheduler-subsample", "500"),
    *("--rerun-triggers", "mtime", "--nolock", "--drop-metadata"),
    *("--latency-wait", "0", "--max-checksum-file-size", "0"),
]
SNAKEFILE = """\
rule all:
    input:
        expand("simulated/{{number}}", number=range({jobs})),


rule simulate:
    output:
        touch("simulated/{{number}}"),
    shell:
        "true"
"""


@dataclass(frozen=True)
class Size:
    """The numbers of simulations in the sweeps, and the number of rounds."""

    jobs: tuple
    rounds: int


SIZES = {"full": Size((200, 2_000, 10_000), 1), "quick": Size((200, 2_000), 1), "tiny": Size((20,), 1)}


def minutes(size):
    """The approximate duration: 20 ms a job."""
    return sum(size.rounds * (jobs * 0.02 + 5) for jobs in size.jobs) / 60


def measure(size, scratch):
    """Yield the wall time for planning and running the jobs, with Snakemake and with xargs."""
    for jobs in size.jobs:
        folder = scratch / f"{jobs}"
        (folder / "simulated").mkdir(parents=True)
        (folder / "Snakefile").write_text(SNAKEFILE.format(jobs=jobs), encoding="utf-8")
        (folder / "numbers").write_text("\n".join(map(str, range(jobs))), encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", "--cores", "2", *SETTINGS]
        xargs = ["xargs", "-a", "numbers", "-P", "2", "-I{}", "sh", "-c", "true; touch simulated/{}.by-xargs"]
        sides = {
            "planned": [[*command, "-n", "-q"], folder],
            "xargs": [xargs, folder],
            "run": [[*command, "-q"], folder],
        }
        costs = harness.interleaved(sides, size.rounds)
        what = f"rules: a rule for each of {jobs:,} simulations"
        for name in ("planned", "run"):
            yield harness.described(f"{what}, {name}", costs[name])
        beside = [
            1000 * (one.wall_s - other.wall_s) / jobs for one, other in zip(costs["run"], costs["xargs"], strict=True)
        ]
        yield harness.judged(f"{what}, wall time of one beside its command", beside, unit=" ms", digits=1)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])

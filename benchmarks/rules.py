# SPDX-License-Identifier: MIT
"""What a Snakemake rule for each simulation costs, next to the batches of tcpsweep.

The jobs do nothing: each touches its file. So the wall time is Snakemake's own, for its start, its graph and its jobs,
with the settings of `profiles/default`. The other side is `xargs -P 2`, which starts the same commands.
"""

import sys
from dataclasses import dataclass

import harness

# As in profiles/default, without its messages on simulations.
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
    """How many simulations the sweeps have, and how often each is measured."""

    jobs: tuple
    rounds: int


SIZES = {"full": Size((200, 2_000, 10_000), 1), "quick": Size((200, 2_000), 1), "tiny": Size((20,), 1)}


def minutes(size):
    """About how long it takes: 20 ms a job."""
    return sum(size.rounds * (jobs * 0.02 + 5) for jobs in size.jobs) / 60


def measure(size, scratch):
    """Wall time to plan the jobs and to run them, by Snakemake and by xargs."""
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

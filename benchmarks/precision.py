# SPDX-License-Identifier: MIT
"""Check the promise of `precision`: stop runs by an interval's width, and count how often it covers the truth.

`.venv/bin/python benchmarks/precision.py [RUNS …]` prints the tables of docs/statistics.md. For generated
runs, the true mean is known. For the `runs.parquet` of a finished sweep, it is the mean over all runs. Then 500
sequential experiments are drawn from these runs, each without replacement. The stopping rule is the same function as in
sweeps.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.statistics import means, sequential
from tcpsweep.core.sweep.rounds import FIRST_RUNS

Array = npt.NDArray[np.float64]
SHARE, AT_MOST = 0.05, 400
MADE_UP, DRAWN = 20_000, 500


def experiments(runs: Array, truth: float, share: float, at_most: int) -> str:
    """The results of sequential experiments, as a row of a table. ``runs`` has a row for each, in order."""
    sums, squares = np.cumsum(runs, axis=1), np.cumsum(runs * runs, axis=1)
    number = np.arange(len(runs))
    count = np.full(len(runs), FIRST_RUNS)
    quantile = np.array([0.0, 0.0, *means.student_t(range(1, at_most))])
    rounds = 0
    while True:
        mean = sums[number, count - 1] / count
        variance = np.maximum(0, squares[number, count - 1] - count * mean**2) / (count - 1)
        half = quantile[count] * np.sqrt(variance / count)
        state = pl.DataFrame({"runs": count, "half": half, "asked": share * np.abs(mean)})
        wanted = sequential.wanted_runs(pl.col("runs"), pl.col("half"), pl.col("asked"), pl.col("runs") <= FIRST_RUNS)
        following = np.minimum(state.select(wanted).to_series().to_numpy(), at_most)
        rounds += 1
        if (following == count).all():
            break
        count = following
    within = np.mean(np.abs(mean - truth) <= share * np.abs(mean))
    covered = np.mean(np.abs(mean - truth) <= half)
    reached = np.mean(half <= share * np.abs(mean))
    most = np.percentile(count, 95)
    shares = [f"{100 * share:.1f} %" for share in (within, covered, reached)]
    return " | ".join([*shares[:2], f"{count.mean():.1f}", f"{most:.0f}", str(rounds), shares[2]])


HEAD = (
    "| runs | ± asked holds the truth | Student's interval holds it | runs, mean "
    "| 95 % of them at most | rounds | reached |\n"
    "|---|---|---|---|---|---|---|"
)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", type=Path, help="runs.parquet of sweeps with very many runs")
    asked = parser.parse_args()
    rng = np.random.default_rng(1)
    print(HEAD)
    for spread in (0.05, 0.1, 0.2):
        made_up = 1 + spread * rng.standard_normal((MADE_UP, AT_MOST))
        print(
            f"| normal, coefficient of variation {100 * spread:.0f} % | {experiments(made_up, 1.0, SHARE, AT_MOST)} |"
        )
    skewed = rng.standard_exponential((MADE_UP, AT_MOST)) * 0.1 + 0.9
    print(f"| skewed (exponential), coefficient of variation 10 % | {experiments(skewed, 1.0, SHARE, AT_MOST)} |")
    for path in asked.runs:
        table = pl.read_parquet(path).filter(pl.col("metric") == "goodput_bps")
        for (variant,), own in sorted(table.group_by("flow_variant")):
            values = own["value"].to_numpy()
            spread = values.std(ddof=1) / values.mean()
            share = float(f"{max(0.001, spread / 2):.1g}")
            drawn = np.stack([rng.permutation(values)[:AT_MOST] for _ in range(DRAWN)])
            said = f"{variant}, {len(values)} runs, {100 * spread:.1f} %, asked ± {100 * share:g} %"
            print(f"| {said} | {experiments(drawn, float(values.mean()), share, min(AT_MOST, len(values)))} |")


if __name__ == "__main__":
    main()

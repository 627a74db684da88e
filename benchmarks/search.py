# SPDX-License-Identifier: MIT
"""Count the cells that a search needs to find a known bad case, compared with random cells and a grid.

`.venv/bin/python benchmarks/search.py FOLDER [--prefix /usr]` prints the tables of docs/adaptive-statistics.md. Two
flows of `TcpBbr` compete with two of `TcpCubic` in an ns-3 whose `TcpBbr` is broken: 3.37, in Debian's `libns3-dev`.
Several searches with different seeds run concurrently, batch by batch. Random networks and a grid's networks are run
once, and shuffled many times to get their best value so far. FOLDER keeps the cells, so that an interrupted benchmark
can continue. Without FOLDER, only the table of made-up functions is printed, which takes seconds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import yaml

from tcpsweep.statistics import response_surface, search_batches
from tcpsweep.sweep.axis_range import AxisRange
from tcpsweep.sweep.contrast import Contrast
from tcpsweep.sweep.rounds import Point
from tcpsweep.sweep.search import Place, Search, key
from tcpsweep.words import quantities

Array = npt.NDArray[np.float64]
OVER = {
    "bandwidth": AxisRange("bandwidth", 1e6, 1e7, "bit/s"),
    "delay": AxisRange("delay", 0.005, 0.1, "s"),
    "queue": AxisRange("queue", 0.2, 8, "BDP"),
    "loss": AxisRange("loss", 0, 0.02),
}
VARIANTS = ("TcpBbr", "TcpCubic")
FIXED = {"flows": 2, "duration": "20s", "warmup": "5s"}
SEARCH = Search("worst", Contrast("goodput_bps", *VARIANTS), OVER, {}, 200, 10, rows=2)
SEEDS, RANDOM, STEPS, FRESH = 7, 150, 3, 10
MADE_UP = 20  # seeds
SHUFFLES = 2000
LEVELS = (-0.667, -0.9, -0.95, -0.97)  # the first is 0.93 against 2.79 Mbit/s
AT = (20, 40, 60, 80, 100)  # cells


class Networks:
    """BBR's throughput relative to CUBIC's, minus 1, in networks that are run on demand."""

    def __init__(self, folder: Path, prefix: str) -> None:
        self.folder, self.prefix = folder, prefix
        self.known: dict[tuple[Place, int], float] = {}

    def run(self, points: Iterable[Point], runs: Sequence[int] = (1,)) -> None:
        """Run the networks whose values are not all known yet."""
        asked = {key(point): point for point in points}
        wanted = [point for place, point in asked.items() if any((place, run) not in self.known for run in runs)]
        if not wanted:
            return
        data: dict[str, Any] = {
            "sweep": "batch",
            "scenario": "dumbbell",
            "ns3": {"prefix": self.prefix},
            "grid": {"variant": list(VARIANTS)},
            "zip": {name: [point[name] for point in wanted] for name in OVER},
            "runs": list(runs),
            "fixed": FIXED,
            "capture": {"flow_monitor": False},
            "pages": False,
        }
        (self.folder / "batch.yaml").write_text(yaml.safe_dump(data, sort_keys=False))
        command = [sys.executable, "-m", "tcpsweep", "sweep", "batch.yaml", "--until", "aggregate"]
        with (self.folder / "batch.log").open("a") as log:
            subprocess.run(command, cwd=self.folder, stdout=log, stderr=log, check=True, env=os.environ)
        table = pl.read_parquet(self.folder / "results" / "sweeps" / "batch" / "runs.parquet")
        goodput = table.filter(pl.col("metric") == "goodput_bps")
        found = {tuple(row): value for *row, value in goodput.select("combination", "run", "value").iter_rows()}
        for number, point in enumerate(wanted):
            for run in runs:
                # Combinations are ordered by the grid first, then by the zipped axes.
                own, other = (found.get((number + side * len(wanted), run)) for side in (0, 1))
                told = own is not None and bool(other)
                self.known[key(point), run] = own / other - 1 if told else float("nan")

    def of(self, point: Point, run: int = 1) -> float:
        """The value of a network."""
        return self.known[key(point), run]


def searched(networks: Networks) -> dict[int, list[Point]]:
    """The points that each search chose, in order."""
    looked: dict[int, list[Point]] = {seed: [] for seed in range(1, SEEDS + 1)}
    while True:
        more = {}
        for seed, points in looked.items():
            seen = [None if np.isnan(value) else value for value in map(networks.of, points)]
            more[seed] = search_batches.next_batch(SEARCH, seed, points, seen)
        if not any(more.values()):
            return looked
        networks.run(point for points in more.values() for point in points)
        for seed, points in more.items():
            looked[seed] += points


def at_random() -> list[Point]:
    """Random networks in the ranges of the axes."""
    return [SEARCH.point(place) for place in np.random.default_rng(0).random((RANDOM, len(OVER))).tolist()]


def gridded() -> list[Point]:
    """A grid with three values of each axis, as a user might list them."""
    places = np.linspace(0, 1, STEPS)
    return [
        SEARCH.point([float(part) for part in place])
        for place in np.stack(np.meshgrid(*[places] * 4), -1).reshape(-1, 4)
    ]


def curves(values: Sequence[float], shuffles: int = 0) -> np.ndarray:
    """The least value so far, with a row for each order: the original order, or ``shuffles`` random orders."""
    every = np.nan_to_num(np.array(values), nan=9.0)
    random = np.random.default_rng(1)
    orders = [random.permutation(every) for _ in range(shuffles)] if shuffles else [every]
    return np.minimum.accumulate(np.stack(orders), axis=1)


def cells_to(rows: np.ndarray, level: float) -> str:
    """The number of cells until a level is reached: the median, and how many of the orders reach it."""
    reached = rows <= level
    counts = np.where(reached.any(axis=1), 2 * (reached.argmax(axis=1) + 1), np.inf)
    middle = float(np.median(counts))
    return f"{middle:.0f}" if np.isfinite(middle) else f"more than {2 * rows.shape[1]}"


def made_up(middle: Sequence[float], width: Sequence[float], is_hole: bool) -> Callable[[Array], float]:
    """A function of four variables with the minimum −1: a bowl, or a hole in a plain without a slope towards it."""

    def of(place: Array) -> float:
        away = float((((place - np.array(middle)) / np.array(width)) ** 2).sum())
        return (-1 + 0.3 * away**0.5 if away < 1 else 0.0) if is_hole else -float(np.exp(-away / 2))

    return of


def print_made_up() -> None:
    """Print the true value at the lowest observation on noisy functions, for a response surface and random points."""
    wide = (9.0, 9.0)  # axes that do not matter
    functions = {
        "bowl of width 0.3": made_up((0.3, 0.6, 0.5, 0.4), (0.3,) * 4, False),
        "bowl in a corner": made_up((0.03, 0.97, 0.03, 0.97), (0.3,) * 4, False),
        "bowl of width 0.15": made_up((0.3, 0.6, 0.5, 0.4), (0.15,) * 4, False),
        "hole on two axes, 10 % of the whole": made_up((0.3, 0.7, 0.5, 0.5), (0.18, 0.18, *wide), True),
        "hole on three axes, 2 % of the whole": made_up((0.3, 0.7, 0.4, 0.5), (0.17, 0.17, 0.17, 9), True),
    }
    print("| function of four axes, −1 at its least | search, 24 looks | random | search, 48 looks | random |")
    print("|---|---|---|---|---|")
    for name, function in functions.items():
        means = []
        for looks in (24, 48):
            means += [
                np.mean([looked_up(function, seed, looks, way) for seed in range(MADE_UP)]) for way in (True, False)
            ]
        print(f"| {name} | " + " | ".join(f"{mean:.2f}".replace("-", "−") for mean in means) + " |")


def looked_up(function: Callable[[Array], float], seed: int, looks: int, by_surface: bool) -> float:
    """The true value at the lowest observation, when observations have noise of 0.05."""
    random = np.random.default_rng(seed)
    places = response_surface.spread(16, 4, seed) if by_surface else random.random((looks, 4))
    seen = [function(place) + random.normal(0, 0.05) for place in places]
    while len(seen) < looks:
        more = response_surface.proposed(places, np.array(seen), 8, seed, lambda where: np.round(where, 2))
        seen += [function(place) + random.normal(0, 0.05) for place in more]
        places = np.vstack([places, more])
    return function(places[int(np.argmin(seen))])


def main() -> None:
    """Run the missing cells and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--prefix", default="/usr", help="where an ns-3 is installed whose TcpBbr is broken")
    asked = parser.parse_args()
    if asked.folder is None:
        print_made_up()
        return
    asked.folder.mkdir(parents=True, exist_ok=True)
    networks = Networks(asked.folder, asked.prefix)
    looked = searched(networks)
    random, grid = at_random(), gridded()
    networks.run([*random, *grid])
    ways = {
        f"search, {SEEDS} seeds": np.vstack([curves([*map(networks.of, points)]) for points in looked.values()]),
        f"random, {len(random)} networks": curves([*map(networks.of, random)], SHUFFLES),
        f"grid, {STEPS} values an axis, {len(grid)} networks": curves([*map(networks.of, grid)], SHUFFLES),
    }
    print("| looked at by | " + " | ".join(f"{100 * level:.3g} %".replace("-", "−") for level in LEVELS) + " |")
    print("|---|" + "---|" * len(LEVELS))
    for name, rows in ways.items():
        print(f"| {name} | " + " | ".join(cells_to(rows, level) for level in LEVELS) + " |")
    print("\n| worst so far after | " + " | ".join(f"{cells} cells" for cells in AT) + " | all |")
    print("|---|" + "---|" * (len(AT) + 1))
    for name, rows in ways.items():
        middles = [f"{100 * np.median(rows[:, min(cells // 2, rows.shape[1]) - 1]):.1f} %" for cells in AT]
        whole = f"{100 * np.median(rows[:, -1]):.1f} %"
        print(f"| {name} | " + " | ".join([*middles, whole]).replace("-", "−") + " |")
    best = {f"search, seed {seed}": min(points, key=networks.of) for seed, points in looked.items()}
    best |= {"random": min(random, key=networks.of), "grid": min(grid, key=networks.of)}
    fresh = range(2, FRESH + 2)
    networks.run(best.values(), list(fresh))
    print(f"\n| the worst network of | first look | mean of {FRESH} fresh runs |")
    print("|---|---|---|")
    for name, point in best.items():
        where = ", ".join(quantities.value_text(value) for value in point.values())
        mean = np.mean([networks.of(point, run) for run in fresh])
        print(f"| {name}: {where} | {100 * networks.of(point):.1f} % | {100 * mean:.1f} % |".replace("-", "−"))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Compare `refine` with the full grid: how exactly they locate a crossover, and how many cells they need.

`.venv/bin/python benchmarks/refine.py GRID REFINED` prints the table of docs/statistics.md. It reads the
folders of two finished sweeps of real ns-3: a grid with many runs, and a refined sweep of the same networks. The grid's
first runs are compared with the refined sweep. Its other runs give the true crossover.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import statistics
from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl

from tcpsweep.core.statistics import turning_points
from tcpsweep.core.statistics.turning_points import Looked, Turn
from tcpsweep.core.sweep import axes, sweep_record, sweep_tables
from tcpsweep.core.sweep.rounds import Refinement
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.features.refine import refinement

Networks = Mapping[tuple[str, ...], list[Turn]]
HEAD = (
    "| | values | cells | turns of {} | estimate off by, median | at most | band, median |\n"
    "|---|---|---|---|---|---|---|"
)


def looked(
    folder: Path, sweep: PlannedSweep, asked: Refinement, runs: Iterable[int]
) -> dict[tuple[str, ...], list[Looked]]:
    """The observations of these runs of a grid at each value of the axis, by network. ``folder`` is the sweep's."""
    chosen = dataclasses.replace(sweep, refinement=asked, open_axes=[asked.range.axis], runs=tuple(runs))
    values = sweep_tables.scan(folder, "runs").filter(pl.col("run").is_in(chosen.runs))
    names = axes.rest_axes(chosen)
    found: dict[tuple[str, ...], list[Looked]] = {}
    for row in refinement.points(chosen, values).iter_rows(named=True):
        place = tuple(sweep.texts[row["combination"]][name] for name in names)
        half = row["high"] - row["difference"]
        found.setdefault(place, []).append(Looked(row["at"], row["difference"], row["sign"], half))
    return found


def row(what: str, truth: Mapping[tuple[str, ...], float], found: Networks, values: float, cells: int) -> str:
    """A row of the table: the distance, as a factor, of each network's estimated crossover from the truth."""
    off, wide, turned = [], [], 0
    for place, at in truth.items():
        if found.get(place):
            nearest = min(found[place], key=lambda turn: abs(math.log(turn.estimate / at)))
            turned += 1
            off.append(abs(math.log(nearest.estimate / at)))
            wide.append(nearest.high / nearest.low)
    told = [_percent(statistics.median(off)), _percent(max(off))] if off else ["–", "–"]
    band = f"× {statistics.median(wide):.2f}" if wide else "–"
    return f"| {' | '.join([what, f'{values:.3g}', str(cells), str(turned), *told, band])} |"


def _percent(logarithm: float) -> str:
    return f"{100 * math.expm1(logarithm):.1f} %"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("grid", type=Path, help="folder of the grid's sweep")
    parser.add_argument("refined", type=Path, help="folder of the refined sweep")
    given = parser.parse_args()
    grid, refined = sweep_record.read(given.grid), sweep_record.read(given.refined)
    asked = refined.refinement
    assert asked is not None
    judged = len(refined.runs)
    whole = looked(given.grid, grid, asked, grid.runs[judged:])
    turns = {place: turning_points.turns(seen, asked.range, asked.to) for place, seen in whole.items()}
    truth = {place: found[0].estimate for place, found in turns.items() if found}
    print(f"the truth, from {len(grid.runs) - judged} runs of each of {len(next(iter(whole.values())))} values:")
    for place, found in turns.items():
        print(" ", ", ".join(place), [f"{turn.estimate:.4g} ({turn.low:.4g} to {turn.high:.4g})" for turn in found])
    print(HEAD.format(len(truth)))
    first = looked(given.grid, grid, asked, grid.runs[:judged])
    step = 1
    while len(some := next(iter(first.values()))[::step]) >= 3:
        thinned = {place: turning_points.turns(seen[::step], asked.range, asked.to) for place, seen in first.items()}
        print(row("full grid", truth, thinned, len(some), len(some) * len(first) * 2 * judged))
        step *= 2
    table = sweep_tables.read(given.refined, "refined")
    own: dict[tuple[str, ...], list[Turn]] = {}
    names, texts = axes.rest_axes(refined), refined.texts
    for line in table.iter_rows(named=True):
        place = tuple(texts[line["combination"]][name] for name in names)
        own.setdefault(place, [])
        if line["turn"] is not None:
            ends = line["low_edge"], line["high_edge"], line["estimate"]
            own[place].append(Turn(*ends, line["before"], line["after"], line["reached"]))
    of_networks = table.unique("network")
    values, cells = of_networks["values"].mean(), int(of_networks["cells"].sum())
    print(row(f"`refine`, to {100 * asked.to:.3g} %", truth, own, float(values), cells))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()

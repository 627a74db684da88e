# SPDX-License-Identifier: MIT
"""The state of a sweep in rounds: some lines on its precision, its refinement and its search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.sweep import axes, contrast_words, rounds, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, units
from tcpsweep.core.words.aligned import aligned
from tcpsweep.features.refine import turning_data, turning_points_section
from tcpsweep.features.search import searched_networks
from tcpsweep.features.search.network_sweep_file import FILE
from tcpsweep.features.search.search_record import Search

MOST_NETWORKS = 20


def state_lines(folder: Path, is_ended: bool) -> str:
    """The state of a sweep's precision and open axes; empty if it has neither."""
    sweep = sweep_record.read(folder)
    parts = (
        precision_state(sweep, folder) if sweep.precision else "",
        refinement_state(sweep, folder) if sweep.refinement else "",
        search_state(sweep, folder, is_ended) if sweep.search else "",
    )
    return "\n".join(f"tcpsweep: {part}" for part in parts if part)


def precision_state(sweep: PlannedSweep, folder: Path) -> str:
    """The precision reached, and the number of runs that follow."""
    assert sweep.precision
    table = sweep_tables.read(folder, "precision", {"metric": pl.String, "reached": pl.Boolean})
    counts = {  # how many means are as precise as requested, and how many there are, by metric
        metric: (count, rows)
        for metric, count, rows in table.group_by("metric", maintain_order=True)
        .agg(pl.col("reached").sum(), pl.len())
        .iter_rows()
    }
    reached = [
        f"{metrics.METRICS[name].title} of {counts[name][0]} of {counts[name][1]}" if name in counts else f"no {name}"
        for name in sweep.precision.asked
    ]
    recorded = rounds.read_rounds(folder, sweep.asked)
    more_runs = sum(
        recorded.runs[run.cell] - len(sweep.runs_of(run.combination)) for run in _undecided_runs(sweep, recorded)
    )
    words = f"requested precision reached after {sweep.runs_in_words()} runs: {', '.join(reached)}"
    if more_runs:
        return f"{words}; {more_runs} more runs follow"
    imprecise = table.filter(~pl.col("reached"))["combination"].n_unique() if table.height else 0
    most = sweep.precision.at_most
    return words + (
        f"; {imprecise} combination{'s' * (imprecise != 1)} not, see the report: at_most is {most}" if imprecise else ""
    )


def _undecided_runs(sweep: PlannedSweep, recorded: rounds.Rounds) -> list[sweep_record.Run]:
    """The first run of each combination that needs more runs."""
    undecided = set(recorded.undecided)
    return [run for run in sweep.cells if run.run == sweep.runs[0] and run.cell in undecided]


def refinement_state(sweep: PlannedSweep, folder: Path) -> str:
    """The number of network conditions with a crossover, and of values to follow; after the last round, each crossover.

    Empty before the first results.
    """
    tables = (sweep_tables.read(folder, name) for name in ("refined_points", "refined"))
    turning = turning_data.turning_points(sweep, *tables)
    if turning is None:
        return ""
    looked_at = sum(network.values for network in turning.networks)
    with_turn = sum(bool(network.turns) for network in turning.networks)
    difference = f"{turning.metric}, {turning.ahead[1]} less {turning.ahead[-1]}"
    where = f"over the {turning.axis.title} in {with_turn} of {len(turning.networks)} network conditions"
    words = f"{difference}: the sign changes {where}, by {looked_at} values"
    more_values = len(rounds.read_rounds(folder, sweep.asked).points) - len(sweep.points)
    if more_values > 0:
        return f"{words}; {more_values} more follow{'s' * (more_values == 1)}"
    rows = []
    for network in turning.networks[:MOST_NETWORKS]:
        for number, (at, what) in enumerate(turning_points_section.words_on_network(turning, network, sweep)):
            rows.append(["" if number else axes.axes_in_words(network.place) or "all", at, what])
    left = len(turning.networks) - MOST_NETWORKS
    return "\n".join(
        [words, aligned(rows), *([f"  and {left} more network conditions, in the report"] if left > 0 else [])]
    )


def search_state(sweep: PlannedSweep, folder: Path, is_ended: bool) -> str:
    """The search's progress, or its result; empty before the first results."""
    networks = sweep_tables.read(folder, "search", searched_networks.COLUMNS)
    if sweep.search is None or networks.is_empty():
        return ""
    ran = f"{len(sweep.cells)} of {sweep.search.cells} simulations"
    first_row_by_role: dict[str, dict[str, Any]] = {}
    for row in networks.iter_rows(named=True):
        first_row_by_role.setdefault(row["role"], row)
    what = contrast_words.title(sweep.search.contrast)
    if not is_ended:
        looked = networks.drop_nulls("looked")
        best = looked.filter(pl.col("looked") == looked["best"][-1]).row(0, named=True) if looked.height else None
        checks = networks["runs"].is_not_null().sum()
        looks_done = f"{looked.height} networks looked at" + (f", {checks} checked" if checks else "")
        best_so_far = f"; the {sweep.search.goal} so far: {_looked(sweep, best)}, {_where(sweep, best)}" if best else ""
        return f"searching for the {sweep.search.goal} {what}, {ran}: {looks_done}{best_so_far}"
    if searched_networks.FOUND not in first_row_by_role:
        if searched_networks.TRIED not in first_row_by_role:
            return f"nothing was found, in {ran}{_limits(sweep.search, networks)}"
        valued = networks.filter(pl.col("role") == searched_networks.TRIED, pl.col("mean").is_not_null())
        by_value = valued.sort(pl.col("mean") * sweep.search.sign, descending=True)
        tried = by_value.row(0, named=True) if by_value.height else first_row_by_role[searched_networks.TRIED]
        like = f"{_checked(sweep, tried)} where it looked like {_looked(sweep, tried)}, {_where(sweep, tried)}"
        like += f", the {sweep.search.goal} of {valued.height} that were checked" if valued.height > 1 else ""
        return f"nothing was found that fresh runs confirm, in {ran}: {what} is {like}{_limits(sweep.search, networks)}"
    first = first_row_by_role[searched_networks.FOUND]
    short = "" if first["shows"] else f", not beyond {contrast_words.value(sweep.search.contrast, first['bound'])}"
    return (
        f"found in {ran}{short}: {what} is {_checked(sweep, first)} ({_looked(sweep, first)} when it was looked at), "
        f"{_where(sweep, first)}{_limits(sweep.search, networks)}\n  {folder / FILE} runs only this network"
    )


def _limits(search: Search, networks: pl.DataFrame) -> str:
    """The search's gaps in words; empty if there are none."""
    without_value = networks.filter(pl.col("role") == searched_networks.LOOKED, pl.col("looked").is_null()).height
    subject = f"{without_value} networks have" if without_value > 1 else "1 network has"
    limits = f"; {subject} no value and are left out" if without_value else ""
    limits += (
        "; half of the networks look beyond the bound, too" if searched_networks.is_ordinary(search, networks) else ""
    )
    return limits + ("; the budget ended before all checks: write more `cells`" if networks["cut"].any() else "")


def _looked(sweep: PlannedSweep, row: dict[str, Any]) -> str:
    """The value of a network's first look."""
    assert sweep.search
    return contrast_words.value(sweep.search.contrast, row["looked"])


def _checked(sweep: PlannedSweep, row: dict[str, Any]) -> str:
    """The mean of a network's fresh runs, with the interval."""
    assert sweep.search
    contrast = sweep.search.contrast
    if row["mean"] is None:
        return f"unknown, because only {row['runs']} of {sweep.search.repetitions} fresh runs have a value,"
    ends = contrast_words.interval(contrast, row["low"], row["high"])
    return f"{contrast_words.value(contrast, row['mean'])}{' ' if ends else ''}{ends} in {row['runs']} fresh runs"


def _where(sweep: PlannedSweep, row: dict[str, Any]) -> str:
    """A network's values on the searched axes."""
    assert sweep.search
    values = sweep.combinations[row["combination"]]
    return axes.axes_in_words({name: units.value_text(values[name]) for name in sweep.search.over})

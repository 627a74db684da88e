# SPDX-License-Identifier: MIT
"""The state of a search, or its result, for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.sweep import axes, contrast_words, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import units
from tcpsweep.features.search import search_record, searched_networks
from tcpsweep.features.search.network_sweep_file import FILE
from tcpsweep.features.search.search_record import Search


def state(sweep: PlannedSweep, folder: Path, is_ended: bool) -> str:
    """The search's progress, or its result; empty before the first results."""
    networks = sweep_tables.read(folder, "search", searched_networks.COLUMNS)
    search = search_record.of(sweep)
    if search is None or networks.is_empty():
        return ""
    ran = f"{len(sweep.cells)} of {search.cells} simulations"
    first_row_by_role: dict[str, dict[str, Any]] = {}
    for row in networks.iter_rows(named=True):
        first_row_by_role.setdefault(row["role"], row)
    what = contrast_words.title(search.contrast)
    if not is_ended:
        looked = networks.drop_nulls("looked")
        best = looked.filter(pl.col("looked") == looked["best"][-1]).row(0, named=True) if looked.height else None
        checks = networks["runs"].is_not_null().sum()
        looks_done = f"{looked.height} networks looked at" + (f", {checks} checked" if checks else "")
        best_so_far = f"; the {search.goal} so far: {_looked(search, best)}, {_where(sweep, best)}" if best else ""
        return f"searching for the {search.goal} {what}, {ran}: {looks_done}{best_so_far}"
    if searched_networks.FOUND not in first_row_by_role:
        if searched_networks.TRIED not in first_row_by_role:
            return f"nothing was found, in {ran}{_limits(search, networks)}"
        valued = networks.filter(pl.col("role") == searched_networks.TRIED, pl.col("mean").is_not_null())
        by_value = valued.sort(pl.col("mean") * search.sign, descending=True)
        tried = by_value.row(0, named=True) if by_value.height else first_row_by_role[searched_networks.TRIED]
        like = f"{_checked(search, tried)} where it looked like {_looked(search, tried)}, {_where(sweep, tried)}"
        like += f", the {search.goal} of {valued.height} that were checked" if valued.height > 1 else ""
        return f"nothing was found that fresh runs confirm, in {ran}: {what} is {like}{_limits(search, networks)}"
    first = first_row_by_role[searched_networks.FOUND]
    short = "" if first["shows"] else f", not beyond {contrast_words.value(search.contrast, first['bound'])}"
    return (
        f"found in {ran}{short}: {what} is {_checked(search, first)} ({_looked(search, first)} when it was looked at), "
        f"{_where(sweep, first)}{_limits(search, networks)}\n  {folder / FILE} runs only this network"
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


def _looked(search: Search, row: dict[str, Any]) -> str:
    """The value of a network's first look."""
    return contrast_words.value(search.contrast, row["looked"])


def _checked(search: Search, row: dict[str, Any]) -> str:
    """The mean of a network's fresh runs, with the interval."""
    contrast = search.contrast
    if row["mean"] is None:
        return f"unknown, because only {row['runs']} of {search.repetitions} fresh runs have a value,"
    ends = contrast_words.interval(contrast, row["low"], row["high"])
    return f"{contrast_words.value(contrast, row['mean'])}{' ' if ends else ''}{ends} in {row['runs']} fresh runs"


def _where(sweep: PlannedSweep, row: dict[str, Any]) -> str:
    """A network's values on the searched axes."""
    values = sweep.combinations[row["combination"]]
    return axes.axes_in_words({name: units.value_text(values[name]) for name in sweep.open_axes})

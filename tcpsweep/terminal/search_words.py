# SPDX-License-Identifier: MIT
"""How far a search has come, or what it found, in a few lines for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.analysis.found_network import FILE
from tcpsweep.analysis.search import COLUMNS, FOUND, LOOKED, SIMPLEST, TRIED, is_ordinary
from tcpsweep.sweep import axes, contrast_words, sweep_record, sweep_tables
from tcpsweep.sweep.search import Search
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import quantities


def text(folder: Path, is_ended: bool) -> str:
    """How far the sweep's search is; empty if it does not search, or nothing was seen yet.

    Parameters
    ----------
    folder : Path
        The sweep's.
    is_ended : bool
        Whether no round follows.
    """
    sweep = sweep_record.read(folder)
    found = sweep_tables.read(folder, "search", COLUMNS)
    if sweep.search is None or found.is_empty():
        return ""
    ran = f"{len(sweep.cells)} of {sweep.search.cells} cells"
    rows: dict[str, dict[str, Any]] = {}
    for row in found.iter_rows(named=True):
        rows.setdefault(row["role"], row)
    what = contrast_words.title(sweep.search.contrast)
    if not is_ended:
        looked = found.drop_nulls("looked")
        best = looked.filter(pl.col("looked") == looked["best"][-1]).row(0, named=True) if looked.height else None
        checks = found["runs"].is_not_null().sum()
        done = f"{looked.height} networks looked at" + (f", {checks} checked" if checks else "")
        told = f"; the {sweep.search.goal} so far: {_looked(sweep, best)}, {_where(sweep, best)}" if best else ""
        return f"searching for the {sweep.search.goal} {what}, {ran}: {done}{told}"
    if FOUND not in rows:
        if TRIED not in rows:
            return f"nothing was found, in {ran}{_limits(sweep.search, found)}"
        tried = rows[TRIED]
        like = f"{_checked(sweep, tried)} where it looked like {_looked(sweep, tried)}, {_where(sweep, tried)}"
        return f"nothing was found that fresh runs show, in {ran}: {what} is {like}{_limits(sweep.search, found)}"
    first = rows[FOUND]
    lines = [
        f"found in {ran}: {what} is {_checked(sweep, first)} ({_looked(sweep, first)} when it was looked at), "
        f"{_where(sweep, first)}{_limits(sweep.search, found)}"
    ]
    if SIMPLEST in rows:
        simplest = rows[SIMPLEST]
        lines.append(f"made simpler: {_checked(sweep, simplest)}, {_where(sweep, simplest)}")
    lines.append(f"{folder / FILE} runs this network alone")
    return "\n".join([lines[0], *(f"  {line}" for line in lines[1:])])


def _limits(search: Search, found: pl.DataFrame) -> str:
    """What the search did not come to, in words; empty if it is nothing."""
    lacking = found.filter(pl.col("role") == LOOKED, pl.col("looked").is_null()).height
    lack = f"{lacking} networks have" if lacking > 1 else "1 network has"
    none = f"; {lack} no value, of which nothing is said" if lacking else ""
    none += "; half of the first networks look beyond the bound, too" if is_ordinary(search, found) else ""
    return none + ("; the budget ended before all was checked, more `cells` would" if found["cut"].any() else "")


def _looked(sweep: PlannedSweep, row: dict[str, Any]) -> str:
    assert sweep.search
    return contrast_words.value(sweep.search.contrast, row["looked"])


def _checked(sweep: PlannedSweep, row: dict[str, Any]) -> str:
    """The mean of a network's fresh runs with its interval."""
    assert sweep.search
    contrast = sweep.search.contrast
    if row["mean"] is None:
        return f"not known, as not all of {sweep.search.repetitions} fresh runs have a value ({row['runs']} do),"
    ends = contrast_words.interval(contrast, row["low"], row["high"])
    return f"{contrast_words.value(contrast, row['mean'])}{' ' if ends else ''}{ends} in {row['runs']} fresh runs"


def _where(sweep: PlannedSweep, row: dict[str, Any]) -> str:
    assert sweep.search
    values = sweep.combinations[row["combination"]]
    return axes.said({name: quantities.text(values[name]) for name in sweep.search.over})

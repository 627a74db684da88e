# SPDX-License-Identifier: MIT
"""The table of a search, its next round, and the sweep file that runs only the network that it found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.analysis import axis_columns
from tcpsweep.core.analysis.run_results import RunResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.store import removal
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import axes, bounds
from tcpsweep.core.sweep.rounds import Point
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, units
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.search import found_file, search_record, searched_networks
from tcpsweep.features.search.search_record import Search
from tcpsweep.features.search.searched_networks import FOUND

FILE = "found.yaml"
_MOST_OF_NAME = 74  # letters: names have up to 80
_LEFT_OUT = ("Nothing can be expected of a variant", "One of the variants is not expected on its side")


def write(folder: Path, sweep: PlannedSweep, table: pl.DataFrame, is_ended: bool) -> None:
    """Write the file of the network that was found; remove it if there is none.

    Parameters
    ----------
    folder : Path
        The sweep's folder.
    table : DataFrame
        From `searched_networks.table`.
    is_ended : bool
        Whether the search has ended.
    """
    row = next((row for row in table.iter_rows(named=True) if row["role"] == FOUND), None)
    search = search_record.of(sweep)
    if not search or not row or not is_ended:
        removal.remove(folder / FILE, within=folder)
        return
    values = sweep.combinations[row["combination"]]
    network = {name: values[name] for name in search.over}
    runs = sweep.runs_of(row["combination"])[-search.repetitions :]
    name, title = f"{sweep.name[:_MOST_OF_NAME]}-found", f"Found by {sweep.title}"[:200]
    lines = [f"The network that the sweep {sweep.name} found: {search.goal} {search.contrast.text}."]
    texts = expected(sweep, search, row)
    if len(texts) < (1 if search.contrast.against is None else 2):
        lines.append(f"{_LEFT_OUT[len(texts)]} by these runs: its own spread is wider than that of the difference.")
    write_whole(folder / FILE, found_file.found_file_text(search.file, name, title, network, runs, texts, lines))


def expected(sweep: PlannedSweep, search: Search, row: Mapping[str, Any]) -> list[str]:
    """The expectations that hold in the network's fresh runs.

    A metric must be beyond the bound. For a difference, the two variants must be on either side of a value halfway
    between their means. Each variant is judged by its own interval, so either expectation may be omitted. ``row`` is
    the network's row of the table.
    """
    contrast, values = search.contrast, sweep.combinations[row["combination"]]
    by_variant = metrics.METRICS[contrast.metric].by_variant
    signs = {1: ">=", -1: "<="}
    whole = str(values["variant"])
    rest = [name for name in axes.rest_axes(sweep) if len(sweep.axes[name]) > 1]

    def holding(side: str, own: str | None, of_variant: str, sign: int, bound: float) -> list[str]:
        """The expectation that a side is beyond a bound, alone in a list; empty if its interval does not show it."""
        written = float(f"{bound:.6g}")
        if bounds.met(signs[sign], written, *(row[f"{side}_{end}"] for end in ("mean", "low", "high"))) != "holds":
            return []
        conditions: dict[str, Any] = {"variant": of_variant} if len(sweep.axes.get("variant", ())) > 1 else {}
        conditions |= {name: values[name] for name in rest}
        where = " and ".join(f"{name} == {units.value_text(value)}" for name, value in conditions.items())
        of = f" of {own}" if by_variant else ""
        text = f"{contrast.metric}{of} {signs[sign]} {units.number_text(written)}"
        return [f"{text} where {where}" if where else text]

    if contrast.against is None:
        return holding("own", row["variant_of_flows"], whole, search.sign, row["bound"])
    between = _short_between(row["own_mean"], row["against_mean"])
    other = whole if Mix.parse(whole).is_mixed else contrast.against
    return [
        *holding("own", contrast.variant, whole, search.sign, between),
        *holding("against", contrast.against, other, -search.sign, between),
    ]


def _short_between(one: float, other: float) -> float:
    """A number halfway between two others, rounded to three digits if the result is still between them."""
    middle = (one + other) / 2
    short = float(f"{middle:.3g}")
    return short if min(one, other) < short < max(one, other) else middle


def tables(results: RunResults) -> Iterator[tuple[str, pl.DataFrame]]:
    """The table of networks, and its name; writes the file of the network that was found."""
    sweep = results.sweep
    seen = searched_networks.seen(sweep, results.values) if search_record.of(sweep) else None
    networks = searched_networks.table(sweep, seen) if seen else pl.DataFrame(schema=searched_networks.COLUMNS)
    networks = axis_columns.with_axes(results.axes, networks)
    write(results.folder, sweep, networks, is_ended=bool(seen and not seen.wanted))
    yield "search", networks


def next_round(results: RunResults) -> tuple[dict[str, int], list[Point]]:
    """The runs of the next round. A search has all its points at first."""
    seen = searched_networks.seen(results.sweep, results.values)
    return searched_networks.next_runs(results.sweep, seen), []


TABLES = AddedTables(key=search_record.KEY, tables=tables, next_round=next_round)

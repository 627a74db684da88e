# SPDX-License-Identifier: MIT
"""The results of a search: the checked networks, and pictures of its course."""

from __future__ import annotations

from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.figures import plot_scales
from tcpsweep.core.figures.plot_scales import Scale
from tcpsweep.core.sweep import axes, axis_range, contrast_words
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import units
from tcpsweep.features.search import network_sweep_file, search_record
from tcpsweep.features.search.search_record import Search
from tcpsweep.features.search.searched_networks import FOUND, LOOKED, TRIED, is_ordinary

WIDTH, HEIGHT = 360.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 26.0, 12.0, 40.0
_RANK = {LOOKED: 0, TRIED: 1, FOUND: 2}


def section(results: SweepResults) -> dict[str, Any] | None:
    """The section's contents; None if the sweep does not search, or its table ``search`` was not written.

    - ``metric``, ``goal``, ``title``, ``over``, ``cells``, ``looks``, ``checks`` and ``bound`` in words
    - ``rows`` of the checked networks
    - ``found``, whether one was found, and ``short``, whether a part of its interval is within the bound
    - ``cut``, whether the budget ended before all checks
    - ``ordinary``, whether the bound distinguishes no network
    - ``lacking``, how many networks have no value
    - ``file``, the path of the sweep file that runs only the network that was found; empty without one
    - ``climb``, the picture of the best so far, and ``scatters``, one for each axis
    """
    sweep, table, file = results.swept, results.table("search"), results.folder / network_sweep_file.FILE
    search = search_record.of(sweep)
    if search is None or table.is_empty():
        return None
    rows = table.rows(named=True)
    contrast = search.contrast
    checked = sorted((row for row in rows if row["runs"] is not None), key=lambda row: row["network"])
    order = sorted(checked, key=lambda row: -_RANK[row["role"]])
    bounds = [row["bound"] for row in checked if row["bound"] is not None]
    found_row = next((row for row in checked if row["role"] == FOUND), None)
    looked = [row for row in rows if row["looked"] is not None]
    values = [row["looked"] for row in looked] + [row["mean"] for row in checked if row["mean"] is not None]
    y = _scale(search, values) if values else None
    return {
        "metric": contrast.metric,
        "goal": search.goal,
        "file": file if file.is_file() else "",
        "title": contrast_words.title(contrast),
        "over": [(axes.title(name, search.over), *map(units.value_text, _ends(search, name))) for name in search.over],
        "cells": len({run.cell for run in sweep.cells}),
        "most": search.cells,
        "looks": len(looked),
        "best": contrast_words.value(contrast, looked[-1]["best"]) if looked else "",
        "bound": contrast_words.value(contrast, bounds[0]) if bounds else "",
        "given": search.bound is not None,
        "cut": any(row["cut"] for row in rows),
        "ordinary": is_ordinary(search, table),
        "lacking": sum(row["role"] == LOOKED and row["looked"] is None for row in rows),
        "found": found_row is not None,
        "short": found_row is not None and not found_row["shows"],
        "against": contrast.against,
        "variant": contrast.variant,
        "rows": [_row(sweep, search, row) for row in order],
        "y": f"{contrast_words.title(contrast)} [{contrast_words.unit(contrast)}]".removesuffix(" []"),
        "ticks_y": [(_y(y, tick), plot_scales.label(tick)) for tick in y.ticks] if y else [],
        "climb": _climb(search, looked, y) if y else None,
        "scatters": [_scatter(sweep, search, name, looked, checked, y) for name in search.over] if y else [],
    }


def role(row: dict[str, Any]) -> str:
    """The role of a checked network, in words."""
    if row["role"] == FOUND:
        return "found and confirmed"
    return "confirmed" if row["shows"] else "not confirmed"


def _row(sweep: PlannedSweep, search: Search, row: dict[str, Any]) -> dict[str, Any]:
    contrast = search.contrast
    return {
        "role": role(row),
        "is_found": row["role"] == FOUND,
        "shows": row["shows"],
        "where": where(sweep, search, row),
        "looked": contrast_words.value(contrast, row["looked"]),
        "mean": contrast_words.value(contrast, row["mean"]),
        "interval": contrast_words.interval(contrast, row["low"], row["high"]),
        "runs": row["runs"] if row["mean"] is not None else f"{row['runs']} of {search.repetitions}",
        "own": contrast_words.mean_of(contrast, row["own_mean"]) if contrast.against else "",
        "against": contrast_words.mean_of(contrast, row["against_mean"]) if contrast.against else "",
    }


def where(sweep: PlannedSweep, search: Search, row: dict[str, Any]) -> str:
    """A network's values on the searched axes, in words."""
    values = sweep.combinations[row["combination"]]
    return axes.axes_in_words({name: units.value_text(values[name]) for name in search.over})


def _climb(search: Search, looked: list[dict[str, Any]], y: Scale) -> dict[str, Any]:
    """The best value so far over the number of cells that have run, and the value of each network."""
    contrast = search.contrast
    x = plot_scales.around(0, max(row["cells"] for row in looked), zero=True)
    scale = contrast_words.scale(contrast)
    marks = [
        {
            "x": _x(x.place(row["cells"])),
            "y": _y(y, row["looked"] * scale),
            "said": f"network {row['network']}: {contrast_words.value(contrast, row['looked'])}",
        }
        for row in looked
    ]
    steps = [(_x(x.place(row["cells"])), _y(y, row["best"] * scale)) for row in looked if row["best"] is not None]
    line = " ".join(f"H{at}V{up}" if place else f"M{at} {up}" for place, (at, up) in enumerate(steps))
    end = _x(x.place(looked[-1]["cells"]))
    return {
        "x": "cells",
        "ticks_x": [(_x(x.place(tick)), plot_scales.label(tick)) for tick in x.ticks],
        "marks": marks,
        "line": f"{line}H{end}" if steps else "",
    }


def _scatter(
    sweep: PlannedSweep,
    search: Search,
    name: str,
    looked: list[dict[str, Any]],
    checked: list[dict[str, Any]],
    y: Scale,
) -> dict[str, Any]:
    """All networks by their value on one axis: the first looks, and the means of fresh runs."""
    contrast, over = search.contrast, search.over[name]
    scale = contrast_words.scale(contrast)
    marks = []
    seen = [(row, row["looked"], LOOKED) for row in looked]
    means = [(row, row["mean"], row["role"]) for row in checked if row["mean"] is not None]
    for row, value, role in sorted([*seen, *means], key=lambda mark: _RANK[mark[2]]):
        axis_value = sweep.combinations[row["combination"]][name]
        marks.append(
            {
                "x": _x(axis_range.place_on_scale(over, axis_value)),
                "y": _y(y, value * scale),
                "role": role,
                "said": f"{where(sweep, search, row)}: {contrast_words.value(contrast, value)}",
            }
        )
    ticks = {
        units.value_text(value): axis_range.place_on_scale(over, value) for value in axis_range.marked_values(over)
    }
    return {
        "x": axes.title(name, search.over),
        "ticks_x": [(_x(place), text) for text, place in ticks.items()],
        "marks": marks,
    }


def _ends(search: Search, name: str) -> tuple[Any, Any]:
    searched = search.over[name]
    return searched.value(searched.low), searched.value(searched.high)


def _scale(search: Search, values: list[float]) -> Scale:
    numbers = [value * contrast_words.scale(search.contrast) for value in values]
    return plot_scales.around(min(numbers), max(numbers), zero=False)


def _x(share: float) -> float:
    return round(LEFT + _inset(share) * (WIDTH - LEFT - RIGHT), 1)


def _y(scale: Scale, value: float) -> float:
    return round(HEIGHT - BOTTOM - _inset(scale.place(value)) * (HEIGHT - TOP - BOTTOM), 1)


def _inset(share: float) -> float:
    """A place on an axis with room for marks at its ends."""
    return 0.03 + 0.94 * share


SECTION = Section(
    "search",
    "features/search/report/search.html.jinja",
    section,
    heading="Search",
    style="features/search/report/search.css",
)

# SPDX-License-Identifier: MIT
"""The results of a search: the checked networks, and pictures of its course."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.figures import plot_scales
from tcpsweep.core.figures.plot_scales import Scale
from tcpsweep.core.report.strips import Mark
from tcpsweep.core.sweep import axes, axis_range, contrast_words
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import units
from tcpsweep.features.search import network_sweep_file, search_record
from tcpsweep.features.search.search_record import Search
from tcpsweep.features.search.searched_networks import FOUND, LOOKED, TRIED, is_ordinary

WIDTH, HEIGHT = 360.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 26.0, 12.0, 40.0
_RANK = {LOOKED: 0, TRIED: 1, FOUND: 2}


class _CheckedNetwork(NamedTuple):  # with fresh runs; its numbers are texts
    role: str
    is_found: bool
    shows: bool | None  # whether its interval is beyond the bound
    where: str
    looked: str
    mean: str
    interval: str
    runs: int | str
    own: str  # the variant's mean, of a difference
    against: str  # the mean of the variant that is subtracted


class _Picture(NamedTuple):  # the values of networks over something else
    x: str  # what they are drawn over
    ticks_x: list[tuple[float, str]]
    marks: list[tuple[float, Mark]]  # each with its place upwards; its kind is the network's role
    line: str = ""  # an SVG's path


@dataclass(frozen=True)
class SearchSection:
    """The results of a search."""

    asked: Search
    title: str
    bound: str
    over: list[tuple[str, str, str]]  # each axis with the ends of its range
    cells: int
    looks: int
    rows: list[_CheckedNetwork]  # first the network that was found, if there is one
    is_cut: bool  # whether the budget ended before all checks
    is_ordinary: bool  # whether the bound distinguishes no network
    lacking: int  # networks without a value
    file: Path | None  # the sweep file that runs only the network that was found
    y: str
    ticks_y: list[tuple[float, str]]
    climb: _Picture | None  # the best value so far
    scatters: list[_Picture]  # one for each axis


def section(results: SweepResults) -> SearchSection | None:
    """The results of a search; None if the sweep does not search, or its table ``search`` was not written."""
    sweep, table, file = results.swept, results.table("search"), results.folder / network_sweep_file.FILE
    search = search_record.of(sweep)
    if search is None or table.is_empty():
        return None
    rows = table.rows(named=True)
    contrast = search.contrast
    checked = sorted((row for row in rows if row["runs"] is not None), key=lambda row: row["network"])
    order = sorted(checked, key=lambda row: -_RANK[row["role"]])
    bounds = [row["bound"] for row in checked if row["bound"] is not None]
    looked = [row for row in rows if row["looked"] is not None]
    values = [row["looked"] for row in looked] + [row["mean"] for row in checked if row["mean"] is not None]
    y = _scale(search, values) if values else None
    return SearchSection(
        search,
        contrast_words.title(contrast),
        bound=contrast_words.value(contrast, bounds[0]) if bounds else "",
        over=[_named_range(search, name) for name in search.over],
        cells=len({run.cell for run in sweep.cells}),
        looks=len(looked),
        rows=[_row(sweep, search, row) for row in order],
        is_cut=any(row["cut"] for row in rows),
        is_ordinary=is_ordinary(search, table),
        lacking=sum(row["role"] == LOOKED and row["looked"] is None for row in rows),
        file=file if file.is_file() else None,
        y=f"{contrast_words.title(contrast)} [{contrast_words.unit(contrast)}]".removesuffix(" []"),
        ticks_y=[(_y(y, tick), plot_scales.label(tick)) for tick in y.ticks] if y else [],
        climb=_climb(search, looked, y) if y else None,
        scatters=[_scatter(sweep, search, name, looked, checked, y) for name in search.over] if y else [],
    )


def role(row: dict[str, Any]) -> str:
    """The role of a checked network, in words."""
    if row["role"] == FOUND:
        return "found and confirmed"
    return "confirmed" if row["shows"] else "not confirmed"


def _row(sweep: PlannedSweep, search: Search, row: dict[str, Any]) -> _CheckedNetwork:
    contrast = search.contrast
    return _CheckedNetwork(
        role(row),
        row["role"] == FOUND,
        row["shows"],
        where(sweep, search, row),
        looked=contrast_words.value(contrast, row["looked"]),
        mean=contrast_words.value(contrast, row["mean"]),
        interval=contrast_words.interval(contrast, row["low"], row["high"]),
        runs=row["runs"] if row["mean"] is not None else f"{row['runs']} of {search.repetitions}",
        own=contrast_words.mean_of(contrast, row["own_mean"]) if contrast.against else "",
        against=contrast_words.mean_of(contrast, row["against_mean"]) if contrast.against else "",
    )


def where(sweep: PlannedSweep, search: Search, row: dict[str, Any]) -> str:
    """A network's values on the searched axes, in words."""
    values = sweep.combinations[row["combination"]]
    return axes.axes_in_words({name: units.value_text(values[name]) for name in search.over})


def _climb(search: Search, looked: list[dict[str, Any]], y: Scale) -> _Picture:
    """The best value so far over the number of cells that have run, and the value of each network."""
    contrast = search.contrast
    x = plot_scales.around(0, max(row["cells"] for row in looked), zero=True)
    scale = contrast_words.scale(contrast)
    marks = []
    for row in looked:
        words = f"network {row['network']}: {contrast_words.value(contrast, row['looked'])}"
        marks.append((_y(y, row["looked"] * scale), Mark(_x(x.place(row["cells"])), LOOKED, words)))
    steps = [(_x(x.place(row["cells"])), _y(y, row["best"] * scale)) for row in looked if row["best"] is not None]
    line = " ".join(f"H{at}V{up}" if place else f"M{at} {up}" for place, (at, up) in enumerate(steps))
    end = _x(x.place(looked[-1]["cells"]))
    ticks = [(_x(x.place(tick)), plot_scales.label(tick)) for tick in x.ticks]
    return _Picture("cells", ticks, marks, f"{line}H{end}" if steps else "")


def _scatter(
    sweep: PlannedSweep,
    search: Search,
    name: str,
    looked: list[dict[str, Any]],
    checked: list[dict[str, Any]],
    y: Scale,
) -> _Picture:
    """All networks by their value on one axis: the first looks, and the means of fresh runs."""
    contrast, over = search.contrast, search.over[name]
    scale = contrast_words.scale(contrast)
    marks = []
    seen = [(row, row["looked"], LOOKED) for row in looked]
    means = [(row, row["mean"], row["role"]) for row in checked if row["mean"] is not None]
    for row, value, role in sorted([*seen, *means], key=lambda mark: _RANK[mark[2]]):
        at = _x(axis_range.place_on_scale(over, sweep.combinations[row["combination"]][name]))
        words = f"{where(sweep, search, row)}: {contrast_words.value(contrast, value)}"
        marks.append((_y(y, value * scale), Mark(at, role, words)))
    ticks = {
        units.value_text(value): axis_range.place_on_scale(over, value) for value in axis_range.marked_values(over)
    }
    return _Picture(axes.title(name, search.over), [(_x(place), text) for text, place in ticks.items()], marks)


def _named_range(search: Search, name: str) -> tuple[str, str, str]:
    """An axis and the ends of its range, in words."""
    searched = search.over[name]
    low, high = (units.value_text(searched.value(end)) for end in (searched.low, searched.high))
    return axes.title(name, search.over), low, high


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

# SPDX-License-Identifier: MIT
"""The answer to `search`: the found network, and the results of fresh runs there."""

from __future__ import annotations

from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.report import strips
from tcpsweep.core.report.answers.answer import MOST_ROWS, Answer, Chart, Parts, Row
from tcpsweep.core.sweep import contrast_words
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import capitals
from tcpsweep.features.search import search_record, search_section
from tcpsweep.features.search.search_record import Search
from tcpsweep.features.search.searched_networks import FOUND

NOTE = (
    "The first look chose these network conditions among many, so luck has a part in it. Fresh runs check them with "
    "other random numbers. Confirmed: they show the difference, too."
)


def answer(results: SweepResults) -> Answer | None:
    """The network with its difference in fresh runs, from the sweep's table ``search``."""
    sweep, table = results.swept, results.table("search")
    asked = search_record.of(sweep)
    if asked is None or table.is_empty():
        return None
    checked = sorted(
        (row for row in table.rows(named=True) if row["runs"] is not None and row["mean"] is not None),
        key=lambda row: (row["role"] != FOUND, -asked.sign * row["mean"], row["network"]),
    )
    if not checked:
        looks = table["looked"].count()
        return Answer("search", [("text", f"No network is checked with fresh runs yet, after {looks} first looks.")])
    best = checked[0]  # if nothing was found, the network with the best mean of fresh runs
    is_found = best["role"] == FOUND
    scale = contrast_words.scale(asked.contrast)
    order = checked[:MOST_ROWS]
    ends = [row[name] for row in order for name in ("mean", "low", "high", "looked") if row[name] is not None]
    axis = strips.of_differences(end * scale for end in ends)
    rows = [_row(sweep, asked, row, axis, scale) for row in order]
    title = contrast_words.title(asked.contrast)
    unit = contrast_words.unit(asked.contrast)
    heads = ["mean of fresh runs", "95 % interval", "fresh runs", "first look", "result"]
    chart = Chart(
        f"{title} [{unit}]".removesuffix(" []"),
        "network condition",
        heads,
        rows,
        axis,
        legend="looks",
        more=len(checked) - len(rows),
    )
    note = _unspent(asked, len({run.cell for run in sweep.cells}))
    return Answer("search", _sentence(sweep, asked, best, is_found), [chart], f"{NOTE} {note}".rstrip(), "#search")


def _unspent(asked: Search, spent: int) -> str:
    """Why simulations are left; empty if none is."""
    left = asked.cells - spent
    if left <= 0:
        return ""
    if left < asked.check_cells:
        why = f"a check takes {asked.check_cells}"
    else:
        why = "all network conditions whose first look promised an effect were checked"
    return f"{left} of {asked.cells} simulations are left: {why}."


def _row(sweep: PlannedSweep, asked: Search, row: dict[str, Any], axis: strips.Axis, scale: float) -> Row:
    looked = None if row["looked"] is None else row["looked"] * scale
    ends = [None if row[end] is None else row[end] * scale for end in ("low", "high")]
    contrast = asked.contrast
    texts = [
        contrast_words.value(contrast, row["mean"]),
        contrast_words.interval(contrast, row["low"], row["high"]),
        str(row["runs"]),
        contrast_words.value(contrast, row["looked"]),
        search_section.role(row),
    ]
    strip = strips.strip(axis, row["mean"] * scale, looked, (ends[0], ends[1]))
    return Row(search_section.where(sweep, asked, row), "", texts, strip, is_variant=False)


def _sentence(sweep: PlannedSweep, asked: Search, best: dict[str, Any], is_found: bool) -> Parts:
    contrast = asked.contrast
    interval = contrast_words.interval(contrast, best["low"], best["high"])
    value = f"{contrast_words.value(contrast, best['mean'])} {interval}".rstrip()
    where = search_section.where(sweep, asked, best)
    title = capitals.uncapitalised(contrast_words.title(contrast))
    runs = f"{best['runs']} fresh runs"
    if is_found:
        return [("text", f"The {asked.goal} network condition for {title} is {where}: {value} in {runs}.")]
    return [("text", f"No find passed its check. The {asked.goal} {title} in fresh runs is {value}, at {where}.")]

# SPDX-License-Identifier: MIT
"""The frontier of goodput, delay and losses of each network: a scatter with the names of those that lie on it."""

from __future__ import annotations

from typing import Any

import polars as pl

from tcpsweep.analysis import pairs
from tcpsweep.figures import plot_scales, text_sizes
from tcpsweep.figures.plot_scales import Scale
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics

WIDTH, HEIGHT = 360.0, 260.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 12.0, 12.0, 40.0
_LINE = 13.0  # the height of a name
_FONT = 11.0
_SPARE = 1.16  # how much wider than its own a name may come out in the font that a browser takes for the missing one
_FARTHEST = 8  # quarters of a name's height that it may be moved
NAMED = 0.05  # the least probability with which a variant is named in the picture, if it has more than so many:
MOST_NAMED = 8
_SMALLEST, _LARGEST = 3.0, 8.0  # a mark's radius at a probability of 0 and of 1


def drawn(sweep: PlannedSweep, frontier: pl.DataFrame) -> list[dict[str, Any]]:
    """Each network's scatter and table.

    Returns
    -------
    list of dict
        ``where``; ``x`` and ``y``, the axes' titles; ``ticks_x`` and ``ticks_y``, places and labels; ``marks``, each
        with its place, radius, colour's number, words and, if it is named, the place of its name; ``rows`` of texts.
    """
    return [_drawn(sweep, where, rows.rows(named=True)) for where, rows in pairs.by_network(sweep, frontier).items()]


def _drawn(sweep: PlannedSweep, where: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    delay, goodput = metrics.METRICS[rows[0]["delay_metric"]], metrics.METRICS["goodput_bps"]
    x = plot_scales.logarithmic([row["mean_delay_s"] * delay.scale for row in rows])
    most = [row["goodput_bps"] * goodput.scale for row in rows]
    y = plot_scales.around(min(most), max(most), zero=False)
    marks = []
    for row in rows:
        probability = row["probability"]
        shown = float(row["on_frontier"]) if probability is None else probability
        marks.append(
            {
                "x": _across(x, row["mean_delay_s"] * delay.scale),
                "y": _up(y, row["goodput_bps"] * goodput.scale),
                "radius": round(_SMALLEST + (_LARGEST - _SMALLEST) * shown, 1),
                "colour": sweep.pairs.index(row["variant"]),
                "variant": row["variant"],
                "certain": shown >= 0.5,
                "label": _label(row["variant"], probability) if len(rows) <= MOST_NAMED or shown >= NAMED else "",
                "said": ", ".join(_texts(row)),
            }
        )
    _place_labels(marks)
    return {
        "where": where,
        "x": f"{delay.title} [{delay.shown_unit}]",
        "y": f"{goodput.title} [{goodput.shown_unit}]",
        "ticks_x": [(_across(x, tick), plot_scales.label(tick)) for tick in x.ticks],
        "ticks_y": [(_up(y, tick), plot_scales.label(tick)) for tick in y.ticks],
        "marks": sorted(marks, key=lambda mark: -mark["radius"]),
        "heads": [goodput.title, delay.title, metrics.METRICS["congestion_loss"].title, "on the frontier"],
        "rows": [(row["variant"], _texts(row)[1:]) for row in rows],
        "runs": rows[0]["runs"],
    }


def _label(variant: str, probability: float | None) -> str:
    return variant if probability is None else f"{variant} {_percent(probability)}"


def _percent(probability: float) -> str:
    if 0 < probability < 0.01:
        return "<1 %"
    return ">99 %" if 0.99 < probability < 1 else f"{probability * 100:.0f} %"


def _texts(row: dict[str, Any]) -> list[str]:
    """A variant, its means with their units, and the probability, as texts."""
    goodput, delay = metrics.METRICS["goodput_bps"], metrics.METRICS[row["delay_metric"]]
    loss = metrics.METRICS["congestion_loss"]
    means = [(row["goodput_bps"], goodput), (row["mean_delay_s"], delay), (row["congestion_loss"], loss)]
    texts = [f"{value * metric.scale:.3g} {metric.shown_unit}".strip() for value, metric in means]
    there = "yes" if row["on_frontier"] else "no"
    return [row["variant"], *texts, there if row["probability"] is None else _percent(row["probability"])]


def _across(scale: Scale, value: float) -> float:
    return round(LEFT + _inner(scale.place(value)) * (WIDTH - LEFT - RIGHT), 1)


def _up(scale: Scale, value: float) -> float:
    return round(HEIGHT - BOTTOM - _inner(scale.place(value)) * (HEIGHT - TOP - BOTTOM), 1)


def _inner(part: float) -> float:
    """A place on an axis with room for marks at its ends."""
    return 0.03 + 0.94 * part


def _place_labels(marks: list[dict[str, Any]]) -> None:
    """Give each name a place near its mark that covers no other name and no mark; without one it is not shown."""
    taken: list[tuple[float, float, float]] = []  # from, to, and the base line of the names that have their places
    for mark in sorted((mark for mark in marks if mark["label"]), key=lambda mark: (-mark["radius"], mark["y"])):
        long, away = text_sizes.width(mark["label"], _FONT) * _SPARE, mark["radius"] + 3
        sides = {"start": mark["x"] + away, "end": mark["x"] - away - long}
        free = (
            (anchor, left, y)
            for y in _near(mark["y"] + 4)
            for anchor, left in sides.items()
            if left >= LEFT and left + long <= WIDTH
            if all(abs(y - other) >= _LINE or left >= end or begin >= left + long for begin, end, other in taken)
            if not any(_covers(left, long, y, other) for other in marks)
        )
        anchor, left, y = next(free, ("", 0.0, 0.0))
        if not anchor:
            mark["label"] = ""
            continue
        taken.append((left, left + long, y))
        mark["label_x"], mark["label_y"] = round(mark["x"] + (away if anchor == "start" else -away), 1), round(y, 1)
        mark["anchor"] = anchor


def _covers(left: float, long: float, y: float, mark: dict[str, Any]) -> bool:
    """Whether a name's box lies over a mark."""
    radius = mark["radius"] + 1
    across = left < mark["x"] + radius and mark["x"] - radius < left + long
    return bool(across and y - _FONT * 0.8 < mark["y"] + radius and mark["y"] - radius < y + 2)


def _near(y: float) -> list[float]:
    """Heights within the picture from which a name still belongs to its mark, the nearest first."""
    heights = (y + step * _LINE / 4 for step in range(-_FARTHEST, _FARTHEST + 1))
    return sorted((at for at in heights if TOP + 6 <= at <= HEIGHT - BOTTOM), key=lambda at: abs(at - y))

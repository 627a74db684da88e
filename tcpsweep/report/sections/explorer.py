# SPDX-License-Identifier: MIT
"""The interactive figure: every metric's means, and charts that show the part of them that the reader chooses."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tcpsweep.figures import (
    chart_look,
    explorer_heat_map,
    explorer_lines,
    explorer_throughput_delay,
    metric_chart,
    series_styles,
)
from tcpsweep.report import chart_library, page_parts
from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.words import metrics

DELAYS = ("queueing_delay_mean_s", "owd_mean_s")  # the delay-throughput plane shows the first that was measured
RATE = "goodput_bps"
DIGITS = 5
MOST_MEANS, MOST_RUNS = 100_000, 10_000  # some megabytes of the page


def is_crowded(summary: pl.DataFrame, finished: Sequence[Run]) -> bool:
    """Whether the figure would make the page too large to open at ease."""
    return summary.height > MOST_MEANS or len(finished) > MOST_RUNS


def embedded(
    sweep: PlannedSweep, summary: pl.DataFrame, flows: pl.DataFrame, finished: Sequence[Run]
) -> dict[str, Any] | None:
    """The figure's ``data`` and the ``library`` that draws it, to stand in the page; None if `of` gives None."""
    data = of(sweep, summary, flows, finished)
    return None if data is None else {"data": page_parts.as_json(data), "library": chart_library.script()}


def of(
    sweep: PlannedSweep, summary: pl.DataFrame, flows: pl.DataFrame, finished: Sequence[Run]
) -> dict[str, Any] | None:
    """All that the page's script needs to draw what the reader chooses.

    Parameters
    ----------
    sweep : PlannedSweep
    summary, flows : DataFrame
        The sweep's tables.
    finished : sequence of Run
        The runs that have their metrics.

    Returns
    -------
    dict or None
        ``axes``, each with its values; ``combinations``, each as the positions of its values on the axes; ``cells``,
        each combination's runs with their cells and the links to these cells' pages; ``variants``, each combination's;
        ``series`` with their colours, shapes and dashes; ``metrics``; ``points``, for each metric rows of combination,
        series (a variant in a mix apart from the variant alone), series (both as one), mean, low, high, runs, distinct
        runs; ``clouds``, from `clouds`; ``baseline``; ``look`` and ``charts``, Vega-Lite without data.
        None if no axis has two values.
    """
    every, texts = axes.of(sweep), axes.texts(sweep)
    if not every:
        return None
    styles = series_styles.styles(sweep)
    numbers = {name: number for number, name in enumerate(styles)}
    shown = summary.filter(pl.col("mean").is_not_null())
    present = set(shown["metric"].unique())
    first = metrics.headline(present, sweep.headline)
    order = dict.fromkeys([*first, *(name for name in metrics.METRICS if name in present)])
    variants = [row["variant"] for row in texts]
    plane = clouds(flows)
    places = {name: {text: place for place, text in enumerate(_values(axis, texts))} for name, axis in every.items()}
    return {
        "axes": [_axis(axis, texts) for axis in every.values()],
        "combinations": [[found[row[name]] for name, found in places.items()] for row in texts],
        "variants": variants,
        "cells": _cells(sweep, finished),
        "series": [[name, colour, shape, dash] for name, (colour, shape, dash) in styles.items()],
        "metrics": {name: _metric(metrics.METRICS[name]) for name in order},
        "points": {name: _points(shown.filter(pl.col("metric") == name), variants, numbers) for name in order},
        "clouds": plane and plane | {"rows": _clouds(plane["rows"], variants, numbers)},
        "baseline": sweep.baseline,
        "look": chart_look.LOOK,
        "charts": {
            "lines": {axis.name: explorer_lines.chart(axis) for axis in every.values()},
            "heat map": explorer_heat_map.chart(),
            "plane": explorer_throughput_delay.chart(),
        },
    }


def clouds(flows: pl.DataFrame) -> dict[str, Any] | None:
    """The runs of each combination and variant on the plane of delay and throughput.

    A variant's value in a run is the mean over its forward flows. The report draws a variant's runs with the ellipse
    of one standard deviation around their mean, as Winstein and Balakrishnan (TCP ex Machina, SIGCOMM 2013) do.

    Parameters
    ----------
    flows : DataFrame

    Returns
    -------
    dict or None
        ``delay`` and ``rate``, the metrics; ``rows``, a DataFrame: ``combination``, ``flow_variant``, ``run``,
        ``delay``, ``rate`` in the metrics' shown units. None if either was not measured.
    """
    delay = next((name for name in DELAYS if name in flows.columns), None)
    if delay is None or RATE not in flows.columns:
        return None
    rows = (
        flows.filter(pl.col("direction") == "forward")
        .group_by("combination", "flow_variant", "run", maintain_order=True)
        .agg(
            delay=pl.col(delay).mean() * metrics.METRICS[delay].scale,
            rate=pl.col(RATE).mean() * metrics.METRICS[RATE].scale,
        )
        .drop_nulls(["delay", "rate"])
    )
    return {"delay": delay, "rate": RATE, "rows": rows}


def _values(axis: axes.Axis, texts: Sequence[Mapping[str, str]]) -> list[str]:
    """An axis' values as text, and last `axes.UNSET` if some combinations do not set it."""
    unset = any(row[axis.name] == axes.UNSET for row in texts)
    return [*axis.values, *([axes.UNSET] if unset and axes.UNSET not in axis.values else [])]


def _axis(axis: axes.Axis, texts: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    return {
        "name": axis.name,
        "title": axis.title,
        "values": _values(axis, texts),
        "places": list(axis.values.values()),
        "numeric": axis.numeric,
    }


def _metric(metric: metrics.Metric) -> dict[str, Any]:
    title = f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title
    return {
        "title": title,
        "formula": metric.formula,
        "zero": metric_chart.starts_at_zero(metric),
        "unit": metric.shown_unit,
    }


def _cells(sweep: PlannedSweep, finished: Sequence[Run]) -> list[list[tuple[int, str, str | None]]]:
    """Each combination's finished runs: the run's number, its cell, the link to the cell's page."""
    found: list[list[tuple[int, str, str | None]]] = [[] for _ in sweep.combinations]
    for cell, combination, run in finished:
        if combination < len(found):
            found[combination].append((run, cell, page_parts.link_to_cell(sweep, cell)))
    return found


def _series(own: str | None, whole: str, numbers: Mapping[str, int]) -> tuple[int, int]:
    """The numbers of a point's series: that of the variant in this mix alone, and that of the variant anywhere."""
    return numbers[axes.series(own, whole)], numbers[own or whole]


def _points(table: pl.DataFrame, variants: Sequence[str], numbers: Mapping[str, int]) -> list[list[Any]]:
    scale = metrics.METRICS[table["metric"][0]].scale
    rows = table.select(
        "combination", "flow_variant", pl.col("mean", "low", "high") * scale, "runs", "distinct_runs"
    ).iter_rows()
    return [
        [combination, *_series(own, variants[combination], numbers), *map(_short, (mean, low, high)), runs, distinct]
        for combination, own, mean, low, high, runs, distinct in rows
    ]


def _clouds(rows: pl.DataFrame, variants: Sequence[str], numbers: Mapping[str, int]) -> list[list[Any]]:
    return [
        [combination, *_series(own, variants[combination], numbers), run, _short(delay), _short(rate)]
        for combination, own, run, delay, rate in rows.iter_rows()
    ]


def _short(value: float | None) -> float | None:
    """A number with as many digits as a figure needs."""
    return value if value is None else float(f"{value:.{DIGITS}g}")

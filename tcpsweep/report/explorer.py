# SPDX-License-Identifier: MIT
"""What the report's interactive figure shows: every metric's means, and charts that take the part that is chosen."""

import polars as pl

from tcpsweep.figures import charts
from tcpsweep.report import templates
from tcpsweep.sweep import axes
from tcpsweep.words import metrics

DELAYS = ("queueing_delay_mean_s", "owd_mean_s")  # of the delay-throughput plane: the first that was measured
RATE = "goodput_bps"
DIGITS = 5
MOST_MEANS, MOST_RUNS = 100_000, 10_000  # some megabytes of the page


def is_crowded(summary, finished):
    """Whether the figure of a summary and its finished runs would make the page too large to be opened at ease."""
    return summary.height > MOST_MEANS or len(finished) > MOST_RUNS


def of(sweep, summary, flows, finished):
    """All that the page's script needs to draw what is chosen.

    Parameters
    ----------
    sweep : dict
    summary, flows : DataFrame
        The sweep's tables.
    finished : list of (str, int, int)
        Cell, combination and run, as `sweep_record.finished` gives them.

    Returns
    -------
    dict or None
        ``axes`` with each one's values; ``combinations``, the values' numbers on each axis; ``cells``, each
        combination's runs with their cells and pages; ``series`` with their colours, shapes and dashes; ``metrics``;
        ``points``, by metric rows of combination, series when each variant is told apart from its mixes, series when it
        is not, mean, low, high, runs, distinct runs; ``clouds``, see `clouds`; ``charts``, Vega-Lite without data.
        None where no axis has two values.
    """
    every, texts = axes.of(sweep), axes.texts(sweep)
    if not every:
        return None
    styles = charts.styles(sweep)
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
        "look": charts.LOOK,
        "charts": {
            "lines": {axis.name: charts.explored(axis) for axis in every.values()},
            "heat map": charts.heat_map(),
            "plane": charts.plane(),
        },
    }


def clouds(flows):
    """The runs of each combination and variant on the plane of delay and throughput.

    A variant's value in a run is the mean over its forward flows, as everywhere. The report draws them with the ellipse
    of one standard deviation around their mean, as Winstein and Balakrishnan (TCP ex Machina, SIGCOMM 2013) do.

    Parameters
    ----------
    flows : DataFrame

    Returns
    -------
    dict or None
        ``delay`` and ``rate``, the metrics; ``rows``, a DataFrame: ``combination``, ``flow_variant``, ``run``,
        ``delay``, ``rate`` in the metrics' shown units. None where either was not measured.
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


def _values(axis, texts):
    """An axis' values as text, and behind them that of the combinations that do not set it."""
    unset = any(row[axis.name] == axes.UNSET for row in texts)
    return [*axis.values, *([axes.UNSET] if unset and axes.UNSET not in axis.values else [])]


def _axis(axis, texts):
    return {
        "name": axis.name,
        "title": axis.title,
        "values": _values(axis, texts),
        "places": list(axis.values.values()),
        "numeric": axis.numeric,
    }


def _metric(metric):
    title = f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title
    return {"title": title, "formula": metric.formula, "zero": charts.from_zero(metric), "unit": metric.shown_unit}


def _cells(sweep, finished):
    """Each combination's finished runs with their cells and the links to these' pages."""
    found = [[] for _ in sweep.combinations]
    for cell, combination, run in finished:
        if combination < len(found):
            found[combination].append([run, cell, templates.of_cell(sweep, cell)])
    return found


def _series(own, whole, numbers):
    """The numbers of a point's series: told apart from the variant in other mixes, and not."""
    return numbers[axes.series(own, whole)], numbers[own or whole]


def _points(table, variants, numbers):
    scale = metrics.METRICS[table["metric"][0]].scale
    rows = table.select(
        "combination", "flow_variant", pl.col("mean", "low", "high") * scale, "runs", "distinct_runs"
    ).iter_rows()
    return [
        [combination, *_series(own, variants[combination], numbers), *map(_short, (mean, low, high)), runs, distinct]
        for combination, own, mean, low, high, runs, distinct in rows
    ]


def _clouds(rows, variants, numbers):
    return [
        [combination, *_series(own, variants[combination], numbers), run, _short(delay), _short(rate)]
        for combination, own, run, delay, rate in rows.iter_rows()
    ]


def _short(value):
    """A number as short as a figure needs it."""
    return value if value is None else float(f"{value:.{DIGITS}g}")

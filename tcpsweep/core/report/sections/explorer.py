# SPDX-License-Identifier: MIT
"""The data of the interactive figures: every metric's means, and charts for the reader's selection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tcpsweep.core.analysis import findings
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.figures import (
    charts,
    flow_colours,
    metric_chart,
    paper_chart,
    series_styles,
)
from tcpsweep.core.figures.charts import Slots
from tcpsweep.core.report import page_parts
from tcpsweep.core.report.sections import figures, finished_runs, metric_groups, table_texts
from tcpsweep.core.sweep import axes, caveats
from tcpsweep.core.sweep.sweep_record import UNSET, PlannedSweep, Run
from tcpsweep.core.words import metrics
from tcpsweep.core.words.mixes import Mix

DELAYS = ("queueing_delay_mean_s", "owd_mean_s")  # the delay-throughput plane shows the first that was measured
RATE = "goodput_bps"
DIGITS = 5
# A finding to its letter in the data; any other is "n", not tested.
LETTERS = {"higher": "h", "lower": "l", "same": "s", "undecided": "u", findings.TOO_FEW: "u"}
_HEADS = {"series": "variant", "where": "at", "value": "value", "runs": "runs"}
# The values of slots that all charts of the page have.
SLOTS: Slots = {
    "tooltip": [{"field": name, "type": "nominal", "title": title} for name, title in _HEADS.items()],
    "y title": None,
    "soft": "var(--soft)",
    "panel": "var(--panel)",
    "label size": 12,
    "value legend": {"gradientLength": 200, "orient": "top"},
    "widths": {"value": 1},
}


def data_of_figures(
    sweep: PlannedSweep,
    summary: pl.DataFrame,
    flows: pl.DataFrame,
    finished: Sequence[Run],
    effects: pl.DataFrame | None = None,
) -> dict[str, Any] | None:
    """The data with which the page's scripts draw the reader's selection, as columns; None if no axis has two values.

    - ``axes``, each with its values
    - ``combinations``, each as the positions of its values on the axes
    - ``variants``, the names that occur, ``of`` each combination the position of its own, and the names for print of
      all variants and series
    - ``cells``, each combination's runs with their cells
    - ``pages``, the prefix of a cell's id in the link to its page, or None
    - ``series`` with the names of their colours in the style sheet, shapes and dashes
    - ``metrics``, in their groups, with the caveats that touch them in words
    - ``keys``, lists that identify means: combination, series (a variant in a mix is its own series), series (one for
      the variant anywhere)
    - ``points``, for each metric which list it is ``at``, then the columns ``mean``, ``low``, ``high``, ``runs``,
      ``distinct`` (one number where all are the same), and ``found``, a letter for each finding against the baseline
    - ``clouds``, from `clouds`
    - ``baseline``
    - ``charts``, all kinds with slots, the values of ``slots`` that they all have, and their ``look``
    """
    axis_by_name, texts = axes.variant_and_network_axes(sweep), sweep.texts
    if not axis_by_name:
        return None
    styles = series_styles.styles(sweep)
    series_numbers = {name: number for number, name in enumerate(styles)}
    means = summary.filter(pl.col("mean").is_not_null())
    measured = set(means["metric"].unique())
    headline = metrics.headline(measured, sweep.headline)
    metric_names = dict.fromkeys([*headline, *(name for name in metrics.METRICS if name in measured)])
    variants = [row["variant"] for row in texts]
    variant_names = list(dict.fromkeys(variants))
    cloud, runs = clouds(flows), finished_runs.by_combination(sweep, finished)
    positions_by_axis = {
        name: {text: place for place, text in enumerate(_axis_values(axis, texts))}
        for name, axis in axis_by_name.items()
    }
    key_lists: dict[tuple[tuple[int, int, int], ...], int] = {}
    letters_by_metric = _letters_by_metric(sweep, effects)
    touched = caveats.Touching(sweep)
    points = {
        name: _columns_of_metric(
            means.filter(pl.col("metric") == name), variants, series_numbers, key_lists, letters_by_metric.get(name, {})
        )
        for name in metric_names
    }
    return {
        "axes": [_axis_data(axis, texts) for axis in axis_by_name.values()],
        "combinations": [[positions[row[name]] for name, positions in positions_by_axis.items()] for row in texts],
        "variants": {
            "names": variant_names,
            "of": [variant_names.index(name) for name in variants],
            "printed": axes.names_for_print(sweep),
        },
        "cells": [[(run.run, run.cell) for run in runs.get(number, ())] for number in range(len(texts))],
        "pages": page_parts.folder_of_cells(sweep),
        "series": [
            [name, f"var(--series-{number})", style.shape, style.dash]
            for number, (name, style) in enumerate(styles.items())
        ],
        "metrics": {
            name: described(name, name in headline) | {"touched": caveats.in_words(touched.metric(name))}
            for name in metric_names
        },
        "keys": [[list(key) for key in rows] for rows in key_lists],
        "points": points,
        "clouds": cloud and cloud | {"rows": _cloud_rows(cloud["rows"], variants, series_numbers)},
        "baseline": sweep.baseline,
        "look": charts.look("page"),
        "charts": charts.kinds(),
        "slots": SLOTS,
    }


def colours(sweep: PlannedSweep) -> list[tuple[str, str, str, str]]:
    """Each series' colour and its text's colour, on a light ground and on a dark one, in the order of ``series``."""
    light_colours = [style.colour for style in series_styles.styles(sweep).values()]
    pairs = [(colour, flow_colours.on_dark(colour)) for colour in light_colours]
    return [(light, flow_colours.text_on(light), dark, flow_colours.text_on(dark)) for light, dark in pairs]


def data_without_figures(sweep: PlannedSweep) -> dict[str, Any]:
    """The data of a page without interactive figures: the variants, to hide, highlight and rename."""
    variants = [row["variant"] for row in sweep.texts]
    names = list(dict.fromkeys(variants))
    empty_data: dict[str, Any] = {
        "axes": [],
        "combinations": [],
        "series": [],
        "metrics": {},
        "points": {},
        "slots": {},
        "look": {},
    }
    of_variants = {"names": names, "of": [], "printed": axes.names_for_print(sweep)}
    return {"variants": of_variants, "baseline": sweep.baseline, "charts": {}} | empty_data


def clouds(flows: pl.DataFrame) -> dict[str, Any] | None:
    """The runs of each combination and variant on the plane of delay and throughput; None if either was not measured.

    A variant's value in a run is the mean over its forward flows. The report draws a variant's runs with the ellipse of
    one standard deviation around their mean, as Winstein and Balakrishnan (TCP ex Machina, SIGCOMM 2013) do. ``delay``
    and ``rate`` name the metrics; ``rows`` is a table of ``combination``, ``flow_variant``, ``run``, ``delay``,
    ``rate`` in the metrics' shown units.
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


def _axis_values(axis: axes.Axis, texts: Sequence[Mapping[str, str]]) -> list[str]:
    """An axis' values as text, and last `UNSET` if some combinations do not set it."""
    unset = any(row[axis.name] == UNSET for row in texts)
    return [*axis.values, *([UNSET] if unset and UNSET not in axis.values else [])]


def _axis_data(axis: axes.Axis, texts: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """An axis; ``kind`` is the chart of means against it, ``slots`` its slots for the axis."""
    is_of_variants = axis.name == "variant"
    title = None if is_of_variants else axis.head
    names = {"x title": title, "x axis": {"grid": True, "labelAngle": -35, "labelLimit": 0}, "names": list(axis.values)}
    of_names = "means of variants" if is_of_variants else "means over names"
    return {
        "name": axis.name,
        "title": axis.title,
        "values": _axis_values(axis, texts),
        "places": list(axis.values.values()),
        "numeric": axis.numeric,
        "kind": "means over numbers" if axis.numeric else of_names,
        "slots": paper_chart.place_on_numbers(axis) if axis.numeric else names,
    }


def described(name: str, first: bool) -> dict[str, Any]:
    """A metric in words, for the page's script; ``first`` is whether it is a headline metric."""
    metric = metrics.METRICS[name]
    return {
        "title": metric.title,
        "unit": metric.shown_unit,
        "formula": metric.formula.replace("`", ""),
        "zero": metric_chart.starts_at_zero(metric),
        "better": metric.better,
        "fair": metric.fair,
        "group": metric_groups.HEADLINE if first else metric_groups.group_of(name),
    }


def _series_numbers(variant: str | None, mix_or_variant: str, numbers: Mapping[str, int]) -> tuple[int, int]:
    """The numbers of a point's two series: the variant in this mix only, and the variant anywhere."""
    return numbers[axes.series(variant, mix_or_variant)], numbers[variant or mix_or_variant]


def _letters_by_metric(
    sweep: PlannedSweep, effects: pl.DataFrame | None
) -> dict[str, dict[tuple[int, str | None], str]]:
    """The letter of each finding against the baseline, by metric, and by combination and variant in the mix."""
    letters: dict[str, dict[tuple[int, str | None], str]] = {}
    if effects is None or effects.is_empty():
        return letters
    compared = effects.filter(pl.col("mix").is_not_null() | (pl.col("reference") == pl.lit(sweep.baseline)))
    for metric, combination, variant, mix, finding in compared.select(
        "metric", "combination", "variant", "mix", "finding"
    ).iter_rows():
        letters.setdefault(metric, {})[combination, variant if mix else None] = LETTERS.get(finding, "n")
    return letters


def _columns_of_metric(
    means: pl.DataFrame,
    variants: Sequence[str],
    series_numbers: Mapping[str, int],
    key_lists: dict[tuple[tuple[int, int, int], ...], int],
    letters: Mapping[tuple[int, str | None], str],
) -> dict[str, Any]:
    """A metric's entry in ``points`` of `data_of_figures`; adds the list of its rows' keys to ``key_lists`` if new."""
    scale = metrics.METRICS[means["metric"][0]].scale
    pairs = means.select("combination", "flow_variant").rows()
    key_list = tuple(
        (combination, *_series_numbers(variant, variants[combination], series_numbers))
        for combination, variant in pairs
    )
    letter_keys = [
        (combination, variant if variant != variants[combination] else None) for combination, variant in pairs
    ]
    finding_letters = "".join(letters.get(place, ".") for place in letter_keys)
    name = means["metric"][0]
    lows = [table_texts.lower_end(name, mean, low) for mean, low in zip(means["mean"], means["low"], strict=True)]
    columns = {"mean": means["mean"].to_list(), "low": lows, "high": means["high"].to_list()}
    return {
        "at": key_lists.setdefault(key_list, len(key_lists)),
        **{
            column: [value if value is None else _rounded(value * scale) for value in values]
            for column, values in columns.items()
        },
        "runs": _one_or_all(means["runs"].to_list()),
        "distinct": _one_or_all(means["distinct_runs"].to_list()),
        "found": finding_letters if finding_letters.strip(".") else "",
    }


def _one_or_all(values: list[int]) -> int | list[int]:
    """The common value if all are equal, else the values."""
    return values[0] if len(set(values)) == 1 else values


def _cloud_rows(rows: pl.DataFrame, variants: Sequence[str], series_numbers: Mapping[str, int]) -> list[list[Any]]:
    return [
        [
            combination,
            *_series_numbers(variant, variants[combination], series_numbers),
            run,
            _rounded(delay),
            _rounded(rate),
        ]
        for combination, variant, run, delay, rate in rows.iter_rows()
    ]


def _rounded(value: float | None) -> float | None:
    """A number with as many digits as a figure needs."""
    return value if value is None else float(f"{value:.{DIGITS}g}")


@dataclass(frozen=True)
class Explore:
    """The interactive figure, and the static figures."""

    data: dict[str, Any]  # for the page's scripts
    colours: list[tuple[str, str, str, str]]
    unexplored: str  # the means and runs that are too many for it, in words
    groups: dict[str, list[figures.Figure]]  # static figures
    asked_tables: list[figures.AskedTable]
    room: str


def _explore(results: SweepResults) -> Explore:
    swept, data = results.swept, None
    if results.is_interactive:
        data = data_of_figures(swept, results.summary, results.flows, results.finished, results.effects)
    return Explore(
        data or data_without_figures(swept),
        colours(swept) if data else [],
        f"{results.means:,} means of {len(results.finished):,} runs",
        figures.groups(results.folder, results.link),
        figures.tables(results.folder, results.link),
        f"{figures.MOST_DRAWN / 1e6:.3g} MB",
    )


def section(results: SweepResults) -> Section:
    """The section, which the list of contents names if it has an interactive figure, or the reason for none."""
    heading = "Explore" if results.has_explorer or results.is_crowded else ""
    return Section("explore", "report/explore.html.jinja", _explore, heading, script_data=lambda record: record.data)


NETWORKS = Section(
    "networks",
    "report/networks.html.jinja",
    lambda results: results.has_explorer or None,
    heading="Network conditions",
)
FAIRNESS = Section(
    "fairness",
    "report/fairness.html.jinja",
    lambda results: any(Mix.parse(row["variant"]).is_mixed for row in results.swept.texts) or None,
    heading="Fairness",
)

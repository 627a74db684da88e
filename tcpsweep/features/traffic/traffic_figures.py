# SPDX-License-Identifier: MIT
"""The static figures of traffic: each group's first metrics against the axes, and slowdowns by the size of flows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.figures import charts, metric_data, metric_figure, paper_chart, plot_scales, series_styles
from tcpsweep.core.figures.charts import VegaLite
from tcpsweep.core.figures.metric_data import Panels
from tcpsweep.core.figures.picture_files import Figure
from tcpsweep.core.figures.series_styles import Styles
from tcpsweep.core.sweep import axes, network_part
from tcpsweep.core.sweep.axes import Axis
from tcpsweep.core.sweep.network_part import Part
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, size_classes, traffic_metrics
from tcpsweep.features.traffic import slowdown_distributions

MOST_NETWORKS = 12
RANKS = {"p50": "median", "p95": "95th percentile", "p99": "99th percentile"}
_PERCENTILE = Axis("percentile", "percentile", "", {rank[1:]: rank[1:] for rank in RANKS})
_SIZE = Axis("size", "size", "", {words: words for words in size_classes.WORDS.values()})

_Curve = tuple[Sequence[float], Sequence[float]]
_HEIGHT = 160.0
_MOST_TICKS = 6


def figures(results: SweepResults, width: float) -> Iterator[Figure]:
    """The figures of the sweep's table of traffic, in a width in pixels."""
    sweep, traffic = results.sweep, results.table("traffic")
    if traffic.is_empty():
        return
    for name in traffic["traffic"].unique(maintain_order=True):
        group_means = network_part.summary(Part("traffic", name), pl.LazyFrame(), {"traffic": traffic.lazy()}).collect()
        first_metrics = traffic_metrics.first_metrics(set(group_means["metric"]))
        for panels in metric_data.panels(sweep, group_means, first_metrics):
            title = f"{metrics.METRICS[panels.metric].title} of {name} against {panels.axis.title}"
            file = f"{name}-{panels.metric}-by-{metric_data.file_name(panels.axis.name)}"
            figure = metric_figure.figure(sweep, panels, file, f"Traffic {name}", title, width)
            yield _with_note_on_infinite(figure, panels, group_means)
        yield from _distributions(sweep, name, width)
        for number, (where, panels) in enumerate(_panels_by_size(sweep, group_means), 1):
            title = f"Slowdown of {name} by the size of flows{f', at {where}' if where else ''}"
            file = f"{name}-slowdown-by-size-{number}"
            figure = metric_figure.figure(sweep, panels, file, f"Traffic {name}", title, width, "log")
            yield _with_note_on_infinite(figure, panels, group_means)


def _distributions(sweep: PlannedSweep, name: str, width: float) -> Iterator[Figure]:
    """The distribution of the slowdown in each network, of all runs together."""
    texts, finished, names = sweep.texts, sweep.finished(), axes.names_for_print(sweep)
    styles = series_styles.printed(series_styles.styles(sweep), names)
    for number, (where, combinations) in enumerate(list(_combinations_by_network(sweep).items())[:MOST_NETWORKS], 1):
        curves = {}
        for combination in combinations:
            runs = [run for run in finished if run.combination == combination]
            curves[texts[combination]["variant"]] = slowdown_distributions.curves(sweep, runs).get(name, ([], []))
        if any(values for values, _ in curves.values()):
            yield Figure(
                f"{name}-slowdown-distribution-{number}",
                f"Traffic {name}",
                f"Distribution of the slowdown of {name}{f', at {where}' if where else ''}",
                "The share of flows with this slowdown or a larger one, over the flows of all runs. A curve ends at "
                "the slowest flow that finished, above the share of those that did not. Both axes are logarithmic.",
                "metric",
                _slowdown_chart({names[variant]: curve for variant, curve in curves.items()}, styles, width),
                _curve_points(curves),
                width,
                ["slowdown_p50"],
                combinations,
            )


def _combinations_by_network(sweep: PlannedSweep) -> dict[str, list[int]]:
    """The combinations of each network, by its words."""
    combinations_by_network: dict[str, list[int]] = {}
    for number, text_by_axis in enumerate(axes.network_texts(sweep)):
        combinations_by_network.setdefault(axes.axes_in_words(text_by_axis), []).append(number)
    return combinations_by_network


def _with_note_on_infinite(figure: Figure, panels: Panels, group_means: pl.DataFrame) -> Figure:
    """A figure whose caption says where it lacks points, because they are infinite."""
    without_point = group_means.filter(
        pl.col("metric").str.starts_with("slowdown_" if panels.what else panels.metric), pl.col("mean").is_null()
    )
    sentence = " A value that is infinite in some run, because a transfer did not finish, has no point."
    return replace(figure, caption=figure.caption + sentence) if without_point.height else figure


def _panels_by_size(sweep: PlannedSweep, group_means: pl.DataFrame) -> Iterator[tuple[str, Panels]]:
    """Each network in words, and its percentiles of the slowdown in a panel for each class of sizes."""
    texts = sweep.texts
    slowdowns = {
        f"slowdown_{rank}_{size}": (rank[1:], size_classes.WORDS[size]) for rank in RANKS for size in size_classes.BYTES
    }
    variants = [row["variant"] for row in texts]
    rows = group_means.filter(pl.col("metric").is_in(list(slowdowns)), pl.col("mean").is_not_null()).with_columns(
        variant=pl.col("combination").replace_strict(dict(enumerate(variants)), return_dtype=pl.String),
        place=pl.col("metric").replace_strict(
            {key: rank for key, (rank, _) in slowdowns.items()}, return_dtype=pl.String
        ),
        column=pl.col("metric").replace_strict(
            {key: size for key, (_, size) in slowdowns.items()}, return_dtype=pl.String
        ),
        row=pl.lit(None, pl.String),
    )
    for where, combinations in list(_combinations_by_network(sweep).items())[:MOST_NETWORKS]:
        points = rows.filter(pl.col("combination").is_in(combinations)).with_columns(series=pl.col("variant"))
        if points.height:
            yield where, Panels("slowdown_p50", _PERCENTILE, points, _SIZE, what="slowdown")


def _slowdown_chart(curves: Mapping[str, _Curve], styles: Styles, width: float) -> VegaLite:
    """The curves of some series from `slowdown_distributions`, in a width in pixels."""
    series = [name for name in styles if name in curves and curves[name][0]]
    points = _curve_points({name: curves[name] for name in series}).rename({"flow_variant": "series"})
    x = plot_scales.logarithmic(points["slowdown"].to_list(), _MOST_TICKS)
    y = plot_scales.logarithmic(points["share"].to_list(), _MOST_TICKS)
    labels, title = paper_chart.extent_of_numbers(y), "share of flows with as much or more"
    room = paper_chart.room(width, labels, title, _HEIGHT + paper_chart.GAP)  # the title has one line
    legend = paper_chart.legend_below(series, room.legend, **paper_chart.STROKES)
    line_styles = series_styles.of_lines({name: styles[name] for name in series})
    slots = {
        **paper_chart.size(room.panel, _HEIGHT),
        **paper_chart.level_axis(x, "slowdown", 1),
        **paper_chart.upward_axis(y, room, _HEIGHT),
        **paper_chart.of_series(line_styles, series, legend),
        "dash legend": legend,
    }
    return charts.filled(charts.kind("distribution"), slots, points=points.rename({"slowdown": "place"}))


def _curve_points(curves: Mapping[str, _Curve]) -> pl.DataFrame:
    """The curves as a table to write: ``flow_variant``, ``slowdown``, ``share``."""
    rows = [
        (name, value, share)
        for name, (values, shares) in curves.items()
        for value, share in zip(values, shares, strict=True)
    ]
    schema = {"flow_variant": pl.String, "slowdown": pl.Float64, "share": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")

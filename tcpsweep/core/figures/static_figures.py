# SPDX-License-Identifier: MIT
"""All static figures of a sweep, drawn and listed: metrics, maps, example cells, and requested figures and tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from tcpsweep.core.analysis import sweep_results
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.report_parts import Figures
from tcpsweep.core.figures import (
    example_cell,
    metric_data,
    metric_figure,
    picture_files,
    requested_chart,
    requested_data,
    requested_tables,
    series_styles,
    time_panels,
)
from tcpsweep.core.figures.picture_files import Figure
from tcpsweep.core.figures.requested_tables import Table
from tcpsweep.core.store import removal
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import assignment, axes, caveats, network_part, requests, sweep_tables
from tcpsweep.core.sweep.requests import COLUMN_PT, Asked, FigureRequest, MetricFigureRequest, TableRequest
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics

COLUMN = picture_files.pixels(COLUMN_PT)
_Drawn = TypeVar("_Drawn", Figure, Table)
# What their indexes say of figures and of tables, besides their files.
_OF_FIGURE = ("name", "group", "title", "caption", "kind")
_OF_TABLE = ("name", "title", "caption", "heads", "rows", "words")


def of_metrics(sweep: PlannedSweep, summary: pl.DataFrame) -> Iterator[Figure]:
    """A figure for every headline metric against every axis."""
    for panels in metric_data.panels(sweep, summary):
        title = metrics.METRICS[panels.metric].title
        name = f"{panels.metric}-by-{metric_data.file_name(panels.axis.name)}"
        yield metric_figure.figure(sweep, panels, name, title, f"{title} against {panels.axis.title}", COLUMN)


def of_requested_metrics(
    sweep: PlannedSweep,
    summary: pl.DataFrame,
    requests: list[MetricFigureRequest],
    parts: Mapping[str, pl.DataFrame] | None = None,
) -> Iterator[Figure]:
    """The figures of metrics that the sweep file asks for, as far as they have a point.

    ``parts`` are the sweep's tables of links, traffic and groups of flows, by kind, for figures of these.
    """
    for number, request in enumerate(requests, 1):
        shown_summary = summary
        if request.part:
            lazy_parts = {kind: table.lazy() for kind, table in (parts or {}).items()}
            shown_summary = network_part.summary(request.part, summary.lazy(), lazy_parts).collect()
        panels = metric_data.requested(sweep, shown_summary, request)
        if panels is None:
            continue
        of_part = f" of {request.part.said}" if request.part else ""
        title = request.title or f"{metrics.METRICS[request.metric].title}{of_part} against {panels.axis.title}"
        width = picture_files.pixels(request.width_pt)
        name = f"figure-{number}-{metric_data.file_name(title)[:100]}"
        yield metric_figure.figure(sweep, panels, name, "For the paper", title, width, request.scale)


def with_caveats(sweep: PlannedSweep, drawn: Iterable[_Drawn]) -> Iterator[_Drawn]:
    """Figures or tables whose captions also name the caveats that touch what they show."""
    touched = caveats.Touching(sweep)
    for shown in drawn:
        of_shown = [caveat for metric in shown.metrics for caveat in touched.means(metric, shown.combinations)]
        yield replace(shown, caption=f"{shown.caption} {caveats.sentence(sweep, of_shown)}".rstrip())


def tables(sweep: PlannedSweep, summary: pl.DataFrame, requests: list[TableRequest]) -> Iterator[Table]:
    """The tables that the sweep file asks for, as far as they have a number."""
    for number, request in enumerate(requests, 1):
        table = requested_tables.requested_table(
            sweep, summary, request, f"table-{number}-{metric_data.file_name(request.title)[:100]}"
        )
        if table is not None:
            yield table


def of_requests(sweep: PlannedSweep, requests: list[FigureRequest]) -> Iterator[Figure]:
    """The figures over time that the sweep file asks for, as far as their cells were traced."""
    number, colours = 0, {name: style.colour for name, style in series_styles.styles(sweep).items()}
    names = axes.names_for_print(sweep)
    for picture in requested_data.pictures(sweep, requests, names):
        panels, states = requested_data.panels(sweep, picture)
        if not panels:
            continue
        number += 1
        width = picture_files.pixels(picture.width_pt)
        style_by_line = time_panels.styles(requested_data.variants(sweep, picture), colours)
        printed_labels = {line.label: line.said for line in requested_data.lines(sweep, picture, names)}
        shown = {panel: frame.with_columns(pl.col("line").replace(printed_labels)) for panel, frame in panels.items()}
        printed_styles = {printed_labels[label]: style for label, style in style_by_line.items()}
        yield Figure(
            f"time-{number}-{metric_data.file_name(picture.title)[:100]}",
            "Over time",
            picture.said,
            requested_chart.caption(sweep, picture, panels, states is not None),
            "time",
            requested_chart.chart(shown, states, printed_styles, picture.from_s, picture.to_s, width),
            requested_chart.pictures_table(panels),
            width,
            [requested_data.METRICS[panel] for panel in panels],
            [run.combination for run in picture.cells],
        )


def of_example_cells(sweep: PlannedSweep) -> Iterator[Figure]:
    """A figure of windows and round-trip times over time for one cell of each variant."""
    names = axes.names_for_print(sweep)
    colours = {name: style.colour for name, style in series_styles.styles(sweep).items()}
    for number, (cell, combination, run) in enumerate(example_cell.chosen(sweep), 1):
        row = sweep.combinations[combination]
        traces, labels, smoothed = example_cell.traces(sweep, cell, row, run)
        printed_labels = dict(zip(labels, example_cell.labels(row, run, names), strict=True))
        if traces.is_empty():
            continue
        styles = time_panels.styles(dict(zip(labels, assignment.flow_variants(row, run), strict=False)), colours)
        shown = traces.with_columns(pl.col("flow").replace(printed_labels))
        with_trips = set(traces.filter(pl.col("metric") == "rtt")["flow"])
        are_all = bool(with_trips) and with_trips <= set(smoothed)
        sample = "the smoothed round-trip time" if are_all else "each sample of the round-trip time"
        sample += (
            f" ({', '.join(map(printed_labels.__getitem__, smoothed))}: the smoothed one)"
            if smoothed and not are_all
            else ""
        )
        place = requested_chart.cell_words(sweep, combination)
        words = [f"Run {run} of {place}: cwnd and ssthresh in segments of {row['segment_size']} B, and {sample}."]
        if example_cell.is_cut(traces):
            words.append("An ssthresh beyond the axis, such as an infinite one, is drawn along its upper edge.")
        flows = assignment.flow_count(row)
        if flows > len(labels):
            words.append(f"The first {len(labels)} of {flows} flows.")
        spans = example_cell.SPANS
        words.append(f"The lines show the lowest and the highest value in each {spans}th of the time.")
        rtt, end_s = "smoothed RTT [ms]" if are_all else "RTT [ms]", row.duration_s
        yield Figure(
            f"cell-{number}-{metric_data.file_name(str(row['variant']))[:100]}",
            "Single cells over time",
            f"{names[str(row['variant'])]} over time",
            " ".join(words),
            "cell",
            example_cell.chart(shown, {printed_labels[label]: styles[label] for label in labels}, end_s, rtt, COLUMN),
            traces,
            COLUMN,
            [requested_data.METRICS[panel] for panel in ("window", "rtt")],
            [combination],
        )


def write(folder: Path | str, of_features: Sequence[tuple[str, Figures]] = ()) -> None:
    """Draw the figures of the sweep in a folder into its ``figures/``, and list them in its ``figures.json``.

    The tables that the sweep file asks for lie there as well, listed in ``figures/tables.json``. Files of an earlier
    run that the sweep no longer has are removed. ``of_features`` are the features' kinds of figures, each with the
    core's kind that it follows.
    """
    results = sweep_results.read(folder)
    folder, sweep, asked = results.folder, results.sweep, requests.read_asked(folder)
    place = folder / "figures"
    place.mkdir(exist_ok=True)
    index, names = _written(
        with_caveats(sweep, _figures(results, asked, of_features)), picture_files.render, place, _OF_FIGURE
    )
    asked_tables = with_caveats(sweep, tables(sweep, results.table("summary"), asked.tables))
    table_index, table_names = _written(asked_tables, requested_tables.write, place, _OF_TABLE)
    written = {*names, *table_names}
    if table_index:
        write_whole(place / requested_tables.INDEX, json.dumps(table_index, indent=1))
        written.add(requested_tables.INDEX)
    for old in place.iterdir():
        if old.name not in written:
            removal.remove(old)
    write_whole(folder / "figures.json", json.dumps(index, indent=1))


def _figures(results: SweepResults, asked: Asked, of_features: Sequence[tuple[str, Figures]]) -> Iterator[Figure]:
    """All figures, kind by kind."""
    sweep, summary = results.sweep, results.table("summary")
    parts = {kind: results.table(name) for kind, name in sweep_tables.OF_PARTS.items()}
    kinds: dict[str, Callable[[], Iterator[Figure]]] = {
        "requested metrics": lambda: of_requested_metrics(sweep, summary, asked.metrics, parts),
        "metrics": lambda: of_metrics(sweep, summary),
        "requested traces": lambda: of_requests(sweep, asked.traces),
        "example cells": lambda: of_example_cells(sweep),
    }
    for kind, figures in kinds.items():
        yield from figures()
        for place, figures_of_feature in of_features:
            if place == kind:
                yield from figures_of_feature(results, COLUMN)


def _written(
    drawn: Iterable[_Drawn], write_files: Callable[[_Drawn, Path], Iterable[str]], place: Path, keys: Sequence[str]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Write figures or tables; returns what their index says of each, by ``keys``, and the names of their files."""
    index: list[dict[str, Any]] = []
    written: list[str] = []
    for shown in drawn:
        names = list(write_files(shown, place))
        index.append(_entry(shown, keys, names))
        written += names
    return index, written


def _entry(shown: Figure | Table, keys: Sequence[str], names: Iterable[str]) -> dict[str, Any]:
    files = {name.rpartition(".")[2]: f"figures/{name}" for name in names}
    return {key: getattr(shown, key) for key in keys} | {"files": files}

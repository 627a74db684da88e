# SPDX-License-Identifier: MIT
"""All static figures of a sweep, drawn and listed: metrics, maps, example cells, and requested figures and tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from tcpsweep.figures import (
    cell_words,
    example_cell_chart,
    example_cell_data,
    metric_caption,
    metric_chart,
    metric_data,
    metric_plane_chart,
    pair_figures,
    picture_files,
    requested_caption,
    requested_chart,
    requested_data,
    requested_tables,
    series_styles,
    time_panels,
    traffic_figures,
    turning_figures,
    wireless_map_chart,
    wireless_map_data,
)
from tcpsweep.figures.picture_files import Figure
from tcpsweep.figures.requested_tables import Table
from tcpsweep.store import removal
from tcpsweep.store.whole_files import write_whole
from tcpsweep.sweep import assignment, matching, network_part, requests, sweep_record, sweep_tables, touched_numbers
from tcpsweep.sweep.requests import COLUMN_PT, FigureRequest, MetricFigureRequest, TableRequest
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics, quantities

MOST_MAPS = 12
COLUMN = picture_files.pixels(COLUMN_PT)


def of_metrics(sweep: PlannedSweep, summary: pl.DataFrame) -> Iterator[Figure]:
    """A figure for every headline metric against every axis."""
    styles = series_styles.styles(sweep)
    for panels in metric_data.panels(sweep, summary):
        metric = metrics.METRICS[panels.metric]
        yield Figure(
            f"{panels.metric}-by-{metric_data.file_name(panels.axis.name)}",
            metric.title,
            f"{metric.title} against {panels.axis.title}",
            metric_caption.caption(panels, sweep),
            "metric",
            metric_chart.chart(panels, styles, COLUMN),
            metric_data.table(panels),
            COLUMN,
        )


def of_requested_metrics(
    sweep: PlannedSweep,
    summary: pl.DataFrame,
    requests: list[MetricFigureRequest],
    parts: Mapping[str, pl.DataFrame] | None = None,
) -> Iterator[Figure]:
    """The figures of metrics that the sweep file asks for, as far as they have a point.

    ``parts`` are the sweep's tables of links, traffic and groups of flows, by kind, for figures of these.
    """
    styles = series_styles.styles(sweep)
    for number, request in enumerate(requests, 1):
        own = summary
        if request.part:
            lazy = {kind: table.lazy() for kind, table in (parts or {}).items()}
            own = network_part.summary(request.part, summary.lazy(), lazy).collect()
        panels = metric_data.requested(sweep, own, request)
        if panels is None:
            continue
        of = f" of {request.part.said}" if request.part else ""
        title = request.title or f"{metrics.METRICS[request.metric].title}{of} against {panels.axis.title}"
        width = picture_files.pixels(request.width_pt)
        draw = metric_plane_chart.chart if panels.over else metric_chart.chart
        yield Figure(
            f"figure-{number}-{metric_data.file_name(title)[:100]}",
            "For the paper",
            title,
            _with_defects(metric_caption.caption(panels, sweep, request.scale), panels, sweep),
            "metric",
            draw(panels, styles, width, request.scale),
            metric_data.table(panels),
            width,
        )


def _with_defects(caption: str, panels: metric_data.Panels, sweep: PlannedSweep) -> str:
    """A caption that also names the known defects of ns-3 that affect the figure's means."""
    touched, drawn = touched_numbers.Touched(sweep), panels.points["combination"].unique().to_list()
    found = [each for name in (panels.metric, panels.over) if name for each in touched.means(name, drawn)]
    return f"{caption} {touched_numbers.sentence(sweep, found)}".rstrip()


def tables(sweep: PlannedSweep, summary: pl.DataFrame, requests: list[TableRequest]) -> Iterator[Table]:
    """The tables that the sweep file asks for, as far as they have a number."""
    for number, request in enumerate(requests, 1):
        table = requested_tables.requested_table(
            sweep, summary, request, f"table-{number}-{metric_data.file_name(request.title)[:100]}"
        )
        if table is None:
            continue
        touched = touched_numbers.Touched(sweep)
        rows = [number for number, row in enumerate(sweep.own) if matching.is_met(request.where, row)]
        found = [each for column in request.columns for each in touched.means(column, rows)]
        yield replace(table, caption=f"{table.caption} {touched_numbers.sentence(sweep, found)}".rstrip())


def of_places(sweep: PlannedSweep) -> Iterator[Figure]:
    """A map of each wireless network of the sweep."""
    maps = wireless_map_data.maps(sweep)
    for number, (combinations, _, run) in enumerate(maps[:MOST_MAPS], 1):
        where, said = wireless_map_data.described(sweep, combinations, run)
        if len(maps) > MOST_MAPS:
            said += f" The first {MOST_MAPS} of {len(maps)} maps are drawn."
        title = f"Who hears whom{' at ' if where else ''}{where}"
        origin = f"From a run of {cell_words.network(sweep, combinations[0])}."
        chart = wireless_map_chart.chart(run)
        yield Figure(f"map-{number}", "Places", title, f"{said} {origin}", "map", chart, width=COLUMN)


def of_requests(sweep: PlannedSweep, requests: list[FigureRequest]) -> Iterator[Figure]:
    """The figures over time that the sweep file asks for, as far as their cells were traced."""
    number, colours = 0, {name: style.colour for name, style in series_styles.styles(sweep).items()}
    for picture in requested_data.pictures(sweep, requests):
        panels, states = requested_data.panels(sweep, picture)
        if not panels:
            continue
        number += 1
        width = picture_files.pixels(picture.width_pt)
        of_line = time_panels.styles(requested_data.variants(sweep, picture), colours)
        yield Figure(
            f"time-{number}-{metric_data.file_name(picture.title)[:100]}",
            "Over time",
            picture.title,
            requested_caption.caption(sweep, picture, panels, states is not None),
            "time",
            requested_chart.chart(panels, states, of_line, picture.from_s, picture.to_s, width),
            requested_chart.table(panels),
            width,
        )


def of_example_cells(sweep: PlannedSweep) -> Iterator[Figure]:
    """A figure of windows and round-trip times over time for one cell of each variant."""
    colours = {name: style.colour for name, style in series_styles.styles(sweep).items()}
    for number, (cell, combination, run) in enumerate(example_cell_data.chosen(sweep), 1):
        row = sweep.combinations[combination]
        traces, labels, smoothed = example_cell_data.traces(sweep, cell, row, run)
        if traces.is_empty():
            continue
        variants = dict(zip(labels, assignment.flow_variants(row, run), strict=False))
        with_trips = set(traces.filter(pl.col("metric") == "rtt")["flow"])
        are_all = bool(with_trips) and with_trips <= set(smoothed)
        sample = "the smoothed round-trip time" if are_all else "each sample of the round-trip time"
        sample += f" ({', '.join(smoothed)}: the smoothed one)" if smoothed and not are_all else ""
        place = cell_words.network(sweep, combination)
        words = [f"Run {run} of {place}: cwnd and ssthresh in segments of {row['segment_size']} B, and {sample}."]
        if example_cell_data.is_cut(traces):
            words.append("An ssthresh beyond the axis, such as an infinite one, is drawn along its upper edge.")
        flows = assignment.flow_count(row)
        if flows > len(labels):
            words.append(f"The first {len(labels)} of {flows} flows.")
        spans = example_cell_data.SPANS
        words.append(f"The lines show the lowest and the highest value in each {spans}th of the time.")
        rtt, end_s = "smoothed RTT [ms]" if are_all else "RTT [ms]", float(quantities.si(row["duration"], "time"))
        yield Figure(
            f"cell-{number}-{metric_data.file_name(str(row['variant']))[:100]}",
            "Single cells over time",
            f"{row['variant']} over time",
            " ".join(words),
            "cell",
            example_cell_chart.chart(traces, time_panels.styles(variants, colours), end_s, rtt, COLUMN),
            traces,
            COLUMN,
        )


def write(folder: Path | str) -> None:
    """Draw the figures of the sweep in a folder into its ``figures/``, and list them in its ``figures.json``.

    The tables that the sweep file asks for lie there as well, listed in ``figures/tables.json``. Files of an earlier
    run that the sweep no longer has are removed.
    """
    folder = Path(folder)
    sweep = sweep_record.read(folder)
    summary = sweep_tables.read(folder, "summary")
    of_parts = {kind: sweep_tables.read(folder, name) for kind, name in sweep_tables.OF_PARTS.items()}
    against, ranking, frontier = (sweep_tables.read(folder, name) for name in ("pairs", "ranking", "frontier"))
    looked_at, turns = (sweep_tables.read(folder, name) for name in ("refined_points", "refined"))
    asked = requests.read_asked(folder)
    place = folder / "figures"
    place.mkdir(exist_ok=True)
    index, written = [], set()
    for figure in [
        *of_requested_metrics(sweep, summary, asked.metrics, of_parts),
        *turning_figures.figures(sweep, looked_at, turns, COLUMN),
        *pair_figures.figures(sweep, against, ranking, frontier, COLUMN),
        *traffic_figures.figures(sweep, of_parts["traffic"], COLUMN),
        *of_metrics(sweep, summary),
        *of_places(sweep),
        *of_requests(sweep, asked.traces),
        *of_example_cells(sweep),
    ]:
        names = picture_files.render(figure, place)
        written |= {*names}
        files = {name.rpartition(".")[2]: f"figures/{name}" for name in names}
        words = {key: getattr(figure, key) for key in ("name", "group", "title", "caption", "kind")}
        index.append(words | {"files": files})
    listed = []
    for table in tables(sweep, summary, asked.tables):
        names = requested_tables.write(table, place)
        written |= {*names}
        files = {name.rpartition(".")[2]: f"figures/{name}" for name in names}
        words = {key: getattr(table, key) for key in ("name", "title", "caption", "heads", "rows", "words")}
        listed.append(words | {"files": files})
    if listed:
        write_whole(place / requested_tables.INDEX, json.dumps(listed, indent=1))
        written.add(requested_tables.INDEX)
    for old in place.iterdir():
        if old.name not in written:
            removal.remove(old)
    write_whole(folder / "figures.json", json.dumps(index, indent=1))

# SPDX-License-Identifier: MIT
"""All static figures of a sweep, drawn and listed: metrics, maps, requested ones over time, example cells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from tcpsweep.figures import (
    example_cell_chart,
    example_cell_data,
    metric_caption,
    metric_chart,
    metric_data,
    picture_files,
    requested_caption,
    requested_chart,
    requested_data,
    series_styles,
    wireless_map_chart,
    wireless_map_data,
)
from tcpsweep.figures.picture_files import Figure
from tcpsweep.store.whole_files import write_whole
from tcpsweep.sweep import axes, figure_request, sweep_record
from tcpsweep.sweep.figure_request import FigureRequest
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics, quantities

MOST_MAPS = 12


def of_metrics(sweep: PlannedSweep, summary: pl.DataFrame) -> Iterator[Figure]:
    """A figure for every headline metric against every axis."""
    styles = series_styles.styles(sweep)
    for panels in metric_data.panels(sweep, summary):
        metric = metrics.METRICS[panels.metric]
        yield Figure(
            f"{panels.metric}-by-{_file_name(panels.axis.name)}",
            metric.title,
            f"{metric.title} against {panels.axis.title}",
            metric_caption.caption(panels, len(sweep.runs)),
            "metric",
            metric_chart.chart(panels, styles),
        )


def of_places(sweep: PlannedSweep) -> Iterator[Figure]:
    """A map of each wireless network of the sweep."""
    maps = wireless_map_data.maps(sweep)
    for number, (combinations, cell, run) in enumerate(maps[:MOST_MAPS], 1):
        where, said = wireless_map_data.described(sweep, combinations, run)
        if len(maps) > MOST_MAPS:
            said += f" The first {MOST_MAPS} of {len(maps)} maps are drawn."
        title = f"Who hears whom{' at ' if where else ''}{where}"
        yield Figure(f"map-{number}", "Places", title, f"{said} Cell {cell}.", "map", wireless_map_chart.chart(run))


def of_requests(sweep: PlannedSweep, requests: list[FigureRequest]) -> Iterator[Figure]:
    """The figures over time that the sweep file asks for, as far as their cells were traced."""
    number = 0
    for picture in requested_data.pictures(sweep, requests):
        panels, states = requested_data.panels(sweep, picture)
        if not panels:
            continue
        number += 1
        labels = list(dict.fromkeys(line.label for line in requested_data.lines(sweep, picture)))
        yield Figure(
            f"time-{number}-{_file_name(picture.title)[:100]}",
            "Over time",
            picture.title,
            requested_caption.caption(sweep, picture, panels, states is not None),
            "time",
            requested_chart.chart(panels, states, labels, picture.from_s, picture.to_s),
        )


def of_example_cells(sweep: PlannedSweep) -> Iterator[Figure]:
    """A figure of windows and round-trip times over time for one cell of each variant."""
    texts = axes.texts(sweep)
    for number, (cell, combination, run) in enumerate(example_cell_data.chosen(sweep), 1):
        row = sweep.combinations[combination]
        traces, labels, sampled = example_cell_data.traces(sweep, cell, row, run)
        if traces.is_empty():
            continue
        where = axes.said({name: text for name, text in texts[combination].items() if name != "variant"})
        words = [
            f"Run {run}{' at ' if where else ''}{where}: cwnd and ssthresh in segments of {row['segment_size']} B, and "
            f"{'each sample of the round-trip time' if sampled else 'the smoothed round-trip time'}."
        ]
        if example_cell_data.is_cut(traces):
            words.append("An ssthresh beyond the axis, such as an infinite one, is drawn along its upper edge.")
        flows = example_cell_data.flow_count(row)
        if flows > len(labels):
            words.append(f"The first {len(labels)} of {flows} flows.")
        spans = example_cell_data.SPANS
        words.append(f"Drawn are the lowest and the highest value in each {spans}th of the time. Cell {cell}.")
        rtt, end_s = "RTT [ms]" if sampled else "smoothed RTT [ms]", float(quantities.si(row["duration"], "time"))
        yield Figure(
            f"cell-{number}-{_file_name(str(row['variant']))[:100]}",
            "Single cells over time",
            f"{row['variant']} over time",
            " ".join(words),
            "cell",
            example_cell_chart.chart(traces, labels, end_s, rtt),
        )


def _file_name(name: str) -> str:
    """A name with hyphens for what a file's name should not have."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", name)


def write(folder: Path | str) -> None:
    """Draw the figures of the sweep in a folder into its ``figures/``, and list them in its ``figures.json``.

    Figures of an earlier run that the sweep no longer has are removed.
    """
    folder = Path(folder)
    sweep = sweep_record.read(folder)
    summary = pl.read_parquet(folder / "summary.parquet")
    requests = figure_request.read(folder)
    place = folder / "figures"
    place.mkdir(exist_ok=True)
    index, written = [], set()
    for figure in [
        *of_metrics(sweep, summary),
        *of_places(sweep),
        *of_requests(sweep, requests),
        *of_example_cells(sweep),
    ]:
        names = picture_files.render(figure, place)
        written |= {*names}
        files = {kind: f"figures/{name}" for kind, name in zip(picture_files.FORMATS, names, strict=True)}
        words = {key: getattr(figure, key) for key in ("name", "group", "title", "caption", "kind")}
        index.append(words | {"files": files})
    for old in place.iterdir():
        if old.name not in written:
            old.unlink()
    write_whole(folder / "figures.json", json.dumps(index, indent=1))

# SPDX-License-Identifier: MIT
"""A page for each cell of a sweep, made only from the cell's Parquet: its events over time, and its metrics.

All pages of a sweep's cells share a script and a style.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import quote

import polars as pl
from markupsafe import Markup

from tcpsweep.core.figures import (
    cell_timeline_chart,
    cell_timeline_data,
    drawn_queue,
    flow_colours,
    series_styles,
    trace_reduction,
)
from tcpsweep.core.figures.flow_colours import Colours
from tcpsweep.core.identity import hashing
from tcpsweep.core.report import (
    cell_metric_tables,
    cell_neighbours,
    cell_panels,
    cell_story,
    flow_and_node_tables,
    network_drawing,
    page_libraries,
    page_parts,
    page_scripts,
)
from tcpsweep.core.report.cell_neighbours import Neighbours
from tcpsweep.core.report.cell_panels import Panel
from tcpsweep.core.report.cell_story import Sentence
from tcpsweep.core.store import cell_files, layout, removal
from tcpsweep.core.store.cell_files import Damaged
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import axes, sweep_record
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import rounding, units
from tcpsweep.core.words.user_error import UserError

_CHUNK = 8
# Each page names its inputs, so that neither a killed run nor a failed cell costs another cell its page.
_IDENTITY = re.compile(r'<meta name="made-of" content="(\w+)">')
_NOT_SHOWN = ("packets.parquet", "events.parquet")
_HEAD_CHARACTERS = 1000  # characters of a page that hold this statement

_SCRIPT, _STYLE = "cells.js", "cells.css"
_STYLES = ("shared/style.css", "shared/network_drawing.css", "cell/cell.css")


class Failed(UserError):
    """Some pages could not be made; the message, for the user, says which and why."""


class _Timeline(NamedTuple):
    """A cell's events over time."""

    story: list[Sentence]
    panels: list[Panel]
    data: Markup | None  # for the script
    end_s: float
    drawn: list[tuple[int, str, Colours]]  # flows with their labels
    more_flows: int  # that are not drawn


class _Job(NamedTuple):
    """A page to make, with all the data on the sweep that a process needs for it."""

    run: Run
    place: Path  # the folder that the page will lie in
    folder: Path  # the cell's Parquet
    measured: Path  # its metrics
    row: Combination
    where: str  # the values of the sweep's axes
    title: str  # the sweep's
    report: str  # the link to the sweep's report
    headline: Sequence[str] | None  # the sweep's headline metrics
    bases: dict[str, str]  # the variants' colours
    names: dict[str, str]  # the variants' names for print
    neighbours: Neighbours
    command: str  # runs the cell by hand
    identity: str  # of all that the page shows and is made with, apart from the cell's own files


def write(folder: Path | str, place: Path | str, workers: int = 1) -> None:
    """Make the pages of a sweep's finished cells in the folder ``place``, and remove the pages of all other cells.

    A page is kept if its head names the same inputs. ``pages.json`` in the sweep's folder lists the cells once all have
    their pages. The pages share a script and a style in the same folder. A cell that was damaged since it was made gets
    no page; it is noted, so that the next run makes the cell again. If other pages could not be made, `Failed` is
    raised after the rest are there.
    """
    folder, place = Path(folder), Path(place)
    sweep = sweep_record.read(folder)
    job_by_cell = _job_by_cell(sweep, folder, place) if sweep.pages else {}
    identity_by_cell = {page.stem: _identity_in(page) for page in place.glob("*.html")}
    stale_jobs = [job for cell, job in job_by_cell.items() if identity_by_cell.get(cell) != job.identity]
    if job_by_cell and (stale_jobs or not _has_shared_files(place)):
        _write_shared_files(place)
    error_by_cell = {cell: error for cell, error in _write_pages(stale_jobs, workers) if error}
    damaged = error_by_cell.keys() - {run.cell for run in sweep.finished()} if error_by_cell else set()
    for page in place.glob("*.html"):
        if page.stem not in job_by_cell or page.stem in error_by_cell:
            removal.remove(page)
    message_by_cell = {cell: f"no page of {cell}: {error}" for cell, error in error_by_cell.items()}
    if undamaged := message_by_cell.keys() - damaged:
        raise Failed("\n".join(message_by_cell[cell] for cell in message_by_cell if cell in undamaged))
    for message in message_by_cell.values():
        print(message, file=sys.stderr, flush=True)
    write_whole(folder / "pages.json", json.dumps(sorted(job_by_cell.keys() - damaged)))


def _job_by_cell(sweep: PlannedSweep, folder: Path, place: Path) -> dict[str, _Job]:
    """The job that makes each finished cell's page; if several runs share a cell, the page shows the first."""
    commands = json.loads((folder / "commands.json").read_text(encoding="utf-8"))
    code = (folder / "code" / "pages").read_text(encoding="utf-8")
    finished, texts = sweep.finished(), sweep.texts
    neighbours = cell_neighbours.neighbours_by_cell(sweep, finished)
    colour_by_series = {name: style.colour for name, style in series_styles.styles(sweep).items()}
    printed = axes.names_for_print(sweep)
    report = f"../{quote(sweep.name)}.html"
    of_sweep = sweep.title, report, sweep.headline
    jobs: dict[str, _Job] = {}
    for run in finished:
        if run.cell not in jobs:
            row, near, command = sweep.combinations[run.combination], neighbours[run.cell], commands[run.cell]
            colours = {name: colour for name, colour in colour_by_series.items() if name in row.variant}
            where = axes.axes_in_words(texts[run.combination], printed)
            names = {name: text for name, text in printed.items() if name in colours or name in dict(near.variants)}
            shown_data = [of_sweep, where, dict(row), run.run, near, colours, names, command]
            identity = hashing.short_hash(json.dumps(shown_data), sweep.parser, sweep.measures[run.combination], code)
            parquet, measured = sweep.parquet(run.cell), sweep.measured(run)
            jobs[run.cell] = _Job(
                run, place, parquet, measured, row, where, *of_sweep, colours, names, near, command, identity
            )
    return jobs


def _identity_in(page: Path) -> str | None:
    """The identity in a page's head; None if it has none."""
    with page.open(encoding="utf-8") as file:
        match = _IDENTITY.search(file.read(_HEAD_CHARACTERS))
    return match[1] if match else None


def _write_pages(jobs: Sequence[_Job], workers: int) -> Iterator[tuple[str, str | None]]:
    """Write pages; yield each page's cell and, if it failed, the reason."""
    if workers < 2 or len(jobs) <= _CHUNK:
        yield from map(_write_page, jobs)
        return
    # A fork would inherit the locks of polars' threads.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_write_page, jobs, chunksize=_CHUNK)


def _write_page(job: _Job) -> tuple[str, str | None]:
    """Write a page; return its cell and, if that failed, the reason. A worker process may run it."""
    cell = job.run.cell
    try:
        write_whole(job.place / f"{cell}.html", page_parts.render("cell/cell.html.jinja", _contents(job)))
    except (cell_timeline_data.Unreadable, Damaged, OSError) as error:
        return cell, str(error)
    except (ValueError, KeyError, pl.exceptions.PolarsError) as error:  # a table that lacks something
        return cell, f"{job.folder}: {error}"
    return cell, None


def _contents(job: _Job) -> dict[str, Any]:
    """Everything that the template shows about a cell."""
    folder, measured = job.folder, job.measured
    cell_files.check(folder, but=_NOT_SHOWN)
    cell_files.check(measured)
    with cell_timeline_data.reading(folder / "run.json") as path:
        record = json.loads(path.read_text(encoding="utf-8"))
    paths = [folder / "flows.parquet", measured / "measures.parquet", measured / "audit.parquet"]
    paths += [folder / "flow_monitor.parquet", *([nodes] if (nodes := folder / "nodes.parquet").is_file() else [])]
    flows, measures, checks, flow_monitor, *of_nodes = cell_timeline_data.collected(
        {path: pl.scan_parquet(path) for path in paths}
    )
    return {
        "job": job,
        "timeline": _timeline(job, record, flows, measures),
        "run": job.run.run,
        "cell": job.run.cell,
        "style": _STYLE,
        "script": _SCRIPT,
        "colours": cell_timeline_chart.STATE_COLOURS | cell_timeline_chart.EVENT_COLOURS,
        "spans": cell_timeline_data.SPANS,
        "network": cell_metric_tables.network(measures, job.headline),
        "links": cell_metric_tables.links(measures),
        "traffic": cell_metric_tables.traffic(measures),
        "drawing": network_drawing.network_of_cell(job.row, record, measures, job.names),
        "flows": cell_metric_tables.flows(measures, flows, job.headline, job.names),
        "flow_monitor": flow_and_node_tables.flows(flow_monitor),
        "nodes": flow_and_node_tables.nodes(of_nodes[0]) if of_nodes else None,
        "checks": checks.height,
        "disagreeing": [check for check in checks.iter_rows(named=True) if check["agrees"] is False],
        "parameters": record.get("parameters", {}),
        "settings": record.get("settings", {}),
        "files": _files(job),
    }


def _timeline(job: _Job, record: dict[str, Any], flows: pl.DataFrame, measures: pl.DataFrame) -> _Timeline:
    end_s = float(units.si(job.row["duration"], "time"))
    base_rtt_s = max(record.get("derived", {}).get("base_rtt_s") or [0.0])
    tables = cell_timeline_data.cell_tables(job.folder, job.measured, flows, drawn_queue.is_drawn(measures))
    segment_bytes = cast(int, job.row["segment_size"])
    data = cell_timeline_data.reduced(tables, end_s, segment_bytes, cell_story.window_s(base_rtt_s))
    stretches = cell_story.starved(tables, end_s, base_rtt_s)
    shown = flows.head(cell_timeline_data.MOST_FLOWS)
    label_by_flow = dict(zip(shown["flow"], cell_timeline_data.labels(shown, job.names), strict=True))
    starved_bars = [
        {"flow": stretch.flow, "t": stretch.from_s, "until": stretch.until_s}
        for stretch in stretches
        if stretch.flow in label_by_flow
    ]
    if starved_bars:
        data["starved"] = starved_bars
    colours = flow_colours.colours(shown["variant"].to_list(), job.bases)
    variant_by_flow = dict(zip(flows["flow"].to_list(), flows["variant"].to_list(), strict=True))
    is_mixed = len(set(variant_by_flow.values())) > 1
    name_by_flow = {
        flow: f"{flow} ({job.names.get(variant, variant)})" if is_mixed else str(flow)
        for flow, variant in variant_by_flow.items()
    }
    script_data = {
        "end": end_s,
        "top": cell_timeline_data.window_top(tables, segment_bytes),
        "room": trace_reduction.WINDOW_ROOM,
        "flows": label_by_flow,
        "data": cell_timeline_data.for_script(data),
    }
    bottleneck = drawn_queue.binding(measures)
    has_several_links = measures.select("link", "direction").filter(pl.col("link").is_not_null()).n_unique() > 1
    panels = cell_panels.panels(data, label_by_flow, bottleneck[0] if bottleneck and has_several_links else None)
    return _Timeline(
        cell_story.sentences(tables, stretches, name_by_flow, end_s, base_rtt_s),
        panels,
        page_parts.as_json(script_data) if panels else None,
        end_s,
        [(flow, label, colour) for (flow, label), colour in zip(label_by_flow.items(), colours, strict=True)],
        flows.height - shown.height,
    )


def _files(job: _Job) -> list[tuple[str, str, str]]:
    """The cell's files: name, link and size."""
    return [
        (path.name, quote(os.path.relpath(path, job.place)), rounding.bytes_text(path.stat().st_size))
        for folder in (job.folder, job.measured, layout.raw(job.run.cell))
        if folder.is_dir()
        for path in sorted(folder.iterdir())
        if path.is_file()
    ]


def _write_shared_files(place: Path) -> None:
    """Write the script and the style that all pages share into their folder."""
    script = page_scripts.script("cell/main.js", timelineCharts=page_parts.as_json(cell_timeline_chart.timeline()))
    styles = [(page_scripts.PAGE / name).read_text(encoding="utf-8") for name in _STYLES]
    write_whole(place / _SCRIPT, f"{page_libraries.chart_library()}\n{script}")
    write_whole(place / _STYLE, "\n".join(styles))


def _has_shared_files(place: Path) -> bool:
    """Whether the pages' folder has the script and the style that all pages share."""
    return all((place / name).is_file() for name in (_SCRIPT, _STYLE))

# SPDX-License-Identifier: MIT
"""A page for each cell of a sweep, from the cell's Parquet alone: its metrics, and what happened over time."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import polars as pl

from tcpsweep.figures import cell_timeline_chart, cell_timeline_data
from tcpsweep.identity import hashing
from tcpsweep.report import chart_library, flow_and_node_tables, page_parts
from tcpsweep.store import layout
from tcpsweep.store.whole_files import write_whole
from tcpsweep.sweep import axes, sweep_record
from tcpsweep.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.words import metrics, quantities, sizes_and_times

LIBRARY = "vega.js"  # one file beside the pages, which all use it
_CHUNK = 8
# Each page states what it was made from, so that neither a killed run nor a failed cell costs another cell its page.
_MADE_OF = re.compile(r'<meta name="made-of" content="(\w+)">')
_HEAD = 1000  # characters of a page that hold this statement


class Failed(Exception):
    """Some pages could not be made; the message, for the user, says which and why."""


class _Job(NamedTuple):
    """A page to make: its run, the command that runs the cell by hand, and the identity of what the page shows."""

    run: Run
    command: str
    identity: str


def write(folder: Path | str, place: Path | str, workers: int = 1) -> None:
    """Make the pages of a sweep's finished cells in the folder ``place``, and remove the pages of all other cells.

    A page is kept if its head says that it was made from the same. ``pages.json`` in the sweep's folder lists the cells
    once all have their pages.

    Parameters
    ----------
    folder : path
        The sweep's own folder.
    place : path
    workers : int
        How many processes make the pages.

    Raises
    ------
    Failed
        Some pages could not be made; the others are there.
    """
    folder, place = Path(folder), Path(place)
    sweep = sweep_record.read(folder)
    wanted = _wanted(sweep, folder) if sweep.pages else {}
    made = {page.stem: _made_of(page) for page in place.glob("*.html")}
    left = [job for cell, job in wanted.items() if made.get(cell) != job.identity]
    if wanted:
        place.mkdir(parents=True, exist_ok=True)
        if left or not (place / LIBRARY).is_file():
            write_whole(place / LIBRARY, chart_library.script())
    failed = {cell: error for cell, error in _make_all(sweep, place, left, workers) if error}
    for page in place.glob("*.html"):
        if page.stem not in wanted or page.stem in failed:
            page.unlink()
    if failed:
        raise Failed("\n".join(f"no page of {cell}: {error}" for cell, error in failed.items()))
    write_whole(folder / "pages.json", json.dumps(sorted(wanted)))


def _wanted(sweep: PlannedSweep, folder: Path) -> dict[str, _Job]:
    """The page of each finished cell; if several runs share a cell, it shows the first."""
    commands = json.loads((folder / "commands.json").read_text(encoding="utf-8"))
    code = (folder / "code" / "pages").read_text(encoding="utf-8")
    jobs: dict[str, _Job] = {}
    for run in sweep.finished():
        if run.cell not in jobs:
            command = commands[run.cell]
            jobs[run.cell] = _Job(run, command, _identity(sweep, run, command, code))
    return jobs


def _identity(sweep: PlannedSweep, run: Run, command: str, code: str) -> str:
    """The identity of everything that a page shows and is made with, apart from the cell's own files."""
    about = [sweep.title, sweep.name, sweep.axes, sweep.combinations[run.combination], run.run, command]
    return hashing.short_hash(json.dumps(about), sweep.parser, sweep.measures[run.combination], code)


def _made_of(page: Path) -> str | None:
    """The identity in a page's head; None if it has none."""
    with page.open(encoding="utf-8") as file:
        found = _MADE_OF.search(file.read(_HEAD))
    return found[1] if found else None


def _make_all(sweep: PlannedSweep, place: Path, jobs: Sequence[_Job], workers: int) -> Iterator[tuple[str, str | None]]:
    """Make pages; yield each one's cell and, if it failed, why."""
    tasks = [(sweep, place, job) for job in jobs]
    if workers < 2 or len(tasks) <= _CHUNK:
        yield from map(_make, tasks)
        return
    # A fork would inherit the locks of polars' threads.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_make, tasks, chunksize=_CHUNK)


def _make(task: tuple[PlannedSweep, Path, _Job]) -> tuple[str, str | None]:
    sweep, place, job = task
    cell = job.run.cell
    try:
        shown = contents(sweep, place, job.command, job.run) | {"identity": job.identity}
        write_whole(place / f"{cell}.html", page_parts.render("cell/cell.html.jinja", shown))
    except (cell_timeline_data.Unreadable, OSError) as error:
        return cell, str(error)
    except (ValueError, KeyError, pl.exceptions.PolarsError) as error:  # a table that lacks something
        return cell, f"{sweep.parquet(cell)}: {error}"
    return cell, None


def contents(sweep: PlannedSweep, place: Path, command: str, run: Run) -> dict[str, Any]:
    """Everything that the template shows about a cell.

    Parameters
    ----------
    sweep : PlannedSweep
    place : Path
        The folder that the page will lie in.
    command : str
        The command that runs the cell by hand.
    run : Run
    """
    folder, measured = sweep.parquet(run.cell), sweep.measured(run)
    row, texts = sweep.combinations[run.combination], axes.texts(sweep)[run.combination]
    with cell_timeline_data.reading(folder / "run.json") as path:
        record = json.loads(path.read_text(encoding="utf-8"))
    flows, measures, checks = (
        _read(path) for path in (folder / "flows.parquet", measured / "measures.parquet", measured / "audit.parquet")
    )
    data = cell_timeline_data.reduced(folder, measured, row, flows)

    def link(path: Path) -> str:
        return quote(os.path.relpath(path, place))

    return {
        "sweep": sweep,
        "cell": run.cell,
        "run": run.run,
        "where": axes.said(texts),
        "report": f"../{quote(sweep.name)}.html",
        "library": LIBRARY,
        "chart": page_parts.as_json(cell_timeline_chart.chart(data, row)) if data else None,
        "end_s": float(quantities.si(row["duration"], "time")),
        "more_flows": max(0, flows.height - cell_timeline_data.MOST_FLOWS),
        "spans": cell_timeline_data.SPANS,
        "network": _network(measures),
        "flows": _flows(measures, flows),
        "flow_monitor": flow_and_node_tables.flows(_read(folder / "flow_monitor.parquet")),
        "nodes": flow_and_node_tables.nodes(_read(traced)) if (traced := folder / "nodes.parquet").is_file() else None,
        "checks": checks.height,
        "disagreeing": checks.filter(~pl.col("agrees")).to_dicts(),
        "command": command,
        "parameters": record.get("parameters", {}),
        "settings": record.get("settings", {}),
        "files": [
            (path.name, link(path), sizes_and_times.bytes_text(path.stat().st_size))
            for where in (folder, measured, layout.raw(run.cell))
            if where.is_dir()
            for path in sorted(where.iterdir())
            if path.is_file()
        ],
    }


def _read(path: Path) -> pl.DataFrame:
    with cell_timeline_data.reading(path):
        return pl.read_parquet(path)


def _network(measures: pl.DataFrame) -> list[tuple[str, str, str]]:
    """The metrics of the network, and those that variants have as a whole: title, value with its unit, formula."""
    values: dict[str, list[tuple[str | None, float]]] = {}
    whole = measures.filter(pl.col("flow").is_null())
    for name, variant, value in whole.select("metric", "variant", "value").iter_rows():
        values.setdefault(name, []).append((variant, value))
    return [
        (
            f"{metric.title}, {variant}" if variant else metric.title,
            f"{value * metric.scale:.5g} {metric.shown_unit}".strip(),
            metric.formula,
        )
        for name, metric in metrics.METRICS.items()
        for variant, value in values.get(name, ())
    ]


def _flows(measures: pl.DataFrame, flows: pl.DataFrame) -> dict[str, Any]:
    """The metrics of the flows: ``names``, the flows' labels; ``rows``, title, unit, values as texts and formula."""
    of_flows = measures.filter(pl.col("flow").is_not_null())
    names = dict(zip(flows["flow"], cell_timeline_data.labels(flows), strict=True))
    numbers = [flow for flow in names if flow in set(of_flows["flow"])]
    values = {(flow, metric): value for flow, metric, value in of_flows.select("flow", "metric", "value").iter_rows()}
    present = {metric for _, metric in values}
    rows = []
    for name, metric in metrics.METRICS.items():
        if name in present:
            found = [values.get((flow, name)) for flow in numbers]
            texts = ["–" if value is None else f"{value * metric.scale:.5g}" for value in found]
            rows.append((metric.title, metric.shown_unit, texts, metric.formula))
    return {"names": [names[flow] for flow in numbers], "rows": rows}

# SPDX-License-Identifier: MIT
"""A page for each cell of a sweep, made of the cell's Parquet alone: its metrics, and what happened over time."""

import json
import os
import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import quote

import polars as pl

from tcpsweep.figures import cell_timeline, vega
from tcpsweep.identity import hashing
from tcpsweep.report import templates, totals
from tcpsweep.store import layout
from tcpsweep.store.whole_files import write_whole
from tcpsweep.sweep import axes, sweep_record
from tcpsweep.words import metrics, units

LIBRARY = "vega.js"  # beside the pages, which all use it
_CHUNK = 8
# A page says itself what it was made of, so that neither a run that is killed nor a cell that fails costs the others.
_MADE_OF = re.compile(r'<meta name="made-of" content="(\w+)">')
_HEAD = 1000  # characters, within which it stands


class Failed(Exception):
    """Cells whose pages could not be made, and why; the user reads it."""


def write(folder, place, workers=1):
    """Make the pages of a sweep's finished cells in the folder ``place``, and remove those of cells that it has not.

    A page that is there and was made of the same, as its head says, is kept; ``pages.json`` in the sweep's folder lists
    the cells once all have theirs.

    Parameters
    ----------
    folder : path
        The sweep's own folder.
    place : path
    workers : int
        How many processes make them.

    Raises
    ------
    Failed
        Some could not be made; the others are there.
    """
    folder, place = Path(folder), Path(place)
    index = folder / "pages.json"
    sweep = sweep_record.read(folder)
    commands = json.loads((folder / "commands.json").read_text(encoding="utf-8"))
    wanted = {}
    if sweep.pages:
        code = (folder / "code" / "pages").read_text(encoding="utf-8")
        for cell, combination, run in sweep.finished():
            wanted.setdefault(cell, (combination, run, _identity(sweep, combination, run, commands[cell], code)))
    made = {page.stem: _made_of(page) for page in place.glob("*.html")}
    left = [(cell, *what) for cell, what in wanted.items() if made.get(cell) != what[2]]
    if wanted:
        place.mkdir(parents=True, exist_ok=True)
        if left or not (place / LIBRARY).is_file():
            write_whole(place / LIBRARY, vega.bundle())
    failed = {cell: error for cell, error in _made(sweep, place, commands, left, workers) if error}
    for page in place.glob("*.html"):
        if page.stem not in wanted or page.stem in failed:
            page.unlink()
    if failed:
        raise Failed("\n".join(f"no page of {cell}: {error}" for cell, error in failed.items()))
    write_whole(index, json.dumps(sorted(wanted)))


def _identity(sweep, combination, run, command, code):
    """What a page is made of, beside the cell."""
    about = [sweep.title, sweep.name, sweep.axes, sweep.combinations[combination], run, command]
    return hashing.short_hash(json.dumps(about), sweep.parser, sweep.measures[combination], code)


def _made_of(page):
    """The identity in a page's head; None where it has none."""
    with page.open(encoding="utf-8") as file:
        found = _MADE_OF.search(file.read(_HEAD))
    return found[1] if found else None


def _made(sweep, place, commands, left, workers):
    """Make pages; yields each one's cell and, where it failed, why."""
    jobs = [(sweep, place, commands[cell], cell, *what) for cell, *what in left]
    if workers < 2 or len(jobs) <= _CHUNK:
        yield from map(_make, jobs)
        return
    # A fork would inherit the locks of polars' threads.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_make, jobs, chunksize=_CHUNK)


def _make(job):
    sweep, place, command, cell, combination, run, identity = job
    try:
        shown = contents(sweep, place, command, cell, combination, run) | {"identity": identity}
        write_whole(place / f"{cell}.html", templates.render("cell/cell.html.jinja", shown))
    except (cell_timeline.Unreadable, OSError) as error:
        return cell, str(error)
    except (ValueError, KeyError, pl.exceptions.PolarsError) as error:  # a table that lacks something
        return cell, f"{layout.parquet(cell, sweep.parser)}: {error}"
    return cell, None


def contents(sweep, place, command, cell, combination, run):
    """All that the template shows of a cell.

    Parameters
    ----------
    sweep : dict
    place : Path
        The folder that the page will lie in.
    command : str
        What runs the cell by hand.
    cell : str
    combination, run : int
    """
    folder = layout.parquet(cell, sweep.parser)
    measured = layout.measured(cell, sweep.parser, sweep.measures[combination])
    row, texts = sweep.combinations[combination], axes.texts(sweep)[combination]
    with cell_timeline.reading(folder / "run.json") as path:
        record = json.loads(path.read_text(encoding="utf-8"))
    flows, measures, checks = (
        _read(path) for path in (folder / "flows.parquet", measured / "measures.parquet", measured / "audit.parquet")
    )
    data = cell_timeline.reduced(folder, measured, row, flows)

    def link(path):
        return quote(os.path.relpath(path, place))

    return {
        "sweep": sweep,
        "cell": cell,
        "run": run,
        "where": axes.said(texts),
        "report": f"../{quote(sweep.name)}.html",
        "library": LIBRARY,
        "chart": templates.as_json(cell_timeline.chart(data, row)) if data else None,
        "end_s": float(units.si(row["duration"], "time")),
        "more_flows": max(0, flows.height - cell_timeline.MOST_FLOWS),
        "spans": cell_timeline.SPANS,
        "network": _network(measures),
        "flows": _flows(measures, flows),
        "flow_monitor": totals.flows(_read(folder / "flow_monitor.parquet")),
        "nodes": totals.nodes(_read(traced)) if (traced := folder / "nodes.parquet").is_file() else None,
        "checks": checks.height,
        "disagreeing": checks.filter(~pl.col("agrees")).to_dicts(),
        "command": command,
        "parameters": record.get("parameters", {}),
        "settings": record.get("settings", {}),
        "files": [
            (path.name, link(path), units.bytes_text(path.stat().st_size))
            for where in (folder, measured, layout.raw(cell))
            if where.is_dir()
            for path in sorted(where.iterdir())
            if path.is_file()
        ],
    }


def _read(path):
    with cell_timeline.reading(path):
        return pl.read_parquet(path)


def _network(measures):
    """The metrics of the whole network: title, value and unit, formula."""
    return [
        (metric.title, f"{value * metric.scale:.5g} {metric.shown_unit}".strip(), metric.formula)
        for metric, value in _named(measures.filter(pl.col("flow").is_null()))
    ]


def _named(measures):
    values = dict(measures.select("metric", "value").iter_rows())
    return [(metric, values[name]) for name, metric in metrics.METRICS.items() if name in values]


def _flows(measures, flows):
    """The metrics of the flows: their labels, and a row for each metric."""
    of_flows = measures.filter(pl.col("flow").is_not_null())
    names = dict(zip(flows["flow"], cell_timeline.labels(flows), strict=True))
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

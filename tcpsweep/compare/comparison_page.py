# SPDX-License-Identifier: MIT
"""The comparison of two sweeps as tables, figures and one page that needs nothing else."""

import os
from urllib.parse import quote

from tcpsweep.analysis import effects
from tcpsweep.compare import differences, forest
from tcpsweep.figures import static_figures
from tcpsweep.report import sweep_page, templates
from tcpsweep.store import layout, whole_files
from tcpsweep.store.whole_files import write_whole
from tcpsweep.sweep import axes
from tcpsweep.words import metrics

FOLDER = layout.RESULTS / "comparisons"
TABLES = ("compare.csv", "compare.parquet")
MOST_ROWS = 100


def write(given_a, given_b):
    """Compare two sweeps, and write tables, figures and page.

    Parameters
    ----------
    given_a, given_b : str
        As for `differences.read`.

    Returns
    -------
    page : Path
    table : DataFrame
        As `differences.differences` gives it.
    alike, cells : int
        How many cells are identical to the byte, of how many.

    Raises
    ------
    compare.Unable
    sweepfile.Mistakes
    """
    a, b = differences.read(given_a), differences.read(given_b)
    matched = differences.match(a, b)
    table = differences.differences(a, b, matched)
    alike, cells = differences.identical(a, b, matched)
    name = f"{a.sweep.name}-{b.sweep.name}"
    folder, page = FOLDER / name, layout.REPORTS / f"compare-{name}.html"
    whole_files.remove_whole(folder)
    (folder / "figures").mkdir(parents=True)
    drawn = list(forest.of(table, matched.names))
    for figure in drawn:
        static_figures.render(figure, folder / "figures")
    with whole_files.written_whole(folder / "compare.parquet") as file:
        table.write_parquet(file)
    with whole_files.written_whole(folder / "compare.csv") as file:
        table.write_csv(file)
    write_whole(page, render(a, b, matched, table, (alike, cells), drawn, folder, page))
    return page, table, alike, cells


def render(a, b, matched, table, alike, drawn, folder, page):
    """The page as text; ``alike`` are the cells that are identical and all, ``drawn`` the figures in ``folder``."""

    def link(path):
        return quote(os.path.relpath(folder / path, page.parent))

    def shown(figure):
        svg = sweep_page.inline((folder / "figures" / f"{figure.name}.svg").read_text(encoding="utf-8"), figure.name)
        links = [(kind.upper(), link(f"figures/{figure.name}.{kind}")) for kind in static_figures.FORMATS]
        return {"name": figure.name, "title": figure.title, "caption": figure.caption, "svg": svg, "links": links}

    changed = differences.changed(table)
    first = differences.surest(changed, MOST_ROWS)
    words = [
        (metrics.METRICS[name].title, text, metrics.METRICS[name].headline)
        for name, text in differences.verdicts(table).items()
    ]
    contents = {
        "a": a,
        "b": b,
        "matched": matched,
        "alike": alike[0],
        "cells": alike[1],
        "paired": differences.is_paired(a, b),
        "least_runs": effects.LEAST_RUNS,
        "verdicts": words,
        "rows": [_row(row, matched.names) for row in first.iter_rows(named=True)],
        "more": changed.height - first.height,
        "files": [(name, link(name)) for name in TABLES],
        "figures": [shown(figure) for figure in drawn],
        "left_a": _places(a, matched.only_a, matched.names),
        "left_b": _places(b, matched.only_b, matched.names),
    }
    return templates.render("compare/compare.html.jinja", contents)


def _row(row, names):
    """A row of `differences.differences` with its numbers as text."""
    metric = metrics.METRICS[row["metric"]]
    low, high = (row[name] * metric.scale for name in ("holm_low", "holm_high"))
    return {
        "title": metric.title,
        "unit": metric.shown_unit,
        "case": forest.case(row, names),
        "a": f"{row['mean_a'] * metric.scale:.4g}",
        "b": f"{row['mean_b'] * metric.scale:.4g}",
        "difference": f"{row['difference'] * metric.scale:+.3g}",
        "interval": f"{low:+.3g} to {high:+.3g}",
        "ratio": "–" if row["ratio"] is None else f"{row['ratio']:.4g}",
        "p": f"{row['holm_p']:.2g}",
    }


def _places(side, numbers, names):
    """Where some of a side's combinations lie, in words."""
    return [axes.said({name: side.values[number].get(name, axes.UNSET) for name in names}) for number in numbers]

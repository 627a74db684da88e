# SPDX-License-Identifier: MIT
"""From a sweep's tables and figures to one page that needs nothing else, not even a network."""

import importlib.metadata
import json
import os
import platform
import re
import shlex
from pathlib import Path
from urllib.parse import quote

import polars as pl
from markupsafe import Markup

from tcpsweep.analysis import aggregate, effects, harm, summaries
from tcpsweep.expectations import outcomes
from tcpsweep.figures import vega
from tcpsweep.report import explorer, templates, totals
from tcpsweep.store import layout
from tcpsweep.store.whole_files import write_whole
from tcpsweep.study import study_words
from tcpsweep.sweep import axes, failures, sweep_record
from tcpsweep.words import metrics, rounding, thresholds, units

PACKAGES = ("snakemake", "polars", "altair", "vl-convert-python", "scipy", "jinja2")
HABITS = {
    "min_rto": "ns3::TcpSocketBase::MinRto",
    "delayed_acks": "ns3::TcpSocket::DelAckCount",
    "initial_window": "ns3::TcpSocket::InitialCwnd",
}
MOST_VALUES = 30
MOST_DIFFERENCES = 3000
FOUND = {"higher": "higher", "lower": "lower", "none": "no difference shown"}
MOST_DISAGREEMENTS = 50
MOST_ROWS = 2000  # of a table or a list: what is left out is in a file
# The metrics whose verdicts the page begins with, and how many of these.
FIRST, MOST_FIRST = ("goodput_bps", "queueing_delay_mean_s", "jain"), 12
_SVG_ID = re.compile(r'(\bid="|url\(#|href="#)')
_NS3_TIME = re.compile(r"\+?(-?[0-9.]+(?:e[-+]?[0-9]+)?)(ns|us|ms|s)")


def results(sweep, table, finished):
    """The results table as its heads and rows of text.

    Parameters
    ----------
    sweep : dict
    table : DataFrame
        The sweep's summary.
    finished : list of (str, int, int)
        Cell, combination and run, as `sweep_record.finished` gives them.

    Returns
    -------
    dict
        ``axes`` and ``metrics``, the heads; ``rows``, each with ``axes`` (text and place on the axis), ``variant``,
        ``runs``, ``values``, and ``cells``, each finished run with the link to its cell's page, or none; ``more``, how
        many rows are left out behind the first `MOST_ROWS`.
    """
    every, texts = axes.of(sweep), axes.texts(sweep)
    shown = list(every)
    names = [name for name in shown if name != "variant"]
    headline, silent = metrics.headline(table["metric"].unique(), sweep.headline), summaries.silent(table)
    values, runs_of = {}, {}
    for cell, combination, run in finished:
        runs_of.setdefault(combination, []).append((run, templates.of_cell(sweep, cell)))
    own = table.filter(pl.col("flow_variant").is_not_null())
    keys = own.group_by("combination", "flow_variant", maintain_order=True).agg(pl.col("runs", "distinct_runs").max())
    first = axes.in_order(keys.rows(), texts)[:MOST_ROWS]
    needed = pl.col("metric").is_in(list(headline)) & pl.col("combination").is_in({row[0] for row in first})
    for row in table.filter(needed).iter_rows(named=True):
        metric = metrics.METRICS[row["metric"]]
        text = rounding.shown(row["mean"], row["low"], row["high"], metric.scale, metric.interval)
        values[row["combination"], row["flow_variant"], row["metric"]] = text
    rows = []
    for combination, variant, runs, distinct in first:
        rows.append(
            {
                "axes": [_placed(every[name], texts[combination][name]) for name in names],
                "variant": axes.series(variant, texts[combination]["variant"]),
                "runs": f"{runs}, identical" if runs > 1 and distinct == 1 else str(runs),
                "cells": runs_of.get(combination, []),
                "values": [
                    values.get(
                        (combination, variant if metric.scope == "flow" else None, name),
                        rounding.NO_TRAFFIC if combination in silent else "–",
                    )
                    for name, metric in headline.items()
                ],
            }
        )
    return {
        "axes": [axes.title(name, shown) for name in names],
        "metrics": [(metric.title, metric.shown_unit) for metric in headline.values()],
        "rows": rows,
        "more": keys.height - len(rows),
    }


def verdicts(sweep, folder):
    """What the report says of the verdicts.

    Returns
    -------
    dict
        ``rows`` of the table; ``first``, the headline metrics' that the page begins with, each as its title, the
        sentence, and what the same metric says against the variant beside the baseline.
    """
    table = pl.read_csv(folder / "verdicts.csv", schema_overrides={"mix": pl.String})
    spans = (
        pl.scan_parquet(folder / "effects.parquet")
        .group_by("metric", "variant", "reference", "mix")
        .agg(pl.col("difference").median(), least=pl.col("difference").min(), greatest=pl.col("difference").max())
        .collect()
    )
    table = table.join(
        spans, on=["metric", "variant", "reference", "mix"], how="left", nulls_equal=True, maintain_order="left"
    )
    against = effects.references(sweep)
    rows = [_verdict(row) for row in table.iter_rows(named=True)]
    beside = {
        (r["metric"], r["variant"]): r["verdict"] for r in rows if against[1:] == [r["reference"]] and not r["mix"]
    }
    headline = [row for row in rows if row["metric"] in FIRST and (row["mix"] or row["reference"] in against[:1])]
    return {
        "rows": rows,
        "first": [
            (row["title"], row["verdict"], None if row["mix"] else beside.get((row["metric"], row["variant"])))
            for row in headline[:MOST_FIRST]
        ],
        "titles": list(dict.fromkeys(row["title"] for row in headline)),
        "beside": next(iter(against[1:]), None),
        "least_runs": effects.LEAST_RUNS,
        "precision": f"{effects.PRECISION:.0%}",
    }


def differences(sweep, table):
    """Each network's differences in the headline metrics, as texts.

    Parameters
    ----------
    sweep : dict
    table : LazyFrame
        The sweep's effects.

    Returns
    -------
    list of dict
        ``title``, ``axes`` (text and place on each axis but the variant's), ``pair``, ``means``, ``difference`` with
        the interval that Holm's correction leaves, ``finding``. Empty where there are more than `MOST_DIFFERENCES`.
    """
    every, texts = axes.of(sweep), axes.texts(sweep)
    names = [name for name in every if name != "variant"]
    headline = table.filter(pl.col("metric").is_in(list(metrics.headline(metrics.METRICS, sweep.headline))))
    headline = headline.head(MOST_DIFFERENCES + 1).collect()
    if headline.height > MOST_DIFFERENCES:
        return []
    return [
        _difference(row) | {"axes": [_placed(every[name], texts[row["combination"]][name]) for name in names]}
        for row in headline.iter_rows(named=True)
    ]


def _difference(row):
    metric = metrics.METRICS[row["metric"]]
    scaled = {
        name: None if row[name] is None else f"{row[name] * metric.scale:.4g}"
        for name in ("mean", "reference_mean", "difference", "holm_low", "holm_high")
    }
    interval = f" [{scaled['holm_low']}, {scaled['holm_high']}]" if scaled["holm_low"] else ""
    within = f" in {row['mix']}" if row["mix"] else ""
    return {
        "title": f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title,
        "pair": f"{row['variant']} − {row['reference']}{within}",
        "means": f"{scaled['mean'] or '–'}, {scaled['reference_mean'] or '–'}",
        "difference": f"{scaled['difference'] or '–'}{interval}",
        "finding": FOUND.get(row["finding"]) or effects.WORDS[row["finding"]],
    }


def _verdict(row):
    """A row of the table of verdicts with its numbers as text."""
    metric = metrics.METRICS[row["metric"]]
    ends = [row[name] for name in ("difference", "least", "greatest")]
    middle, least, greatest = (None if end is None else f"{end * metric.scale:+.3g}" for end in ends)
    unit = f" {metric.shown_unit}" if metric.shown_unit else ""
    return row | {
        "title": metric.title,
        "difference": "–" if middle is None else f"{middle}{unit} ({least} to {greatest})",
        "correlation": "–" if row["correlation"] is None else f"{row['correlation']:.2f}",
        "runs_needed": "–" if row["runs_needed"] is None else str(row["runs_needed"]),
    }


def _placed(axis, text):
    """A value's text, and what it is sorted by."""
    return text, axis.values.get(text, text)


def warmups(sweep, table):
    """Where what counts begins, in words."""
    asked = {row["warmup"] for row in sweep.combinations}
    words = [f"{text}, given" for text in sorted(asked - {"auto"})]
    if "auto" in asked:
        found = table.filter(pl.col("metric") == "warmup_s")["mean"].drop_nulls()
        means = f", means of {found.min():.3g} to {found.max():.3g} s" if found.len() else ""
        missed = "where none was found, half the time, and its flows count as not steady"
        words.append(f"found in each run by MSER-5{means}; {missed}")
    return "; ".join(words)


def harms(sweep, table):
    """The table of harm as rows of text: ``where``, ``victim``, ``beside``, ``metric``, values, and the finding.

    At most `MOST_ROWS`.
    """
    texts = axes.texts(sweep)
    rows = []
    for row in table.head(MOST_ROWS).iter_rows(named=True):
        metric = metrics.METRICS[row["metric"]]
        where = {name: text for name, text in texts[row["combination"]].items() if name != "variant"}
        rows.append(
            {"where": axes.said(where), "victim": row["victim"], "beside": row["beside"], "metric": metric.title}
            | {name: _value(row[f"{name}_mean"], metric) for name in ("alone", "mixed")}
            | {
                name: rounding.shown(row[name], row[f"{name}_low"], row[f"{name}_high"], 1, "bootstrap")
                for name in ("harm", "own_harm")
            }
            | {"finding": harm.WORDS[row["finding"]]}
        )
    return rows


def _value(mean, metric):
    return "–" if mean is None else f"{mean * metric.scale:.4g} {metric.shown_unit}".strip()


def unsteady(sweep, flows):
    """How many of each combination's flows of each variant are not steady: (where, variant, count, all)."""
    if "steady" not in flows.columns:
        return []
    known = flows.filter(pl.col("steady").is_not_null())
    counts = known.group_by("combination", "flow_variant", maintain_order=True).agg(
        few=(pl.col("steady") == 0).sum(), flows=pl.len()
    )
    texts = axes.texts(sweep)
    return [
        (axes.said(texts[combination]), variant, few, all_flows)
        for combination, variant, few, all_flows in counts.filter(pl.col("few") > 0).iter_rows()
    ]


def repeated(sweep, flows):
    """The combinations of which some runs are identical to the byte: (where, distinct runs, runs)."""
    texts = axes.texts(sweep)
    counts = flows.group_by("combination", maintain_order=True).agg(
        distinct=pl.col("digest").n_unique(), runs=pl.col("run").n_unique()
    )
    return [
        (axes.said(texts[number]), distinct, runs) for number, distinct, runs in counts.iter_rows() if distinct < runs
    ]


def settings(sweep, finished):
    """The ns-3 attributes in force, as the simulator recorded them.

    Returns
    -------
    common : dict
        Those that have one value in all cells that have them.
    differing : list of (str, list of (str, int, str))
        The others: the attribute, and per value how many cells have it and where on the axes these lie.
    """
    found, texts, every = {}, axes.texts(sweep), axes.of(sweep)
    for cell, combination, _ in finished:
        record = json.loads((layout.parquet(cell, sweep.parser) / "run.json").read_text(encoding="utf-8"))
        for name, value in record.get("settings", {}).items():
            found.setdefault(name, {}).setdefault(str(value), []).append(combination)
    common = {name: next(iter(values)) for name, values in sorted(found.items()) if len(values) == 1}
    differing = [
        (name, [(value, len(where), _where(every, texts, set(where))) for value, where in values.items()])
        for name, values in sorted(found.items())
        if len(values) > 1
    ]
    return common, differing


def audited(sweep, table):
    """What the audit found, of the sweep's table of it.

    Returns
    -------
    dict
        ``checks`` and ``cells``, how many there are; ``agreeing``, the cells that agree in all checks; ``others``, the
        table's row of each check that does not, with ``where`` it lies on the axes, and ``expected``, ``found`` and
        ``difference`` as text; ``more``, how many of these are left out.
    """
    texts = axes.texts(sweep)
    cells, off = table.unique("cell"), table.filter(pl.col("check").is_not_null())
    others = [
        row
        | {"where": axes.said(texts[row["combination"]]), "expected": _expected(row["low"], row["high"])}
        | {name: _exactly(row[name]) for name in ("found", "difference")}
        for row in off.head(MOST_DISAGREEMENTS).iter_rows(named=True)
    ]
    return {
        "cells": cells.height,
        "checks": cells["checks"].sum(),
        "agreeing": cells.filter(pl.col("agreeing") == pl.col("checks")).height,
        "others": others,
        "more": off.height - len(others),
    }


def _expected(low, high):
    return _exactly(low) if low == high else f"{_exactly(low)} to {_exactly(high)}"


def _exactly(value):
    return "–" if value is None else f"{value:.12g}"


def untraced(sweep, finished):
    """The traces that the sweep asks for and its ns-3 cannot give."""
    if not finished:
        return []
    cell, _, _ = finished[0]
    record = json.loads((layout.parquet(cell, sweep.parser) / "run.json").read_text(encoding="utf-8"))
    return [name for name in record.get("unavailable", ()) if name in sweep.capture.traces]


def _where(every, texts, combinations):
    """Where on the axes some combinations lie: the axes of which they have only some values."""
    words = []
    for name, axis in every.items():
        here = {texts[number][name] for number in combinations}
        if len(here) < len(axis.values):
            shown = [text for text in [*axis.values, axes.UNSET] if text in here]
            more = f" and {len(shown) - 6} more" if len(shown) > 6 else ""
            words.append(f"{axis.title} {', '.join(shown[:6])}{more}")
    return "; ".join(words)


def readable(value):
    """An attribute's value with a time as people write it: ``+1e+09ns`` is ``1s``."""
    match = _NS3_TIME.fullmatch(value)
    try:
        return units.time(f"{float(match[1]):.12g}{match[2]}") if match else value
    except ValueError:  # below zero, or a fraction of a nanosecond
        return value


def inline(svg, name):
    """An SVG to stand within a page beside others, its ids its own."""
    return Markup(_SVG_ID.sub(lambda match: f"{match[1]}{name}-", svg))


def interactive(data):
    """The data of the interactive figure and the scripts' library, to stand within the page; None without data."""
    if data is None:
        return None
    return {"data": templates.as_json(data), "library": vega.bundle()}


def versions(sweep):
    """What the page and its numbers were made with."""
    found = {
        "ns-3": sweep.ns3_version,
        "ns-3's libraries": sweep.ns3_libraries,
        "Python": platform.python_version(),
    }
    return found | {package: importlib.metadata.version(package) for package in PACKAGES}


def contents(folder, page):
    """All that the template shows."""
    sweep = sweep_record.read(folder)
    table, flows = (pl.read_parquet(folder / f"{name}.parquet") for name in ("summary", "flows"))
    nodes = pl.read_parquet(folder / "nodes.parquet")
    harmed, asked = pl.read_parquet(folder / "harm.parquet"), sweep.swept < sweep.published.first
    cells = list(dict.fromkeys(cell for cell, _, _ in sweep.cells))
    finished = sweep.finished()
    failed = failures.failures(folder)
    common, differing = settings(sweep, finished)
    texts = axes.texts(sweep)
    crowded = explorer.is_crowded(table, finished)
    # What tells harm has its own table, and is in no other.
    swept = sweep.up_to(sweep.swept)

    def link(path):
        return quote(os.path.relpath(folder / path, Path(page).parent))

    def where(row):
        return ", ".join(filter(None, (axes.said(texts[row["combination"]]), f"run {row['run']}")))

    files = [*aggregate.TABLES, *aggregate.HARM_TABLES * asked, *aggregate.NODE_TABLES * (nodes.height > 0)]
    files += aggregate.STUDY_TABLES * (sweep.study is not None)
    groups = {}
    for figure in json.loads((folder / "figures.json").read_text(encoding="utf-8")):
        svg = inline((folder / figure["files"]["svg"]).read_text(encoding="utf-8"), figure["name"])
        links = [(kind.upper(), link(path)) for kind, path in figure["files"].items()]
        groups.setdefault(figure["group"], []).append(figure | {"svg": svg, "links": links})
    return {
        "sweep": sweep,
        "readable": readable,
        "axes": [
            (axes.title(name, sweep.axes), [units.text(v) for v in values]) for name, values in sweep.axes.items()
        ],
        "runs": sweep.runs,
        "warmup": warmups(sweep, table),
        "cells": len(cells),
        "finished": len(cells) - len(failed),
        "failed": [(failure, axes.said(texts[failure.combination])) for failure in failed if failure.log],
        "missing": [(failure, axes.said(texts[failure.combination])) for failure in failed if not failure.log],
        "audit": audited(sweep, pl.read_parquet(folder / "audit.parquet")),
        "outcomes": outcomes.of(sweep, folder),
        "verdicts": verdicts(sweep, folder),
        "differences": differences(sweep, pl.scan_parquet(folder / "effects.parquet")),
        "results": results(swept, table, finished),
        "harms": harms(sweep, harmed),
        "more_harms": max(0, harmed.height - MOST_ROWS),
        "study": study_words.of(sweep, folder),
        "flow_monitor": totals.flows(pl.read_parquet(folder / "flow_monitor.parquet"), where),
        "nodes": totals.nodes(nodes, where),
        "files": [(name, link(name)) for name in files],
        "metrics": {name: metric for name, metric in metrics.METRICS.items() if name in set(table["metric"])},
        "intervals": metrics.INTERVALS,
        "groups": groups,
        "explorer": None if crowded else interactive(explorer.of(swept, table, flows, finished)),
        "unexplored": crowded and f"{table.height:,} means of {len(finished):,} runs",
        "least_epochs": thresholds.LEAST_EPOCHS,
        "unsteady": unsteady(sweep, flows),
        "unknown_steadiness": flows["steady"].null_count() if "steady" in flows.columns else flows.height,
        "repeated": repeated(sweep, flows),
        "yaml": (folder / "sweep.yaml").read_text(encoding="utf-8"),
        "versions": versions(sweep),
        "common": common,
        "differing": differing,
        "untraced": untraced(sweep, finished),
        "compile": _compile_command(sweep),
        "habits": {key: _in_force(name, common, differing) for key, name in HABITS.items()},
        "most_values": MOST_VALUES,
        "most_places": outcomes.MOST_PLACES,
        "most_rows": MOST_ROWS,
        "commands": list(json.loads((folder / "commands.json").read_text(encoding="utf-8")).items()),
        "commands_file": link("commands.json"),
    }


def _compile_command(sweep):
    """The command that makes the sweep's program, for a POSIX shell."""
    options = [f"--prefix={sweep.ns3_prefix}"] if sweep.ns3_prefix else []
    return shlex.join([".venv/bin/python", "-m", "tcpsweep", "compile", sweep.scenario, *options])


def _in_force(name, common, differing):
    values = [value for value, _, _ in dict(differing).get(name, [])] or ([common[name]] if name in common else [])
    return " or ".join(readable(value) for value in values)


def write(folder, page):
    """Write the report of the sweep in ``folder`` to ``page``."""
    write_whole(page, templates.render("report/report.html.jinja", contents(Path(folder), page)))

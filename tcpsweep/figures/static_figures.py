# SPDX-License-Identifier: MIT
"""From a sweep's tables, and from a few cells' traces, to its figures: SVG, PNG and PDF, and LaTeX that sets them."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tcpsweep.figures import charts, metric_panels, thinning, traces_over_time, vega, wireless_maps
from tcpsweep.store import layout
from tcpsweep.store.whole_files import write_whole
from tcpsweep.sweep import axes, figure_request, sweep_record
from tcpsweep.words import markup, metrics, table_columns, units

FORMATS = ("svg", "png", "pdf", "tex")
MOST_CELLS, MOST_FLOWS = 8, 8
POINTS_PER_PIXEL = 72 / 96
_WINDOWS = {"cwnd_bytes": "cwnd", "ssthresh_bytes": "ssthresh"}
_SIZE = re.compile(r'\b(width|height)="([0-9.]+)"')
_TAG = re.compile(r"<[^>]*>")
_LONG_NUMBER = re.compile(r"(?<=\.[0-9]{2})[0-9]+")


@dataclass(frozen=True)
class Figure:
    """A figure: its files' name, group and words, "metric", "map", "time" or "cell", and its chart as Vega-Lite."""

    name: str
    group: str
    title: str
    caption: str
    kind: str
    chart: dict


def of_metrics(sweep, summary):
    """A figure of every metric against every axis."""
    styles = charts.styles(sweep)
    for found in metric_panels.of(sweep, summary):
        metric = metrics.METRICS[found.metric]
        yield Figure(
            f"{found.metric}-by-{file_name(found.axis.name)}",
            metric.title,
            f"{metric.title} against {found.axis.title}",
            caption(found, len(sweep.runs)),
            "metric",
            charts.metric(found, styles),
        )


def file_name(name):
    """An axis' name in a file's name."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", name)


def caption(found, runs):
    """What a reader must know of a metric's figure: what a point is, what its bar is, and what is held still."""
    metric, points = metrics.METRICS[found.metric], found.points
    words = []
    sides = [axis.title for axis in (found.columns, found.rows) if axis]
    if sides:
        words.append(f"A panel per {' and '.join(sides)}.")
    if found.fixed:
        words.append(f"All at {axes.said(found.fixed)}.")
    if found.tied:
        words.append(f"Along with it change {', '.join(axes.title(name, found.tied) for name in found.tied)}.")
    words.append(intervals(points, runs, metric.interval))
    short = points.filter(pl.col("runs") < runs).height
    if short:
        words.append(f"{_counted(short, 'point')} from fewer runs than the others, as some failed or are missing.")
    if found.silent:
        words.append(f"No traffic, and no point, at {found.axis.title} {', '.join(found.silent)}.")
    if metric.scope == "flow" and points["variant"].str.contains("+", literal=True).any():
        words.append("In a mix, each variant's point is the mean of its own flows.")
    if found.axis.logarithmic and 0 in found.axis.values.values():
        words.append("The horizontal axis is logarithmic, with a place for 0.")
    if charts.is_wide(metric, points["mean"]):
        words.append("The vertical axis is logarithmic.")
    return " ".join(words)


def intervals(points, runs, interval):
    """What the points and bars are, and which have none."""
    without = points.filter(pl.col("low").is_null())
    alike = without.filter((pl.col("runs") > 1) & (pl.col("distinct_runs") == 1)).height
    single = without.height - alike
    if without.height == points.height and not alike:
        return "Points are single runs and have no interval."
    if alike == points.height:
        return "Points have no interval: their runs are identical to the byte (deterministic)."
    kind = metrics.INTERVALS[interval]
    text = f"Points are means of {runs} runs, bars their 95 % confidence intervals ({kind})."
    if alike:
        text += f" {_counted(alike, 'point')} without a bar: identical runs (deterministic)."
    if single:
        text += f" {_counted(single, 'point')} without a bar: a single run."
    return text


def _counted(count, noun):
    return f"{count} {noun}{'s' * (count > 1)}"


def over_time(sweep, asked):
    """The figures that the sweep file asks for."""
    for number, drawn in enumerate(traces_over_time.of(sweep, asked), 1):
        name = f"time-{number}-{file_name(drawn.title)[:100]}"
        yield Figure(name, "Over time", drawn.title, drawn.caption, "time", drawn.chart)


def of_places(sweep):
    """A map of each wireless network of the sweep."""
    maps = wireless_maps.maps(sweep)
    for number, (combinations, cell, run) in enumerate(maps[: wireless_maps.MOST_MAPS], 1):
        where, said = wireless_maps.described(sweep, combinations, run)
        if len(maps) > wireless_maps.MOST_MAPS:
            said += f" The first {wireless_maps.MOST_MAPS} of {len(maps)} maps are drawn."
        title = f"Who hears whom{' at ' if where else ''}{where}"
        yield Figure(f"map-{number}", "Places", title, f"{said} Cell {cell}.", "map", wireless_maps.chart(run))


def chosen_cells(sweep):
    """The cells whose traces are drawn: of each variant the first combination that has a finished run.

    Returns
    -------
    list of (str, int, int)
        Cell, combination, run.
    """
    found = {}
    for cell, combination, run in sweep.finished():
        if combination < sweep.swept:
            found.setdefault(sweep.combinations[combination]["variant"], (cell, combination, run))
    return list(found.values())[:MOST_CELLS]


def of_cells(sweep):
    """A figure of windows and round-trip times over time for one cell of each variant."""
    texts = axes.texts(sweep)
    for number, (cell, combination, run) in enumerate(chosen_cells(sweep), 1):
        row = sweep.combinations[combination]
        traces, labels, sampled = read_traces(sweep, cell, row)
        if traces.is_empty():
            continue
        rtt = "RTT [ms]" if sampled else "smoothed RTT [ms]"
        where = axes.said({name: text for name, text in texts[combination].items() if name != "variant"})
        words = [
            f"Run {run}{' at ' if where else ''}{where}: cwnd and ssthresh in segments of {row['segment_size']} B, and "
            f"{'each sample of the round-trip time' if sampled else 'the smoothed round-trip time'}."
        ]
        flows = row["flows"] + row["reverse_flows"]
        if flows > len(labels):
            words.append(f"The first {len(labels)} of {flows} flows.")
        words.append(f"Drawn are the lowest and the highest value in each {thinning.SPANS}th of the time. Cell {cell}.")
        yield Figure(
            f"cell-{number}-{file_name(row['variant'])[:100]}",
            "Single cells over time",
            f"{row['variant']} over time",
            " ".join(words),
            "cell",
            charts.cell(traces, labels, units.si(row["duration"], "time"), rtt),
        )


def read_traces(sweep, cell, row):
    """A cell's traces as a figure shows them.

    Returns
    -------
    traces : DataFrame
        As `charts.cell` takes them.
    labels : list of str
        The flows' labels, in order.
    sampled : bool
        Whether the round-trip times are samples; else they are smoothed, as older ns-3 versions trace no samples.
    """
    folder, end_s = layout.parquet(cell, sweep.parser), units.si(row["duration"], "time")
    wanted = pl.col("metric").is_in([*_WINDOWS, "rtt_s", "srtt_s"]) & (pl.col("flow") < MOST_FLOWS)
    traces = (
        table_columns.scan(folder / "traces.parquet")
        .filter(wanted & pl.col("value").is_not_null())
        .select(pl.col("metric").cast(pl.String), "flow", "time_s", "value")
        .collect()
    )
    sampled = traces.filter(pl.col("metric") == "rtt_s").height > 0
    traces = traces.filter(pl.col("metric") != ("srtt_s" if sampled else "rtt_s"))
    window = pl.col("metric").is_in(list(_WINDOWS))
    last = traces.filter(window).group_by("metric", "flow", maintain_order=True).last()
    until_end = last.select(pl.exclude("time_s"), time_s=pl.lit(float(end_s))).select(traces.columns)
    traces = thinning.thin(pl.concat([traces, until_end]), ["metric", "flow"], 0, end_s)
    variants = row["variant"].split("+")
    labels = [f"flow {flow}" for flow in range(min(row["flows"] + row["reverse_flows"], MOST_FLOWS))]
    if len(variants) > 1:
        labels = [f"{label} ({variants[flow % len(variants)]})" for flow, label in enumerate(labels)]
    labels = [f"{label}, reverse" if flow >= row["flows"] else label for flow, label in enumerate(labels)]
    return (
        traces.with_columns(
            metric=pl.when(window).then(pl.col("metric").replace(_WINDOWS)).otherwise(pl.lit("rtt")),
            flow=pl.col("flow").replace_strict(dict(enumerate(labels)), return_dtype=pl.String),
            value=pl.col("value") * pl.when(window).then(1 / row["segment_size"]).otherwise(1e3),
        ),
        labels,
        sampled,
    )


def render(figure, folder):
    """Write a figure's files; the PNG has two pixels for each of the screen's, the LaTeX the caption."""
    import vl_convert

    svg = vl_convert.vegalite_to_svg(figure.chart, vl_version=vega.VL_VERSION)
    svg = short_numbers(svg)
    (folder / f"{figure.name}.svg").write_text(svg, encoding="utf-8")
    (folder / f"{figure.name}.png").write_bytes(vl_convert.svg_to_png(svg, scale=2))
    (folder / f"{figure.name}.pdf").write_bytes(vl_convert.svg_to_pdf(_on_paper(svg)))
    words = markup.figure(figure.name, figure.title, figure.caption)
    (folder / f"{figure.name}.tex").write_text(words, encoding="utf-8")


def short_numbers(svg):
    """An SVG with its coordinates to the hundredth of a pixel; what it says stays."""
    return _TAG.sub(lambda tag: _LONG_NUMBER.sub("", tag[0]), svg)


def _on_paper(svg):
    """An SVG whose size is its size on paper in points, the unit that PDF counts in."""
    return _SIZE.sub(lambda match: f'{match[1]}="{float(match[2]) * POINTS_PER_PIXEL}"', svg, count=2)


def write(folder):
    """Draw the figures of the sweep in ``folder`` into ``figures/``, and list them in ``figures.json``."""
    folder = Path(folder)
    sweep = sweep_record.read(folder)
    summary = pl.read_parquet(folder / "summary.parquet")
    asked = figure_request.read(folder)
    place = folder / "figures"
    place.mkdir(exist_ok=True)
    index, written = [], set()
    for figure in [*of_metrics(sweep, summary), *of_places(sweep), *over_time(sweep, asked), *of_cells(sweep)]:
        render(figure, place)
        files = {kind: f"figures/{figure.name}.{kind}" for kind in FORMATS}
        written |= {f"{figure.name}.{kind}" for kind in FORMATS}
        words = {key: getattr(figure, key) for key in ("name", "group", "title", "caption", "kind")}
        index.append(words | {"files": files})
    for old in place.iterdir():
        if old.name not in written:
            old.unlink()
    write_whole(folder / "figures.json", json.dumps(index, indent=1))

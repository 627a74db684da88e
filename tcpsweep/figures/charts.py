# SPDX-License-Identifier: MIT
"""Vega-Lite charts of what `panels` and a cell's traces hold, for a screen and for paper."""

import altair as alt
import polars as pl

from tcpsweep.words import metrics

# Okabe and Ito's palette, told apart with any colour vision, its yellow (too light on white) put last and darkened.
PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7f00"]
SHAPES = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right"]
SOLID, DASHES = [1, 0], [[5, 2], [2, 2], [6, 2, 2, 2]]
SHADES = {"disorder": "#e4e4e4", "CWR": "#bfe3f5", "recovery": "#f6dc9b", "loss": "#f2b8a0"}
COLUMN_WIDTH = 326  # 3.4 inches, a column of a two-column paper, in pixels of 1/96 inch
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
DODGE, DODGE_SPAN = 3, 14
LOG_SPAN = 30  # of a metric's means, from which on a linear axis hides the small ones
MOST_TICKS, MOST_ACROSS = 6, 3
_TEXT = {
    "labelFontSize": 10,
    "titleFontSize": 10,
    "titleFontWeight": "normal",
    "labelColor": "#222",
    "titleColor": "#222",
}
LOOK = {
    "font": FONT,
    "background": "white",
    "padding": 4,
    "aria": False,
    "axis": _TEXT | {"domain": False, "gridColor": "#e8e8e8", "tickColor": "#888", "titlePadding": 6},
    "legend": _TEXT | {"labelLimit": 0, "symbolSize": 50, "symbolOpacity": 1, "symbolStrokeWidth": 1.4, "title": None},
    "header": _TEXT | {"labelPadding": 4, "labelLimit": 0},
    "view": {"stroke": "#bbb"},
    "facet": {"spacing": 14},
    "tick": {"opacity": 1},
}


def styles(sweep):
    """Colour, shape and dash of each series that a sweep's figures may show.

    A variant has one colour everywhere; what shares the link in one mix has that mix's shape and a dashed line.
    """
    variants = list(dict.fromkeys(row["variant"] for row in sweep.combinations))
    single = list(dict.fromkeys(part for variant in variants for part in variant.split("+")))
    colours = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(dict.fromkeys([*single, *variants]))}
    shapes = {name: SHAPES[i % len(SHAPES)] for i, name in enumerate(dict.fromkeys([*single, *variants]))}
    dashes, found = {}, {name: (colours[name], shapes[name], SOLID) for name in single}
    for mix in (variant for variant in variants if "+" in variant):
        dashes[mix] = DASHES[len(dashes) % len(DASHES)]
        found[mix] = (colours[mix], shapes[mix], dashes[mix])
        for part in dict.fromkeys(mix.split("+")):
            found[f"{part} in {mix}"] = (colours[part], shapes[mix], dashes[mix])
    return found


def finished(chart, **frames):
    """A chart as Vega-Lite, with the look that all figures have and the data that it names."""
    # Within the chart, both would be copied by each of altair's steps.
    datasets = {name: _rows(frame) for name, frame in frames.items()}
    return chart.to_dict(validate=False) | {"config": LOOK, "datasets": datasets}


def legend_below(labels, width, **options):
    """A legend below a figure of some width, in as many columns as fit."""
    longest = max(len(label) for label in labels)
    return alt.Legend(orient="bottom", columns=max(1, int((width + 50) // (longest * 5 + 28))), offset=6, **options)


def _rows(frame):
    """A frame as Vega-Lite's data, its numbers as short as a figure needs them."""
    return [
        {name: float(f"{value:.7g}") if isinstance(value, float) else value for name, value in row.items()}
        for row in frame.iter_rows(named=True)
    ]


def metric(panels, styles):
    """A metric against an axis: means with their intervals, a line per series, panels for the other axes.

    Parameters
    ----------
    panels : panels.Panels
    styles : dict
        From `styles`.

    Returns
    -------
    dict
        Vega-Lite.
    """
    points, shown = panels.points, metrics.METRICS[panels.metric]
    present = set(points["series"].to_list())
    series = [name for name in styles if name in present]
    columns, rows = panels.levels("column"), panels.levels("row")
    wraps = not rows and len(columns) > MOST_ACROSS
    across = MOST_ACROSS if wraps else max(1, len(columns))
    width, height = _panel_size(across, max(1, len(columns)) * max(1, len(rows)))
    by_variant = panels.axis.name == "variant"
    legend = (
        None if by_variant and shown.scope == "network" else legend_below(series, across * width, symbolStrokeWidth=0)
    )
    colours, shapes, dashes = (alt.Scale(domain=series, range=[styles[name][i] for name in series]) for i in range(3))
    encodings = {
        "color": alt.Color("series:N", scale=colours, legend=legend),
        "shape": alt.Shape("series:N", scale=shapes, legend=legend),
        "strokeDash": alt.StrokeDash("series:N", scale=dashes, legend=legend),
    }
    layers = _means(panels.axis, lambda column: _y(shown, points, column), **encodings)
    chart = alt.layer(*layers, data=alt.NamedData("points")).properties(width=width, height=height)
    column = {"sort": [_label(panels.columns, text) for text in columns], "title": None}
    row = {"sort": [_label(panels.rows, text) for text in rows], "title": None}
    if wraps:
        chart = chart.facet(facet=alt.Facet("column:N", **column), columns=across)
        # Shared, the axes would also stand where the last row has no panel.
        chart = chart.resolve_axis(x="independent")
    elif rows:
        chart = chart.facet(column=alt.Column("column:N", **column), row=alt.Row("row:N", **row))
    elif columns:
        chart = chart.facet(column=alt.Column("column:N", **column))
    marks = points.select(
        "place",
        "series",
        "mean",
        "low",
        "high",
        dodge=_dodge(series, panels.axis),
        column=_labels(panels.columns, columns, "column"),
        row=_labels(panels.rows, rows, "row"),
    )
    return finished(chart, points=marks.sort("place"))


def _means(axis, y, color, shape, strokeDash, **encodings):
    """The layers of means with their intervals against an axis, joined by a line where the axis is no variant's."""
    # What stands beside its place is moved on the screen; the data keeps the place.
    beside = {"xOffset": alt.expr("datum.dodge")}
    base = alt.Chart().encode(x=_x(axis), color=color, **encodings)
    cap = base.mark_tick(orient="horizontal", size=5, thickness=1.2, **beside)
    layers = [
        base.mark_rule(strokeWidth=1.2, **beside).encode(y=y("low"), y2="high:Q"),
        cap.encode(y=y("low")),
        cap.encode(y=y("high")),
        base.mark_point(filled=True, size=34, opacity=1, **beside).encode(y=y("mean"), shape=shape),
    ]
    if axis.name != "variant":
        line = base.mark_line(strokeWidth=1.4, **beside).encode(y=y("mean"), strokeDash=strokeDash)
        layers.insert(0, line)
    return layers


def explored(axis):
    """Means with their intervals against an axis, of a metric and series that the report's script fills in.

    Parameters
    ----------
    axis : axes.Axis

    Returns
    -------
    dict
        Vega-Lite, a layered view without data; ``place``, ``mean``, ``low``, ``high``, ``series``, ``dodge``, and
        ``where``, ``value``, ``runs`` for the tooltip are what the data will have.
    """
    layers = _means(axis, lambda column: alt.Y(f"{column}:Q", title=None), **_open_series(), tooltip=_tooltip())
    return _template(alt.layer(*layers))


def heat_map():
    """A metric's means by variant and network; data and scale are the script's: ``variant``, ``network``, ``mean``."""
    chart = alt.Chart().encode(
        x=alt.X("network:N", sort=None, title=None, axis=alt.Axis(labelAngle=-60, labelLimit=260)),
        y=alt.Y("variant:N", sort=None, title=None, axis=alt.Axis(labelLimit=260)),
        tooltip=_tooltip(),
    )
    colour = alt.Color("mean:Q", scale=alt.Scale(scheme="viridis"), legend=alt.Legend(orient="top", gradientLength=200))
    return _template(chart.mark_rect(stroke="white").encode(color=colour))


def plane():
    """Throughput over delay, which grows to the left, so that better is up and to the right.

    The script's data: runs with ``delay`` and ``rate``, and of each series' ellipse the points in their ``order``.
    """
    series = _open_series()
    x = alt.X("delay:Q", title=None, scale=alt.Scale(reverse=True, zero=False))
    y = alt.Y("rate:Q", title=None, scale=alt.Scale(zero=False))
    base = alt.Chart().encode(x=x, y=y, color=series["color"])
    ellipse = base.mark_line(strokeWidth=1.4, fill=None).encode(
        order="order:Q", strokeDash=series["strokeDash"], detail="network:N"
    )
    runs = base.mark_point(filled=True, size=16, opacity=0.6).encode(shape=series["shape"], tooltip=_tooltip())
    means = base.mark_point(filled=True, size=90, opacity=1).encode(shape=series["shape"], tooltip=_tooltip())
    layers = [
        part.transform_filter(f"datum.kind == '{kind}'")
        for kind, part in (("ellipse", ellipse), ("run", runs), ("mean", means))
    ]
    return _template(alt.layer(*layers))


def _open_series():
    """Encodings of the series, whose scales the report's script fills in."""
    legend = alt.Legend(orient="bottom", symbolStrokeWidth=0)
    return {
        "color": alt.Color("series:N", legend=legend),
        "shape": alt.Shape("series:N", legend=legend),
        "strokeDash": alt.StrokeDash("series:N", legend=legend),
    }


def _tooltip():
    heads = {"series": "variant", "where": "at", "value": "value", "runs": "runs"}
    return [alt.Tooltip(f"{name}:N", title=title) for name, title in heads.items()]


def _template(chart):
    """A chart as Vega-Lite for the report's script, which adds data and size."""
    spec = chart.to_dict(validate=False)
    for view in (spec, *spec.get("layer", ())):
        for key in ("$schema", "config", "data", "datasets"):
            view.pop(key, None)
    return spec


def _dodge(series, axis):
    """How many pixels each point stands beside its place, so that the bars of series do not hide each other."""
    order = pl.col("series").replace_strict({name: i for i, name in enumerate(series)}, return_dtype=pl.Int64)
    if axis.name == "variant":
        order = order.rank("dense").over("place")
    middle, count = (order.max() + order.min()) / 2, order.max() - order.min() + 1
    dodge = (order - middle) * pl.min_horizontal(pl.lit(DODGE), DODGE_SPAN / count)
    return dodge.over("place") if axis.name == "variant" else dodge


def _panel_size(across, panels):
    if panels == 1:
        return COLUMN_WIDTH - 60, 180
    return {1: (COLUMN_WIDTH - 60, 120), 2: (190, 150)}.get(across, (165, 130))


def _label(axis, text):
    return f"{axis.title} {text}"


def _labels(axis, levels, column):
    """What the panels' heads say, as an expression of their values."""
    return pl.col(column).replace_strict({text: _label(axis, text) for text in levels}) if levels else pl.lit(None)


def _x(axis):
    if not axis.numeric:
        return alt.X(
            "place:N",
            title=None if axis.name == "variant" else axis.head,
            sort=list(axis.values),
            axis=alt.Axis(labelAngle=-35, labelLimit=0, grid=True),
        )
    numbers = sorted(axis.values.values())
    options = {"values": numbers} if len(numbers) <= MOST_TICKS else {}
    scale = {"nice": False, "padding": 12}
    if axis.logarithmic and numbers[0] > 0:
        scale |= {"type": "log"}
    elif axis.logarithmic:
        # Zero has its place a step left of the least positive value.
        scale |= {"type": "symlog", "constant": next(number for number in numbers if number > 0)}
        options = {"values": numbers}
    else:
        scale |= {"zero": False}
    return alt.X("place:Q", title=axis.head, scale=alt.Scale(**scale), axis=alt.Axis(format=".6~g", **options))


def _y(shown, points, column="mean"):
    means = points["mean"]
    title = f"{shown.title} [{shown.shown_unit}]" if shown.shown_unit else shown.title
    if is_wide(shown, means):
        floor = means.min() / 2
        return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(type="log", clamp=True, domainMin=floor))
    if not means.max() and not means.min():
        return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, 1], nice=False), axis=alt.Axis(values=[0]))
    return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(zero=from_zero(shown)))


def from_zero(shown):
    """Whether a metric's axis begins at 0."""
    return bool(shown.shown_unit) and shown.shown_unit != "ms"


def is_wide(shown, means):
    """Whether a metric's means span so much that their axis is logarithmic."""
    return bool(shown.shown_unit) and means.min() > 0 and means.max() > LOG_SPAN * means.min()


def cell(traces, labels, end_s, rtt_title):
    """A cell's windows and round-trip times over time, one above the other.

    Parameters
    ----------
    traces : DataFrame
        ``metric`` ("cwnd", "ssthresh" or "rtt"), ``flow`` (its label), ``time_s``, ``value`` in segments or ms.
    labels : list of str
        The flows in their order.
    end_s : float
    rtt_title : str

    Returns
    -------
    dict
        Vega-Lite.
    """
    width = 2 * COLUMN_WIDTH - 70
    colours = alt.Scale(domain=labels, range=[PALETTE[i % len(PALETTE)] for i in range(len(labels))])
    flows = alt.Color("flow:N", scale=colours, legend=legend_below(labels, width, symbolSize=300))
    time = alt.X("time_s:Q", title="time [s]", scale=alt.Scale(domain=[0, end_s], nice=False))
    kinds = set(traces["metric"].to_list())
    windows = [name for name in ("ssthresh", "cwnd") if name in kinds]
    parts = []

    def steps(metric, **encoding):
        # A value holds until the next; a slope would show values that never were.
        marks = alt.Chart(alt.NamedData(metric)).mark_line(strokeWidth=1, clip=True, interpolate="step-after")
        return marks.encode(color=flows, **encoding)

    if windows:
        dash = alt.StrokeDash(
            "metric:N",
            scale=alt.Scale(domain=["cwnd", "ssthresh"], range=[SOLID, [4, 3]]),
            legend=alt.Legend(orient="bottom", symbolStrokeColor="#222", symbolSize=300),
        )
        x, y = time.title(None) if "rtt" in kinds else time, alt.Y("value:Q", title="window [segments]")
        lines = [steps(name, x=x, y=y, strokeDash=dash) for name in windows]
        parts.append(alt.layer(*lines).properties(width=width, height=170))
    if "rtt" in kinds:
        y = alt.Y("value:Q", title=rtt_title, scale=alt.Scale(zero=False))
        parts.append(steps("rtt", x=time, y=y).properties(width=width, height=120))
    frames = {kind: traces.filter(traces["metric"] == kind) for kind in kinds}
    return finished(alt.vconcat(*parts, spacing=8), **frames)

# SPDX-License-Identifier: MIT
"""A cell over time: its traces reduced to what a screen can tell apart, and the chart of all of them."""

import contextlib
import functools

import altair as alt
import polars as pl

from tcpsweep.figures import charts, thinning, trace_values
from tcpsweep.words import table_columns, units

SPANS = 500  # of the time axis: of each the lowest and the highest value stays
WINDOWS = 200  # over which goodput is shown
MOST_FLOWS = 8
EVENTS = {
    "drop": "dropped on arrival",
    "drop_after_wait": "dropped after a wait",
    "mark": "marked",
    "loss": "lost on the link",
}
MARKS = dict(zip(EVENTS.values(), charts.PALETTE[1:], strict=False))
HEIGHT = 110
_LINES = {"cwnd_bytes": "cwnd", "ssthresh_bytes": "ssthresh", "in_flight_bytes": "in flight"}
_SHOWN = [*_LINES, "rtt_s", "srtt_s", "received_bytes", "congestion_state"]


class Unreadable(Exception):
    """A file of a cell that is not what it should be: which one, and why."""


@contextlib.contextmanager
def reading(path):
    """Name the file in the errors of a block that reads it.

    Raises
    ------
    Unreadable
    """
    try:
        yield path
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise Unreadable(f"{path}: {error}") from error


def reduced(folder, measured, row, flows):
    """What the chart shows of a cell, whose tables lie in ``folder`` and ``measured``.

    Parameters
    ----------
    folder, measured : Path
    row : dict
        The cell's parameters.
    flows : DataFrame
        Its table `flows`.

    Returns
    -------
    dict of str to list of dict
        Data for `chart`: by name rows with ``flow`` (its label) and lists ``t`` in seconds and ``v``; of ``states`` and
        ``events`` plain rows.

    Raises
    ------
    Unreadable
        A table cannot be read.
    """
    end_s = float(units.si(row["duration"], "time"))
    shown = flows.head(MOST_FLOWS)
    named = dict(zip(shown["flow"], labels(shown), strict=True))

    wanted = pl.col("flow").is_in(list(named)), pl.col("metric").is_in(_SHOWN), pl.col("value").is_not_null()
    with reading(folder / "traces.parquet") as path:
        rows = table_columns.scan(path).filter(*wanted).collect()
    by_name = rows.partition_by("metric", include_key=False, as_dict=True)

    def trace(name):
        return by_name.get((name,), rows.clear().drop("metric"))

    found = {}
    for name, line in _LINES.items():
        found[line] = _lines(trace_values.held(trace(name), ["flow"], 0, end_s), named, end_s, 1 / row["segment_size"])
    rtt = trace("rtt_s")
    found["rtt"] = _lines(rtt if rtt.height else trace("srtt_s"), named, end_s, 1e3)
    found["goodput"] = _goodput(trace("received_bytes"), named, end_s)
    found["states"] = _states(trace("congestion_state"), named, end_s)
    with reading(folder / "queue.parquet") as path:
        queue = table_columns.scan(path).filter(pl.col("direction") == "forward").collect()
    length = queue.select("time_s", value=pl.col("queued_packets").cast(pl.Float64), flow=pl.lit(0))
    found["queue"] = _lines(length, {0: ""}, end_s)
    waited = queue.filter(pl.col("event") == "transmit").select("time_s", value="delay_s", flow=pl.lit(0))
    found["delay"] = _lines(waited, {0: ""}, end_s, 1e3)
    found["events"] = _events(queue, end_s)
    if (measured / "fairness.parquet").is_file():
        with reading(measured / "fairness.parquet") as path:
            windows = pl.read_parquet(path)
        found["jain"] = _fairness(windows, end_s)
    return {name: rows for name, rows in found.items() if rows}


def labels(flows):
    """What flows are called: their number and variant, and that they run in reverse."""
    return [
        f"{flow} {variant}{', reverse' if direction == 'reverse' else ''}"
        for flow, variant, direction in flows.select("flow", "variant", "direction").iter_rows()
    ]


def _lines(trace, named, end_s, scale=1.0):
    """The lines of a trace, one a flow."""
    kept = thinning.thin(trace.sort("flow", "time_s", maintain_order=True), ["flow"], 0, end_s, SPANS)
    return [
        {"flow": named[flow], "t": _short(own["time_s"], 6), "v": _short(own["value"] * scale, 5)}
        for (flow,), own in kept.partition_by("flow", as_dict=True, maintain_order=True).items()
    ]


def _short(values, digits):
    """Numbers as short as a screen needs them."""
    return [float(f"{value:.{digits}g}") for value in values]


def _goodput(received, named, end_s):
    """Payload read in each of `WINDOWS` parts of the time, in Mbit/s."""
    bounds = [end_s / WINDOWS * number for number in range(WINDOWS + 1)]
    rates = trace_values.rates(received, ["flow"], bounds)
    return [
        {"flow": named[flow], "t": _short(own["time_s"], 6), "v": _short(own["value"], 5)}
        for (flow,), own in rates.partition_by("flow", as_dict=True, maintain_order=True).items()
    ]


def _fairness(windows, end_s):
    """Jain's index, a line for each time without a gap; its last value holds until its window ends."""
    time_s, value = pl.col("time_s"), pl.col("value")
    # Windows are equally long, and a gap, where no two flows are there, is of whole windows.
    width_s = windows["from_s"].diff().min() or end_s
    lines = (
        windows.drop_nulls("jain")
        .select(pl.col("from_s").alias("time_s"), value="jain")
        .with_columns(flow=(time_s.diff() > 1.5 * width_s).fill_null(False).cum_sum())
    )
    ends = lines.group_by("flow").agg(pl.min_horizontal(time_s.last() + width_s, end_s), value.last())
    lines = pl.concat([lines, ends.select(lines.columns)])
    return _lines(lines, {number: number for number in lines["flow"]}, end_s)


def _states(states, named, end_s):
    """When flows were not in the state open: of each of `SPANS` parts of the time, the worst state in it."""
    found = trace_values.worst(states, ["flow"], 0, end_s, SPANS)
    return [
        {"flow": named[flow], "state": trace_values.STATES[int(state)], "t": round(begin, 6), "until": round(end, 6)}
        for flow, state, begin, end in found.select("flow", "value", "time_s", "until_s").iter_rows()
    ]


def _events(queue, end_s):
    """How many packets were dropped, marked or lost in each of `SPANS` parts of the time."""
    width = end_s / SPANS
    counts = (
        queue.filter(pl.col("event").cast(pl.String).is_in(list(EVENTS)))
        .group_by(pl.col("event").cast(pl.String), part=(pl.col("time_s") / width).floor())
        .agg(packets=pl.len(), t=pl.col("time_s").min())
        .sort("t", "event")
    )
    return [
        {"what": EVENTS[event], "t": round(time_s, 6), "packets": packets}
        for event, time_s, packets in counts.select("event", "t", "packets").iter_rows()
    ]


def chart(data, row):
    """The chart of all that `reduced` gave: a row for each flow's windows, and below what all flows share.

    An interval chosen in the uppermost view is what the others show; flows chosen in the legend stand out.

    Returns
    -------
    dict
        Vega-Lite; the views have the width that the page's script gives them.
    """
    flows = dict.fromkeys(line["flow"] for name in ("cwnd", "goodput", "rtt") for line in data.get(name, ()))
    return _views(tuple(data), tuple(flows), float(units.si(row["duration"], "time"))) | {"datasets": data}


@functools.cache  # to make it takes longer than all else of a page, and most cells of a sweep have the same
def _views(data, flows, end_s):
    """The chart without its data, which has these names and flows."""
    brush = alt.selection_interval(name="brush", encodings=["x"])
    colours = alt.Scale(domain=list(flows), range=[charts.PALETTE[i % len(charts.PALETTE)] for i in range(len(flows))])
    colour = alt.Color("flow:N", title="flow", scale=colours, legend=alt.Legend(orient="top", symbolType="stroke"))
    chosen = alt.selection_point(name="chosen", fields=["flow"], bind="legend", toggle="true")
    faded = alt.condition(chosen, alt.value(1), alt.value(0.08))
    whole = alt.X("t:Q", title="time [s]", scale=alt.Scale(domain=[0, end_s], nice=False))
    x = alt.X("t:Q", title=None, scale=alt.Scale(domain=brush, nice=False), axis=alt.Axis(format=".6~g"))
    y = alt.Y("v:Q", scale=alt.Scale(zero=False))

    def lines(name, title, held=True, x=x, y=y, color=colour, **mark):
        style = {"strokeWidth": 1, "clip": True} | ({"interpolate": "step-after"} if held else {}) | mark
        return (
            alt.Chart(alt.NamedData(name))
            .transform_flatten(["t", "v"])
            .mark_line(**style)
            .encode(x=x, y=y.title(title), color=color, tooltip=["flow:N", "t:Q", "v:Q"])
        )

    views = []
    for number, flow in enumerate(flows if "cwnd" in data else ()):
        views.append(_windows(flow, colours.range[number], data, lines, x, y, legend=number == 0, faded=faded))
    if "rtt" in data:
        views.append(lines("rtt", "RTT [ms]").encode(opacity=faded))
    if "goodput" in data:
        views.append(lines("goodput", "goodput [Mbit/s]", y=alt.Y("v:Q")).encode(opacity=faded))
    plain = alt.value(charts.PALETTE[6])
    if "queue" in data:
        length = lines("queue", "queue [packets]", y=alt.Y("v:Q"), color=plain)
        marked = [_marks(x)] if "events" in data else []
        views.append(alt.layer(length, *marked).resolve_scale(color="independent"))
    if "delay" in data:
        views.append(lines("delay", "queueing delay [ms]", False, y=alt.Y("v:Q"), color=plain))
    if "jain" in data:
        index = lines("jain", "Jain's index", y=alt.Y("v:Q", scale=alt.Scale(domain=[0, 1])), color=plain)
        views.append(index.encode(detail="flow:N", tooltip=["t:Q", "v:Q"]))
    views = [view.properties(height=HEIGHT) for view in views]
    top = "goodput" if "goodput" in data else next(name for name in data if name not in ("states", "events"))
    overview = lines(top, "all", x=whole, y=alt.Y("v:Q", axis=None)).encode(opacity=faded)
    overview = overview.properties(height=36).add_params(brush, chosen)
    spec = alt.vconcat(overview, alt.vconcat(*views, spacing=6).resolve_scale(x="shared"), spacing=10)
    return spec.to_dict(validate=False) | {"config": charts.LOOK}


def _windows(flow, colour, data, lines, x, y, legend, faded):
    """The view of a flow's windows, its congestion states behind them, said once what they are."""
    of_flow = alt.datum.flow == flow
    states = (
        alt.Chart(alt.NamedData("states"))
        .mark_rect(clip=True)
        .encode(
            x=x,
            x2="until:Q",
            color=alt.Color(
                "state:N",
                title="congestion state",
                scale=alt.Scale(domain=list(charts.SHADES), range=list(charts.SHADES.values())),
                legend=alt.Legend(orient="top", symbolOpacity=1) if legend else None,
            ),
            tooltip=["state:N", "t:Q", "until:Q"],
        )
    )
    title = f"{flow} [segments]"
    parts = [states] if "states" in data else []
    looks = {
        "in flight": {"color": alt.value("#999999"), "strokeWidth": 0.6},
        "ssthresh": {"color": alt.value(colour), "strokeDash": [4, 3]},
        "cwnd": {"color": alt.value(colour)},
    }
    parts += [lines(name, title, y=y, **look).encode(opacity=faded) for name, look in looks.items() if name in data]
    return alt.layer(*(part.transform_filter(of_flow) for part in parts)).resolve_scale(color="independent")


def _marks(x):
    """Drops, marks and losses along the upper edge of the queue."""
    colours = alt.Scale(domain=list(MARKS), range=list(MARKS.values()))
    return (
        alt.Chart(alt.NamedData("events"))
        .mark_tick(clip=True, height=10, thickness=1, orient="vertical")
        .encode(
            x=x,
            y=alt.value(5),
            color=alt.Color("what:N", title="packets", scale=colours, legend=alt.Legend(orient="top")),
            tooltip=["what:N", "t:Q", "packets:Q"],
        )
    )

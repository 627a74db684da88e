# SPDX-License-Identifier: MIT
"""The figures over time that a sweep file asks for under `figures`: of which cells each is, and with which lines."""

from collections import Counter
from dataclasses import dataclass

from tcpsweep.sweep import axes, matching
from tcpsweep.sweepfile import grid, schema
from tcpsweep.sweepfile.yaml_document import Problem
from tcpsweep.words import spelling, units

MOST_FIGURES, MOST_LINES = 60, 20
MOST_INTERVALS = 1000  # in a figure's time: more than its width has pixels
RATES = ("goodput", "throughput")
QUEUE = ("queue", "queueing_delay")
# The traces that a panel is made of, each with what may stand for it; the other panels are made of the queue's table.
TRACES = {
    "window": [("cwnd_bytes",), ("ssthresh_bytes",), ("congestion_state",)],
    "cwnd": [("cwnd_bytes",)],
    "rtt": [("rtt_s", "srtt_s")],
    "acked": [("acked_bytes",)],
    "goodput": [("received_bytes",)],
    "throughput": [("ip_received_bytes",)],
    "in_flight": [("in_flight_bytes",)],
}


@dataclass(frozen=True)
class Line:
    """A line of a figure: its label, the place of its cell among the figure's, its flow or None for the bottleneck."""

    label: str
    cell: int
    flow: int | None


def of(data):
    """The figures that a sweep file asks for.

    Parameters
    ----------
    data : dict
        A `yaml_document.Document`'s data in which `schema.problems` found nothing.

    Returns
    -------
    list of dict
        ``title``, ``show``, ``where`` (values by name), ``each`` (names), ``run``, ``published``, ``from_s``, ``to_s``
        and ``interval_s``; None for what is not given.
    """

    def seconds(figure, key):
        return float(units.si(units.time(figure[key]), "time")) if key in figure else None

    return [
        {
            "title": figure["title"],
            "show": figure["show"],
            "where": grid.wanted_values(data["scenario"], figure.get("where", {})),
            "each": _listed(figure.get("each", [])),
            "run": figure.get("run"),
            "published": figure.get("published", False),
            "from_s": seconds(figure, "from") or 0.0,
            "to_s": seconds(figure, "to"),
            "interval_s": seconds(figure, "interval"),
        }
        for figure in data.get("figures", [])
    ]


def candidates(figure, runs, swept, first):
    """Those of all runs that a figure's cells are chosen from, in their order.

    Parameters
    ----------
    figure : dict
        As `of` gives it.
    runs : iterable of (object, int, int)
        Cell, combination, run.
    swept, first : int
        How many combinations the sweep's own are, and the number of the first in a published setting.
    """
    return [run for run in runs if (run[1] >= first if figure["published"] else run[1] < swept)]


def choose(figure, runs, combinations):
    """The cells that are drawn, for each of the pictures that a figure makes.

    Parameters
    ----------
    figure : dict
        As `of` gives it.
    runs : iterable of (object, int, int)
        Those to choose from: cell, combination, run.
    combinations : list of dict

    Returns
    -------
    dict of tuple of str to list of (object, int, int)
        By the values of the axes in ``each``, of every combination that meets the condition the run that is asked for,
        or the first.
    """
    chosen = {}
    for cell, combination, run in runs:
        row = combinations[combination]
        if matching.is_met(figure["where"], row) and figure["run"] in (None, run):
            values = tuple(axes.text(row, name) for name in figure["each"])
            chosen.setdefault(values, {}).setdefault(combination, (cell, combination, run))
    return {values: list(found.values()) for values, found in chosen.items()}


def lines(show, rows):
    """The lines of a figure of some cells, told apart by what differs between them.

    Parameters
    ----------
    show : list of str
        Its panels.
    rows : list of dict
        The cells' combinations.

    Returns
    -------
    list of Line
        In the order of cells and flows. A bottleneck that one flow alone uses has that flow's label.
    """
    differing = differences(rows)
    names = {name for row in rows for name in _names(row, differing)}
    found = []
    for cell, row in enumerate(rows):
        where = [f"{axes.title(name, row)} {axes.text(row, name)}" for name in differing if name != "variant"]
        own = _names(row, differing)
        alike = Counter(own)
        labels = []
        for flow, name in enumerate(own):
            parts = [name] if len(names) > 1 or not (where or alike[name] > 1) else []
            parts += where + ([f"flow {flow}"] if alike[name] > 1 else [])
            labels.append(", ".join(parts + (["reverse"] if flow >= row["flows"] else [])))
        if set(show) - set(QUEUE):
            found += [Line(label, cell, flow) for flow, label in enumerate(labels)]
        if set(show) & set(QUEUE):
            variant = [row["variant"]] if "variant" in differing else []
            label = labels[0] if len(labels) == 1 else ", ".join(["bottleneck", *variant, *where])
            found.append(Line(label, cell, None))
    return found


def differences(rows):
    """The names of the parameters and attributes that differ between combinations."""
    every = dict.fromkeys(name for row in rows for name in row)
    return [name for name in every if len({axes.text(row, name) for row in rows}) > 1]


def _names(row, differing):
    """What the flows of a combination are called, those of a mix with it where other variants are beside it."""
    variants = row["variant"].split("+")
    own = [variants[flow % len(variants)] for flow in range(row["flows"] + row["reverse_flows"])]
    return [axes.series(name, row["variant"]) for name in own] if "variant" in differing else own


def end_s(rows):
    """When the longest of some combinations' simulations ends."""
    return max(float(units.si(row["duration"], "time")) for row in rows)


def problems(data, sweep):
    """What is wrong with the figures that a sweep file asks for.

    Parameters
    ----------
    data : dict
        A `yaml_document.Document`'s data in which `schema.problems` found nothing.
    sweep : grid.Sweep

    Returns
    -------
    list of Problem
    """
    found, pictures = [], 0
    combinations = sweep.combinations
    runs = [(None, number, run) for number in range(len(combinations)) for run in sweep.runs_of(number)]
    places = sweep.swept, sweep.published.first
    for number, figure in enumerate(of(data)):
        path, written = ("figures", number), data["figures"][number]
        found += _untraced(path, figure, sweep.capture)
        wrong = [*_unmet(path, written, figure, sweep), *_unknown(path, written, sweep)]
        chosen = {} if wrong else choose(figure, candidates(figure, runs, *places), combinations)
        if not chosen and not wrong:
            wrong = [Problem((*path, "where"), "no cell meets all of these conditions")]
        found += wrong
        pictures += len(chosen)
        for values, cells in chosen.items():
            rows = [combinations[combination] for _, combination, _ in cells]
            wrong = [*_mistimed(path, written, figure, end_s(rows)), *_crowded(path, figure, values, rows)]
            found += wrong
            if wrong:
                break
    if pictures > MOST_FIGURES:
        message = f"expected at most {MOST_FIGURES} figures in all, these make {pictures}; leave out cells with `where`"
        found.append(Problem(("figures",), message, at_key=True))
    return found


def _untraced(path, figure, capture):
    """Panels of what is not traced."""
    for number, panel in enumerate(figure["show"]):
        for names in TRACES.get(panel, []):
            if not set(names) & set(capture["traces"]):
                message = f"{panel} is drawn of the trace {' or '.join(names)}; add it to `capture.traces`"
                yield Problem((*path, "show", number), message)
        if panel in QUEUE and not capture["queue"]:
            yield Problem(
                (*path, "show", number), f"{panel} needs the queue's trace; say `queue: true` under `capture`"
            )


def _unmet(path, written, figure, sweep):
    """Values of the condition that no combination has."""
    rows = sweep.combinations[: sweep.swept]
    for name, values in figure["where"].items():
        for number, value in enumerate(values):
            if any(matching.is_met({name: [value]}, row) for row in rows):
                continue
            place = (*path, "where", name, *([number] if isinstance(written["where"][name], list) else []))
            there = list(dict.fromkeys(axes.text(row, name) for row in rows))
            near = matching.nearest_value(name, schema.value_form(sweep.scenario, name), value, rows)
            message = f"no cell has {name} {units.text(value)}; the sweep has {', '.join(there)}"
            yield Problem(place, message + spelling.nearest(near, there))


def _unknown(path, written, sweep):
    """Axes and a run that the sweep does not have."""
    each = written.get("each", [])
    for number, name in enumerate(_listed(each)):
        if name not in sweep.axes:
            place = (*path, "each", *([number] if isinstance(each, list) else []))
            expected = (
                f"expected an axis of the sweep, {', '.join(sweep.axes)}" if sweep.axes else "the sweep has no axis"
            )
            yield Problem(place, f"{expected}; got {name!r}{spelling.nearest(name, sweep.axes)}")
    if written.get("published") and not sweep.published.of:
        yield Problem((*path, "published"), "the sweep file names no published study", at_key=True)
        return
    runs = (sweep.published.run,) if written.get("published") else sweep.runs
    run = written.get("run", runs[0])
    if run not in runs:
        near = min(runs, key=lambda there: abs(there - run))
        yield Problem((*path, "run"), f"the sweep has no run {run}; did you mean {near}?")


def _mistimed(path, written, figure, longest_s):
    """Times that come in the wrong order, or after the end of the longest simulation that is drawn."""
    begin_s, to_s = figure["from_s"], figure["to_s"] or longest_s
    if to_s > longest_s:
        yield Problem((*path, "to"), f"expected at most {longest_s:g}s, where the simulation ends, got {written['to']}")
    elif begin_s >= longest_s:
        message = f"expected a time before {longest_s:g}s, where the simulation ends, got {written['from']}"
        yield Problem((*path, "from"), message)
    elif begin_s >= to_s:
        yield Problem((*path, "to"), f"expected a time after `from`, {written['from']}, got {written['to']}")
    elif figure["interval_s"]:
        span_s = to_s - begin_s
        if not set(figure["show"]) & set(RATES):
            message = f"only {' and '.join(RATES)} are told over intervals, and neither is in `show`"
            yield Problem((*path, "interval"), message, at_key=True)
        elif not span_s / MOST_INTERVALS <= figure["interval_s"] <= span_s:
            message = f"expected {span_s / MOST_INTERVALS:g}s to {span_s:g}s, got {written['interval']}"
            yield Problem((*path, "interval"), message)


def _crowded(path, figure, values, rows):
    """More lines than can be told apart."""
    count = len({line.label for line in lines(figure["show"], rows)})
    if count > MOST_LINES:
        at = f" at {axes.said(dict(zip(figure['each'], values, strict=True)))}" if values else ""
        advice = "leave out cells with `where`, or make more figures with `each`"
        yield Problem(path, f"expected at most {MOST_LINES} lines in a figure, this has {count}{at}; {advice}")


def _listed(value):
    return value if isinstance(value, list) else [value]

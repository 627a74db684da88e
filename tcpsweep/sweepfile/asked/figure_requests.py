# SPDX-License-Identifier: MIT
"""The figures over time that a sweep file asks for under `figures`, and the problems with them."""

from collections.abc import Iterator, Sequence
from typing import Any

from tcpsweep.sweep import axes
from tcpsweep.sweep.matching import Combination
from tcpsweep.sweep.requests import (
    QUEUE,
    RATES,
    TRACES,
    FigureRequest,
    candidate_runs,
    chosen_cells,
    end_s,
    figure_lines,
)
from tcpsweep.sweep.sweep_parts import Capture
from tcpsweep.sweep.sweep_record import Run, Sweep
from tcpsweep.sweepfile.asked import wanted_rows
from tcpsweep.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.sweepfile.keys import conditions
from tcpsweep.words import dotted_names, quantities, quantity_forms, spelling

KEYS = ("title", "show", "where", "each", "from", "to", "run", "published", "interval", "width")
MOST_FIGURES, MOST_LINES = 60, 20
MOST_INTERVALS = 1000  # in a figure's span of time: more than it has pixels


def trace_figures(data: dict[str, Any]) -> list[FigureRequest]:
    """The figures that a sweep file asks for."""

    def seconds(figure: dict[str, Any], key: str) -> float | None:
        return float(quantities.si(quantity_forms.time(figure[key]), "time")) if key in figure else None

    return [
        FigureRequest(
            title=figure["title"],
            show=figure["show"],
            where=conditions.wanted_values(data["scenario"], figure.get("where", {})),
            each=_listed(figure.get("each", [])),
            run=figure.get("run"),
            published=figure.get("published", False),
            from_s=seconds(figure, "from") or 0.0,
            to_s=seconds(figure, "to"),
            interval_s=seconds(figure, "interval"),
            width_pt=wanted_rows.width_pt(figure),
        )
        for _, figure in _written(data)
    ]


def _written(data: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """The figures of traces, each with its number in the file."""
    return [(number, figure) for number, figure in enumerate(data.get("figures", [])) if "show" in figure]


def trace_figure_problems(data: dict[str, Any], sweep: Sweep) -> list[Problem]:
    """The problems with the figures that a sweep file asks for."""
    found: list[Problem] = []
    pictures = 0
    combinations = sweep.combinations
    runs = [Run("", number, run) for number in range(len(combinations)) for run in sweep.runs_of(number)]
    places = sweep.swept, sweep.published.first
    for (number, written), figure in zip(_written(data), trace_figures(data), strict=True):
        path: KeyPath = ("figures", number)
        found += _untraced(path, figure, sweep.capture)
        wrong = [
            *wanted_rows.unmet(path, written, figure.where, sweep),
            *_unknown(path, written, sweep),
            *wanted_rows.unbounded(path, figure.where, sweep.open_axes, sweep),
        ]
        chosen = {} if wrong else chosen_cells(figure, candidate_runs(figure, runs, *places), combinations)
        if not chosen and not wrong:
            wrong = [Problem((*path, "where"), "no cell meets all of these conditions")]
        found += wrong
        pictures += len(chosen)
        for values, cells in chosen.items():
            rows = [combinations[combination] for _, combination, _ in cells]
            wrong = [
                *_mistimed(path, written, figure, end_s(rows)),
                *_crowded(path, figure, values, rows),
            ]
            found += wrong
            if wrong:
                break
    if pictures > MOST_FIGURES:
        message = f"expected at most {MOST_FIGURES} figures in all, these make {pictures}; leave out cells with `where`"
        found.append(Problem(("figures",), message, at_key=True))
    return found


def _untraced(path: KeyPath, figure: FigureRequest, capture: Capture) -> Iterator[Problem]:
    """Panels whose trace is not recorded."""
    for number, panel in enumerate(figure.show):
        for names in TRACES.get(panel, []):
            if not set(names) & set(capture.traces):
                message = f"{panel} is drawn from the trace {' or '.join(names)}; add it to `capture.traces`"
                yield Problem((*path, "show", number), message)
        if panel in QUEUE and not capture.queue:
            yield Problem(
                (*path, "show", number), f"{panel} needs the queue's trace; say `queue: true` under `capture`"
            )


def _unknown(path: KeyPath, written: dict[str, Any], sweep: Sweep) -> Iterator[Problem]:
    """Axes and a run that the sweep does not have."""
    each = written.get("each", [])
    for number, name in enumerate(_listed(each)):
        if name not in sweep.axes:
            place = (*path, "each", *([number] if isinstance(each, list) else []))
            if dotted_names.is_variant(name) and "variant" in sweep.axes:
                yield Problem(place, "the axis of all groups' variants is `variant`")
                continue
            expected = (
                f"expected an axis of the sweep, {', '.join(sweep.axes)}" if sweep.axes else "the sweep has no axis"
            )
            yield Problem(place, f"{expected}; got {name!r}{spelling.did_you_mean(name, sweep.axes)}")
    if written.get("published") and not sweep.published.of:
        yield Problem((*path, "published"), "the sweep file names no published study", at_key=True)
        return
    runs = sweep.runs_of(sweep.published.first if written.get("published") else 0)
    run = written.get("run", runs[0])
    if run not in runs:
        near = min(runs, key=lambda there: abs(there - run))
        yield Problem((*path, "run"), f"the sweep has no run {run}; did you mean {near}?")


def _mistimed(path: KeyPath, written: dict[str, Any], figure: FigureRequest, longest_s: float) -> Iterator[Problem]:
    """Times that come in the wrong order, or after the end of the longest simulation that is drawn."""
    begin_s, to_s = figure.from_s, figure.to_s or longest_s
    if to_s > longest_s:
        yield Problem((*path, "to"), f"expected at most {longest_s:g}s, where the simulation ends, got {written['to']}")
    elif begin_s >= longest_s:
        message = f"expected a time before {longest_s:g}s, where the simulation ends, got {written['from']}"
        yield Problem((*path, "from"), message)
    elif begin_s >= to_s:
        yield Problem((*path, "to"), f"expected a time after `from`, {written['from']}, got {written['to']}")
    elif figure.interval_s:
        span_s = to_s - begin_s
        if not set(figure.show) & set(RATES):
            message = f"only {' and '.join(RATES)} are shown over intervals, and neither is in `show`"
            yield Problem((*path, "interval"), message, at_key=True)
        elif not span_s / MOST_INTERVALS <= figure.interval_s <= span_s:
            message = f"expected {span_s / MOST_INTERVALS:g}s to {span_s:g}s, got {written['interval']}"
            yield Problem((*path, "interval"), message)


def _crowded(path: KeyPath, figure: FigureRequest, values: Sequence[str], rows: list[Combination]) -> Iterator[Problem]:
    """More lines than can be told apart."""
    count = len({line.label for line in figure_lines(figure.show, rows, [1] * len(rows))})
    if count > MOST_LINES:
        at = f" at {axes.axes_in_words(dict(zip(figure.each, values, strict=True)))}" if values else ""
        advice = "leave out cells with `where`, or make more figures with `each`"
        yield Problem(path, f"expected at most {MOST_LINES} lines in a figure, this has {count}{at}; {advice}")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]

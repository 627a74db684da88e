# SPDX-License-Identifier: MIT
"""The figures over time that a sweep file requests under `figures`, and their problems."""

from collections.abc import Iterator, Sequence

from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.requests import QUEUE, RATES, TRACES, FigureRequest, chosen_cells, end_s, figure_lines
from tcpsweep.core.sweep.sweep_parts import Capture
from tcpsweep.core.sweep.sweep_record import Run, Sweep
from tcpsweep.core.sweepfile.asked import wanted_rows
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import conditions
from tcpsweep.core.sweepfile.keys.sweep_fields import FigureFields
from tcpsweep.core.words import dotted_names, quantity_forms, spelling, units

KEYS = ("title", "show", "where", "each", "from", "to", "run", "published", "interval", "width")
MOST_LINES = 20
MOST_INTERVALS = 1000  # in a figure's time span: more than its pixels


def trace_figure(scenario: str, figure: FigureFields) -> FigureRequest:
    """A figure as the sweep file requests it."""

    def seconds(text: str | None) -> float | None:
        return None if text is None else float(units.si(quantity_forms.time(text), "time"))

    return FigureRequest(
        title=figure.title or "",
        show=list(figure.show or ()),
        where=conditions.wanted_values(scenario, figure.where or {}),
        each=conditions.listed(figure.each or []),
        run=figure.run,
        published=figure.published,
        from_s=seconds(figure.from_) or 0.0,
        to_s=seconds(figure.to),
        interval_s=seconds(figure.interval),
        width_pt=float(units.quantity(figure.width, quantity_forms.POINTS)),
    )


def problems(path: KeyPath, written: FigureFields, sweep: Sweep) -> tuple[list[Problem], int]:
    """A requested figure's problems, and the number of pictures that it makes."""
    figure = trace_figure(sweep.scenario, written)
    mistakes = [
        *wanted_rows.unmet(path, written.where or {}, figure.where, sweep),
        *_unknown_name_problems(path, written, sweep),
        *wanted_rows.unbounded(path, figure.where, sweep.open_axes, sweep),
    ]
    runs = (Run("", number, run) for number in range(len(sweep.combinations)) for run in sweep.runs_of(number))
    cells_by_values = {} if mistakes else chosen_cells(figure, runs, sweep)
    if not cells_by_values and not mistakes:
        mistakes = [wanted_rows.nothing_met(path)]
    for values, cells in cells_by_values.items():
        rows = [sweep.combinations[combination] for _, combination, _ in cells]
        mistakes += [*_time_problems(path, written, figure, end_s(rows)), *_line_problems(path, figure, values, rows)]
        if mistakes:
            break
    return [*_trace_problems(path, figure, sweep.capture), *mistakes], len(cells_by_values)


def _trace_problems(path: KeyPath, figure: FigureRequest, capture: Capture) -> Iterator[Problem]:
    """Panels whose trace is not recorded."""
    for number, panel in enumerate(figure.show):
        for names in TRACES.get(panel, []):
            if not set(names) & set(capture.traces):
                message = f"{panel} needs the trace {' or '.join(names)}; add it to `capture.traces`"
                yield Problem((*path, "show", number), message)
        if panel in QUEUE and not capture.queue:
            yield Problem(
                (*path, "show", number), f"{panel} needs the queue's trace; write `queue: true` under `capture`"
            )


def _unknown_name_problems(path: KeyPath, written: FigureFields, sweep: Sweep) -> Iterator[Problem]:
    """Axes and a run that the sweep lacks."""
    picture_axes = written.each or []
    for number, name in enumerate(conditions.listed(picture_axes)):
        if name not in sweep.axes:
            place = (*path, "each", *([number] if isinstance(picture_axes, list) else []))
            if dotted_names.is_variant(name) and "variant" in sweep.axes:
                yield Problem(place, "write `variant`, the axis of all groups' variants")
                continue
            expected = (
                f"expected an axis of the sweep, {', '.join(sweep.axes)}" if sweep.axes else "the sweep has no axis"
            )
            yield Problem(place, f"{expected}; got {name!r}{spelling.did_you_mean(name, sweep.axes)}")
    if written.published and not sweep.published.of:
        yield Problem(
            (*path, "published"), "this needs a published study: the sweep file has no `published`", at_key=True
        )
        return
    runs = sweep.runs_of(sweep.published.first if written.published else 0)
    run = runs[0] if written.run is None else written.run
    if run not in runs:
        near = min(runs, key=lambda planned: abs(planned - run))
        yield Problem((*path, "run"), f"the sweep has no run {run}; did you mean {near}?")


def _time_problems(path: KeyPath, written: FigureFields, figure: FigureRequest, longest_s: float) -> Iterator[Problem]:
    """Times in the wrong order, or after the end of the longest simulation shown."""
    begin_s, to_s = figure.from_s, figure.to_s or longest_s
    if to_s > longest_s:
        yield Problem((*path, "to"), f"expected at most {longest_s:g}s, where the simulation ends, got {written.to}")
    elif begin_s >= longest_s:
        message = f"expected a time before {longest_s:g}s, where the simulation ends, got {written.from_}"
        yield Problem((*path, "from"), message)
    elif begin_s >= to_s:
        yield Problem((*path, "to"), f"expected a time after `from`, {written.from_}, got {written.to}")
    elif figure.interval_s:
        span_s = to_s - begin_s
        if not set(figure.show) & set(RATES):
            message = f"`interval` is only for {' and '.join(RATES)}, and `show` has neither; remove it"
            yield Problem((*path, "interval"), message, at_key=True)
        elif not span_s / MOST_INTERVALS <= figure.interval_s <= span_s:
            message = f"expected {span_s / MOST_INTERVALS:g}s to {span_s:g}s, got {written.interval}"
            yield Problem((*path, "interval"), message)


def _line_problems(
    path: KeyPath, figure: FigureRequest, values: Sequence[str], rows: list[Combination]
) -> Iterator[Problem]:
    """More lines than a reader can distinguish."""
    count = len({line.label for line in figure_lines(figure.show, rows, [1] * len(rows))})
    if count > MOST_LINES:
        at = f" at {axes.axes_in_words(dict(zip(figure.each, values, strict=True)))}" if values else ""
        advice = "choose simulations with `where`, or make more figures with `each`"
        yield Problem(path, f"expected at most {MOST_LINES} lines in a figure, this has {count}{at}; {advice}")

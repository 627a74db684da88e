# SPDX-License-Identifier: MIT
"""The tables that a sweep file asks for under `tables`, and the problems with them."""

from collections.abc import Iterator
from typing import Any

from tcpsweep.sweep import axes
from tcpsweep.sweep.requests import Asked, TableRequest
from tcpsweep.sweep.sweep_record import Sweep
from tcpsweep.sweepfile.asked import figure_requests, metric_figure_requests, wanted_rows
from tcpsweep.sweepfile.document import sound_parts
from tcpsweep.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.sweepfile.keys import conditions, schema
from tcpsweep.words import metrics, spelling

MOST_TABLES = 60


def tables(data: dict[str, Any]) -> list[TableRequest]:
    """The tables that a sweep file asks for."""
    return [_table(data["scenario"], table) for table in data.get("tables", [])]


def _table(scenario: str, table: dict[str, Any]) -> TableRequest:
    columns, digits = table["columns"], table.get("digits", {})
    named = [name for name in columns if name in metrics.METRICS]
    return TableRequest(
        title=table["title"],
        columns=columns,
        where=conditions.wanted_values(scenario, table.get("where", {})),
        digits=dict.fromkeys(named, digits) if isinstance(digits, int) else digits,
        intervals=table.get("intervals", True),
    )


def table_problems(data: dict[str, Any], sweep: Sweep) -> list[Problem]:
    """The problems with the tables that a sweep file asks for."""
    found: list[Problem] = []
    written = data.get("tables", [])
    for number, table in enumerate(written):
        found += _table_problems(("tables", number), table, _table(sweep.scenario, table), sweep)
    if len(written) > MOST_TABLES:
        found.append(Problem(("tables",), f"expected at most {MOST_TABLES} tables, got {len(written)}", at_key=True))
    return found


def _table_problems(path: KeyPath, written: dict[str, Any], table: TableRequest, sweep: Sweep) -> Iterator[Problem]:
    if wrong := list(wanted_rows.unmet(path, written, table.where, sweep)):
        yield from wrong
        return
    rows = wanted_rows.met(table.where, sweep)
    if not rows:
        yield Problem((*path, "where"), "no cell meets all of these conditions")
        return
    shown = [name for name in table.columns if name in metrics.averaged()]
    others = dict.fromkeys([*sweep.axes, "variant"])
    wrong = []
    for number, name in enumerate(table.columns):
        if name not in shown and name not in others and not schema.described(sweep.scenario, name):
            wrong.append(wanted_rows.unknown_metric((*path, "columns", number), name, list(others)))
    if not shown and not wrong:
        wrong.append(Problem((*path, "columns"), "expected a metric among the columns, such as goodput_bps"))
    for name in table.digits:
        if name not in shown and isinstance(written["digits"], dict):
            message = f"{name} is no metric among the columns{spelling.did_you_mean(name, shown)}"
            wrong.append(Problem((*path, "digits", name), message, at_key=True))
    apart = [name for name in wanted_rows.varying(rows, sweep) if name not in table.columns]
    if apart and not wrong and not _told(table, rows, apart):
        message = f"rows differ in {', '.join(apart)}, which no column shows; add it, or choose one value with `where`"
        wrong.append(Problem((*path, "columns"), message))
    yield from wrong


def _told(table: TableRequest, rows: list[Any], apart: list[str]) -> bool:
    """Whether the columns tell all rows apart, because what they lack moves along with what they show."""
    named = [name for name in table.columns if name not in metrics.METRICS]
    return len({tuple(axes.value_text(row, name) for name in named) for row in rows}) == len(rows)


def asked(data: dict[str, Any]) -> Asked:
    """What a sweep file asks for."""
    return Asked(figure_requests.trace_figures(data), metric_figure_requests.metric_figures(data), tables(data))


def problems(data: dict[str, Any], sweep: Sweep) -> list[Problem]:
    """The problems with the figures and tables that a sweep file asks for."""
    found = list(_misplaced(data))
    placed = sound_parts.sound_part(data, found)
    if placed is None:
        return found
    others = (
        figure_requests.trace_figure_problems(placed.data, sweep)
        + metric_figure_requests.metric_figure_problems(placed.data, sweep)
        + table_problems(placed.data, sweep)
    )
    return found + list(placed.in_file(others))


def _misplaced(data: dict[str, Any]) -> Iterator[Problem]:
    """Figures that are of neither kind or of both, and keys of the other kind."""
    of_means, of_traces = set(metric_figure_requests.KEYS), set(figure_requests.KEYS)
    for number, figure in enumerate(data.get("figures", [])):
        path: KeyPath = ("figures", number)
        if ("show" in figure) == ("metric" in figure):
            both = "not both" if "show" in figure else "this has neither"
            yield Problem(path, f"give `show`, for traces over time, or `metric`, for its means; {both}")
            continue
        own, other = (of_means, "traces over time") if "metric" in figure else (of_traces, "means of a metric")
        for key in figure:
            if key not in own:
                message = f"this is for figures of {other}; expected one of {', '.join(sorted(own))}"
                yield Problem((*path, key), message, at_key=True)
        for key in ("axis",) if "metric" in figure else ("title",):
            if key not in figure:
                yield Problem(path, f"the key {key!r} is missing")

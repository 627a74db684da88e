# SPDX-License-Identifier: MIT
"""The tables that a sweep file asks for under `tables`, and the problems with them."""

from collections.abc import Iterator
from typing import Any

from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import Sweep
from tcpsweep.sweep.table_request import TableRequest
from tcpsweep.sweepfile import grid, schema, wanted_rows
from tcpsweep.sweepfile.yaml_document import KeyPath, Problem
from tcpsweep.words import metrics, spelling

MOST_TABLES = 60


def of(data: dict[str, Any]) -> list[TableRequest]:
    """The tables that a sweep file asks for.

    Parameters
    ----------
    data : dict
        A `yaml_document.Document`'s data in which `schema_check.problems` found nothing.
    """
    return [_of(data["scenario"], table) for table in data.get("tables", [])]


def _of(scenario: str, table: dict[str, Any]) -> TableRequest:
    columns, digits = table["columns"], table.get("digits", {})
    named = [name for name in columns if name in metrics.METRICS]
    return TableRequest(
        title=table["title"],
        columns=columns,
        where=grid.wanted_values(scenario, table.get("where", {})),
        digits=dict.fromkeys(named, digits) if isinstance(digits, int) else digits,
        intervals=table.get("intervals", True),
    )


def problems(data: dict[str, Any], sweep: Sweep) -> list[Problem]:
    """The problems with the tables that a sweep file asks for.

    Parameters
    ----------
    data : dict
        A `yaml_document.Document`'s data in which `schema_check.problems` found nothing.
    sweep : Sweep
    """
    found: list[Problem] = []
    written = data.get("tables", [])
    for number, table in enumerate(written):
        found += _problems(("tables", number), table, _of(sweep.scenario, table), sweep)
    if len(written) > MOST_TABLES:
        found.append(Problem(("tables",), f"expected at most {MOST_TABLES} tables, got {len(written)}", at_key=True))
    return found


def _problems(path: KeyPath, written: dict[str, Any], table: TableRequest, sweep: Sweep) -> Iterator[Problem]:
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
            message = f"{name} is no metric among the columns{spelling.nearest(name, shown)}"
            wrong.append(Problem((*path, "digits", name), message, at_key=True))
    apart = [name for name in wanted_rows.varying(rows, sweep) if name not in table.columns]
    if apart and not wrong and not _told(table, rows, apart):
        message = f"rows differ in {', '.join(apart)}, which no column shows; add it, or choose one value with `where`"
        wrong.append(Problem((*path, "columns"), message))
    yield from wrong


def _told(table: TableRequest, rows: list[Any], apart: list[str]) -> bool:
    """Whether the columns tell all rows apart, because what they lack moves along with what they show."""
    named = [name for name in table.columns if name not in metrics.METRICS]
    return len({tuple(axes.text(row, name) for name in named) for row in rows}) == len(rows)

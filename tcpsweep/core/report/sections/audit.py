# SPDX-License-Identifier: MIT
"""Whether cells can be trusted: the audit's outcome, and the cells without a result."""

from typing import Any

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.failures import Failure
from tcpsweep.core.sweep.sweep_record import PlannedSweep

MOST_DISAGREEMENTS = 50


def outcome(sweep: PlannedSweep, table: pl.DataFrame) -> dict[str, Any]:
    """The sweep's table of the audit, summed up.

    - ``checks`` and ``cells``, how many there are
    - ``agreeing``, the cells that agree in all checks
    - ``others``, the table's row of each check that does not agree, with ``where`` (the combination in words) and
      ``expected``, ``found``, ``difference`` as text
    - ``more``, how many of these rows are left out
    """
    texts = sweep.texts
    cells, off = table.unique("cell"), table.filter(pl.col("check").is_not_null())
    others = [
        row
        | {"where": axes.axes_in_words(texts[row["combination"]]), "expected": _expected(row["low"], row["high"])}
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


def _expected(low: float | None, high: float | None) -> str:
    return _exactly(low) if low == high else f"{_exactly(low)} to {_exactly(high)}"


def _exactly(value: float | None) -> str:
    return "–" if value is None else f"{value:.12g}"


def _disagreeing(results: SweepResults) -> dict[str, Any] | None:
    """The outcome; None if all checks agree."""
    of_all = outcome(results.sweep, results.table("audit"))
    return of_all if of_all["others"] else None


def _lacking(results: SweepResults) -> list[tuple[Failure, str]] | None:
    """The cells without a result, each with its combination in words; None without any."""
    texts = results.sweep.texts
    return [(cell, axes.axes_in_words(texts[cell.combination])) for cell in results.failed] or None


LACKING = Section("lacking", "report/lacking.html.jinja", _lacking)
SECTION = Section("audit", "report/audit.html.jinja", _disagreeing)

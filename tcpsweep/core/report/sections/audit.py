# SPDX-License-Identifier: MIT
"""Whether cells can be trusted: the audit's outcome, and the cells without a result."""

from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.failures import Failure
from tcpsweep.core.sweep.sweep_record import PlannedSweep

MOST_DISAGREEMENTS = 50


class _Disagreement(NamedTuple):  # a check of a cell that does not agree, with its numbers as texts
    cell: str
    where: str  # the combination in words
    run: int
    check: str
    flow: int | None
    expected: str
    found: str
    difference: str


@dataclass(frozen=True)
class Outcome:
    """The sweep's table of the audit, summed up."""

    cells: int
    checks: int
    agreeing: int  # cells that agree in all checks
    others: list[_Disagreement]
    more: int  # disagreements that are left out


def outcome(sweep: PlannedSweep, table: pl.DataFrame) -> Outcome:
    """The outcome of the sweep's table of the audit, with the first `MOST_DISAGREEMENTS` disagreements."""
    texts = sweep.texts
    cells, off = table.unique("cell"), table.filter(pl.col("check").is_not_null())
    others = [
        _Disagreement(
            row["cell"],
            axes.axes_in_words(texts[row["combination"]]),
            row["run"],
            row["check"],
            row["flow"],
            expected=_expected(row["low"], row["high"]),
            found=_exactly(row["found"]),
            difference=_exactly(row["difference"]),
        )
        for row in off.head(MOST_DISAGREEMENTS).iter_rows(named=True)
    ]
    agreeing = cells.filter(pl.col("agreeing") == pl.col("checks")).height
    return Outcome(cells.height, int(cells["checks"].sum()), agreeing, others, off.height - len(others))


def _expected(low: float | None, high: float | None) -> str:
    return _exactly(low) if low == high else f"{_exactly(low)} to {_exactly(high)}"


def _exactly(value: float | None) -> str:
    return "–" if value is None else f"{value:.12g}"


def _disagreeing(results: SweepResults) -> Outcome | None:
    """The outcome; None if all checks agree."""
    of_all = outcome(results.sweep, results.table("audit"))
    return of_all if of_all.others else None


def _lacking(results: SweepResults) -> list[tuple[Failure, str]] | None:
    """The cells without a result, each with its combination in words; None without any."""
    texts = results.sweep.texts
    return [(cell, axes.axes_in_words(texts[cell.combination])) for cell in results.failed] or None


LACKING = Section("lacking", "report/lacking.html.jinja", _lacking)
SECTION = Section("audit", "report/audit.html.jinja", _disagreeing)

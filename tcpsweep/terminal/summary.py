# SPDX-License-Identifier: MIT
"""The end of a run in few words: a short table, what failed and how, and where the report is.

Snakemake loads this module at every start, so heavy modules are imported where they are used.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tcpsweep.sweep import failures, sweep_tables
from tcpsweep.terminal import finished_sweep, unfinished

if TYPE_CHECKING:  # which imports all that reads a sweep file
    from tcpsweep.plan.plan_record import Plan


def unmet(folder: Path | str) -> str:
    """The sweep's expectations that do not hold, in words; empty if all hold."""
    from tcpsweep.sweep import sweep_record

    sweep = sweep_record.read(folder)
    if not sweep.expectations:
        return ""
    from tcpsweep.expectations import outcomes

    found = outcomes.of(sweep, folder)
    return outcomes.text(found) if not all(each.holds for each in found) else ""


def show(plan: Plan, logs: Sequence[Path | str] = ()) -> None:
    """Print to standard error how a run of Snakemake ended; never raises.

    ``logs`` are Snakemake's own, given if something went wrong.
    """
    if sys.stderr is None:  # closed
        return
    try:
        parts = (ending(plan, bool(logs)), *(f"Snakemake's log: {log}" for log in logs))
        text = "\n\n".join(part for part in parts if part)
    except Exception as error:  # nothing may hide how the run ended
        text = f"tcpsweep: {plan.sweep.name}: no summary ({type(error).__name__}: {error})"
    printable = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
    encoding = sys.stderr.encoding or "ascii"
    print("\n" + printable.encode(encoding, "replace").decode(encoding), file=sys.stderr, flush=True)


def shows_bars(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that shows bars."""
    if stream is None or not stream.isatty():
        return False
    try:
        "█▏−".encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def ending(plan: Plan, went_wrong: bool) -> str:
    """The text that `show` prints.

    A run that went well names no unfinished step: it may have been asked for less than the report.
    """
    parts = []
    step = unfinished.step(plan)
    if known := _of_rounds(plan):
        parts.append(known)
    # A round's own end is its tables. What it found stands below the last one, with the report.
    is_between = bool(known) and not plan.is_decided and _is_older(plan.report, plan.folder / sweep_tables.COVERED)
    if not is_between and _tables_are_made(plan):
        parts += _results(plan.folder, shows_bars(sys.stderr))
    failed = failures.failures(plan.folder)
    if step and went_wrong:
        parts.append(step)
    if failed:
        parts.append(unfinished.cells(failed, len({cell.id for cell in plan.cells})))
    if plan.report.is_file() and not is_between:
        parts.append(f"report: {plan.report}" + (" (of an earlier run)" if step else ""))
    return "\n\n".join(part for part in parts if part)


def _results(folder: Path, bars: bool) -> list[str]:
    """The closing table and the expectations that do not hold; a finished sweep has none, and a table on record."""
    if recorded := finished_sweep.table(folder, bars):
        return [recorded]
    from tcpsweep.terminal import summary_table

    return [summary_table.table(folder, bars), unmet(folder)]


def _is_older(path: Path, other: Path) -> bool:
    """Whether a file is older than another that is there, or is not there."""
    return not path.is_file() or path.stat().st_mtime_ns < other.stat().st_mtime_ns


def _of_rounds(plan: Plan) -> str:
    """How far a sweep is that goes in rounds, in words; empty where there is one round."""
    if not plan.sweep.asked or not _tables_are_made(plan):
        return ""
    from tcpsweep.terminal import round_words

    return round_words.text(plan.folder, plan.is_decided)


def _tables_are_made(plan: Plan) -> bool:
    """Whether the tables are made from all cells that have results now."""
    finished = set(plan.finished())
    return (plan.folder / "summary.parquet").is_file() and sweep_tables.covered(plan.folder) == finished

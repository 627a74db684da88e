# SPDX-License-Identifier: MIT
"""The summary at the end of a run: a short table, the failures, and the report's path.

Snakemake loads this module at every start, so heavy modules are imported where they are used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tcpsweep.core.command_line.terminal import finished_sweep
from tcpsweep.core.contact import features
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import failures, sweep_record, sweep_tables
from tcpsweep.core.sweep.failures import Failure

if TYPE_CHECKING:  # it would import everything that reads a sweep file
    from tcpsweep.core.plan.plan_record import Plan

MOST_FAILURES = 5
LOG_LINES = 15
AFTER_CELLS = "all simulations have results; the next run goes on with the tables and the report"


def show(plan: Plan, logs: Sequence[Path | str] = (), is_stopped: bool = False) -> None:
    """Print to standard error how a run of Snakemake ended; never raises.

    ``logs`` are Snakemake's own, passed after a failure. If a signal stopped the run, the text is only what is left.
    """
    if sys.stderr is None:  # closed
        return
    try:
        parts = (ending(plan, bool(logs)), *(f"Snakemake's log: {log}" for log in logs))
        text = _left(plan) or AFTER_CELLS if is_stopped else "\n" + "\n\n".join(part for part in parts if part)
    except Exception as error:  # an error here must not hide the run's end
        text = f"\ntcpsweep: {plan.sweep.name}: no summary ({type(error).__name__}: {error})"
    printable = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
    encoding = sys.stderr.encoding or "ascii"
    print(printable.encode(encoding, "replace").decode(encoding), file=sys.stderr, flush=True)


def ending(plan: Plan, went_wrong: bool) -> str:
    """The text that `show` prints.

    A successful run names no unfinished rule, because the request may have excluded the report.
    """
    from tcpsweep.core.plan import plan_words  # heavy

    parts = []
    step = unfinished_step(plan)
    if rounds_state := _rounds_state(plan):
        parts.append(rounds_state)
    # A round ends with its tables. The findings follow after the last round, with the report.
    covered_ns = (plan.folder / sweep_tables.COVERED).stat().st_mtime_ns if rounds_state else 0
    has_report = plan.report.is_file() and plan.report.stat().st_mtime_ns >= covered_ns
    is_between_rounds = bool(rounds_state) and not plan.is_decided and not has_report
    has_tables = _tables_are_made(plan)
    if not is_between_rounds and has_tables:
        parts += _results(plan.folder)
    if went_wrong and (step or not has_tables):
        parts.append(step or sweep_tables.STALE)
    parts.append(_left(plan))
    last = [plan_words.outcome(plan)] if has_tables and not is_between_rounds else []
    if plan.report.is_file() and not is_between_rounds:
        last.append(f"report: {plan.report}" + (" (of an earlier run)" if step else ""))
    parts.append("\n".join(filter(None, last)))
    return "\n\n".join(part for part in parts if part)


def _left(plan: Plan) -> str:
    """The cells without a result; empty if all have one."""
    failed = failures.failures(plan.folder)
    return cells_without_result(failed, len({cell.id for cell in plan.cells})) if failed else ""


def _results(folder: Path) -> list[str]:
    """The closing table, and what does not hold; a finished sweep has only a recorded table."""
    if recorded := finished_sweep.closing_table(folder, sys.stderr):
        return [recorded]
    closing = finished_sweep.closing_of_tables(folder)
    return [finished_sweep.for_stream(closing.tables, sys.stderr), closing.unmet]


def _rounds_state(plan: Plan) -> str:
    """The state of a sweep in rounds, in words; empty without rounds."""
    if not plan.sweep.asked or not _tables_are_made(plan):
        return ""
    sweep = sweep_record.read(plan.folder)
    asked = [question for question in features.questions() if question.key in sweep.questions]
    states = [question.rounds.state_words(sweep, plan.folder, plan.is_decided) for question in asked if question.rounds]
    return "\n".join(f"tcpsweep: {state}" for state in states if state)


def _tables_are_made(plan: Plan) -> bool:
    """Whether the tables include all cells that have results now."""
    finished = set(plan.finished())
    return (plan.folder / "summary.parquet").is_file() and sweep_tables.covered(plan.folder) == finished


def cells_without_result(without: Sequence[Failure], count: int) -> str:
    """The cells without a result among ``count``: the failed ones, and the number not simulated."""
    failed = [failure for failure in without if failure.log]
    lines = [f"{len(without)} of {count} simulations have no result"]
    if len(failed) < len(without):
        lines[0] += f"; {len(without) - len(failed)} were not simulated; the next run simulates them"
    for failure in failed[:MOST_FAILURES]:
        head = "is damaged; the next run makes it again" if failure.damaged else "failed"
        lines += [f"  {failure.cell} {head}:", *(f"    {line}" for line in failure.log)]
    if len(failed) > MOST_FAILURES:
        lines.append(f"  and {len(failed) - MOST_FAILURES} more")
    return "\n".join(lines)


def _steps(plan: Plan) -> Iterator[tuple[str, Path, list[Path]]]:
    """A plan's rules in order: the name, its output, its logs."""
    logs = plan.folder / "logs"
    for (kind, name), output in plan.compiles.items():
        log = layout.stamp(plan.sweep.name, kind, name).with_suffix(".log")
        if plan.seconds or log.is_file():  # simulations that are all finished need programs only if forced
            yield kind, output, [log]
    for stamp in map(Path, plan.stamps()):
        yield stamp.parent.name, stamp, [stamp.with_suffix(".log")]
    yield "summarise", plan.folder / sweep_tables.COVERED, [logs / "aggregate.log"]
    yield "report", plan.folder / "figures.json", [logs / "report.log"]
    yield "report", plan.report, [logs / "report.log"]


def unfinished_step(plan: Plan) -> str:
    """The first unfinished rule, with the end of its newest log; empty if all finished."""
    for name, output, logs in _steps(plan):
        if output.exists():
            continue
        written_logs = [log for log in logs if log.is_file() and log.stat().st_size]
        if not written_logs:
            return f"{name} did not finish"
        log = max(written_logs, key=lambda log: log.stat().st_mtime)
        return "\n".join(
            [
                f"{name} did not finish; {log} ends with",
                *(f"    {line}" for line in failures.last_lines(log, LOG_LINES)),
            ]
        )
    return ""

# SPDX-License-Identifier: MIT
"""What a run left undone: the cells without a result, and the first step that did not finish, with their logs' ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tcpsweep.store import layout
from tcpsweep.sweep import failures, sweep_tables
from tcpsweep.sweep.failures import Failure

if TYPE_CHECKING:  # which imports all that reads a sweep file
    from tcpsweep.plan.plan_record import Plan

MOST_FAILURES = 5
LOG_LINES = 15


def cells(without: Sequence[Failure], count: int) -> str:
    """The cells without a result, out of ``count``: those that failed, and how many were not simulated."""
    failed = [failure for failure in without if failure.log]
    lines = [f"{len(without)} of {count} cells have no result"]
    if len(failed) < len(without):
        lines[0] += f"; {len(without) - len(failed)} were not simulated; the next run simulates them"
    for failure in failed[:MOST_FAILURES]:
        head = "is damaged; the next run makes it again" if failure.damaged else "failed"
        lines += [f"  {failure.cell} {head}:", *(f"    {line}" for line in failure.log)]
    if len(failed) > MOST_FAILURES:
        lines.append(f"  and {len(failed) - MOST_FAILURES} more")
    return "\n".join(lines)


def _steps(plan: Plan) -> Iterator[tuple[str, Path, list[Path]]]:
    """A plan's steps in their order: the name, what the step makes, its logs."""
    logs = plan.folder / "logs"
    for (kind, name), made in plan.compiles.items():
        yield kind, made, [layout.stamp(plan.sweep.name, kind, name).with_suffix(".log")]
    for stamp in map(Path, plan.stamps()):
        yield stamp.parent.name, stamp, [stamp.with_suffix(".log")]
    yield "aggregate", plan.folder / sweep_tables.COVERED, [logs / "aggregate.log"]
    yield "figures", plan.folder / "figures.json", [logs / "figures.log"]
    yield "report", plan.report, [logs / "report.log"]


def step(plan: Plan) -> str:
    """The first step that did not finish, with the end of its newest log; empty if all finished."""
    for name, made, logs in _steps(plan):
        if made.exists():
            continue
        said = [log for log in logs if log.is_file() and log.stat().st_size]
        if not said:
            return f"{name} did not finish"
        log = max(said, key=lambda log: log.stat().st_mtime)
        return "\n".join(
            [
                f"{name} did not finish; {log} ends with",
                *(f"    {line}" for line in failures.last_lines(log, LOG_LINES)),
            ]
        )
    return ""

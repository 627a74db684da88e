# SPDX-License-Identifier: MIT
"""A plan in words, as the terminal shows it before a sweep begins."""

from tcpsweep.plan.plan_record import Plan
from tcpsweep.words import sizes_and_times

MOST_WARNINGS = 5


def describe(plan: Plan) -> str:
    """A plan's warnings, and below them a line that says what it holds."""
    sweep = plan.sweep
    total = len({cell.id for cell in plan.cells})
    left = {kind: len(jobs) for kind, jobs in plan.jobs.items() if jobs}
    first = [f"{len(plan.compiles)} program{'s' * (len(plan.compiles) > 1)} to compile"] * bool(plan.compiles)
    jobs = ", ".join([*first, *(f"{count} {kind} job{'s' * (count > 1)}" for kind, count in left.items())])
    state = f"left to do: {jobs}, {plan.left}" if left else "all finished"
    if not left and plan.report.is_file():
        state += f"; report: {plan.report}"
    lines = [f"tcpsweep: warning: {warning}" for warning in plan.warnings[:MOST_WARNINGS]]
    if len(plan.warnings) > MOST_WARNINGS:
        lines.append(f"tcpsweep: and {len(plan.warnings) - MOST_WARNINGS} more warnings, in the report")
    lines.append(f"tcpsweep: {sweep.name}: {sweep.counted()}, {total} cells, {state}")
    return "\n".join(lines)


def estimate(seconds: float, size: float, cores: int) -> str:
    """The work that is left, in words: the time on that many cores, and the bytes of Parquet."""
    time = sizes_and_times.time_text(seconds)
    return f"about {time} on {cores} core{'s' * (cores > 1)} and {sizes_and_times.bytes_text(size)} of Parquet"

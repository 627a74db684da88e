# SPDX-License-Identifier: MIT
"""A look at a sweep in words."""

import socket
import sys
import time

from tcpsweep.core.words import metrics, rounding
from tcpsweep.core.words.aligned import aligned, terminal_width
from tcpsweep.features.watch.watcher import SILENT_S, Seen

MOST_ROWS = 12


def state(seen: Seen) -> str:
    """The sweep's state, in one sentence."""
    holder = seen.holder
    where = "" if holder is None or holder.host == socket.gethostname() else f" on {holder.host}"
    holder_words = f"process {holder.process}{where}" if holder else "a run"
    silent = "" if seen.silent_s is None else f"; its files last changed {rounding.time_text(seen.silent_s)} ago"
    if seen.state == "unreadable":
        return f"cannot be read: {seen.why}. tcpsweep keeps looking for it"
    if seen.state == "missing":
        return f"not started: no results/sweeps/{seen.name} in {seen.folder}"
    if seen.state == "planned":
        return f"is being planned by {holder_words}"
    if seen.state == "running":
        return f"is being run by {holder_words}"
    if seen.state == "ending":
        return f"all simulations have ended; {holder_words} is making tables, figures and the report"
    if seen.state == "finished":
        return "is finished"
    if seen.state == "stopped":
        return f"is not running: {_unfinished(seen)}. The same command continues it{silent}"
    is_silent = seen.silent_s is not None and seen.silent_s > SILENT_S
    guess = "may have been killed" if is_silent else "seems to be running"
    return f"{guess}: {holder_words}, whose state is unknown from here{silent}"


def _unfinished(seen: Seen) -> str:
    lacking = seen.total - seen.done
    return f"{lacking} of {seen.total} simulations have no result" if lacking else "its last rules have not ended"


def counts(seen: Seen) -> str:
    """The cells by state, and the time left."""
    waiting = seen.total - seen.done - seen.running - seen.failed
    words = [f"{seen.done}/{seen.total} simulations"]
    words += [f"{seen.running} running"] * bool(seen.running) + [f"{seen.failed} failed"] * bool(seen.failed)
    words += [f"{waiting} waiting"] * bool(waiting)
    words += [f"{seen.damaged} damaged since they were made"] * bool(seen.damaged)
    return " · ".join(words)


def left(seen: Seen) -> str:
    """The time left and the time of day at which the run ends; empty if unknown."""
    if seen.seconds_left is None or seen.state in ("finished", "stopped"):
        return ""
    end = time.localtime(seen.at + seen.seconds_left)
    day = "" if seen.seconds_left < 43200 else time.strftime("%a ", end)
    remaining = rounding.time_text(max(1, seen.seconds_left))
    return f"about {remaining} left, until {day}{time.strftime('%H:%M', end)}"


def head(name: str) -> str:
    """A metric's title with its unit."""
    metric = metrics.METRICS[name]
    return f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title


def value(name: str, interval: tuple[float, float | None, float | None] | None) -> str:
    """A mean with its interval, in the unit of `head`."""
    metric = metrics.METRICS[name]
    mean, low, high = interval or (None, None, None)
    return rounding.mean_text(mean, low, high, metric.scale, metric.interval)


def state_line(seen: Seen) -> str:
    """A look in one line, for a log."""
    known = [counts(seen), left(seen)] if seen.total else []
    return ": ".join([seen.name, "; ".join([state(seen), *(part for part in known if part)])])


def state_lines(seen: Seen) -> str:
    """A look in full."""
    lines = [f"{seen.name}: {seen.title}" if seen.title else seen.name, f"  {state(seen)}"]
    if seen.why and seen.state not in ("missing", "unreadable"):
        lines.append(f"  {seen.why}; tcpsweep keeps looking for it")
    if seen.total:
        lines.append(f"  {counts(seen)}")
        lines += [f"  {words}"] if (words := left(seen)) else []
    for cell, log in seen.failures:
        lines += [f"  failed: {cell}", *(f"    {words}" for words in log)]
    if seen.failed > len(seen.failures):
        lines.append(f"  and {seen.failed - len(seen.failures)} more failed; their logs are in results/failed")
    if seen.rows:
        lines += ["", "  so far, means ± 95 % confidence:", _table(seen)]
        if len(seen.rows) > MOST_ROWS:
            lines.append(f"  and {len(seen.rows) - MOST_ROWS} more rows")
    if seen.report:
        older = "" if seen.state == "finished" else " (of an earlier run)"
        lines += ["", f"  report: {seen.report}{older}"]
    return "\n".join(lines)


def _table(seen: Seen) -> str:
    rows = [["variant", "network", "runs", *map(head, seen.names)]]
    for row in seen.rows[:MOST_ROWS]:
        interval_texts = (value(name, row.values.get(name)) for name in seen.names)
        rows.append([row.variant, row.label, f"{row.runs}/{row.of}", *interval_texts])
    if not any(row[1] for row in rows[1:]):
        rows = [[row[0], *row[2:]] for row in rows]
    return aligned(rows, terminal_width(sys.stdout))

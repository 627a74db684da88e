# SPDX-License-Identifier: MIT
"""A look at a sweep as a page, which reloads itself while `tcpsweep watch` rewrites its file."""

import functools
import socket
import time
from pathlib import Path
from typing import Any

from tcpsweep.command_line.watching import seen_words
from tcpsweep.command_line.watching.early_results import Row
from tcpsweep.command_line.watching.watcher import Seen
from tcpsweep.report import page_policy
from tcpsweep.store import whole_files
from tcpsweep.words import metrics

MOST_ROWS = 60
_TEMPLATE = Path(__file__).with_name("live_page.html.jinja")
_KIND = {"finished": "good", "stopped": "bad", "unknown": "soft", "missing": "soft", "unreadable": "bad"}


def write(file: Path, seen: Seen, every_s: float, ended: bool) -> None:
    """Write the page, complete at any moment; it reloads every ``every_s`` seconds until the run has ``ended``."""
    whole_files.write_whole(file, page(seen, every_s, ended))


def page(seen: Seen, every_s: float, ended: bool) -> str:
    """The page's text."""
    import jinja2

    strict = jinja2.StrictUndefined
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=strict)
    template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
    first = seen.names[0] if seen.names else ""
    least, most = _ends(seen.rows, first)
    filled = functools.partial(
        template.render,
        seen=seen,
        state=seen_words.state(seen),
        kind=_KIND.get(seen.state, "link"),
        counts=seen_words.counts(seen) if seen.total else "",
        left=seen_words.left(seen),
        shares=_shares(seen),
        heads=[seen_words.head(name) for name in seen.names],
        rows=[_row(row, seen.names, first, least, most) for row in seen.rows[:MOST_ROWS]],
        has_networks=any(row.label for row in seen.rows),
        more=max(0, len(seen.rows) - MOST_ROWS),
        scale=_scale(first, least, most),
        report=Path(seen.report).absolute().as_uri() if seen.report else "",
        every_s=max(1, round(every_s)),
        ended=ended,
        written_ms=round(1000 * seen.at),
        written=time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seen.at)),
        host=socket.gethostname(),
    )
    return page_policy.page(filled)


def _shares(seen: Seen) -> list[tuple[str, float]]:
    """The parts of the bar, and their shares in percent."""
    counts = {"done": seen.done, "failed": seen.failed, "running": seen.running}
    return [(name, 100 * count / (seen.total or 1)) for name, count in counts.items()]


def _ends(rows: list[Row], name: str) -> tuple[float, float]:
    """The scale of the strips: the smallest and the largest value of all intervals shown so far."""
    known = [
        value
        for row in rows
        for each in (row.values.get(name), row.first.get(name))
        if each
        for value in each
        if value is not None
    ]
    least, most = min(known, default=0.0), max(known, default=1.0)
    return (least, most) if most > least else (least - 1, most + 1)


def _scale(name: str, least: float, most: float) -> tuple[str, str] | None:
    if not name:
        return None
    scale = metrics.METRICS[name].scale
    return f"{least * scale:.4g}", f"{most * scale:.4g}"


def _row(row: Row, names: list[str], first: str, least: float, most: float) -> dict[str, Any]:
    """A row's texts, and its strip's positions in percent."""

    def place(value: float) -> float:
        return 100 * (value - least) / (most - least)

    def span(interval: tuple[float, float | None, float | None] | None) -> tuple[float, float] | None:
        if not interval or interval[1] is None or interval[2] is None:
            return None
        return place(interval[1]), place(interval[2]) - place(interval[1])

    now = row.values.get(first)
    return {
        "variant": row.variant,
        "network": row.label,
        "runs": f"{row.runs} of {row.of}",
        "values": [seen_words.value(name, row.values.get(name)) for name in names],
        "mean": place(now[0]) if now else None,
        "now": span(now),
        "first": span(row.first.get(first)),
    }

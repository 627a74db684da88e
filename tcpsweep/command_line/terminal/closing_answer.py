# SPDX-License-Identifier: MIT
"""The answer to a sweep file's question, in a run's last lines: the report's first screen as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.report.answers import first_screen
from tcpsweep.report.answers.answer import Chart, plain
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words.aligned import aligned


def lines(folder: Path, sweep: PlannedSweep, summary: pl.DataFrame, findings: list[dict[str, Any]]) -> list[str]:
    """The tables of the answer's charts, its sentence, and an explanation; empty if findings say the same."""
    answer = first_screen.answer(folder, sweep, summary, findings)
    said = plain(answer.sentence).strip()
    if not said:
        return []
    tables = [part for chart in answer.charts for part in (f"{chart.title}:", _table(chart))]
    return [*tables, said, *([f"  ({answer.note})"] if answer.note and answer.kind != "means" else [])]


def _table(chart: Chart) -> str:
    about = [row.about for row in chart.rows]
    head = [chart.head, *([chart.about] if any(about) else []), *chart.heads]
    rows = [[row.name, *([row.about] if any(about) else []), *row.texts] for row in chart.rows]
    more = f"\n  and {chart.more} more, in the report" if chart.more > 0 else ""
    return aligned([head, *rows]) + more

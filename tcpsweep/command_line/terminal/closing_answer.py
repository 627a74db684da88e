# SPDX-License-Identifier: MIT
"""The answer to a sweep file's question, in a run's last lines: the report's first screen as text."""

from __future__ import annotations

from collections.abc import Mapping

from tcpsweep.report.answers.answer import Answer, Chart, plain
from tcpsweep.words.aligned import aligned
from tcpsweep.words.printed_names import series_name


def lines(answer: Answer, names: Mapping[str, str]) -> list[str]:
    """The answer's sentence, an explanation, and the tables of its charts; empty if findings say the same.

    ``names`` are the sweep's names of variants for print.
    """
    said = plain(answer.sentence, names).strip()
    if not said:
        return []
    if answer.kind == "mixes":  # the sweep's table has the values
        return [said, ""]
    note = [f"  ({answer.note})"] if answer.note and answer.kind != "means" else []
    tables = [part for chart in answer.charts for part in (f"{chart.title}:", _table(chart, names))]
    return [said, *note, *tables, ""]


def _table(chart: Chart, names: Mapping[str, str]) -> str:
    about = [row.about for row in chart.rows]
    head = [chart.head, *([chart.about] if any(about) else []), *chart.heads]
    first = [series_name(row.name, names) if row.is_variant else row.name for row in chart.rows]
    rows = [
        [name, *([row.about] if any(about) else []), *row.texts] for name, row in zip(first, chart.rows, strict=True)
    ]
    more = f"\n  and {chart.more} more, in the report" if chart.more > 0 else ""
    return aligned([head, *rows]) + more

# SPDX-License-Identifier: MIT
"""The page and the table of a sweep's conclusions in several versions of ns-3."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tcpsweep.core.report import page_libraries, page_parts
from tcpsweep.core.store import layout, whole_files
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import ns3_tcp, sweep_record
from tcpsweep.core.words import spreadsheet_text
from tcpsweep.features.versions import change_words, changes, sweep_files
from tcpsweep.features.versions.changes import Change

TABLE = "conclusions.csv"
_MOST_FLIPS = 60


def write(
    name: str, sweeps: Mapping[str, str], changes_found: Sequence[Change], comparisons: Mapping[str, Path]
) -> Path:
    """Write the table and the page of a sweep, and return the page.

    ``sweeps`` has the sweep's name in each version, by label; ``comparisons`` the page of each pair of versions.
    """
    labels = list(sweeps)
    table, page = sweep_files.folder(name) / TABLE, layout.REPORTS / f"versions-{name}.html"
    table.parent.mkdir(parents=True, exist_ok=True)
    with whole_files.written_whole(table) as file:
        spreadsheet_text.harmless(changes.table(changes_found, labels)).write_csv(file)

    def link(path: Path) -> str:
        return quote(os.path.relpath(path, page.parent))

    flips = [_row(change) for change in changes_found if change.kind in changes.CHANGED]
    contents = {
        "name": name,
        "labels": labels,
        "total": len(changes_found),
        "counted": change_words.counted(changes_found),
        "flips": flips[:_MOST_FLIPS],
        "more": max(0, len(flips) - _MOST_FLIPS),
        "rows": [_row(change) for change in changes_found],
        "meanings": change_words.MEANINGS,
        "file": link(table),
        "versions": [_version(label, sweep, link(layout.REPORTS / f"{sweep}.html")) for label, sweep in sweeps.items()],
        "comparisons": {pair: link(path) for pair, path in comparisons.items()},
        "data": page_parts.as_json({}),
        "library": None,
        "tables_library": page_libraries.table_library(),
    }
    write_whole(page, page_parts.render("features/versions/page/versions.html.jinja", contents))
    return page


def _row(change: Change) -> dict[str, Any]:
    return {
        "what": change.conclusion.in_words(),
        "kind": change.kind,
        "apart": change.is_apart,
        "outcomes": [{"finding": each.finding, "words": each.words} for each in change.outcomes],
    }


def corrections_of(sweep: str) -> str:
    """The corrections with which a planned sweep runs, in words."""
    planned = sweep_record.read(layout.SWEEPS / sweep)
    return ns3_tcp.corrections_in_words(planned.corrections) if planned.corrections else "none"


def _version(label: str, sweep: str, report: str) -> dict[str, str]:
    return {"label": label, "report": report, "corrections": corrections_of(sweep)}

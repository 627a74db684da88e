# SPDX-License-Identifier: MIT
"""The script and the style that lie once beside the pages of a sweep's cells."""

from __future__ import annotations

import json
from pathlib import Path

from tcpsweep.report import chart_library, page_parts
from tcpsweep.store.whole_files import write_whole

SCRIPT, STYLE = "cells.js", "cells.css"
_SCRIPTS = (
    *("shared/scheme.js", "shared/table_texts.js", "shared/tables.js", "shared/saved_pictures.js"),
    "cell/timeline.js",
)
_STYLES = ("shared/style.css", "cell/cell.css")


def write(place: Path) -> None:
    """Write both into the pages' folder."""
    from tcpsweep.figures import cell_timeline_chart  # altair takes long, and single pages do without

    charts = json.dumps(cell_timeline_chart.charts(), separators=(",", ":"))
    parts = [str(chart_library.script()), f"globalThis.timelineCharts = {charts};", *map(_text, _SCRIPTS)]
    write_whole(place / SCRIPT, "\n".join(parts))
    write_whole(place / STYLE, "\n".join(map(_text, _STYLES)))


def are_there(place: Path) -> bool:
    """Whether the pages' folder has both."""
    return all((place / name).is_file() for name in (SCRIPT, STYLE))


def _text(name: str) -> str:
    return (page_parts.PAGE / name).read_text(encoding="utf-8")

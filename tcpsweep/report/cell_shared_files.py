# SPDX-License-Identifier: MIT
"""The script and the style that lie once beside the pages of a sweep's cells."""

from __future__ import annotations

from pathlib import Path

from tcpsweep.report import chart_library, page_parts, timeline_charts
from tcpsweep.store.whole_files import write_whole

SCRIPT, STYLE = "cells.js", "cells.css"
_SCRIPTS = (
    *("shared/scheme.js", "shared/table_texts.js", "shared/tables.js", "shared/saved_pictures.js"),
    *("shared/network_drawing.js", "cell/network.js", "cell/timeline.js"),
)
_STYLES = ("shared/style.css", "shared/network_drawing.css", "cell/cell.css")


def write(place: Path, code: str) -> None:
    """Write both into the pages' folder; ``code`` is the identity of the pages' code."""
    parts = [
        str(chart_library.script()),
        f"globalThis.timelineCharts = {timeline_charts.charts(code)};",
        *map(_text, _SCRIPTS),
    ]
    write_whole(place / SCRIPT, "\n".join(parts))
    write_whole(place / STYLE, "\n".join(map(_text, _STYLES)))


def are_there(place: Path) -> bool:
    """Whether the pages' folder has both."""
    return all((place / name).is_file() for name in (SCRIPT, STYLE))


def _text(name: str) -> str:
    return (page_parts.PAGE / name).read_text(encoding="utf-8")

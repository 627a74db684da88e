# SPDX-License-Identifier: MIT
"""The script and the style that all pages of a sweep's cells share."""

from __future__ import annotations

from pathlib import Path

from tcpsweep.figures import cell_timeline_chart
from tcpsweep.report import page_libraries, page_parts, page_scripts
from tcpsweep.store.whole_files import write_whole

SCRIPT, STYLE = "cells.js", "cells.css"
_STYLES = ("shared/style.css", "shared/network_drawing.css", "cell/cell.css")


def write(place: Path) -> None:
    """Write both into the pages' folder."""
    script = page_scripts.script("cell/main.js", timelineCharts=page_parts.as_json(cell_timeline_chart.charts()))
    styles = [(page_scripts.PAGE / name).read_text(encoding="utf-8") for name in _STYLES]
    write_whole(place / SCRIPT, f"{page_libraries.chart_library()}\n{script}")
    write_whole(place / STYLE, "\n".join(styles))


def are_there(place: Path) -> bool:
    """Whether the pages' folder has both."""
    return all((place / name).is_file() for name in (SCRIPT, STYLE))

# SPDX-License-Identifier: MIT
"""The report of a sweep, shown in a browser."""

import os
import webbrowser
from pathlib import Path

from tcpsweep.store import layout
from tcpsweep.sweep import sweep_record
from tcpsweep.sweepfile import yaml_document
from tcpsweep.words import spelling


class NoReport(Exception):
    """There is no such report; the user reads it."""


def page(given: str | None = None) -> Path:
    """The absolute path of the page of a sweep, or of a comparison of two.

    Parameters
    ----------
    given : str, optional
        The sweep's name, its folder, its file, or the page itself; the newest page unless given.

    Raises
    ------
    NoReport
    """
    pages = sorted(layout.REPORTS.glob("*.html"), key=lambda path: path.stat().st_mtime_ns)
    if not pages:
        raise NoReport(f"there is no report in {layout.REPORTS.absolute()} yet; `tcpsweep sweep FILE` makes one")
    if given is None:
        return pages[-1].absolute()
    names = {path.stem: path for path in pages}
    name = _name(given)
    if name not in names:
        listed = ", ".join(sorted(names))
        raise NoReport(
            f"{given}: it has no report in {layout.REPORTS}; there is {listed}{spelling.nearest(name, names)}"
        )
    return names[name].absolute()


def _name(given: str) -> str:
    """The name of the sweep or comparison that the user gave by name, folder, file or page."""
    path = Path(given)
    if (path / sweep_record.FILE).is_file() or path.suffix == ".html":
        return path.stem if path.suffix == ".html" else path.absolute().name
    if path.is_file():
        data = yaml_document.read(path).data
        return str(data.get("sweep")) if isinstance(data, dict) else path.stem
    return given


def show(given: str | None = None) -> Path:
    """Show the page in a browser, if there is one; return its path.

    Raises
    ------
    NoReport
    """
    found = page(given)
    # Without a display, Python would open a text browser, which cannot show a report.
    if any(os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")):
        webbrowser.open(found.as_uri())  # which says so itself where there is none
    return found

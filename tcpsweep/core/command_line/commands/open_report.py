# SPDX-License-Identifier: MIT
"""`tcpsweep open`: show the report of a sweep in a browser."""

import os
import webbrowser
from pathlib import Path

from tcpsweep.core.frames import finding
from tcpsweep.core.store import layout
from tcpsweep.core.words import spelling
from tcpsweep.core.words.user_error import UserError


def report_page(given: str | None = None) -> Path:
    """The absolute path of a sweep's page, or of the page of a comparison.

    ``given`` is the sweep's name, folder or file, or the page itself. Default: the newest page. Raises `UserError`.
    """
    pages = sorted(layout.REPORTS.glob("*.html"), key=lambda path: path.stat().st_mtime_ns)
    if not pages:
        raise UserError(f"there is no report in {layout.REPORTS.absolute()} yet; `tcpsweep sweep FILE` makes one")
    if given is None:
        return pages[-1].absolute()
    by_name = {path.stem: path for path in pages}
    name = Path(given).stem if given.endswith(".html") else finding.sweep_name(given)
    if name not in by_name:
        listed = ", ".join(sorted(by_name))
        raise UserError(
            f"{given}: it has no report in {layout.REPORTS}; there is {listed}{spelling.did_you_mean(name, by_name)}"
        )
    return by_name[name].absolute()


def show(given: str | None = None) -> Path:
    """Show the page in a browser, if available; return its path. Raises `UserError`."""
    path = report_page(given)
    # Without a display, Python would open a text browser, which cannot show a report.
    if any(os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")):
        webbrowser.open(path.as_uri())  # it reports a missing browser itself
    return path

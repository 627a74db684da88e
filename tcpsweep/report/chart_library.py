# SPDX-License-Identifier: MIT
"""The library that draws a page's charts, made once for all pages of a user."""

from __future__ import annotations

import contextlib
from importlib import metadata

from markupsafe import Markup

from tcpsweep.figures import vega_library
from tcpsweep.store import compiled_programs
from tcpsweep.store.whole_files import write_whole


def script() -> Markup:
    """The script of `vega_library`, kept beside compiled programs: to bundle it takes longer than to write a page."""
    version = metadata.version("vl-convert-python")
    kept = compiled_programs.folder() / f"vega-lite-{vega_library.VL_VERSION}-{version}.js"
    with contextlib.suppress(OSError):
        return Markup(kept.read_text(encoding="utf-8"))
    made = vega_library.script()
    with contextlib.suppress(OSError):  # the folder may be read-only
        write_whole(kept, made)
    return made

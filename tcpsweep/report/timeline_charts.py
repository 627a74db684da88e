# SPDX-License-Identifier: MIT
"""The charts of the timelines on cells' pages and on those of imports, made once for all pages of a user."""

from __future__ import annotations

import contextlib
import json
from importlib import metadata

from markupsafe import Markup

from tcpsweep.identity import hashing
from tcpsweep.store import compiled_programs
from tcpsweep.store.whole_files import write_whole


def charts(code: str) -> Markup:
    """The charts of `cell_timeline_chart` as JSON, the same for all cells; ``code`` is the identity of the pages' code.

    They are kept beside compiled programs: altair takes long.
    """
    of = hashing.short_hash(code, metadata.version("altair"))
    kept = compiled_programs.folder() / f"timeline-{of}.json"
    with contextlib.suppress(OSError):
        return Markup(kept.read_text(encoding="utf-8"))
    from tcpsweep.figures import cell_timeline_chart  # which loads altair

    made = json.dumps(cell_timeline_chart.charts(), separators=(",", ":"))
    with contextlib.suppress(OSError):  # the folder may be read-only
        write_whole(kept, made)
    return Markup(made)

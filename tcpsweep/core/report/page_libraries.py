# SPDX-License-Identifier: MIT
"""The JavaScript libraries in pages: one draws charts, one sorts, searches and pages tables."""

from __future__ import annotations

import functools
import importlib.util
import re
from importlib import metadata
from pathlib import Path

from markupsafe import Markup

from tcpsweep.core.figures import vega_library
from tcpsweep.core.identity import hashing
from tcpsweep.core.store import compiled_programs, kept_texts

# DataTables as the package itables bundles it, a module of JavaScript; the page has no use for the package's Python.
_PACKAGE = "itables"
_EXPORTS = re.compile(r"\bexport\s*\{([^}]*\bas default\b[^}]*)\};?")
_DEFAULT = re.compile(r"([\w$]+) as default")


def chart_library() -> Markup:
    """The script of `vega_library`, kept next to compiled programs because bundling is slower than writing a page."""
    version, licences = metadata.version("vl-convert-python"), hashing.short_hash(vega_library.licences())
    file = compiled_programs.folder() / f"vega-lite-{vega_library.VL_VERSION}-{version}-{licences}.kept"
    if (kept := kept_texts.read(file)) is not None:
        return Markup(kept)
    script = vega_library.script()
    kept_texts.write(file, script)
    return script


@functools.cache
def table_library() -> dict[str, Markup] | None:
    """The library's ``script``, which sets ``DataTable``, and its ``style``; None without the package."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0]) / "html"
    text = (folder / "dt_bundle.js").read_text(encoding="utf-8")
    exports = _EXPORTS.search(text)
    library = _DEFAULT.search(exports[1]) if exports else None
    if exports is None or library is None:
        raise ValueError(f"{folder / 'dt_bundle.js'} lacks the exports of a module, with a default")
    script = f"(() => {{\n{text[: exports.start()]}\nwindow.DataTable = {library[1]};\n{text[exports.end() :]}\n}})();"
    style = (folder / "dt_bundle.css").read_text(encoding="utf-8")
    script = f"/* Its licence is in the chart library's script, in or next to the page. */\n{script}"
    return {
        # Escape text that would end the script's element; JavaScript allows this in strings and regular expressions.
        "script": Markup(script.replace("</script", "<\\/script").replace("<!--", "<\\!--")),
        "style": Markup(style.replace("</style", "<\\/style")),
    }

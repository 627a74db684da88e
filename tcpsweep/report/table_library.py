# SPDX-License-Identifier: MIT
"""The JavaScript library that sorts, searches and pages tables in a browser, to stand in a page."""

from __future__ import annotations

import functools
import importlib.util
import re
from pathlib import Path

from markupsafe import Markup

# DataTables as the package itables bundles it, a module of JavaScript; the page has no use for the package's Python.
_PACKAGE = "itables"
_EXPORTS = re.compile(r"\bexport\s*\{([^}]*\bas default\b[^}]*)\};?")
_DEFAULT = re.compile(r"([\w$]+) as default")


@functools.cache
def parts() -> dict[str, Markup] | None:
    """The library's ``script``, which sets ``DataTable``, and its ``style``; None without the package."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(found.submodule_search_locations[0]) / "html"
    text = (folder / "dt_bundle.js").read_text(encoding="utf-8")
    exports = _EXPORTS.search(text)
    name = _DEFAULT.search(exports[1]) if exports else None
    if exports is None or name is None:
        raise ValueError(f"{folder / 'dt_bundle.js'} has not the exports of a module, with a default")
    script = f"(() => {{\n{text[: exports.start()]}\nwindow.DataTable = {name[1]};\n{text[exports.end() :]}\n}})();"
    style = (folder / "dt_bundle.css").read_text(encoding="utf-8")
    return {
        # Escape what would end the element that it stands in, as JavaScript may in strings and regular expressions.
        "script": Markup(script.replace("</script", "<\\/script").replace("<!--", "<\\!--")),
        "style": Markup(style.replace("</style", "<\\/style")),
    }

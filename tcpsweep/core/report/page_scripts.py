# SPDX-License-Identifier: MIT
"""The modules of JavaScript in ``page/`` as one script, because a page opened from a file cannot load modules."""

import posixpath
import re
from pathlib import Path

from markupsafe import Markup

PAGE = Path(__file__).parent / "page"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)


def script(entry: str, **constants: str) -> Markup:
    """A module of ``page/`` with all the modules that it imports, as one script that sets no globals.

    Each module becomes a function that returns its exports. Exports are functions or constants, imports name them as
    they are exported. ``constants``, values as JSON by their names, come before the modules.
    """
    modules: dict[str, str] = {}

    def variable_of(path: str) -> str:
        variable = "in_" + re.sub(r"\W", "_", path.removesuffix(".js"))
        if path not in modules:
            text = (PAGE / path).read_text(encoding="utf-8")
            exports = ", ".join(_EXPORT.findall(text))
            body = _IMPORT.sub(lambda match: f"const {{{match[1]}}} = {variable_of(_beside(path, match[2]))};", text)
            body = _EXPORT.sub("", body)
            modules[path] = f"const {variable} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
        return variable

    variable_of(entry)
    before = (f"const {name} = {value};\n" for name, value in constants.items())
    return Markup("".join(['(() => {\n"use strict";\n', *before, *modules.values(), "})();"]))


def _beside(path: str, other: str) -> str:
    """The path of a module that the module at ``path`` imports by a relative path."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))

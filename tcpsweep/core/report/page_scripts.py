# SPDX-License-Identifier: MIT
"""The modules of JavaScript in ``page/`` as one script, because a page opened from a file cannot load modules."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from tcpsweep.core.identity import source_folders

PAGE = Path(__file__).parent / "page"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)


def script(entry: str, features: Sequence[str] = (), **constants: str) -> Markup:
    """A module of ``page/`` with all the modules that it imports, as one script that sets no globals.

    Each module becomes a function that returns its exports. Exports are functions or constants, imports name them as
    they are exported. ``constants``, values as JSON by their names, come before the modules. ``features`` are modules
    by their paths below the package. The module ``entry`` has their exports `start` as ``startsOfFeatures``.
    """
    modules: dict[Path, str] = {}

    def variable_of(path: Path) -> str:
        variable = "in_" + re.sub(r"\W", "_", os.path.relpath(path.with_suffix(""), PAGE))
        if path not in modules:
            text = path.read_text(encoding="utf-8")
            exports = ", ".join(_EXPORT.findall(text))
            body = _IMPORT.sub(lambda match: f"const {{{match[1]}}} = {variable_of(_beside(path, match[2]))};", text)
            body = _EXPORT.sub("", body)
            modules[path] = f"const {variable} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
        return variable

    starts = ", ".join(f"{variable_of(source_folders.PACKAGE / path)}.start" for path in features)
    of_features = [*modules.values(), f"const startsOfFeatures = [{starts}];\n"]
    variable_of(PAGE / entry)
    before = (f"const {name} = {value};\n" for name, value in constants.items())
    rest = [*modules.values()][len(of_features) - 1 :]
    return Markup("".join(['(() => {\n"use strict";\n', *before, *of_features, *rest, "})();"]))


def _beside(path: Path, other: str) -> Path:
    """The path of a module that the module at ``path`` imports by a relative path."""
    return Path(os.path.normpath(path.parent / other))

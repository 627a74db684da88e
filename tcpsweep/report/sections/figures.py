# SPDX-License-Identifier: MIT
"""The static figures that stand in the page, in their groups."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tcpsweep.report import page_parts


def groups(folder: Path, link: Callable[[str], str]) -> dict[str, list[dict[str, Any]]]:
    """The figures of the sweep in ``folder``, by the heading that they stand under.

    Parameters
    ----------
    folder : Path
    link : callable
        The link from the page to a file in the folder.

    Returns
    -------
    dict of list of dict
        Each figure as ``figures.json`` has it, with ``svg`` to stand within the page and ``links`` to its files.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for figure in json.loads((folder / "figures.json").read_text(encoding="utf-8")):
        svg = page_parts.inline((folder / figure["files"]["svg"]).read_text(encoding="utf-8"), figure["name"])
        links = [(kind.upper(), link(path)) for kind, path in figure["files"].items()]
        found.setdefault(figure["group"], []).append(figure | {"svg": svg, "links": links})
    return found

# SPDX-License-Identifier: MIT
"""The entries for figures and pages in Snakemake's own report (``snakemake --report``), read on demand."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

# With more cells, their pages are left out: a page takes at least 50 kB.
MOST_CELLS = 200
_MARKUP = re.compile(r"([\\*_`|])")


class Figures:
    """The figures in a sweep's ``figures.json``, by name.

    ``figures[name]`` is a figure's caption in reStructuredText. The methods take Snakemake's wildcards with ``figure``.
    """

    def __init__(self, folder: Path) -> None:
        self._index = folder / "figures.json"

    def _entry(self, name: str) -> dict[str, str]:
        listed = json.loads(self._index.read_text(encoding="utf-8"))
        entry: dict[str, str] = next(figure for figure in listed if figure["name"] == name)
        return entry

    def __getitem__(self, name: str) -> str:
        """The caption of a figure."""
        return _MARKUP.sub(r"\\\1", self._entry(name)["caption"])

    def group(self, wildcards: Mapping[str, str]) -> str:
        """The group of a figure, such as its metric."""
        return self._entry(wildcards["figure"])["group"]

    def labels(self, wildcards: Mapping[str, str]) -> dict[str, str]:
        """The title of a figure."""
        return {"figure": self._entry(wildcards["figure"])["title"]}


def page_patterns(sweep: str, cells: int) -> list[str]:
    """The pages of a sweep, as Snakemake patterns below ``reports/``, so that links between pages work."""
    escaped = re.escape(sweep)
    pages = [f"{{report,{escaped}}}.html"]
    if cells <= MOST_CELLS:
        pages += [f"{sweep}_files/{{cell}}.html", f"{sweep}_files/{{part,.*[.](css|js)}}"]
    return pages


def page_group(wildcards: Mapping[str, str]) -> str:
    """The group of a page."""
    group_of_kind = {"report": "The sweep", "cell": "Its cells", "part": "Styles and scripts of the cells' pages"}
    return next(group_of_kind[kind] for kind in group_of_kind if kind in wildcards.keys())  # noqa: SIM118 - Snakemake's are no mapping


def page_labels(wildcards: Mapping[str, str]) -> dict[str, str]:
    """The name of a page."""
    return {"page": next(iter(wildcards))}

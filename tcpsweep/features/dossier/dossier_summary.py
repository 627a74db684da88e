# SPDX-License-Identifier: MIT
"""A summary of a dossier: its verdicts as a table for the terminal, and as Markdown with some of its figures."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.words import markup
from tcpsweep.core.words.aligned import aligned, terminal_width

FIGURES = ("5.1.2", "5.1.3", "5.2.1")  # the sections whose first figures are in the Markdown
_LICENCE = "<!-- SPDX-License-Identifier: MIT -->"


def table(contents: Mapping[str, Any]) -> str:
    """The verdicts, a line for each section; the argument is from `dossier_page.contents`."""
    heads = ["section", "", *(f"against {plain}" for _, plain in contents["against"])]
    rows = [
        [chapter["section"], chapter["title"], *(chapter["verdicts"][variant] for variant, _ in contents["against"])]
        for chapter in contents["covered"]
    ]
    return aligned([heads, *rows], terminal_width(sys.stdout))


def write(contents: Mapping[str, Any], folder: Path) -> Path:
    """Write a dossier's verdicts, from `dossier_page.contents`, and some of its figures as Markdown.

    The folder gets ``<candidate>.md``, and the figures in a folder of the same name.
    """
    name = contents["candidate"]
    page = folder / f"{name}.md"
    (folder / name).mkdir(parents=True, exist_ok=True)
    write_whole(page, markdown(contents, _figures(contents, folder)))
    return page


def markdown(contents: Mapping[str, Any], figures: Mapping[str, str]) -> str:
    """A dossier as Markdown; ``figures`` are links by their titles."""
    name, against = contents["candidate"], contents["against"]
    plain = " and ".join(f"{plain} (`{variant}`)" for variant, plain in against)
    heads = ["section of RFC 9743", *(f"against {plain}" for _, plain in against)]

    def said(chapter: Mapping[str, Any], variant: str) -> str:
        return "; ".join(filter(None, (chapter["verdicts"][variant], chapter["largest"][variant])))

    rows = [
        [f"{chapter['section']} {chapter['title']}", *(said(chapter, variant) for variant, _ in against)]
        for chapter in contents["covered"]
    ]
    lines = [
        _LICENCE,
        f"# {name} by the criteria of RFC 9743",
        "",
        f"The {contents['form']} form of `tcpsweep dossier {name}`: {contents['cells']:,} simulations",
        f"in ns-3 {contents['ns3']}, {contents['runs']} runs of each combination, compared with {plain}.",
        "Each section has the thresholds that config/dossier/chapters.yaml declares: *better* and *worse* are shown to",
        "be beyond them, *equivalent* within them. After a verdict comes the largest difference of the first",
        "decisive measure. [dossier.md](../dossier.md) describes what runs, and why.",
        "",
        markup.markdown(heads, rows),
        *(f"![{title}]({link})\n" for title, link in figures.items()),
        "Not covered: "
        + ", ".join(f"{chapter['section']} {chapter['title']}" for chapter in contents["uncovered"])
        + ".",
    ]
    return "\n".join(lines) + "\n"


def _figures(contents: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """Copies of the figures of `FIGURES`, by their titles."""
    link_by_title = {}
    for chapter in contents["covered"]:
        drawn = [figure for sweep in chapter["sweeps"] for figure in sweep["figures"]]
        if chapter["section"] in FIGURES and drawn:
            text = drawn[0]["path"].read_text(encoding="utf-8")
            file = folder / contents["candidate"] / f"section-{chapter['section']}.svg"
            write_whole(file, text.replace(">", f">{_LICENCE}", 1))
            link_by_title[f"{chapter['section']}: {drawn[0]['title']}"] = f"{contents['candidate']}/{file.name}"
    return link_by_title

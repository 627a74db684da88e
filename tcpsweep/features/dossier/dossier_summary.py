# SPDX-License-Identifier: MIT
"""A summary of a dossier: its verdicts as a table for the terminal, and as Markdown with some of its figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.words import markup
from tcpsweep.core.words.aligned import aligned

FIGURES = ("5.1.2", "5.1.3", "5.2.1")  # the sections whose first figures are in the Markdown
_LICENCE = "<!-- SPDX-License-Identifier: MIT -->"


def table(told: Mapping[str, Any]) -> str:
    """The verdicts, a line for each section; the argument is from `dossier_page.contents`."""
    heads = ["section", "", *(f"against {plain}" for _, plain in told["against"])]
    rows = [
        [chapter["section"], chapter["title"], *(chapter["verdicts"][variant] for variant, _ in told["against"])]
        for chapter in told["covered"]
    ]
    return aligned([heads, *rows])


def write(told: Mapping[str, Any], folder: Path) -> Path:
    """Write a dossier's verdicts, from `dossier_page.contents`, and some of its figures as Markdown.

    The folder gets ``<candidate>.md``, and the figures in a folder of the same name.
    """
    name = told["candidate"]
    page = folder / f"{name}.md"
    (folder / name).mkdir(parents=True, exist_ok=True)
    write_whole(page, markdown(told, _figures(told, folder)))
    return page


def markdown(told: Mapping[str, Any], figures: Mapping[str, str]) -> str:
    """A dossier as Markdown; ``figures`` are links by their titles."""
    name, against = told["candidate"], told["against"]
    plain = " and ".join(f"{plain} (`{variant}`)" for variant, plain in against)
    heads = ["section of RFC 9743", *(f"against {plain}" for _, plain in against)]

    def said(chapter: Mapping[str, Any], variant: str) -> str:
        return "; ".join(filter(None, (chapter["verdicts"][variant], chapter["largest"][variant])))

    rows = [
        [f"{chapter['section']} {chapter['title']}", *(said(chapter, variant) for variant, _ in against)]
        for chapter in told["covered"]
    ]
    lines = [
        _LICENCE,
        f"# {name} by the criteria of RFC 9743",
        "",
        f"The {told['form']} form of `tcpsweep dossier {name}`: {told['cells']:,} simulations",
        f"in ns-3 {told['ns3']}, {told['runs']} runs of each combination, compared with {plain}.",
        "Each section has the thresholds that config/dossier/chapters.yaml declares: *better* and *worse* are shown to",
        "be beyond them, *equivalent* within them. After a verdict comes the largest difference of the first",
        "decisive measure. [dossier.md](../dossier.md) describes what runs, and why.",
        "",
        markup.markdown(heads, rows),
        *(f"![{title}]({link})\n" for title, link in figures.items()),
        "Not covered: " + ", ".join(f"{chapter['section']} {chapter['title']}" for chapter in told["uncovered"]) + ".",
    ]
    return "\n".join(lines) + "\n"


def _figures(told: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """Copies of the figures of `FIGURES`, by their titles."""
    copies = {}
    for chapter in told["covered"]:
        drawn = [figure for sweep in chapter["sweeps"] for figure in sweep["figures"]]
        if chapter["section"] in FIGURES and drawn:
            text = drawn[0]["path"].read_text(encoding="utf-8")
            file = folder / told["candidate"] / f"section-{chapter['section']}.svg"
            write_whole(file, text.replace(">", f">{_LICENCE}", 1))
            copies[f"{chapter['section']}: {drawn[0]['title']}"] = f"{told['candidate']}/{file.name}"
    return copies

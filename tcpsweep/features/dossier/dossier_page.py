# SPDX-License-Identifier: MIT
"""The report of a dossier: one self-contained page with a chapter for each section of the RFC."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tcpsweep.core.report import page_parts, strips
from tcpsweep.core.store import layout, links
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import caveats, failures, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics
from tcpsweep.features.dossier import chapter_findings, verdict_words
from tcpsweep.features.dossier.chapters import REFERENCES, Asked, Chapter

MOST_SHARE = 150.0  # percent; the page shows a larger difference as an arrow at the end of its line
_ASKED_FIGURE = re.compile(r"(figure|time)-[0-9]+-")  # a figure that a sweep file asks for
Folders = Mapping[str, tuple[PlannedSweep, Path]]


def write(
    candidate: str, form: str, chapters: Sequence[Chapter], names: Mapping[str, str], page: Path, failed: Iterable[str]
) -> dict[str, Any]:
    """Write the page, and return its contents.

    ``names`` has each sweep's own name, by its file's name. ``failed`` has the file names of sweeps that did not run to
    their end.
    """
    page_contents = contents(candidate, form, chapters, names, page, frozenset(failed))
    write_whole(page, page_parts.render("features/dossier/page/dossier.html.jinja", page_contents))
    return page_contents


def contents(
    candidate: str,
    form: str,
    chapters: Sequence[Chapter],
    names: Mapping[str, str],
    page: Path,
    failed: frozenset[str],
) -> dict[str, Any]:
    """The template's variables, by name."""
    record_and_folder_by_sweep = folders_of(names)
    references = [(variant, plain) for variant, plain in REFERENCES.items() if variant != candidate]
    chapter_contents = [
        _chapter(chapter, candidate, references, record_and_folder_by_sweep, page, failed)
        | {"networks": chapter.full_networks if form == "full" else chapter.networks}
        for chapter in chapters
    ]
    covered = [chapter for chapter in chapter_contents if chapter["is_covered"]]
    records = [record for record, _ in record_and_folder_by_sweep.values()]
    return {
        "candidate": candidate,
        "form": form,
        "against": references,
        "chapters": chapter_contents,
        "covered": covered,
        "failed": [(chapter, sweep) for chapter in covered for sweep in chapter["sweeps"] if sweep["failed"]],
        "uncovered": [chapter for chapter in chapter_contents if not chapter["is_covered"]],
        "kinds": {verdict_words.COLOURS.get(kind, kind): says for kind, says in verdict_words.VERDICTS.items()},
        "totals": {
            variant: verdict_words.counted(kind for chapter in covered for kind in chapter["each"][variant])
            for variant, _ in references
        },
        "cells": sum(len(record.cells) for record in records),
        "runs": " or ".join(dict.fromkeys(record.runs_in_words() for record in records)),
        "ns3": " and ".join(dict.fromkeys(record.ns3_version for record in records)),
        "data": page_parts.as_json({}),
        "library": None,
        "tables_library": None,
    }


def folders_of(names: Mapping[str, str]) -> dict[str, tuple[PlannedSweep, Path]]:
    """The records and folders of the sweeps that have tables.

    A sweep may have been replanned without reaching its tables. Its tables then belong to an earlier plan with other
    cells or other numbers, so it has no result.
    """
    folders = {}
    for sweep, name in names.items():
        folder = layout.SWEEPS / name
        covered = sweep_tables.covered(folder)
        if not covered or not (folder / sweep_record.FILE).is_file():
            continue
        record = sweep_record.read(folder)
        if covered <= set(record.cells):
            folders[sweep] = record, folder
    return folders


def _chapter(
    chapter: Chapter,
    candidate: str,
    against: Sequence[tuple[str, str]],
    folders: Folders,
    page: Path,
    failed: frozenset[str],
) -> dict[str, Any]:
    """A chapter's contents. ``against`` are references with their plain names; ``failed`` has sweeps' file names."""
    answers = chapter_findings.findings_of_chapter(chapter, candidate, folders)
    asked_and_row = [(chapter.findings[row["asked"]], row) for row in answers]
    verdicts = {
        variant: [chapter_findings.verdict(asked, row) for asked, row in asked_and_row if row["reference"] == variant]
        for variant, _ in against
    }
    answered_numbers = {row["asked"] for row in answers}
    # Findings whose sweep failed are undecided.
    undecided = ["undecided"] * (len(chapter.findings) - len(answered_numbers)) if answers else []
    verdicts = {variant: [*kinds, *undecided] for variant, kinds in verdicts.items()}
    counts = {variant: verdict_words.counted(kinds) for variant, kinds in verdicts.items()}
    return {
        "name": f"section-{chapter.section}",
        "section": chapter.section,
        "title": chapter.title,
        "question": chapter.question,
        "left_out": chapter.left_out,
        "is_covered": chapter.is_covered,
        "each": verdicts,
        "counts": {
            variant: {verdict_words.COLOURS.get(kind, kind): count for kind, count in numbers.items()}
            for variant, numbers in counts.items()
        },
        "verdicts": {variant: verdict_words.whole(numbers) for variant, numbers in counts.items()},
        "largest": {
            variant: verdict_words.largest(
                [(asked, row) for asked, row in asked_and_row if row["reference"] == variant]
            )
            for variant, _ in against
        },
        "findings": [
            _finding(asked, [row for row in answers if row["asked"] == number], dict(against), folders)
            for number, asked in enumerate(chapter.findings)
        ],
        "sweeps": [_sweep(name, folders.get(name), page, name in failed) for name in chapter.sweeps],
    }


def _finding(
    asked: Asked, rows: Sequence[Mapping[str, Any]], reference_names: Mapping[str, str], folders: Folders
) -> dict[str, Any]:
    """A finding with a row for each reference and network, and the known defects of ns-3 that affect each row."""
    touching = caveats.Touching(folders[asked.sweep][0]) if rows else None
    drawn_values = [
        verdict_words.shown(asked, number)
        for row in rows
        for number in (chapter_findings.size(asked, row), *chapter_findings.interval(asked, row))
        if number is not None
    ]
    bound = verdict_words.shown(asked, asked.threshold.share or asked.threshold.absolute)
    largest_shown = MOST_SHARE if asked.threshold.share else float("inf")
    axis = strips.of_differences([*drawn_values, -2 * bound, 2 * bound], largest_shown)
    drawn_rows = []
    former_reference = None
    for row in rows:
        head = reference_names[row["reference"]] if row["reference"] != former_reference else ""
        drawn_rows.append({"head": head} | _finding_row(asked, row, axis, touching))
        former_reference = row["reference"]
    metric = metrics.METRICS[asked.metric]
    return {
        "what": asked.what,
        "metric": asked.metric,
        "formula": metric.formula,
        "unit": verdict_words.unit(asked),
        "threshold": verdict_words.threshold(asked),
        "less": asked.better == "lower",
        "axis": axis,
        "axis_unit": verdict_words.difference_unit(asked),
        "band": (axis.x(-bound), axis.x(bound)),
        "rows": drawn_rows,
    }


def _finding_row(
    asked: Asked, row: Mapping[str, Any], axis: strips.Axis, touching: caveats.Touching | None
) -> dict[str, Any]:
    """A row of a finding: the difference from one reference in one network."""
    difference, interval = verdict_words.difference(asked, row)
    low, high = (
        None if end is None else verdict_words.shown(asked, end) for end in chapter_findings.interval(asked, row)
    )
    size = chapter_findings.size(asked, row)
    kind = chapter_findings.verdict(asked, row)
    return {
        "where": row["network"],
        "strip": strips.strip(axis, None if size is None else verdict_words.shown(asked, size), whisker=(low, high)),
        "kind": verdict_words.COLOURS.get(kind, kind),
        "own": verdict_words.value(asked, row["mean"]),
        "other": verdict_words.value(asked, row["reference_mean"]),
        "difference": difference,
        "interval": interval,
        "runs": row["distinct_runs"],
        "verdict": verdict_words.verdict(asked, row),
        "defects": caveats.in_words(
            touching.means(asked.metric, (row["combination"], row["reference_combination"])) if touching else ()
        ),
    }


def _sweep(
    name: str, record_and_folder: tuple[PlannedSweep, Path] | None, page: Path, is_failed: bool
) -> dict[str, Any]:
    """A sweep's part of a chapter: its figures, its file, the link to its report, and whether it failed."""
    if record_and_folder is None:
        return {"name": name, "title": name, "failed": "did not run", "figures": [], "report": "", "yaml": ""}
    record, folder = record_and_folder
    lost_cells = len(failures.failures(folder)) if is_failed else 0
    failed = "did not run to its end" if is_failed else ""
    if lost_cells:
        failed = f"{lost_cells} of its cells have no result"
    report = layout.REPORTS / f"{record.name}.html"
    return {
        "name": record.name,
        "title": record.title,
        "failed": failed,
        "figures": figures(folder),
        "report": quote(os.path.relpath(report, page.parent)) if report.is_file() else "",
        "yaml": (folder / "sweep.yaml").read_text(encoding="utf-8"),
    }


def figures(folder: Path) -> list[dict[str, Any]]:
    """The figures that a sweep's file asks for: ``title``, ``caption``, ``path``, and ``svg`` to embed in the page."""
    index = folder / "figures.json"
    if not index.is_file():
        return []
    links.refuse(folder / "figures")
    entries = []
    for figure in json.loads(index.read_text(encoding="utf-8")):
        if _ASKED_FIGURE.match(figure["name"]):
            path = folder / "figures" / f"{Path(figure['name']).name}.svg"
            svg = page_parts.inline(path.read_text(encoding="utf-8"), f"{folder.name}-{figure['name']}")
            entries.append({"title": figure["title"], "caption": figure["caption"], "path": path, "svg": svg})
    return entries

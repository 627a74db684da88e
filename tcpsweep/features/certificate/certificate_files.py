# SPDX-License-Identifier: MIT
"""The files of a certificate: a page, a JSON with every verdict, and a Markdown table."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl

from tcpsweep.core.frames import finding
from tcpsweep.core.identity import release, source_folders
from tcpsweep.core.report import page_libraries, page_parts
from tcpsweep.core.store import cell_files, layout
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import markup, metrics
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.certificate import cell_words, certified_cells, strict_counts

_SIGN_BY_VERDICT = {"equivalent": "=", "higher": "▲", "lower": "▼", "inconclusive": "?", "not testable": "–"}
_NUMBER_COLUMNS = ("mean", "reference_mean", "difference", "low", "high", "margin", "ratio", "ratio_low", "ratio_high")


def certified_sweep(sweep_name: str) -> tuple[PlannedSweep, pl.DataFrame, Path]:
    """A sweep that has run, given by its name, folder or file, its cells, and the folder that contains ``results/``.

    Raises `UserError`.
    """
    folder = finding.folder(sweep_name)
    try:
        sweep = sweep_record.read(folder)
    except sweep_record.Unreadable as error:
        raise UserError(f"{sweep_name}: {error}") from None
    covered = sweep_tables.covered(folder)
    if not covered or not covered <= set(sweep.cells):
        raise UserError(f"{sweep_name}: its tables are missing or of an earlier plan; run the sweep again")
    sweep = sweep.up_to(sweep.swept)
    root = folder.parents[len(layout.SWEEPS.parts)]
    return sweep, certified_cells.table(sweep, sweep_tables.read(folder, "runs")), root


def about(sweep: PlannedSweep, cells: pl.DataFrame, root: Path = Path()) -> dict[str, Any]:
    """Everything that the cells depend on: versions, kernels, seed, runs, corrections and margins.

    ``root`` is the folder that contains ``results/``.
    """
    compared_names = certified_cells.implementations(sweep)
    margin_rows = cells.drop_nulls("smallest_share").unique("metric", maintain_order=True)
    return {
        "sweep": sweep.name,
        "scenario": sweep.scenario,
        "scenario_code": sweep.scenario_code,
        "tcpsweep": release.version(),
        "commit": release.described(source_folders.ROOT),
        "ns3": {"version": sweep.ns3_version, "libraries": sweep.ns3_libraries},
        "linux": kernels(sweep, root),
        "seed": sweep.seed,
        "runs": list(sweep.runs),
        "corrections": {
            value: names
            for value, names in sweep.corrections.items()
            if certified_cells.of_corrections(value) in compared_names
        },
        "margins": {
            row["metric"]: {
                "share_of_linux": row["smallest_share"],
                "or": row["smallest_value"],
                "unit": metrics.METRICS[row["metric"]].unit,
            }
            for row in margin_rows.rows(named=True)
        },
    }


def kernels(sweep: PlannedSweep, root: Path) -> list[dict[str, Any]]:
    """Each kernel of a sweep: its release, from a simulation of each combination."""
    found: list[dict[str, Any]] = []
    first_run_of_combination = {run.combination: run for run in reversed(sweep.finished(root))}  # the first of each
    for combination, run in sorted(first_run_of_combination.items()):
        if sweep.combinations[combination].get(certified_cells.STACK) != certified_cells.LINUX:
            continue
        try:
            record = cell_files.record(root / sweep.parquet(run.cell))
        except cell_files.Damaged:
            continue
        kernel = {"release": record["settings"]["kernel.osrelease"]}
        found += [kernel] if kernel not in found else []
    return found


def comparisons(sweep: PlannedSweep, cells: pl.DataFrame) -> list[dict[str, Any]]:
    """Each cell's verdict, with its means, interval and margin in ``unit``."""
    return [
        {
            "variant": cell["variant"],
            "mix": cell["mix"],
            "network": certified_cells.network(sweep, cell["combination"]),
            "metric": cell["metric"],
            "implementation": cell["implementation"],
            "verdict": cell["verdict"],
            "after_holm": cell["after_holm"],
            "is_lenient": cell["is_lenient"],
            "finding": cell["finding"],
            "runs": cell["runs"],
            **{name.replace("reference_mean", "linux_mean"): cell[name] for name in _NUMBER_COLUMNS},
            "unit": metrics.METRICS[cell["metric"]].unit,
        }
        for cell in cells.rows(named=True)
    ]


def as_json(sweep: PlannedSweep, cells: pl.DataFrame, root: Path = Path()) -> dict[str, Any]:
    """The certificate as data: what it depends on, the shares, and each cell's verdict with its interval."""
    shares = [
        certified_cells.shares(cells),
        *(certified_cells.shares(cells, *key) for key in (["variant"], ["metric"])),
    ]
    shares_by_name = dict(
        zip(("all", "by_variant", "by_metric"), (table.rows(named=True) for table in shares), strict=True)
    )
    signs = strict_counts.signs(cells).rows(named=True)
    return {
        **about(sweep, cells, root),
        "shares": shares_by_name,
        "signs": signs,
        "comparisons": comparisons(sweep, cells),
    }


def write(sweep_name: str) -> tuple[Path, str]:
    """Write the page, the JSON and the Markdown of a sweep that has run; return the page, and the answer in words."""
    sweep, cells, root = certified_sweep(sweep_name)
    page = layout.REPORTS / f"certificate-{sweep.name}.html"
    page.parent.mkdir(exist_ok=True)
    cell_texts = [cell_words.row(sweep, cell) for cell in cells.rows(named=True)]
    json_file, markdown_file = page.with_suffix(".json"), page.with_suffix(".md")
    write_whole(json_file, json.dumps(as_json(sweep, cells, root), indent=1, ensure_ascii=False) + "\n")
    write_whole(markdown_file, markdown(sweep, cells, cell_texts, root))
    contents = _contents(sweep, cells, cell_texts, root) | {
        "files": {path.suffix[1:]: quote(path.name) for path in (json_file, markdown_file)},
        "report": quote(os.path.relpath(layout.REPORTS / f"{sweep.name}.html", page.parent)),
    }
    write_whole(page, page_parts.render("features/certificate/page/certificate.html.jinja", contents))
    return page, "\n".join([cell_words.answer(cells), *cell_words.counts(cells)])


def _contents(
    sweep: PlannedSweep, cells: pl.DataFrame, cell_texts: Sequence[dict[str, Any]], root: Path
) -> dict[str, Any]:
    """The template's variables, by name."""
    names = list(dict.fromkeys(row["implementation"] for row in reversed(cell_texts)))
    heads, shares = cell_words.by_variant(cells)
    return {
        "title": sweep.title,
        "name": sweep.name,
        "answer": cell_words.answer(cells),
        "counts": cell_words.counts(cells),
        "matrices": {name: _matrix([row for row in cell_texts if row["implementation"] == name]) for name in names},
        "first": names[0],
        "short": cell_words.SHORT,
        "signs": _SIGN_BY_VERDICT,
        "meanings": cell_words.MEANINGS,
        "heads": heads,
        "shares": shares,
        "sign_tests": cell_words.signs(cells),
        "lacking": cell_words.furthest(row for row in cell_texts if row["implementation"] == names[0]),
        "rows": cell_texts,
        "about": about(sweep, cells, root),
        "margins": cell_words.margins(cells),
        "data": page_parts.as_json({}),
        "library": None,
        "tables_library": page_libraries.table_library(),
    }


def _matrix(cell_texts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Cells by network, variant and metric: ``variants`` with their metrics, and ``networks`` with a row of cells."""
    metrics_by_variant: dict[str, list[str]] = {}
    cell_by_place: dict[tuple[str, str, str], dict[str, Any]] = {}
    for cell in cell_texts:
        metric_names = metrics_by_variant.setdefault(cell["variant"], [])
        metric_names += [] if cell["metric"] in metric_names else [cell["metric"]]
        cell_by_place[cell["network"], cell["variant"], cell["metric"]] = cell
    for metric_names in metrics_by_variant.values():
        metric_names.sort(key=list(cell_words.SHORT).index)
    columns = [(variant, metric) for variant, metric_names in metrics_by_variant.items() for metric in metric_names]
    networks = list(dict.fromkeys(cell["network"] for cell in cell_texts))
    return {
        "variants": metrics_by_variant,
        "networks": {network: [cell_by_place.get((network, *column)) for column in columns] for network in networks},
    }


def markdown(
    sweep: PlannedSweep, cells: pl.DataFrame, cell_texts: Sequence[dict[str, Any]], root: Path = Path()
) -> str:
    """The answer, the shares, and the cells that are not equivalent with the last implementation."""
    basis, last_implementation = about(sweep, cells, root), cell_texts[-1]["implementation"]
    linux = ", ".join(kernel["release"] for kernel in basis["linux"]) or "unknown"
    heads = ["variant", "network", "metric", "mean", "Linux", "difference", "95 % interval", "margin", "verdict"]
    not_equivalent = [
        [
            *(row["variant"], row["network"], row["title"], _with_unit(row, "ns3"), _with_unit(row, "linux")),
            *(row["difference"], row["interval"], row["margin"], row["words"]),
        ]
        for row in cell_words.furthest(row for row in cell_texts if row["implementation"] == last_implementation)
    ]
    lines = [
        cell_words.answer(cells),
        "",
        *(f"- {sentence}" for sentence in cell_words.counts(cells)),
        "",
        f"ns-3 {basis['ns3']['version']}, Linux {linux}, tcpsweep {basis['tcpsweep']}, seed {basis['seed']}, "
        f"{sweep.runs_in_words()} repetitions.",
        "",
        markup.markdown(*cell_words.by_variant(cells)),
        "Signs of the differences from Linux, also within the margin:",
        "",
        markup.markdown(*cell_words.signs(cells)),
        f"Not equivalent with `{last_implementation}`:",
        "",
        markup.markdown(heads, not_equivalent),
    ]
    return "\n".join(lines)


def _with_unit(row: dict[str, Any], side: str) -> str:
    return row[side] if row[side] == "–" else f"{row[side]} {row['unit']}".rstrip()

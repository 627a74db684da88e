# SPDX-License-Identifier: MIT
"""Compare an unpacked archive's simulations, metrics, plan, tables and claims with a new run's."""

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tcpsweep.core.command_line.terminal import finished_sweep
from tcpsweep.core.store import cell_files, completion_record, digests, layout
from tcpsweep.core.sweep import requests, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words.aligned import aligned, terminal_width

# Tables whose rows are claims on the sweep's numbers.
_CLAIMS = ("verdicts", "traffic_verdicts", "expectations", "published_claims", "published_winners", "published_ranks")
_CODE_FIELDS = ("parser", "measures", "metrics_code")
_MACHINE_FIELDS = ("ns3_prefix",)
_NOT_COMPARED = "report, figures, pages of simulations"


class Part(NamedTuple):
    """A compared part: its name, its number of items, the differences, and the reason why some were not compared."""

    name: str
    many: int
    different: list[str]
    left_out: str = ""


def comparison_table(parts: Sequence[Part]) -> str:
    """A table of the compared parts, and a list of the parts not compared."""
    rows = [["", "compared", "equal", "different"]]
    for part in parts:
        different_count = len(part.different)
        rows.append([part.name, f"{part.many:,}", f"{part.many - different_count:,}", f"{different_count:,}"])
    left_out = [f"not compared: {part.left_out}" for part in parts if part.left_out]
    return "\n".join([aligned(rows, terminal_width(sys.stdout)), *left_out, f"not compared: {_NOT_COMPARED}"])


def parts(sweep: PlannedSweep, folder: Path, root: Path, home: Path) -> Iterator[Part]:
    """The compared parts: ``root`` is the archive's folder, ``folder`` its sweep, ``home`` has the new ``results/``."""
    archived = list(dict.fromkeys(run.cell for run in sweep.cells))
    new = {cell: path for cell in archived if (path := _tables_of_new_cell(home, cell))}
    unlike = [
        f"{cell}: its simulation differs" for cell in new if not _is_same_simulation(sweep, root, cell, new[cell])
    ]
    missing = len(archived) - len(new)
    why = f"{missing:,} of {len(archived):,} simulations (not run again)" if missing else ""
    yield Part("simulations, run again", len(new), unlike, why)
    measured = [run for run in sweep.cells if run.cell in new]
    same_code = [run for run in measured if layout.is_whole(home / sweep.measured(run))]
    unlike = [f"{run.cell}: its metrics differ" for run in same_code if not _has_same_metrics(sweep, root, home, run)]
    other = len(measured) - len(same_code)
    yield Part(
        "metrics", len(same_code), unlike, f"metrics of {other:,} simulations (made by other code)" if other else ""
    )
    if others := sorted({folder.name, *layout.names_in(home / layout.SWEEPS)} - {sweep.name}):
        unlike = [f"{sweep_record.FILE}: its sweep has the name {sweep.name}, but the archive's is {others[0]}"]
        yield Part("plan, tables, claims", 1, unlike, "plan, tables and claims (they have another name)")
        return
    again = home / layout.SWEEPS / sweep.name
    if missing or not (again / digests.FILE).is_file():
        yield Part("plan, tables, claims", 0, [], "plan, tables and claims (they need all simulations)")
        return
    new_sweep = sweep_record.read(again)
    yield _compared_plan(sweep, new_sweep, folder, again)
    if any(getattr(sweep, name) != getattr(new_sweep, name) for name in _CODE_FIELDS):
        yield Part("tables, claims", 0, [], "tables and claims (made by other code)")
        return
    claim_files = [file for name in _CLAIMS for file in sweep_tables.files(name)]
    files = sorted({*sweep_tables.present_files(folder), *sweep_tables.present_files(again), *sweep_tables.BESIDE})
    yield _compared_files("tables", [name for name in files if name not in claim_files], folder, again)
    claims = _compared_files("claims", [name for name in files if name in claim_files], folder, again)
    yield Part(claims.name, claims.many + 1, [*claims.different, *_closing_differences(folder, again)])


def _tables_of_new_cell(new_results: Path, cell: str) -> Path | None:
    sums_files = sorted((new_results / layout.CELLS / cell).glob(f"*/{layout.SUMS}"))
    return sums_files[0].parent if sums_files else None


def _is_same_simulation(sweep: PlannedSweep, root: Path, cell: str, new_folder: Path) -> bool:
    archived = cell_files.simulation(cell_files.sums(root / sweep.parquet(cell)))
    return archived == cell_files.simulation(digests.read(new_folder))


def _has_same_metrics(sweep: PlannedSweep, root: Path, new_results: Path, run: sweep_record.Run) -> bool:
    archived, new = (cell_files.metrics(cell_files.sums(place / sweep.measured(run))) for place in (root, new_results))
    return archived == new


def _compared_plan(sweep: PlannedSweep, new: PlannedSweep, folder: Path, new_folder: Path) -> Part:
    """The plan: its record's fields, except ns-3's path and the identities of code, its sweep file and its requests."""
    names = [field.name for field in dataclasses.fields(sweep) if field.name not in (*_CODE_FIELDS, *_MACHINE_FIELDS)]
    unlike = [f"{sweep_record.FILE}: {name} differs" for name in names if _field(sweep, name) != _field(new, name)]
    files = _compared_files("", ["sweep.yaml", requests.ASKED_FILE], folder, new_folder)
    return Part("plan", len(names) + files.many, [*unlike, *files.different])


def _field(sweep: PlannedSweep, name: str) -> Any:
    """A field of a record; of the files that a sweep file names, only the contents, because they lie elsewhere now."""
    value = getattr(sweep, name)
    return {written: file.content for written, file in value.items()} if name == "inputs" else value


def _compared_files(part_name: str, names: Sequence[str], folder: Path, new_folder: Path) -> Part:
    unlike = [
        f"{name}: differs from the table made from the simulations"
        for name in names
        if not _is_same(folder, new_folder, name)
    ]
    return Part(part_name, len(names), unlike)


def _is_same(folder: Path, new_folder: Path, name: str) -> bool:
    try:
        return (folder / name).read_bytes() == (new_folder / name).read_bytes()
    except OSError:
        return False


def _closing_differences(folder: Path, new_folder: Path) -> list[str]:
    """Differences between a sweep's recorded closing words and its tables."""
    closing_words = finished_sweep.closing_of_tables(new_folder)
    completed = completion_record.read(folder)
    recorded = completed.tables if completed else []
    if finished_sweep.closing(folder) != closing_words or (recorded and recorded != closing_words.tables):
        return [f"{layout.CLOSING}: its words differ from the tables"]
    return []

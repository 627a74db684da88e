# SPDX-License-Identifier: MIT
"""Compare an unpacked archive's simulations, metrics, plan, tables and claims with a new run's."""

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tcpsweep.core.command_line.terminal import finished_sweep
from tcpsweep.core.store import cell_files, completion, digests, layout
from tcpsweep.core.sweep import requests, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words.aligned import aligned

# Tables whose rows are claims on the sweep's numbers.
_CLAIMS = ("verdicts", "traffic_verdicts", "expectations", "published_claims", "published_winners", "published_ranks")
_OF_CODE = ("parser", "measures", "metrics_code")
_OF_MACHINE = ("ns3_prefix",)
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
        unlike = len(part.different)
        rows.append([part.name, f"{part.many:,}", f"{part.many - unlike:,}", f"{unlike:,}"])
    left_out = [f"not compared: {part.left_out}" for part in parts if part.left_out]
    return "\n".join([aligned(rows), *left_out, f"not compared: {_NOT_COMPARED}"])


def parts(sweep: PlannedSweep, folder: Path, root: Path, home: Path) -> Iterator[Part]:
    """The compared parts: ``root`` is the archive's folder, ``folder`` its sweep, ``home`` the new results."""
    kept = list(dict.fromkeys(run.cell for run in sweep.cells))
    new = {cell: path for cell in kept if (path := _parquet(home, cell))}
    unlike = [
        f"{cell}: its simulation differs" for cell in new if not _is_same_simulation(sweep, root, cell, new[cell])
    ]
    missing = len(kept) - len(new)
    why = f"{missing:,} of {len(kept):,} simulations (not run again)" if missing else ""
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
    here = sweep_record.read(again)
    yield _plan(sweep, here, folder, again)
    if any(getattr(sweep, name) != getattr(here, name) for name in _OF_CODE):
        yield Part("tables, claims", 0, [], "tables and claims (made by other code)")
        return
    claims = [f"{name}.{kind}" for name in _CLAIMS for kind in sweep_tables.FORMATS[name]]
    files = sorted({*sweep_tables.present_files(folder), *sweep_tables.present_files(again), *sweep_tables.BESIDE})
    yield _files("tables", [name for name in files if name not in claims], folder, again)
    said = _files("claims", [name for name in files if name in claims], folder, again)
    yield Part(said.name, said.many + 1, [*said.different, *_closing(folder, again)])


def _parquet(home: Path, cell: str) -> Path | None:
    paths = sorted((home / layout.CELLS / cell).glob(f"*/{layout.SUMS}"))
    return paths[0].parent if paths else None


def _is_same_simulation(sweep: PlannedSweep, root: Path, cell: str, again: Path) -> bool:
    before = cell_files.simulation(cell_files.sums(root / sweep.parquet(cell)))
    return before == cell_files.simulation(digests.read(again))


def _has_same_metrics(sweep: PlannedSweep, root: Path, home: Path, run: sweep_record.Run) -> bool:
    before, again = (cell_files.metrics(cell_files.sums(place / sweep.measured(run))) for place in (root, home))
    return before == again


def _plan(sweep: PlannedSweep, here: PlannedSweep, folder: Path, again: Path) -> Part:
    """Differences in the record's fields and requests, except ns-3's path and separately named code."""
    names = [field.name for field in dataclasses.fields(sweep) if field.name not in (*_OF_CODE, *_OF_MACHINE)]
    unlike = [f"{sweep_record.FILE}: {name} differs" for name in names if _field(sweep, name) != _field(here, name)]
    files = _files("", ["sweep.yaml", requests.ASKED_FILE], folder, again)
    return Part("plan", len(names) + files.many, [*unlike, *files.different])


def _field(sweep: PlannedSweep, name: str) -> Any:
    """A field of a record; of the files that a sweep file names, only the contents, because they lie elsewhere now."""
    value = getattr(sweep, name)
    return {given: file.content for given, file in value.items()} if name == "inputs" else value


def _files(what: str, names: Sequence[str], folder: Path, again: Path) -> Part:
    unlike = [
        f"{name}: differs from the table made from the simulations"
        for name in names
        if not _is_same(folder, again, name)
    ]
    return Part(what, len(names), unlike)


def _is_same(folder: Path, again: Path, name: str) -> bool:
    try:
        return (folder / name).read_bytes() == (again / name).read_bytes()
    except OSError:
        return False


def _closing(folder: Path, again: Path) -> list[str]:
    """Differences between a sweep's recorded closing words and its tables."""
    right = finished_sweep.closing_of_tables(again)
    ended = completion.read(folder)
    if finished_sweep.closing(folder) != right or (ended and ended.tables != right.tables):
        return [f"{layout.CLOSING}: its words differ from the tables"]
    return []

# SPDX-License-Identifier: MIT
"""`tcpsweep verify ARCHIVE.zip`: read an archive's files again, then run its cells again and compare the bytes."""

import contextlib
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tcpsweep.applications.archive import contents
from tcpsweep.command_line.commands import verify
from tcpsweep.command_line.commands.verify import Verified
from tcpsweep.plan import plan
from tcpsweep.store import cell_files, digests, layout
from tcpsweep.sweep import sweep_record
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words.user_error import UserError


def archive(file: Path, runs: bool) -> Verified:
    """Verify an archive; if it ``runs``, simulate its cells again, with the tcpsweep and the ns-3 that are here.

    Raises `UserError`.
    """
    with tempfile.TemporaryDirectory(prefix="tcpsweep-") as scratch, contextlib.chdir(_unpacked(file, Path(scratch))):
        folders = [path.parent for path in layout.SWEEPS.glob(f"*/{sweep_record.FILE}")]
        if len(folders) != 1:
            raise UserError(f"{file}: expected one sweep in {layout.SWEEPS}, found {len(folders)}")
        read = verify.sweep(str(folders[0]))
        if read.wrong or not runs:
            return read
        again = _again(sweep_record.read(folders[0]), folders[0])
        return Verified(again.wrong, f"{read.words}\n{again.words}")


def _unpacked(file: Path, folder: Path) -> Path:
    try:
        with zipfile.ZipFile(file) as packed:
            names = packed.namelist()
            if contents.METADATA not in names:
                raise UserError(f"{file}: has no {contents.METADATA}; expected a file that `tcpsweep archive` wrote")
            packed.extractall(folder)  # which lets no name lead out of the folder
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        raise UserError(f"{file}: {error}; expected a file that `tcpsweep archive` wrote") from None
    return folder


def _again(sweep: PlannedSweep, folder: Path) -> Verified:
    """Run a sweep's cells again in a folder of their own, and compare them with the unpacked ones."""
    file = Path(_sweep_file(Path(contents.METADATA))).absolute()
    root = Path.cwd()
    home = root / "again"
    home.mkdir()
    with contextlib.chdir(home):
        try:
            same = {cell.id for cell in plan.without_work(file).cells}
        except UserError as error:
            return Verified([str(error)], f"{sweep.name}: its file cannot be planned here, so nothing was run again")
        kept = dict.fromkeys(run.cell for run in sweep.cells)
        if not same.intersection(kept):
            return Verified([_why_not(sweep)], f"{sweep.name}: none of its {len(kept):,} cells can be run again here")
        print(f"{sweep.name}: running {len(same.intersection(kept)):,} cells again", flush=True)
        # A sweep that goes in rounds tells its next one by its tables, and goes on only as a whole.
        steps = [] if sweep.asked else ["--until", "aggregate"]
        command = [sys.executable, "-m", "tcpsweep", "sweep", str(file), *steps]
        status = subprocess.run(command, check=False).returncode
        wrong = list(_differing(sweep, root, home))
    equal = len(kept) - len(wrong)
    more = f"; the run ended with status {status}" if status else ""
    return Verified(wrong, f"{sweep.name}: {equal:,} of {len(kept):,} cells run again are equal to the byte{more}")


def _sweep_file(metadata: Path) -> str:
    """The path of the sweep file that an archive's metadata names."""
    try:
        graph = json.loads(metadata.read_text(encoding="utf-8"))["@graph"]
        run = next(entity for entity in graph if entity["@id"] == "#run")
        return str(run["object"][0]["@id"])
    except (ValueError, KeyError, TypeError, IndexError, StopIteration):
        raise UserError(f"{metadata} names no sweep file; expected what `tcpsweep archive` wrote") from None


def _why_not(sweep: PlannedSweep) -> str:
    return (
        f"{sweep.name}: its cells' names have the identity of the code and the ns-3 that made them (ns-3 "
        f"{sweep.ns3_version}, scenario {sweep.scenario_code}), and here are others: use the tcpsweep that "
        f"{contents.README} names"
    )


def _differing(sweep: PlannedSweep, root: Path, home: Path) -> Iterator[str]:
    """The cells whose simulation is not equal to the byte, each with what was found."""
    for cell in dict.fromkeys(run.cell for run in sweep.cells):
        before = cell_files.simulation(cell_files.sums(root / sweep.parquet(cell)))
        found = sorted((home / layout.CELLS / cell).glob(f"*/{layout.SUMS}"))
        if not found:
            yield f"{cell}: was not run again"
        elif cell_files.simulation(digests.read(found[0].parent)) != before:
            yield f"{cell}: its tables differ"

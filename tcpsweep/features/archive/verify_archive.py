# SPDX-License-Identifier: MIT
"""`tcpsweep verify ARCHIVE.zip`: check an archive's files, then run its cells again and compare the results.

An archive's origin is unknown, so its code runs only if the user allows it. Its cells run with the code and the ns-3 on
this machine, in a new folder.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Container, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, NoReturn

from tcpsweep.core.command_line.commands import start_snakemake
from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.contact import features
from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import programs
from tcpsweep.core.parse import packet_decoder
from tcpsweep.core.plan import checked_sweep, expected_costs, job_files, plan
from tcpsweep.core.plan.plan_record import Workers
from tcpsweep.core.run import cell_jobs
from tcpsweep.core.store import compiled_programs, layout, locks
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.archive import compared_with_archive, contents, installed, unpacking, verify_sweep
from tcpsweep.features.archive.compared_with_archive import Part

_NOT_AS_PACKED = (
    "the archive was changed or damaged after it was packed, so nothing runs again: get it once more from its author"
)
NOT_ALL = 3  # the exit status if nothing differs, but some parts could not be compared


class Result(NamedTuple):
    """A message for the user, and the exit status: 1 if anything differs, `NOT_ALL`, or 0."""

    words: str
    status: int


def archive(file: Path, runs: bool, runs_code: bool = False, most: int | None = None) -> Result:
    """Verify an archive; with ``runs``, simulate its cells again with this machine's tcpsweep and ns-3.

    With ``runs_code``, also compile and run the ns-3, the variants and the scenarios in the archive. ``most`` is the
    same as for `unpacking.unpack`. Raises `UserError`.
    """
    with _ends_in_order(), tempfile.TemporaryDirectory(prefix="tcpsweep-", ignore_cleanup_errors=True) as scratch:
        root = Path(scratch).resolve() / "archive"
        root.mkdir()
        unpacking.unpack(file, root, most)
        try:
            result = _verified(file, root, runs, runs_code)
        except UserError as error:
            raise UserError(str(error).replace(f"{root}/", "")) from None
        return Result(result.words.replace(f"{root}/", ""), result.status)


def _verified(file: Path, root: Path, runs: bool, runs_code: bool) -> Result:
    folders = [path.parent for path in root.glob(f"{layout.SWEEPS}/*/{sweep_record.FILE}")]
    if len(folders) != 1:
        raise UserError(f"{file}: expected one sweep in {layout.SWEEPS}, found {len(folders)}")
    verified_files = verify_sweep.sweep(str(folders[0]), _NOT_AS_PACKED)
    compared_parts = [Part("files, by their digests", verified_files.files, verified_files.wrong)]
    lines = [*verified_files.wrong, verified_files.words]
    sweep = sweep_record.read(folders[0])
    if runs and not verified_files.wrong:
        home = root.parent / "again"
        home.mkdir()
        status = _run_again(_sweep_file(root), folders[0], root, home, runs_code)
        compared_parts += compared_with_archive.parts(sweep, folders[0], root, home)
        lines += [difference for part in compared_parts for difference in part.different]
        lines += [f"{sweep.name}: the run ended with status {status}; its messages are above"] if status else []
        failed_cells = {run.cell for run in sweep.cells}.intersection(layout.names_in(home / layout.FAILED))
        if compared_parts[1].many or failed_cells or not status:
            lines += _cells_in_words(sweep, compared_parts[1], runs_code, len(failed_cells))
    is_unlike = any(part.different for part in compared_parts[1:])
    lines += _version_differences(root) if is_unlike and not compared_parts[1].different else []
    lines.append(compared_with_archive.comparison_table(compared_parts))
    if any(part.different for part in compared_parts):
        return Result("\n".join(lines), 1)
    is_all = not any(part.left_out for part in compared_parts)
    return Result("\n".join(lines), 0 if is_all else NOT_ALL)


def _run_again(file: Path, folder: Path, root: Path, home: Path, runs_code: bool) -> int:
    """Run a sweep's cells again in the empty folder ``home``; return the exit status."""
    temporary = root.parent / "temporary"  # files that an interrupted Snakemake leaves
    temporary.mkdir()
    environment = os.environ | {"PYTHONSAFEPATH": "1", "TMPDIR": str(temporary)}
    if runs_code:
        scenarios = root.parent / contents.SCENARIOS
        shutil.copytree(source_folders.SCENARIOS, scenarios)
        if (sources := root / contents.SCENARIOS).is_dir():
            shutil.copytree(sources, scenarios, dirs_exist_ok=True)
        programs_folder = root.parent / "build"
        for build in features.builds():
            build.lend(programs_folder)
        environment |= {source_folders.ELSEWHERE: str(scenarios), compiled_programs.ELSEWHERE: str(programs_folder)}
        say("compiling and running code that the archive's authors wrote, as --run-code asks", flush=True)
    else:
        environment[checked_sweep.IGNORE_NS3] = "1"
    command = [sys.executable, "-P", "-m", "tcpsweep", "rerun", str(file), str(folder)]
    with subprocess.Popen(command, cwd=home, env=environment, stdin=subprocess.DEVNULL) as process:
        try:
            return process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise


def _sweep_file(root: Path) -> Path:
    """The sweep file that an archive's metadata names."""
    metadata = root / contents.METADATA
    try:
        graph = json.loads(metadata.read_text(encoding="utf-8"))["@graph"]
        run = next(entity for entity in graph if entity["@id"] == "#run")
        name = str(run["object"][0]["@id"])
        file = root / name
        if ".." not in Path(name).parts and file.is_relative_to(root) and file.is_file():
            return file
    except (OSError, ValueError, KeyError, TypeError, IndexError, StopIteration, RecursionError):
        pass
    raise UserError(f"{metadata} names no sweep file in the archive; expected an archive from `tcpsweep archive`")


def _cells_in_words(sweep: PlannedSweep, simulations_part: Part, runs_code: bool, failed: int) -> list[str]:
    """Sentences on the number of repeated cells that are equal, on failed ones, and on why others were not run again.

    ``simulations_part`` is the first of `compared_with_archive.parts`.
    """
    equal, cell_count = simulations_part.many - len(simulations_part.different), len({run.cell for run in sweep.cells})
    words = f"{sweep.name}: {equal:,} of {cell_count:,} simulations run again are equal, byte for byte"
    lines = [words] + ([f"{sweep.name}: {failed:,} of {cell_count:,} simulations failed here"] if failed else [])
    if not simulations_part.left_out or simulations_part.many + failed == cell_count:
        return lines
    code_names = [f"ns-3 from {sweep.ns3_prefix}"] if sweep.ns3_prefix else []
    code_names += [f"the variant {name}" for name in sweep.variants]
    origin = f"; it was made with {', '.join(code_names)}" if code_names else ""
    advice = "" if runs_code else "; --run-code compiles and runs the archive's code as you"
    return [
        *lines,
        f"{sweep.name}: some cells' names have the identity of other code or another ns-3 (ns-3 {sweep.ns3_version}, "
        f"scenario {sweep.scenario_code}){origin}; use the tcpsweep that {contents.README} names{advice}",
    ]


def _version_differences(root: Path) -> list[str]:
    """A possible reason why numbers differ that were computed from equal simulations."""
    others = installed.others(root)
    return [f"other versions may compute other last digits; the archive has {', '.join(others)}"] if others else []


@contextlib.contextmanager
def _ends_in_order() -> Iterator[None]:
    """At SIGTERM, leave the block, which removes its files, and end with the status 143."""

    def end(number: int, frame: object) -> NoReturn:
        signal.signal(signal.SIGTERM, lambda number, frame: None)  # ignore further signals
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def rerun(file: Path, archived: Path) -> int:
    """Run a sweep file again if it has the same cells as the sweep in the folder ``archived``, else the common cells.

    Returns the exit status. Raises `UserError` if the file cannot be planned here.
    """
    sweep = sweep_record.read(archived)
    kept = {run.cell for run in sweep.cells}
    here = {cell.id for cell in plan.without_work(file).cells}
    common = here & kept
    if not common:
        return 0
    say(f"{sweep.name}: running {len(kept if here <= kept else common):,} simulations again", flush=True)
    if here == kept or (sweep.asked and here <= kept):  # later rounds follow from the first round's tables
        return start_snakemake.run(file, [] if sweep.asked else ["--until", "summarise"])
    with locks.programs(), locks.job():
        for job in _prepare_some_cells(file, common):
            cell_jobs.run(job, workers=len(os.sched_getaffinity(0)))
    return 0


def _prepare_some_cells(path: Path, wanted: Container[str]) -> list[Path]:
    """Compile the programs for these cells of a sweep file, write their batches' plan files, and return the paths.

    Raises `UserError`.
    """
    _, ns3, whole_plan = plan.with_cells(path)
    cells = [cell for cell in whole_plan.cells if cell.id in wanted]
    if not cells:
        raise UserError(f"{path}: has none of these cells")
    wanted_plan = replace(whole_plan, cells=cells)
    costs = expected_costs.expected(wanted_plan.sweep, set(), wanted_plan.parser)
    work = job_files.work(wanted_plan, {cell.id: cell for cell in cells}.values(), costs)
    missing, _ = job_files.programs(wanted_plan, ns3, work)
    for kind, name in missing:
        if kind == "compile":
            programs.compile_program(ns3, wanted_plan.source(name))
        else:
            packet_decoder.library()
    jobs = job_files.write(wanted_plan, work, costs, Workers(), locked=True)
    return [
        layout.stamp(wanted_plan.sweep.name, kind, job).with_suffix(".json")
        for kind, ids in jobs.items()
        for job in ids
    ]

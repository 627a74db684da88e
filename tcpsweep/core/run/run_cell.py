# SPDX-License-Identifier: MIT
"""Make one cell's Parquet files and metrics: simulate it, parse its raw files, and measure."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import polars as pl

from tcpsweep.core.contact import features
from tcpsweep.core.measure import audit, cell_metrics
from tcpsweep.core.parse import captures, raw_files, simulator_files
from tcpsweep.core.parse.parsed import Parsed
from tcpsweep.core.run import cell_costs, limits, simulator_process
from tcpsweep.core.run.limits import SimulatorLimits
from tcpsweep.core.store import digests, layout, links, removal, table_files, whole_files
from tcpsweep.core.sweep import input_files
from tcpsweep.core.sweep.cost import Cost, Kind
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.words.rounding import bytes_text
from tcpsweep.core.words.user_error import UserError

NO_INPUTS: Mapping[str, str] = MappingProxyType({})


class CellFailed(UserError):
    """Why a cell has no result."""


class LimitExceeded(CellFailed):
    """A cell has no result because it needs more memory or time than its job's limits."""


@dataclass(frozen=True)
class CellTask:
    """The files to make for a cell, and how."""

    cell: str
    command: list[str]  # the command that simulates it, without ``--out``
    parser: str  # the code id of the steps that make its Parquet files
    decoder: Path | str | None  # the library that reads its captures; None without captures
    # For each id of metrics, the span of time to measure, as in `PlannedCell.measures`.
    measures: Mapping[str, Span]
    expected: tuple[Kind, Cost] | None = None  # its kind and estimated cost, recorded next to its actual cost
    # Whether to keep the raw files. If not, they are removed as soon as the Parquet files exist. Until then they are
    # marked, in case this process is killed.
    keep_raw: bool = True
    scratch: Path | str | None = None  # where to write new raw files that are not kept
    limit: SimulatorLimits = limits.NONE  # the limits of its simulator
    may_fork: bool = False  # whether to fork its simulator from a process that is reused for the next cell
    inputs: Mapping[str, str] = field(default_factory=dict)  # the files it reads, as from `input_files.named`
    again: bool = False  # whether to simulate it even if it has results, which the new ones then replace


def run_cell(task: CellTask) -> None:
    """Make a cell's Parquet files and metrics. Simulate it only if its raw files do not exist, or ``again``.

    Existing results stay until the new ones are complete. Raises `CellFailed`.
    """
    place = layout.parquet(task.cell, task.parser)
    for folder in (layout.RAW, layout.CELLS, place.parent):
        if folder.is_symlink():
            raise CellFailed(str(links.error(folder)))
    existing = [folder for folder in (place, layout.raw(task.cell)) if os.path.lexists(folder)]
    is_made = not task.again and _is_intact_else_removed(place)
    parsed = raw_files.read_parsed(place) if is_made else _make_parquet(task, place, existing)
    if not task.keep_raw:  # before the metrics exist: a cell with metrics is finished, and no run takes it again
        removal.remove(layout.raw(task.cell))
    for name, span in task.measures.items():
        measured = layout.measured(task.cell, task.parser, name)
        if not layout.is_whole(measured):
            removal.remove(measured)
            with digests.made_whole(measured, above=place.parent) as folder:
                _measure(task, parsed, span, place, folder)


def _measure(task: CellTask, parsed: Parsed, span: Span, parquet: Path, folder: Path) -> None:
    """Write the metrics of a span of time to a folder; ``parquet`` has the cell's Parquet files."""
    captured = parquet / "packets.parquet"
    packets = pl.scan_parquet(captured) if captured.is_file() else None
    audited = {"audit": audit.audit_table(parsed, packets, task.command[1:])}
    table_files.write_all(cell_metrics.tables(parsed, task.cell, span) | audited, folder)


def _make_parquet(task: CellTask, place: Path, existing: Sequence[Path]) -> Parsed:
    """Make a cell's Parquet; ``existing`` are the folders of Parquet and raw files that existed, damaged or not."""
    raw = layout.raw(task.cell)
    has_raw = not task.again and _is_intact_else_removed(raw)
    if not has_raw and not Path(task.command[0]).is_file():
        if existing and not task.again:  # the plan was only to measure or parse it
            raise CellFailed("its files were damaged and have been removed; the next run simulates it again")
        raise CellFailed(
            f"the program {task.command[0]} is missing; start the sweep again, or on a cluster, "
            "set TCPSWEEP_BUILD to a folder that all nodes see"
        )
    if task.again:
        return _replace(task, place)
    if task.scratch and not has_raw:
        # `made_whole` makes a folder next to `place` at once. From then on, the progress shows the cell as running.
        with digests.made_whole(place) as folder, simulated(task) as new_raw:
            return _parse(new_raw, folder, task)
    if not has_raw:
        with simulated(task):
            pass
    elif task.keep_raw:
        removal.remove(raw / layout.NOT_KEPT)
    with digests.made_whole(place) as folder:
        return _parse(raw, folder, task)


def _replace(task: CellTask, place: Path) -> Parsed:
    """Simulate a cell again, and replace its Parquet files with all their metrics at once."""
    with digests.made_whole(place, replaces=True) as folder, simulated(task) as new_raw:
        parsed = _parse(new_raw, folder, task)
        for name, span in task.measures.items():
            measured = layout.measured(task.cell, task.parser, name)
            (folder / measured.name).mkdir()
            _measure(task, parsed, span, folder, folder / measured.name)
            digests.write(folder / measured.name, place=measured)
        return parsed


def _is_intact_else_removed(folder: Path) -> bool:
    """Whether a cell's folder of raw files or Parquet files exists and is intact. Remove it if it is damaged.

    This process has claimed the cell.
    """
    if not os.path.lexists(folder):
        return False
    if problems := digests.file_problems(folder):
        print("\n".join(f"{problem}: made again" for problem in problems), file=sys.stderr, flush=True)
        removal.remove(folder)
    return not problems


def _parse(raw: Path, folder: Path, task: CellTask) -> Parsed:
    """Parse raw files into a folder of Parquet files, with the captures and the cell's cost. Raises `CellFailed`."""
    cell_costs.reset_peak_memory()
    started = time.process_time()
    try:
        parsed = raw_files.cell(raw, folder)
        if task.decoder:
            captures.cell(raw, folder, Path(task.decoder))
        if task.expected:
            cell_costs.record(folder, raw, time.process_time() - started, *task.expected)
        return parsed
    except simulator_files.Damaged as error:
        # If the raw files stayed, every later run would fail too.
        removal.remove(raw)
        raise CellFailed(str(error)) from None


@contextlib.contextmanager
def simulated(task: CellTask) -> Iterator[Path]:
    """A folder with the raw files of a new simulation.

    If the block succeeds, it is renamed to `results/raw/<cell>/`, and replaces an earlier one. In ``task.scratch``, it
    is removed instead. Raises `CellFailed` with the simulator's last words.
    """
    place = layout.raw(task.cell)
    above = whole_files.temporary(task.scratch) if task.scratch else whole_files.made_whole(place, replaces=True)
    with above as folder:
        simulate_in(folder, task.command, task.limit, task.may_fork, task.inputs)
        if not task.scratch:
            checksums = [path.name for path in [folder / simulator_files.CHECKSUMS] if path.is_file()]
            digests.write(folder, checksums, place=place)  # a digest of the simulator's own checksums is enough
            if not task.keep_raw:
                (folder / layout.NOT_KEPT).touch()
        yield folder


def simulate_in(
    folder: Path,
    command: list[str],
    limit: SimulatorLimits = limits.NONE,
    may_fork: bool = False,
    inputs: Mapping[str, str] = NO_INPUTS,
) -> None:
    """Run one simulation, which writes to the folder.

    Raises `CellFailed` with the simulator's last words, or if a file that it reads has changed.
    """
    _check_inputs(inputs)
    _simulate(folder, command, limit, may_fork)
    _check_inputs(inputs)  # the simulator may have read a file that was changed in the meantime


def _check_inputs(inputs: Mapping[str, str]) -> None:
    """Raise `CellFailed` if a file that the simulator reads differs from the planned one."""
    if problem := input_files.problem(inputs):
        raise CellFailed(problem)


def _simulate(folder: Path, command: list[str], limit: SimulatorLimits, may_fork: bool) -> None:
    """As `simulate_in`, without a check of the files that the simulator reads."""
    if limit.data_bytes is not None and limit.data_bytes < limits.LEAST_DATA_BYTES:
        left, least = bytes_text(limit.data_bytes), bytes_text(limits.LEAST_DATA_BYTES)
        raise LimitExceeded(f"the job has {left} of memory for a simulator, which needs at least {least}")
    log = folder / "log.txt"
    status = _run_to_end([*command, f"--out={folder}"], log, limit, may_fork)
    if status:
        last_words = log.read_text(encoding="utf-8", errors="replace").strip()
        reason = f"{_ending_in_words(status)}\n{last_words}".strip()
        if limit.data_bytes is not None and limit.is_short_of_memory(status, last_words):
            most = bytes_text(limit.data_bytes)
            raise LimitExceeded(f"the simulator needs more than the {most} of memory that its job has left: {reason}")
        raise CellFailed(reason)
    if not (folder / "checksums.txt").is_file():
        raise CellFailed(f"{command[0]} ended without writing checksums.txt, its last file")


def _run_to_end(command: list[str], log: Path, limit: SimulatorLimits, may_fork: bool) -> int:
    """Run a simulator to its end; return its status as `subprocess.Popen.returncode` does. Raises `CellFailed`."""
    try:
        status = _status_of_runners(command, log.parent, limit.seconds)
        return _run_process(command, log, limit, may_fork) if status is None else status
    except subprocess.TimeoutExpired:
        raise LimitExceeded(f"the simulator did not end within its {limit.seconds:.0f} s of the job's time") from None


def _status_of_runners(command: list[str], folder: Path, seconds: float | None) -> int | None:
    """The status of a simulator that runs in a feature's way; None for others."""
    try:
        statuses = (run(command, folder, seconds) for run in features.runners())
        return next((status for status in statuses if status is not None), None)
    except UserError as error:
        raise CellFailed(str(error)) from None


def _run_process(command: list[str], log: Path, limit: SimulatorLimits, may_fork: bool) -> int:
    """As `_run_to_end`, as a process of its own."""
    with log.open("wb") as out:
        if may_fork and limit == limits.NONE:
            status = simulator_process.server(command[0]).run(command, log)
            if status is not None:
                return status
        process = simulator_process.start(command, out, limit)
        try:
            return process.wait(limit.seconds)
        finally:
            process.kill()
            process.wait()


def _ending_in_words(status: int) -> str:
    if status == -signal.SIGILL:
        return (
            "the simulator was ended by SIGILL: this machine's processor lacks instructions that its ns-3 is built "
            "for; name a processor that all machines support, such as `ns3: {source: …, march: x86-64-v3}`"
        )
    if status < 0:
        return f"the simulator was ended by {signal.Signals(-status).name}"
    return f"the simulator ended with exit status {status}"

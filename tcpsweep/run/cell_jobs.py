# SPDX-License-Identifier: MIT
"""Run the cells of a job: simulate and parse each, and go on to the next even if one fails."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tcpsweep.parse import simulator_files
from tcpsweep.run import cell_costs, limits, loading_ahead, real_time, simulator_process, worker_pool
from tcpsweep.run.limits import Limits
from tcpsweep.run.simulator_process import Server
from tcpsweep.store import claims, digests, layout, whole_files
from tcpsweep.sweep import job_plan
from tcpsweep.sweep.cost import Cost
from tcpsweep.sweep.job_plan import JobPlan, PlannedCell
from tcpsweep.sweep.span import Span
from tcpsweep.words import sizes_and_times

if TYPE_CHECKING:  # it imports polars, which is to load ahead of workers or while the simulator runs
    from tcpsweep.parse.parsed import Parsed


class CellFailed(Exception):
    """Why a cell has no result."""


class LimitExceeded(CellFailed):
    """A cell has no result because it needs more memory or time than its job has."""


class TooLate(CellFailed):
    """A cell has no result because its simulation lagged too far behind real time."""


class NotBegun(LimitExceeded):
    """A cell has no result because other cells used up its job's time."""


def run(
    plan_file: Path | str,
    limit: Limits = limits.NONE,
    scratch: Path | str | None = None,
    workers: int | None = None,
    under: int | None = None,
) -> None:
    """Bring the cells of a plan file to Parquet.

    Skip a cell that has its metrics; only parse one that has its raw files. Leave a cell to another run that works on
    it, and come back to it at the end. A cell that fails leaves its log in `results/failed/` and stays missing. If a
    cell needs more than the job has, the job fails at its end instead, unless this is the last attempt. A cell for
    which no time is left has not failed: it stays missing without a log.

    Parameters
    ----------
    plan_file : path
        The job's `JobPlan`.
    limit : limits.Limits
        What the job may take; not with ``workers``.
    scratch : path, optional
        Where to write raw files that nobody wants to keep, instead of `results/raw/`.
    workers : int, optional
        How many processes take the cells, in the plan's order; unless given, this process does. They begin no more
        cells once `job_plan.stop_file` is there.
    under : int, optional
        The id of a process without which they begin no more cells either.

    Raises
    ------
    SystemExit
        Cells need more than the job has, or their processes were killed.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    plan = job_plan.read(plan_file)
    if workers is None:
        if exceeded := _take(plan, plan.cells, limit, scratch, lambda: limit.simulator_seconds(1) == 0):
            sys.exit(f"{exceeded} of the job's cells need more than it has; it has to be tried again with more")
        return
    going = worker_pool.Going.of(job_plan.stop_file(plan_file), under)
    loading_ahead.load(_load)

    lost: list[int] = []
    for group, count in real_time.groups(plan.cells, workers):

        def work(places: Iterator[int], group: list[int] = group) -> None:
            with contextlib.ExitStack() as ended:
                server = Server(plan.binary)
                ended.callback(server.end)
                cells = (plan.cells[group[place]] for place in places)
                _take(plan, cells, limit, scratch, lambda: not going, server)

        lost += [group[place] for place in worker_pool.run(len(group), count, work, going)]
    if lost:
        cells = ", ".join(plan.cells[number].id for number in lost)
        sys.exit(f"processes were ended while they were at these cells, which the next run takes again: {cells}")


def _end(number: int, frame: object) -> None:
    """End this process in order, and only once: further signals must not disturb what it removes meanwhile."""
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda number, frame: None)  # SIG_IGN would have Python complain of one that is on its way
    sys.exit(128 + number)


def _take(
    plan: JobPlan,
    cells: Iterable[PlannedCell],
    limit: Limits,
    scratch: Path | str | None,
    is_over: Callable[[], bool],
    server: Server | None = None,
) -> int:
    """Take a job's cells one after the other, those that other runs have claimed last; how many need more than it has.

    When ``is_over``, no other run is waited for.
    """
    left = (cell for cell in cells if not _is_finished(plan, cell))
    with contextlib.closing(claims.in_turn(left, lambda cell: cell.id, is_over)) as taken:
        return sum(_is_too_much(plan, cell, hindrance, limit, scratch, server) for cell, hindrance in taken)


def _is_finished(plan: JobPlan, cell: PlannedCell) -> bool:
    return all(layout.is_whole(layout.measured(cell.id, plan.parser, measure)) for measure in cell.measures)


def _is_too_much(
    plan: JobPlan,
    cell: PlannedCell,
    hindrance: OSError | None,
    limit: Limits,
    scratch: Path | str | None,
    server: Server | None,
) -> bool:
    """Bring a job's cell to Parquet, or record that it failed; say whether it needs more than the job has.

    ``hindrance`` is why this process has no claim of it, if it has none.
    """
    if _is_finished(plan, cell):  # by another run, meanwhile
        return False
    command = [plan.binary, *cell.arguments]
    sys.stdout.write(f"{cell.id}\n")  # at once, as others write to the same log
    sys.stdout.flush()
    # Raw files that are there already were kept on purpose.
    keep_raw = plan.keep_raw or layout.is_raw_kept(cell.id)
    try:
        if isinstance(hindrance, BlockingIOError):
            raise NotBegun("not begun: another run is at it")
        if hindrance:
            raise hindrance
        seconds = limit.simulator_seconds(cell.seconds / plan.seconds)
        if seconds == 0:
            raise NotBegun("not begun, as the job's time was over")
        run_cell(
            cell.id,
            command,
            plan.parser,
            plan.decoder,
            cell.measures,
            cell.estimated,
            limit,
            seconds,
            None if keep_raw else scratch,
            keep_raw,
            server,
        )
    except Exception as error:  # whatever it is, it concerns this cell alone: the others go on
        if isinstance(error, MemoryError) and limit.job_bytes is not None:
            error = LimitExceeded("parsing needs more memory than its job has")
        reason = str(error) if isinstance(error, CellFailed | OSError) else traceback.format_exc()
        if isinstance(error, LimitExceeded):
            reason += _thought(plan, cell)
        print(reason, file=sys.stderr, flush=True)
        if isinstance(error, LimitExceeded) and not limit.last:
            return True
        if not isinstance(error, NotBegun):
            _record_failure(cell.id, command, reason)
    else:
        shutil.rmtree(layout.FAILED / cell.id, ignore_errors=True)
    return False


def run_cell(
    cell: str,
    command: list[str],
    parser: str,
    decoder: Path | str | None,
    measures: dict[str, Span],
    estimated: Cost | None = None,
    limit: Limits = limits.NONE,
    seconds: float | None = None,
    scratch: Path | str | None = None,
    keep_raw: bool = True,
    server: Server | None = None,
) -> None:
    """Bring one cell to its Parquet and its metrics. Its raw files are simulated unless they are there.

    Parameters
    ----------
    cell : str
    command : list of str
        The command that simulates it, without ``--out``.
    parser : str
        The code id of the steps that make its Parquet.
    decoder : path or None
        The library that reads its captures; None if it has none.
    measures : dict
        The identity of its metrics to the span that they are measured over, as in `PlannedCell.measures`.
    estimated : Cost, optional
        Its estimated cost, which is recorded beside what it took.
    limit : limits.Limits
        What its job may take.
    seconds : float, optional
        The time that its simulator may take.
    scratch : path, optional
        Where to write raw files that are not there yet, so that they do not stay.
    keep_raw : bool
        Whether raw files are there on purpose. If not, they go as soon as there is Parquet; until then they are marked,
        for the case that this process is killed.
    server : Server, optional
        The process from which its simulator is forked, unless that has limits of its own.

    Raises
    ------
    CellFailed
    """
    place, parsed = layout.parquet(cell, parser), None
    if not _is_right(place):
        raw = layout.raw(cell)
        has_raw = _is_right(raw)
        if not has_raw and not Path(command[0]).is_file():  # it was only to be measured, or parsed
            raise CellFailed("what it was to be made from is damaged and was removed; the next run simulates it again")
        if scratch and not has_raw:
            # `made_whole` makes a folder beside `place` at once: it tells the progress that the cell runs.
            with (
                digests.made_whole(place) as folder,
                whole_files.temporary(scratch) as kept_nowhere,
            ):
                simulate_in(kept_nowhere, command, limit, seconds, server)
                parsed = _parse(kept_nowhere, folder, decoder, estimated)
        else:
            if not has_raw:
                simulate(cell, command, limit, seconds, keep_raw, server)
            elif keep_raw:
                whole_files.remove_file(raw / layout.NOT_KEPT)
            with digests.made_whole(place) as folder:
                parsed = _parse(raw, folder, decoder, estimated)
    if not keep_raw:  # before there are metrics: with them, the cell is finished, and nobody would come back to it
        whole_files.remove_whole(layout.raw(cell))
    from tcpsweep.measure import audit, cell_metrics
    from tcpsweep.parse import raw_files  # polars loads ahead or while the simulator runs, or not at all
    from tcpsweep.store import table_files

    parsed = parsed or raw_files.read(place)
    for name, span in measures.items():
        measured = layout.measured(cell, parser, name)
        if not layout.is_whole(measured):
            whole_files.remove_whole(measured)
            with digests.made_whole(measured, above=place.parent) as folder:
                audited = {"audit": audit.table(parsed, place / "packets.parquet", command[1:])}
                table_files.write_all(cell_metrics.tables(parsed, cell, span) | audited, folder)


def _is_right(folder: Path) -> bool:
    """Whether a cell's folder of raw files or Parquet is there and is what was written; if not, remove what is there.

    This process has claimed the cell.
    """
    if not os.path.lexists(folder):
        return False
    if found := digests.problems(folder):
        print("\n".join(f"{each}: made again" for each in found), file=sys.stderr, flush=True)
        whole_files.remove_whole(folder)
    return not found


def _parse(raw: Path, folder: Path, decoder: Path | str | None, estimated: Cost | None) -> Parsed:
    from tcpsweep.parse import captures, raw_files, simulator_files

    started = cell_costs.begin()
    try:
        parsed = raw_files.cell(raw, folder)
        if decoder:
            captures.cell(raw, folder, Path(decoder))
        cell_costs.record(folder, raw, time.process_time() - started, estimated)
        return parsed
    except simulator_files.Damaged as error:
        # Kept, the raw files would fail every later run too.
        whole_files.remove_whole(raw)
        raise CellFailed(str(error)) from None


def simulate(
    cell: str,
    command: list[str],
    limit: Limits = limits.NONE,
    seconds: float | None = None,
    keep_raw: bool = True,
    server: Server | None = None,
) -> None:
    """Run one simulation, so that `results/raw/<cell>/` holds all its files or does not exist.

    Raises
    ------
    CellFailed
        With the simulator's last words.
    """
    place = layout.raw(cell)
    with whole_files.made_whole(place) as folder:
        simulate_in(folder, command, limit, seconds, server)
        own = [path.name for path in [folder / simulator_files.CHECKSUMS] if path.is_file()]
        digests.write(folder, own, place=place)  # that of the simulator's own checksums is enough
        if not keep_raw:
            (folder / layout.NOT_KEPT).touch()


def simulate_in(
    folder: Path,
    command: list[str],
    limit: Limits = limits.NONE,
    seconds: float | None = None,
    server: Server | None = None,
) -> None:
    """Run one simulation, which writes to the folder; one in real time again, and alone, if it was too late.

    Raises
    ------
    CellFailed
        With the simulator's last words.
    """
    if not real_time.is_in(command):
        is_limited = limit.data_bytes is not None or seconds is not None
        _simulate_once(folder, command, limit, seconds, None if is_limited else server)
        return
    for attempt in range(real_time.ATTEMPTS):
        with real_time.turn(alone=attempt > 0):
            try:
                _simulate_once(folder, command, limit, seconds)
                return
            except TooLate as error:
                if attempt == real_time.ATTEMPTS - 1:
                    raise
                real_time.note_refusal(folder, str(error))
                print(f"{error}\ntried again, with no other in real time beside it", file=sys.stderr, flush=True)


def _simulate_once(
    folder: Path, command: list[str], limit: Limits, seconds: float | None, server: Server | None = None
) -> None:
    log = folder / "log.txt"
    if limit.data_bytes is not None and limit.data_bytes < limits.LEAST_DATA_BYTES:
        left, least = sizes_and_times.bytes_text(limit.data_bytes), sizes_and_times.bytes_text(limits.LEAST_DATA_BYTES)
        raise LimitExceeded(f"the job has {left} of memory for a simulator, which needs {least} at least")

    own, status = [*command, f"--out={folder}"], None
    with log.open("wb") as out:
        if server:
            status = server.status(own, log, _load)
        if status is None:
            process = simulator_process.started(own, out, limit)
            try:
                _load()
                status = process.wait(seconds)
            except subprocess.TimeoutExpired:
                words = f"the simulator did not end in the {seconds:.0f} s that its job has for it"
                raise LimitExceeded(words) from None
            finally:
                process.kill()
                process.wait()
    if status:
        words = log.read_text(encoding="utf-8", errors="replace").strip()
        reason = f"{_ending(status)}\n{words}".strip()
        if limit.data_bytes is not None and limit.short_of_memory(status, words):
            most = sizes_and_times.bytes_text(limit.data_bytes)
            raise LimitExceeded(f"the simulator needs more than the {most} of memory that its job has for it: {reason}")
        raise (TooLate if status == real_time.TOO_LATE else CellFailed)(reason)
    if not (folder / "checksums.txt").is_file():
        raise CellFailed(f"{command[0]} ended without writing checksums.txt, its last file")


def _load() -> None:
    """Load what parsing and measuring need: half a second, once for all workers, or else beside the simulator."""
    import tcpsweep.measure.audit
    import tcpsweep.measure.cell_metrics
    import tcpsweep.parse.captures  # noqa: F401


def _thought(plan: JobPlan, cell: PlannedCell) -> str:
    own, total = sizes_and_times.time_text(cell.seconds), sizes_and_times.time_text(plan.seconds)
    memory = sizes_and_times.bytes_text(plan.memory)
    return f"\nThe cell was expected to take {own}, the job's cells {total} in all, and up to {memory} of memory."


def _ending(status: int) -> str:
    if status == -signal.SIGILL:
        return (
            "the simulator was ended by SIGILL: this machine's processor lacks instructions that its ns-3 is built "
            "for; name a processor that all machines support, such as `ns3: {source: …, march: x86-64-v3}`"
        )
    if status < 0:
        return f"the simulator was ended by {signal.Signals(-status).name}"
    return f"the simulator ended with exit status {status}"


def _record_failure(cell: str, command: list[str], reason: str) -> None:
    try:
        folder = layout.FAILED / cell
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "log.txt").write_text(f"{shlex.join(command)} --out=DIR\n{reason}\n", encoding="utf-8")
    except OSError as error:
        print(f"{cell}: the failure could not be recorded: {error}", file=sys.stderr)

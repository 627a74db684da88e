# SPDX-License-Identifier: MIT
"""Running the cells of a job: simulate, parse, and go on to the next whatever happened."""

import ctypes
import json
import shlex
import shutil
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

from tcpsweep import engine, store

_PR_SET_PDEATHSIG = 1


class CellFailed(Exception):
    """Why a cell has no result."""


def run(plan_file):
    """Bring the cells of a plan file to Parquet.

    A cell that has its Parquet is passed over, one that has its raw files is only parsed. A cell that fails leaves
    its log in `results/failed/` and stays missing.

    Parameters
    ----------
    plan_file : path
        A JSON object: ``binary``, ``parser``, ``decoder`` (null where nothing is captured), ``keep_raw``, ``cells``
        (``id``, ``arguments``, ``measures``, the ids and spans by which it is measured, and ``estimated``, its cost).
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    plan = json.loads(Path(plan_file).read_text(encoding="utf-8"))
    for cell in plan["cells"]:
        if all(store.measured(cell["id"], plan["parser"], measure).is_dir() for measure in cell["measures"]):
            continue
        command = [plan["binary"], *cell["arguments"]]
        print(cell["id"], flush=True)
        had_raw = store.raw(cell["id"]).is_dir()
        try:
            run_cell(cell["id"], command, plan["parser"], plan["decoder"], cell["measures"], cell["estimated"])
        except Exception as error:  # whatever it is, it is this cell's: the others go on
            reason = str(error) if isinstance(error, CellFailed | OSError) else traceback.format_exc()
            _record_failure(cell["id"], command, reason)
            print(reason, file=sys.stderr, flush=True)
        else:
            shutil.rmtree(store.FAILED / cell["id"], ignore_errors=True)
            # Raw files that were there are somebody's who wanted to keep them.
            if not plan["keep_raw"] and not had_raw:
                store.remove_whole(store.raw(cell["id"]))


def run_cell(cell, command, parser, decoder, measures, estimated=None):
    """Bring one cell to its Parquet and its metrics, by way of raw files that are there or are made and stay.

    Parameters
    ----------
    cell : str
    command : list of str
        What simulates it.
    parser : str
        The code id of the steps that make its Parquet.
    decoder : str or None
        The library that reads its captures.
    measures : dict
        What its metrics are measured by: id to span, as `spans` gives them.
    estimated : dict, optional
        What it was estimated to cost, which is recorded beside what it took.

    Raises
    ------
    CellFailed
    """
    place, parsed = store.parquet(cell, parser), None
    if not place.is_dir():
        if not store.raw(cell).is_dir():
            simulate(cell, command)
        parsed = _parse(cell, place, decoder, estimated)
    from tcpsweep import audit, measure, parse  # polars loads while the simulator runs, or not at all

    parsed = parsed or parse.read(place)
    for name, span in measures.items():
        measured = store.measured(cell, parser, name)
        if not measured.is_dir():
            with store.made_whole(measured, above=place.parent) as folder:
                measure.write(parsed, folder, cell, span)
                audit.write(parsed, place / "packets.parquet", folder)


def _parse(cell, place, decoder, estimated):
    from tcpsweep import costs, parse

    started = time.process_time()
    with store.made_whole(place) as folder:
        try:
            parsed = parse.cell(store.raw(cell), folder)
            if decoder:
                from tcpsweep import captures

                captures.cell(store.raw(cell), folder, decoder)
            costs.record(folder, store.raw(cell), time.process_time() - started, estimated)
            return parsed
        except parse.Damaged as error:
            # Kept, the raw files would fail every later run too.
            store.remove_whole(store.raw(cell))
            raise CellFailed(str(error)) from None


def simulate(cell, command):
    """Run one simulation, so that `results/raw/<cell>/` holds all its files or does not exist.

    Raises
    ------
    CellFailed
        With the simulator's last words.
    """
    libc = ctypes.CDLL(None)
    with store.made_whole(store.raw(cell)) as folder:
        log = folder / "log.txt"
        with log.open("wb") as out:
            # The simulator ends with this process, also when that is killed.
            process = subprocess.Popen(
                [*command, f"--out={folder}"],
                env=engine.environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                preexec_fn=lambda: libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL),
            )
        try:
            import tcpsweep.measure  # noqa: F401  (half a second of polars, beside the simulator)

            status = process.wait()
        finally:
            process.kill()
        if status:
            words = log.read_text(encoding="utf-8", errors="replace").strip()
            raise CellFailed(f"{_ending(status)}\n{words}".strip())
        if not (folder / "run.json").is_file():
            raise CellFailed(f"{command[0]} ended without writing run.json")


def _ending(status):
    if status == -signal.SIGILL:
        return (
            "the simulator was ended by SIGILL: this machine's processor lacks instructions that its ns-3 is built "
            "for; name processors that all machines are with `ns3: {source: …, march: x86-64-v3}`, such as that"
        )
    if status < 0:
        return f"the simulator was ended by {signal.Signals(-status).name}"
    return f"the simulator ended with exit status {status}"


def _record_failure(cell, command, reason):
    try:
        folder = store.FAILED / cell
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "log.txt").write_text(f"{shlex.join(command)} --out=DIR\n{reason}\n", encoding="utf-8")
    except OSError as error:
        print(f"{cell}: the failure could not be recorded: {error}", file=sys.stderr)

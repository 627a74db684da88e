# SPDX-License-Identifier: MIT
"""Run a single cell, if it has no result yet, and show its results."""

import difflib
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from tcpsweep.core.command_line.commands import prune
from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.identity import cpp_code
from tcpsweep.core.ns3 import catalogue, engine, programs, variants
from tcpsweep.core.parse import packet_decoder
from tcpsweep.core.plan import cell_commands, result_ids
from tcpsweep.core.run import run_cell
from tcpsweep.core.run.run_cell import CellTask
from tcpsweep.core.store import cell_files, claims, compiled_programs, layout, removal
from tcpsweep.core.sweep import host_programs, input_files, sweep_record
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import rounding
from tcpsweep.core.words.user_error import UserError

MOST_LISTED = 10
_IS_ID = re.compile(r"[A-Za-z0-9+_][A-Za-z0-9.+_-]*")


def find(name: str, runs_code: bool = False) -> tuple[str, list[str], PlannedSweep]:
    """The planned cell whose id is or contains ``name``, its command without ``--out``, and a sweep with it.

    With ``runs_code``, the command may use an ns-3 that was not used here before. Raises `UserError` if there is no
    such cell or more than one.
    """
    sweeps: dict[str, PlannedSweep] = {}  # by the id of a cell
    unreadable: list[sweep_record.Unreadable] = []
    for file in layout.SWEEPS.glob(f"*/{sweep_record.FILE}"):
        try:
            sweep = sweep_record.read(file.parent)
        except sweep_record.Unreadable as error:
            unreadable.append(error)
        else:
            sweeps |= {run.cell: sweep for run in sweep.cells if _IS_ID.fullmatch(run.cell)}
    matches = [name] if name in sweeps else sorted(cell for cell in sweeps if name in cell)
    if unreadable and not matches:
        raise unreadable[0]
    if not sweeps:
        raise UserError("no sweep has run in this folder; `tcpsweep sweep FILE` runs one")
    if not name:
        raise UserError(f"which simulation? Write its id, or a unique part of it, such as ID={sorted(sweeps)[0][-12:]}")
    if len(matches) != 1:
        why = (
            f"{len(matches)} simulations have this in their id" if matches else "no planned sweep has such a simulation"
        )
        similar = matches or difflib.get_close_matches(name, sweeps, n=5, cutoff=0.3)
        raise UserError(f"{name}: {why}{_listed_cells(similar)}\nA sweep's report lists the ids of its simulations.")
    (cell,) = matches
    return cell, _command(cell, sweeps[cell], runs_code), sweeps[cell]


def _command(cell: str, sweep: PlannedSweep, runs_code: bool) -> list[str]:
    """A cell's command, made again from the sweep's parameters by the code here.

    The folder may come from elsewhere, so no command or program in it is used. Raises `UserError`, also if the code or
    the ns-3 has changed since the sweep was planned.
    """
    ns3, program = _ns3(sweep, runs_code), schema.program(sweep.scenario)
    sources = _compiled_sources(ns3, sweep)
    variant_names = variants.names() | sources.keys()
    code_now = {program: cpp_code.cpp_id(program)} | {name: variants.code_id(name, sources) for name in variant_names}
    code_planned = {program: sweep.scenario_code} | sweep.variants
    if changed := [name for name, code in code_planned.items() if code_now.get(name) != code]:
        raise UserError(f"{cell}: the code of {changed[0]} has changed since it was planned; plan the sweep again")
    if ns3.libraries_id != sweep.ns3_libraries:
        raise UserError(f"{cell}: was planned for another ns-3 than the one in {ns3.prefix}; plan the sweep again")
    try:
        planned_cells = {
            planned_cell.id: planned_cell
            for planned_cell in cell_commands.cells(sweep, code_now[program], ns3, lambda: catalogue.types(ns3))
        }
    except (LookupError, TypeError, ValueError):
        damaged = layout.SWEEPS / sweep.name / sweep_record.FILE
        raise UserError(f"{damaged} is damaged; plan the sweep again") from None
    if cell not in planned_cells:
        raise UserError(f"{cell}: its parameters have changed since it was planned; plan the sweep again")
    return [str(programs.place(ns3, program)), *planned_cells[cell].arguments]


def _ns3(sweep: PlannedSweep, runs_code: bool) -> engine.Engine:
    """The ns-3 of a sweep: one for which programs were compiled here before, unless the user agrees to another."""
    ns3 = engine.find(sweep.ns3_prefix)
    is_known = sweep.ns3_prefix is None or ns3.name in layout.names_in(compiled_programs.folder())
    if not is_known and not runs_code:
        raise UserError(
            f"this simulation uses the ns-3 in {ns3.prefix}, for which nothing was compiled here before; "
            "to allow this, add --run-code"
        )
    return ns3


def check_consent(command: Sequence[str], runs_code: bool) -> None:
    """Raise `UserError` if a simulation has programs as flows, and the user has not agreed to run them.

    The record with their commands may come from elsewhere.
    """
    commands = host_programs.commands_among(command)
    if commands and not runs_code:
        listed = ", ".join(f"`{program}`" for program in dict.fromkeys(commands))
        raise UserError(f"this simulation runs {listed} as you; to allow this, add --run-code")


def _compiled_sources(ns3: engine.Engine, sweep: PlannedSweep) -> dict[str, str]:
    """The files of the sweep's variants whose code was compiled here before.

    A folder that came from elsewhere may name any file, and nothing in it is compiled because it says so.
    """
    existing = {name: path for name, path in sweep.variant_files.items() if Path(f"{path}.cc").is_file()}
    return {
        name: path
        for name, path in existing.items()
        if compiled_programs.is_there(variants.library(ns3, name, existing))
    }


def _listed_cells(cells: Sequence[str]) -> str:
    """The end of a message that lists cells, up to `MOST_LISTED`; empty without cells."""
    more = f"\n  and {len(cells) - MOST_LISTED} more" if len(cells) > MOST_LISTED else ""
    return "; these:" * bool(cells) + "".join(f"\n  {cell}" for cell in cells[:MOST_LISTED]) + more


def run(name: str, runs_code: bool = False) -> tuple[str, list[str], PlannedSweep]:
    """Run one cell if its Parquet is missing; print its flows and the paths of its files.

    With ``runs_code``, it may run programs and an ns-3 that the record of the sweep names. Returns what `find` returns.
    Raises `UserError` and `run_cell.CellFailed`.
    """
    import polars as pl

    cell, command, sweep = find(name, runs_code)
    parser, library = result_ids.parser_and_decoder(sweep.capture)
    span_by_measure = {
        result_ids.metrics_id(sweep.spans[combination]): sweep.spans[combination]
        for of_cell, combination, _ in sweep.cells
        if of_cell == cell
    }
    parquet_folder = layout.parquet(cell, parser)
    is_finished = all(layout.is_whole(layout.measured(cell, parser, measure)) for measure in span_by_measure)
    if not is_finished:
        check_consent(command, runs_code)
        compile_all(command, sweep)
        if library:
            packet_decoder.library()
        try:
            with claims.awaited(cell):
                inputs = input_files.named(command, sweep.inputs)
                run_cell.run_cell(CellTask(cell, command, parser, library, span_by_measure, inputs=inputs))
        except run_cell.CellFailed as error:
            raise run_cell.CellFailed(f"{cell} failed: {error}\nby hand: {by_hand(command)}") from None
        removal.remove(layout.FAILED / cell)
    flows = pl.read_parquet(cell_files.checked(parquet_folder / "flows.parquet"))
    record = cell_files.record(parquet_folder)
    seconds = float(record["cpu_s"])
    when = "finished before" if is_finished else "run now"
    say(f"{cell}, {when}: {record['events']} events in {seconds:.1f} s of CPU\n")
    flow_table = flows.select(
        "flow",
        "variant",
        pl.col("start_s").round(3),
        "received_bytes",
        "rx_packets",
        mean_delay_ms=(pl.col("delay_sum_s") / pl.col("rx_packets") * 1e3).round(2),
    )
    with pl.Config(tbl_rows=50, tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True):
        say(str(flow_table))
    say()
    for what, folder in (("Parquet", parquet_folder), ("raw files", layout.raw(cell))):
        if folder.is_dir():
            say(f"{what}: {folder}, {rounding.bytes_text(prune.size(folder))}")
    say(f"by hand: {by_hand(command)}")
    return cell, command, sweep


def compile_all(command: Sequence[str], sweep: PlannedSweep) -> None:
    """Compile the programs that a cell's command needs and that are missing."""
    for name, path in _compiled_files(command):
        if not compiled_programs.is_there(path):
            programs.compile_program(engine.find(sweep.ns3_prefix), name)


def _compiled_files(command: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """A command's program and libraries: each one's name for `programs.compile_program`, and its path."""
    yield Path(command[0]).name, Path(command[0])
    for argument in command[1:]:
        if argument.startswith(programs.LOAD):
            for library in map(Path, argument.removeprefix(programs.LOAD).split(",")):
                yield f"variants/{library.stem.removeprefix('lib')}", library


def by_hand(command: Sequence[str]) -> str:
    """The command with a placeholder for the option that the user must fill in."""
    return shlex.join([*command, "--out=DIR"])

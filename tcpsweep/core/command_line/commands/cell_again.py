# SPDX-License-Identifier: MIT
"""Run one cell again with other captures, without changing its results."""

import dataclasses
import json
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tcpsweep.core.command_line.commands import one_cell, prune
from tcpsweep.core.parse import packet_decoder
from tcpsweep.core.plan import result_ids
from tcpsweep.core.run import run_cell
from tcpsweep.core.store import cell_files, claims, layout, removal, whole_files
from tcpsweep.core.sweep import input_files
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import rounding, units

# The keys of a sweep file's ``capture`` that are available here, which are also the scenario's options.
OPTIONS = ("pcap", "snaplen", "ascii", "anim", "text")
RAW = "raw"
MOST_LISTED = 12
_LRWPAN_LINKS = (195, 230)
_COMPARED = ("flows", "flow_monitor", "traces", "queue", "transfers")


def run(cell: str, command: Sequence[str], sweep: PlannedSweep, captures: Mapping[str, Any], keep: bool) -> str:
    """Run a finished cell again into `layout.again`, replacing its content; return a message for the user.

    The command lacks ``--out``. Captures are some of `OPTIONS` with their values; the others are the sweep's. ``keep``
    keeps raw files in ``raw/``. Raises `UserError` and `run_cell.CellFailed`.
    """
    from tcpsweep.core.parse import captures as captured_files
    from tcpsweep.core.parse import raw_files, simulator_files

    capture = dataclasses.replace(sweep.capture, **captures)
    arguments = [
        argument for argument in command if argument.partition("=")[0] not in {f"--{name}" for name in captures}
    ]
    arguments += [f"--{name}={units.value_text(value)}" for name, value in captures.items()]
    target = layout.again(cell)
    one_cell.compile_all(command, sweep)
    if capture.is_decoded:
        packet_decoder.library()
    _, library = result_ids.parser_and_decoder(capture)
    removal.remove(target)
    try:
        with claims.awaited(cell), whole_files.made_whole(target) as folder:
            raw = folder / RAW
            raw.mkdir()
            run_cell.simulate_in(raw, arguments, inputs=input_files.named(arguments, sweep.inputs))
            raw_files.cell(raw, folder)
            if library:
                captured_files.cell(raw, folder, library)
            if not keep:
                removal.remove(raw)
    except (run_cell.CellFailed, simulator_files.Damaged) as error:
        raise run_cell.CellFailed(f"{cell} failed: {error}\nby hand: {one_cell.by_hand(arguments)}") from None
    parser, _ = result_ids.parser_and_decoder(sweep.capture)
    differing = differences(layout.parquet(cell, parser), target)
    head = f"run again: {target}, {rounding.bytes_text(prune.size(target))}; the sweep's results are unchanged"
    return "\n".join([head, *_compared_words(differing), *_openers(target, keep)])


def differences(measured: Path, again: Path) -> list[str]:
    """The tables in which two runs of a cell differ, with the first difference; none if the simulations are equal."""
    import polars as pl

    lines = []
    for table in _COMPARED:
        if not (again / f"{table}.parquet").is_file():  # there is no traffic
            continue
        before = pl.read_parquet(cell_files.checked(measured / f"{table}.parquet"))
        now = pl.read_parquet(again / f"{table}.parquet")
        if before.equals(now):
            continue
        rows = min(before.height, now.height)
        equal_columns = [before[name].head(rows).eq_missing(now[name].head(rows)) for name in before.columns]
        unequal_rows = pl.select(~pl.all_horizontal(equal_columns)).to_series().arg_true() if rows else pl.Series([0])
        first = unequal_rows[0] if len(unequal_rows) else rows
        lines.append(
            f"{table}: {before.height} rows in the sweep, {now.height} now; the first difference is in row {first}"
        )
    return lines


def _compared_words(differing: Sequence[str]) -> list[str]:
    if not differing:
        return ["its numbers equal the sweep's"]
    return [
        "ITS NUMBERS DIFFER from the sweep's:",
        *(f"  {difference}" for difference in differing),
        "so the captures show another simulation than the sweep's tables; these may come from another ns-3 or machine",
    ]


def _openers(place: Path, keep: bool) -> list[str]:
    """Commands that open the files: for each kind, a command for the first file, and the other files' names."""
    record = json.loads((place / "run.json").read_text(encoding="utf-8"))
    link_types = {capture["file"]: capture["link_type"] for capture in record["captures"] if "link_type" in capture}
    raw = place / RAW
    lines = _opening_lines(
        [place / f"{name}.parquet" for name in ("packets", "events", "nodes", "traces", "queue", "flows", "transfers")],
        lambda path: f"polars.read_parquet({str(path)!r})",
    )
    for link in dict.fromkeys(link_types.values()):
        files = [raw / name for name in link_types if link_types[name] == link]
        lines += _opening_lines(files, lambda path: _tshark_command(path, record, link_types[path.name]))
    lines += _opening_lines([raw / "ascii.tr"], lambda path: shlex.join(["less", str(path)]))
    lines += _opening_lines([raw / "anim.xml"], lambda path: shlex.join(["NetAnim", str(path)]))
    queues = [
        f"queue{'' if queue['link'] == 'bottleneck' else '-' + queue['link']}"
        f"{'_reverse' if queue['direction'] == 'reverse' else ''}"
        for queue in record["queue"]
    ]
    texts = [raw / f"{name}.txt" for name in (*record["traces"], *queues)]
    lines += _opening_lines(texts, lambda path: shlex.join(["less", str(path)]))
    notes = []
    if link_types and keep:
        notes.append(
            "-d, because the flows' payload has no protocol, whatever their ports mean; wireshark takes it too"
        )
    if not keep and (link_types or record["captures"]):
        notes.append("ns-3's own files, including pcap, were removed; --keep keeps them")
    return ["open with:", *(f"  {line}" for line in lines), *notes]


def _opening_lines(files: Iterable[Path], open_command: Callable[[Path], str]) -> list[str]:
    existing = [path for path in files if path.is_file()]
    if not existing:
        return []
    names = [path.name for path in existing[1:]]
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    same_for_others = [f"  the same for {', '.join(names[:MOST_LISTED])}{more}"] if names else []
    return [open_command(existing[0]), *same_for_others]


def _tshark_command(file: Path, record: Mapping[str, Any], link: int) -> str:
    ports = {flow["destination_port"] for flow in record["flows"]}
    decoding = [part for port_range in _ranges(ports) for part in ("-d", f"tcp.port=={port_range},data")]
    # ns-3 writes no checksums into 802.15.4 frames.
    checksums = ["-o", "wpan.802154_fcs_ok:FALSE"] if link in _LRWPAN_LINKS else []
    return shlex.join(["tshark", "-r", str(file), *decoding, *checksums])


def _ranges(numbers: Iterable[int]) -> list[str]:
    """Numbers as ranges: 3, 4, 5 and 9 become 3-5 and 9."""
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return [str(first) if first == last else f"{first}-{last}" for first, last in ranges]

# SPDX-License-Identifier: MIT
"""Parse a cell's captures: pcap files into the table `packets`, an ascii trace into `events` and `nodes`."""

import json
from dataclasses import asdict
from pathlib import Path

from tcpsweep.core.parse import ascii_trace, nodes, packets, simulator_files
from tcpsweep.core.parse.simulator_files import Damaged
from tcpsweep.core.words import units

ASCII = "ascii.tr"


def cell(raw: Path, out: Path, decoder: Path) -> None:
    """Decode the captures of one cell.

    Parameters
    ----------
    raw : Path
        The folder that the simulator filled.
    out : Path
        The folder that `raw_files.cell` filled. It gets ``packets.parquet`` if there are pcap files, and
        ``events.parquet`` and ``nodes.parquet`` if there is an ascii trace. The counts of each file are added to the
        record, under ``captures``.
    decoder : Path
        The library that reads pcap files.

    Raises
    ------
    Damaged
        A file has changed since the simulator wrote it, or has content that the simulator never writes.
    """
    record_file = out / "run.json"
    run = json.loads(record_file.read_text(encoding="utf-8"))
    by_file = {capture["file"]: capture for capture in run["captures"]}
    files = simulator_files.files_in(raw)
    for name in by_file:
        files.check(name)
    summaries: list[packets.Summary | ascii_trace.Summary] = []
    pcaps = {capture["interface"]: raw / name for name, capture in by_file.items() if name != ASCII}
    if pcaps:
        try:
            summaries += packets.write(decoder, pcaps, out / "packets.parquet", run["flows"])
        except packets.CaptureError as error:
            raise Damaged(str(error)) from None
    if ASCII in by_file:
        summaries.append(ascii_trace.write_events(raw / ASCII, out / "events.parquet"))
        end_s = float(units.si(run["parameters"]["duration"], "time"))
        nodes.write(out / "events.parquet", end_s, out / "nodes.parquet")
    for summary in summaries:
        fault = summary.incomplete or (summary.first_damaged if isinstance(summary, packets.Summary) else None)
        if fault:
            raise Damaged(fault)
        by_file[summary.path.name] |= {name: value for name, value in asdict(summary).items() if name in _COUNT_FIELDS}
    record_file.write_text(json.dumps(run), encoding="utf-8")


_COUNT_FIELDS = ("frames", "lines", "rows", "cut", "headless", "others", "unknown")

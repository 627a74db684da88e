# SPDX-License-Identifier: MIT
"""Record a cell's actual cost next to its estimate, for `plan.expected_costs`."""

import contextlib
import json
import re
import resource
from dataclasses import asdict
from pathlib import Path

from tcpsweep.core.sweep.cost import Cost, Kind, Measured

_CPU_FILE = "cpu_s.txt"  # next to the raw files of a cell in virtual time, whose own clock does not tell its CPU time


def children_cpu_s() -> float:
    """The CPU time of this process's children that have ended, in s."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def note_cpu_s(raw: Path, seconds: float) -> None:
    """Note the CPU time of a simulation next to its raw files."""
    (raw / _CPU_FILE).write_text(f"{seconds:.3f}\n", encoding="ascii")


def reset_peak_memory() -> None:
    """Reset the peak memory of this process, which may come from an earlier cell."""
    with contextlib.suppress(OSError):  # without the reset, the largest cell so far counts
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def record(parsed: Path, raw: Path, parsing_s: float, kind: Kind, estimated: Cost) -> None:
    """Add a cell's actual cost to its `run.json` under ``cost``.

    ``parsed`` is the folder with its Parquet files and its `run.json`, ``raw`` is the folder with its raw files, and
    ``parsing_s`` is the CPU time of parsing, in s.
    """
    record_file, noted = parsed / "run.json", raw / _CPU_FILE
    run = json.loads(record_file.read_text(encoding="utf-8"))
    cpu_s = float(noted.read_text(encoding="ascii")) if noted.is_file() else run["cpu_s"]
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak_bytes = max(1024 * int(kib) for kib in re.findall(r"VmHWM:\s*([0-9]+)", status))
    memory = peak_bytes + (run["peak_rss_bytes"] or 0)
    taken = Cost(cpu_s + parsing_s, memory, folder_bytes(raw), folder_bytes(parsed))
    run["cost"] = asdict(Measured(kind, estimated, taken))
    record_file.write_text(json.dumps(run), encoding="utf-8")


def folder_bytes(folder: Path | str) -> int:
    """The total bytes of the files directly in a folder, without its subfolders."""
    return sum(path.stat().st_size for path in Path(folder).iterdir() if path.is_file())

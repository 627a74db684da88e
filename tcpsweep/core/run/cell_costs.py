# SPDX-License-Identifier: MIT
"""Record a cell's actual cost next to its estimate; `plan.cost_corrections` corrects later estimates with it."""

import contextlib
import json
import re
import resource
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tcpsweep.core.sweep.cost import Cost

_CPU_FILE = "cpu_s.txt"  # next to the raw files of a cell in virtual time, whose own clock does not tell its CPU time


def children_cpu_s() -> float:
    """The CPU time of this process's children that have ended, in s."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def note_cpu_s(raw: Path, seconds: float) -> None:
    """Note the CPU time of a simulation next to its raw files."""
    (raw / _CPU_FILE).write_text(f"{seconds:.3f}\n", encoding="ascii")


def _simulation_cpu_s(run: dict[str, Any], raw: Path) -> float:
    """The CPU time that a simulation took, in s."""
    noted = raw / _CPU_FILE
    return float(noted.read_text(encoding="ascii") if noted.is_file() else run["cpu_s"])


def reset_peak_memory() -> None:
    """Reset the peak memory of this process, which may come from an earlier cell."""
    with contextlib.suppress(OSError):  # without the reset, the largest cell so far counts
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def _own_peak_bytes() -> int:
    """The peak memory of this process since `reset_peak_memory`, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return max(1024 * int(kib) for kib in re.findall(r"VmHWM:\s*([0-9]+)", status))


def record(parsed: Path, raw: Path, parsing_s: float, estimated: Cost | None) -> None:
    """Add a cell's actual cost to its `run.json` under ``cost``.

    ``parsed`` is the folder with its Parquet files and its `run.json`, ``raw`` is the folder with its raw files, and
    ``parsing_s`` is the CPU time of parsing, in s.
    """
    record_file = parsed / "run.json"
    run = json.loads(record_file.read_text(encoding="utf-8"))
    taken = Cost(
        _simulation_cpu_s(run, raw) + parsing_s,
        _own_peak_bytes() + (run["peak_rss_bytes"] or 0),
        folder_bytes(raw),
        folder_bytes(parsed),
    )
    run["cost"] = {"estimated": estimated and asdict(estimated), "taken": asdict(taken)}
    record_file.write_text(json.dumps(run), encoding="utf-8")


def folder_bytes(folder: Path | str) -> int:
    """The total bytes of the files directly in a folder, without its subfolders."""
    return sum(path.stat().st_size for path in Path(folder).iterdir() if path.is_file())

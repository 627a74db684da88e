# SPDX-License-Identifier: MIT
"""Remove files that no sweep needs any more, after a list with sizes and a yes."""

import contextlib
import fcntl
import os
import re
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.contact import features
from tcpsweep.core.identity import cpp_code, source_folders
from tcpsweep.core.ns3 import programs, variants
from tcpsweep.core.parse import packet_decoder
from tcpsweep.core.plan import build_users
from tcpsweep.core.store import compiled_programs, layout, locks, removal
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.words import rounding

# What `tcpsweep clean` removes: a description for the user, and the files.
CLEANED: dict[str, tuple[str, list[Path | str]]] = {
    "results": (  # all but README.md, which belongs to the repository, and the lock that the removal holds
        "all simulations and tables of all sweeps",
        [layout.RESULTS / "[a-z]*"],
    ),
    "reports": (
        "reports; a new run of a sweep writes its report again",
        ["reports/*.html", "reports/*.png", "reports/*_files"],
    ),
    "logs": ("logs and benchmarks of jobs", [layout.SWEEPS / "*" / layout.JOBS, ".snakemake/log"]),
}
BUILD = "all compiled programs, for sweeps in all folders; the next sweep compiles its programs again"

# Folders in which programs, ns-3, kernels and QUIC stacks are compiled.
_SCRATCH = ("ns*/.*-*/", ".packets-*/", ".quic-*/", ".linux-*/", ".native-*/", ".plain/")
_SCRATCH_NAME = re.compile(r"\..+-[0-9a-f]{12}(?:\.(.+))?\.([0-9]+)")


def size(path: Path) -> int:
    """The size of a file, or of all files below a folder, in bytes."""
    if path.is_symlink() or not path.is_dir():
        return path.lstat().st_size
    with os.scandir(path) as entries:
        return sum(
            size(Path(entry)) if entry.is_dir(follow_symlinks=False) else entry.stat(follow_symlinks=False).st_size
            for entry in entries
        )


def unwanted() -> dict[str, list[Path]]:
    """The files that no sweep in `results/sweeps/` needs by its last plan, by kind, such as "raw files".

    Sweeps in other folders share compiled programs. A program is unwanted only if no sweep anywhere can need it.
    """
    parsers_by_cell: dict[str, set[str]] = {}
    measured: set[tuple[str, str, str]] = set()
    for table in layout.SWEEPS.glob(f"*/{sweep_record.FILE}"):
        sweep = sweep_record.read(table.parent)
        for cell, combination, _ in sweep.cells:
            parsers_by_cell.setdefault(cell, set()).add(sweep.parser)
            measured.add((cell, sweep.parser, f"measured-{sweep.measures[combination]}"))
    by_kind = _unwanted_of_cells(parsers_by_cell, measured) | {
        "raw files": [path for path in layout.RAW.glob("[!.]*") if path.name not in parsers_by_cell],
        "logs of failures": [path for path in layout.FAILED.glob("[!.]*") if path.name not in parsers_by_cell],
        **compiled(compiled_programs.folder()),
    }
    return {kind: sorted(paths) for kind, paths in by_kind.items() if paths}


def compiled(folder: Path) -> dict[str, list[Path]]:
    """The unwanted files from compiling."""
    scenarios = {path.stem for path in source_folders.SCENARIOS.glob("*.cc")}
    sources = {name: name for name in scenarios} | {name: f"variants/{name}" for name in variants.names()}
    sources[Path(programs.SHARED).name] = programs.SHARED
    current, unreadable = {packet_decoder.place().parent.name}, set()
    for name, source in sources.items():
        try:
            current.add(f"{name}-{cpp_code.cpp_id(source)}")
        except cpp_code.UnknownInclude:  # a sweep that needs it reports the error; until then, all its builds are kept
            unreadable.add(name)
    folders = [path for pattern in ("ns*/[!.]*-*/", "packets-*/") for path in folder.glob(pattern)]
    logs = [path for pattern in ("ns*/[!.]*.log", "packets-*.log", "native-ns*.log") for path in folder.glob(pattern)]
    scratch = [path for pattern in _SCRATCH for path in folder.glob(pattern)]
    by_kind = {
        "left by compilations that were killed": [path for path in scratch if _is_abandoned(path)],
        "programs": [
            path for path in folders if path.name.rpartition("-")[0] not in unreadable and _is_outdated(path, current)
        ],
        "logs of compiling": [log for log in logs if not log.with_name(log.name.removesuffix(".log")).is_dir()],
        "ns-3 built from source": [path for path in folder.glob("native-ns*/") if not build_users.sweeps_of_ns3(path)],
    }
    for build in features.builds():
        for kind, paths in build.unneeded().items():
            by_kind[kind] = [*by_kind.get(kind, []), *paths]
    return by_kind | {"tarballs and commits of ns-3, unpacked": list((folder / "sources").glob("[!.]*"))}


def _is_outdated(folder: Path, current: set[str]) -> bool:
    """Whether a folder's program is outdated: its code has changed, or its code or its ns-3 is gone."""
    record = compiled_programs.record(folder)
    if record is None:
        return False
    if not all(Path(path).exists() for path in (record.source, *record.needs)):
        return True
    files = [Path(path) for path in record.needs if path.endswith(".cc")]  # of variants that sweep files name
    if files:
        return folder.name not in {f"{file.stem}-{cpp_code.cpp_id(str(file.with_suffix('')))}" for file in files}
    source = Path(record.source)
    return source in (source_folders.SCENARIOS, packet_decoder.NATIVE) and folder.name not in current


def _is_abandoned(scratch: Path) -> bool:
    """Whether the process that compiled in a scratch folder has ended.

    The folder's name ends with the process, which is one of this machine unless another machine's name precedes it. A
    folder without a process in its name has a lock, which the process holds.
    """
    if match := _SCRATCH_NAME.fullmatch(scratch.name):
        return match[1] in (None, socket.gethostname()) and not Path("/proc", match[2]).exists()
    with contextlib.suppress(FileNotFoundError), scratch.with_name(f"{scratch.name}.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def _unwanted_of_cells(
    parsers_by_cell: Mapping[str, set[str]], measured: set[tuple[str, str, str]]
) -> dict[str, list[Path]]:
    """The unwanted parts of the cells' Parquet.

    Kept are: for each cell in ``parsers_by_cell`` the Parquet of these parsers, and the folders of metrics that
    ``measured`` lists by cell, parser and name.
    """
    by_kind: dict[str, list[Path]] = {
        "Parquet of simulations": [],
        "Parquet of earlier parsers": [],
        "metrics measured otherwise": [],
        "simulations run again": [],
    }
    for cell in _names_in(layout.CELLS):
        if cell not in parsers_by_cell:
            by_kind["Parquet of simulations"].append(layout.CELLS / cell)
            continue
        for parser in _names_in(layout.CELLS / cell):
            if parser == layout.AGAIN:
                by_kind["simulations run again"].append(layout.again(cell))
                continue
            if parser not in parsers_by_cell[cell]:
                by_kind["Parquet of earlier parsers"].append(layout.parquet(cell, parser))
                continue
            by_kind["metrics measured otherwise"] += [
                layout.parquet(cell, parser) / name
                for name in _names_in(layout.parquet(cell, parser))
                if name.startswith("measured-") and (cell, parser, name) not in measured
            ]
    return by_kind


def _names_in(folder: Path) -> list[str]:
    """The names in a folder, without the scratch folders of running processes."""
    return [name for name in layout.names_in(folder) if not name.startswith(".")]


def agreed(by_kind: Mapping[str, Sequence[Path]], sizes: Mapping[str, int], answer: str | None = None) -> bool:
    """List the files to remove by kind with total bytes, and ask, unless an answer was passed."""
    for kind, paths in by_kind.items():
        say(f"{kind}: {len(paths)} with {rounding.bytes_text(sizes[kind])}")
        for path in paths[:5]:
            say(f"  {path}")
        if len(paths) > 5:
            say(f"  and {len(paths) - 5} more")
    if answer is None:
        say("Remove all this? [y/N] ", end="", flush=True)
        answer = sys.stdin.readline()
    return answer.strip().lower() in ("y", "yes")


def remove(find_files: Callable[[], dict[str, list[Path]]], answer: str | None = None) -> bool:
    """After a yes, and while nothing else runs, remove the files from ``find()``; return whether any were removed.

    Raises `locks.Busy`.
    """
    with locks.store(alone=True, holder="a removal of results"), contextlib.ExitStack() as held_locks:
        for file in layout.SWEEPS.glob(f"*/{layout.SUBMITTED}"):
            raise locks.Busy(
                f"batches of {file.parent.name}, whose run on a cluster was killed, may still run; start it again, "
                f"or cancel them and remove {file}"
            )
        by_kind = find_files()
        if not by_kind:
            say("nothing to remove")
            return False
        paths = [path for of_kind in by_kind.values() for path in of_kind]
        build_folder = compiled_programs.folder()
        if any(path.is_relative_to(build_folder) for path in paths):
            held_locks.enter_context(locks.programs(alone=True))
        sizes = {kind: sum(map(size, of_kind)) for kind, of_kind in by_kind.items()}
        if not agreed(by_kind, sizes, answer):
            say("nothing removed")
            return False
        for path in paths:
            removal.remove(path, build_folder.parent if path.is_relative_to(build_folder) else None)
        for cell in layout.names_in(layout.CELLS):
            if not layout.names_in(layout.CELLS / cell):
                removal.remove(layout.CELLS / cell)
    say(f"removed {rounding.bytes_text(sum(sizes.values()))}")
    return True


def cleaned(what: str) -> dict[str, list[Path]]:
    """The files that `tcpsweep clean WHAT` removes."""
    if what == "build":
        return {BUILD: [compiled_programs.folder()]} if compiled_programs.folder().is_dir() else {}
    name, patterns = CLEANED[what]
    paths = [path for pattern in patterns for path in sorted(Path().glob(str(pattern)))]
    return {name: paths} if paths else {}


def prune(answer: str | None = None) -> bool:
    """`tcpsweep prune`."""
    sweeps = sorted(table.parent.name for table in layout.SWEEPS.glob("*/sweep.json"))
    if sweeps:
        say(f"Files that these sweeps need stay: {', '.join(sweeps)}.")
        say(f"To give up a sweep, remove its folder in {layout.SWEEPS}/.")
    return remove(unwanted, answer)


def clean(what: str, answer: str | None = None) -> bool:
    """`tcpsweep clean WHAT`."""
    return remove(lambda: cleaned(what), answer)

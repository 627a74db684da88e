# SPDX-License-Identifier: MIT
"""Files that a network's parameters name: traces, schedules, distributions of sizes. Their content, and its hash.

A command reads each file once, and again if its size or time has changed.
"""

import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_parts import InputFile
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.sweepfile.keys import network_fields, network_presets
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import file_contents
from tcpsweep.core.sweepfile.network.file_contents import Unfit
from tcpsweep.core.words import dotted_names, normal_forms, spelling, units
from tcpsweep.core.words.rounding import bytes_text

NONE = "none"
MOST_BYTES = 1_000_000_000


def input_files(combinations: Iterable[Combination], file: SweepFile, problems: list[Problem]) -> dict[str, InputFile]:
    """The files named in combinations, by the names in the sweep file.

    Adds a problem for each file that cannot be read or has wrong content.
    """
    parameter_by_file: dict[tuple[str, str], str] = {}  # by the file's name and its parameter's format
    form_by_parameter: dict[str, str] = {}
    for row in combinations:
        for name, value in row.items():
            form = form_by_parameter.get(name)
            if form is None:
                form = form_by_parameter[name] = str((network_fields.described(name) or {}).get("format"))
            if (
                form in network_presets.FILES
                and isinstance(value, str)
                and value != NONE
                and not _is_distribution(value, form)
            ):
                parameter_by_file.setdefault((value, form), name)
    files = {}
    for (value, form), name in parameter_by_file.items():
        path = file.folder / Path(value).expanduser()
        try:
            files[value] = InputFile(str(path.absolute()), _checked_hash(path, form))
        except Unfit as error:
            suggestion = "" if path.exists() or form != "sizes-file" else file_contents.distribution_meant(value)
            problems.append(Problem(_path_of_file(file, name, value), f"{value}{suggestion or error}"))
    return files


def schedule_problems(
    combinations: Iterable[Combination], file: SweepFile, inputs: Mapping[str, InputFile]
) -> list[Problem]:
    """Links of custom topologies whose schedule contradicts their other parameters."""
    mistakes: dict[Problem, None] = {}
    for row in combinations:
        for group in network_graph.things(row, "links"):
            forward_faults = _direction_faults(row, group, "", inputs)
            reverse_prefix = dotted_names.dotted_name("links", group, dotted_names.BACK)
            has_own = any(name.startswith(reverse_prefix) for name in row)
            reverse_faults = _direction_faults(row, group, dotted_names.BACK, inputs) if has_own else []
            all_faults = [("", fault) for fault in forward_faults]
            all_faults += [(dotted_names.BACK, fault) for fault in reverse_faults if fault not in forward_faults]
            for direction_prefix, (field, message) in all_faults:
                fields = (direction_prefix + field, field, f"{direction_prefix}schedule", "schedule")
                path = sections.place(file.data, *(dotted_names.dotted_name("links", group, name) for name in fields))
                mistakes[Problem(path, f"in the reverse direction, {message}" if direction_prefix else message)] = None
    return list(mistakes)


def _direction_faults(
    row: Combination, group: str, back: str, inputs: Mapping[str, InputFile]
) -> list[tuple[str, str]]:
    """`_schedule_faults` for one direction of a link; nothing if it has no readable schedule."""
    file = network_graph.value(row, "links", group, "schedule", NONE)
    file = network_graph.value(row, "links", group, f"{back}schedule", file)
    return list(_schedule_faults(row, group, back, _schedule(inputs[file]))) if file != NONE and file in inputs else []


@functools.lru_cache(maxsize=1000)
def _schedule(file: InputFile) -> file_contents.Schedule:
    return file_contents.schedule(Path(file.path).read_bytes())


def _schedule_faults(
    row: Combination, group: str, back: str, schedule: file_contents.Schedule
) -> Iterator[tuple[str, str]]:
    """Parameters that contradict a schedule: the field at fault, and the message."""
    defaults = network_fields.defaults("links")

    def link_value(field: str) -> Any:
        forward_value = network_graph.value(row, "links", group, field, defaults[field])
        return network_graph.value(row, "links", group, back + field, forward_value)

    repeat_s = units.si(link_value("schedule_repeat"), "time")
    if 0 < repeat_s <= schedule.last_s:
        yield "schedule_repeat", f"expected more than the schedule's last time, {schedule.last_s:g}s; got {repeat_s:g}s"
    if "bandwidth" in schedule.changes and link_value("trace") != NONE:
        yield "schedule", "the schedule changes the rate, but a link with a `trace` has none; remove one of them"
    if "loss" in schedule.changes:
        if link_value("loss_good_to_bad") or link_value("loss_in_good"):
            yield (
                "schedule",
                "the schedule changes the losses, and so does `loss_good_to_bad` or `loss_in_good`; remove one of them",
            )
        elif link_value("loss") and link_value("loss_burst") != 1:
            yield "loss_burst", "the schedule's losses affect single packets; remove `loss_burst`"


def nearest(path: Path) -> str:
    """``; did you mean 'x'?`` for a file whose name is similar to a missing one; else empty."""
    try:
        names = sorted(file.name for file in path.parent.iterdir() if file.is_file())
    except OSError:
        return ""
    return spelling.did_you_mean(path.name, names)


def _is_distribution(value: str, form: str) -> bool:
    """Whether a value names a distribution, not a file."""
    return form == "sizes-file" and ":" in value and value.partition(":")[0] in normal_forms.DISTRIBUTIONS


def _path_of_file(file: SweepFile, name: str, value: str) -> tuple[str | int, ...]:
    """Where the sweep file names a file: the entry of an axis, or the parameter."""
    for path, parameter, written in sections.values(file.data):
        if written == value and parameter in (name, name.replace("back.", "")):
            return path
    paths = [path for path, _, written in sections.values(file.data) if written == value]
    return paths[0] if paths else sections.place(file.data, name)


def _checked_hash(path: Path, form: str) -> str:
    """The hash of a file's content, after checking it."""
    try:
        stat = path.stat()
    except OSError as error:
        near = nearest(path) if isinstance(error, FileNotFoundError) else ""
        raise Unfit(f": cannot be read: {error.strerror}{near}") from None
    if not path.is_file():
        raise Unfit(": expected a file")
    if stat.st_size > MOST_BYTES:
        raise Unfit(f": {bytes_text(stat.st_size)}; expected a file of at most {bytes_text(MOST_BYTES)}")
    return _cached_hash(path, form, stat.st_size, stat.st_mtime_ns)


@functools.lru_cache(maxsize=1000)
def _cached_hash(path: Path, form: str, size: int, changed_ns: int) -> str:
    """`_checked_hash`, cached by the file's size and modification time."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Unfit(f": cannot be read: {error.strerror}") from None
    if not content.strip():
        raise Unfit(" is empty")
    if form == "trace-file":
        file_contents.check_trace(content)
    elif form == "schedule-file":
        file_contents.schedule(content)
    else:
        file_contents.sizes(content)
    return hashlib.sha256(content).hexdigest()[:32]

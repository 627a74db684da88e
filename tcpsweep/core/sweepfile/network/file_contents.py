# SPDX-License-Identifier: MIT
"""Read the small files that a network's parameters name: traces and schedules of links, distributions of sizes.

Functions raise `Unfit` for a file with a problem.
"""

import difflib
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tcpsweep.core.words import normal_forms, quantity_forms, spelling, units

# The columns of a schedule by name: the value's kind, and the unit of plain numbers.
COLUMNS = {
    "time_s": ("time", "s"),
    "time": ("time", ""),
    "bandwidth_bps": ("bandwidth", "bps"),
    "bandwidth": ("bandwidth", ""),
    "delay_s": ("delay", "s"),
    "delay": ("delay", ""),
    "loss": ("loss", ""),
}
_NORMAL_FORM: dict[str, Callable[[Any], Any]] = {
    "time": quantity_forms.time,
    "bandwidth": quantity_forms.rate,
    "delay": quantity_forms.time,
    "loss": lambda text: quantity_forms.share(float(text)),
}


@dataclass(frozen=True)
class Schedule:
    """The values that a schedule changes (bandwidth, delay, loss), and its rows: a time in s with its new values."""

    changes: frozenset[str]
    rows: tuple[tuple[float, Mapping[str, Any]], ...]

    @property
    def last_s(self) -> float:
        """Its last time, in s."""
        return self.rows[-1][0]


def schedule(content: bytes) -> Schedule:
    """Read a schedule: a CSV with the columns `time_s` and some of `bandwidth_bps`, `delay_s`, `loss`."""
    lines = _numbered_lines(content)
    number, heading = lines[0]
    columns = [column.strip() for column in heading.split(",")]
    for column in columns:
        if column not in COLUMNS:
            near = spelling.did_you_mean(column, COLUMNS)
            raise Unfit(f":{number}: {f'unknown column {column!r}{near}; ' if near else ''}{_EXPECTED_COLUMNS}")
    kinds = [COLUMNS[column][0] for column in columns]
    if "time" not in kinds or len(kinds) < 2 or len(set(kinds)) < len(kinds):
        raise Unfit(f":{number}: {_EXPECTED_COLUMNS}, got {', '.join(columns)}")
    if len(lines) < 2:
        raise Unfit(" has no line below its column names")
    rows: list[tuple[float, dict[str, Any]]] = []
    for number, line in lines[1:]:
        values = [value.strip() for value in line.split(",")]
        if len(values) != len(columns):
            raise Unfit(f":{number}: expected a value for each of the {len(columns)} columns, got {len(values)}")
        new_values: dict[str, Any] = {}
        for column, value in zip(columns, values, strict=True):
            kind, unit = COLUMNS[column]
            try:
                if value or kind == "time":
                    new_values[kind] = _NORMAL_FORM[kind](value + unit)
            except ValueError as error:
                raise Unfit(f":{number}: {column}: {error}") from None
        time_as_written = values[kinds.index("time")] + COLUMNS[columns[kinds.index("time")]][1]
        seconds = float(units.si(new_values.pop("time"), "time"))
        if rows and seconds <= rows[-1][0]:
            raise Unfit(f":{number}: {time_as_written} is not later than the line before; sort the lines by time")
        rows.append((seconds, new_values))
    return Schedule(frozenset(kinds) - {"time"}, tuple(rows))


_EXPECTED_COLUMNS = "expected the columns time_s and some of bandwidth_bps, delay_s and loss"


def sizes(content: bytes) -> list[tuple[float, float]]:
    """Read a cumulative distribution: each line has a size in bytes and the share of flows up to it, to 1 or 100."""
    rows: list[tuple[float, float]] = []
    for number, line in _numbered_lines(content):
        try:
            size, share = map(float, line.split())
            if not (size >= 0 and 0 <= share <= 100):
                raise ValueError
        except ValueError:
            expected = "expected a size in bytes and the share of flows up to it"
            raise Unfit(f":{number}: {expected}, such as 10000 0.15, got {_line_text(line)}") from None
        if rows and size < rows[-1][0]:
            raise Unfit(f":{number}: {size:g} bytes follow {rows[-1][0]:g}; sort the lines by size")
        if rows and share < rows[-1][1]:
            raise Unfit(f":{number}: the share {share:g} follows {rows[-1][1]:g}; shares must rise")
        rows.append((size, share))
    if share not in (1.0, 100.0):
        raise Unfit(f":{number}: the distribution ends at {share:g}; expected 1, or 100 for percentages")
    if size < 1:
        raise Unfit(f":{number}: its largest size is less than a byte")
    return rows


def _numbered_lines(content: bytes) -> list[tuple[int, str]]:
    """The numbered lines of a text, without empty lines and comments, which begin with #."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise Unfit(f":{line}: not UTF-8 text") from None
    numbered = [(number, line.partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1)]
    numbered = [(number, line) for number, line in numbered if line]
    if not numbered:
        raise Unfit(" is empty")
    return numbered


_CALL = re.compile(r"([A-Za-z][A-Za-z_-]*)(?:\s*[:(,]\s*(.*?)\)?)?\s*")
# The same forms as in the schema.
_WRITTEN_FORM = {
    "constant": "constant:BYTES",
    "exponential": "exponential:MEAN",
    "pareto": "pareto:MEAN:SHAPE",
    "lognormal": "lognormal:MEAN:DEVIATION:LEAST:MOST",
}
_LEAST_SIMILARITY = 0.75


def distribution_meant(value: str) -> str:
    """The end of a message on a value that looks like a distribution; empty if it looks like a file name.

    The value is as written, such as ``exponental:20kB`` or ``exponential(20kB)``.
    """
    call = _CALL.fullmatch(value)
    if not call:
        return ""
    near = difflib.get_close_matches(call[1].lower(), _WRITTEN_FORM, n=1, cutoff=_LEAST_SIMILARITY)
    if not near:
        is_file = call[2] is None
        return "" if is_file else f" is neither a file nor a distribution; expected {', '.join(_WRITTEN_FORM.values())}"
    numbers = [number for number in re.split(r"[\s:,]+", call[2] or "") if number]
    likely = ":".join([near[0], *numbers])
    try:
        normal_forms.sizes_file(likely)
    except ValueError:
        return f" is not a file; a distribution is written {_WRITTEN_FORM[near[0]]}"
    if not numbers:
        return f" is not a file; a distribution is written {_WRITTEN_FORM[near[0]]}"
    return f" is neither a file nor a distribution; did you mean '{likely}', as {_WRITTEN_FORM[near[0]]}?"


class Unfit(Exception):
    """A problem with a file, written to follow its name: ``:LINE: …``, ``: …`` or ``is empty``."""


_MOST_DIGITS = 18  # of a number: less than 2^63
_LATEST_MS = 2**32 - 1


def check_trace(content: bytes) -> None:
    """Check a trace in Mahimahi's format: a line for each delivery opportunity, with its time in whole ms, in order."""
    last_ms = 0
    for number, line in enumerate(io.BytesIO(content), 1):
        digits = line.strip()
        if not digits.isdigit() or len(digits) > _MOST_DIGITS:
            raise Unfit(
                f":{number}: expected a time in whole milliseconds, got {_line_text(digits.decode(errors='replace'))}"
            )
        time_ms = int(digits)
        if time_ms < last_ms:
            raise Unfit(f":{number}: {time_ms} ms follows {last_ms} ms; sort the lines by time")
        if time_ms > _LATEST_MS:
            raise Unfit(f":{number}: expected at most {_LATEST_MS} ms, got {time_ms}")
        last_ms = time_ms
    if not last_ms:
        raise Unfit(": its last time is 0 ms, so the trace has no length; add later times")


def _line_text(line_as_read: str | bytes) -> str:
    """A line for a message. Text is not shown: a sweep file of others may name any file that this user can read."""
    line = line_as_read if isinstance(line_as_read, str) else line_as_read.decode(errors="replace")
    if not line.strip():
        return "an empty line"
    return repr(line[:40]) if re.fullmatch(r"[-+0-9.,;:eE%\s]*", line) else "text"

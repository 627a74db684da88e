# SPDX-License-Identifier: MIT
"""Check a trace in Mahimahi's format. NumPy, which reads it, takes a tenth of a second to load."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tcpsweep.sweepfile.unfit import Unfit

_DIGITS = 18  # of a number: less than 2^63
_LATEST_MS = 2**32 - 1
_ZERO, _LINE_END = np.uint8(ord("0")), np.uint8(ord("\n"))
Times: TypeAlias = npt.NDArray[np.int64]


def check(held: bytes) -> None:
    """Check a trace in Mahimahi's format: a line for each opportunity, with its time in whole ms, none before the last.

    Raises
    ------
    Unfit
    """
    try:
        times = np.array(held.split(), dtype=np.int64) if b"\r" in held else _whole_numbers(held)
    except ValueError:
        number, line = next(
            (number, line) for number, line in enumerate(held.splitlines(), 1) if not _is_whole(line.strip())
        )
        raise Unfit(f":{number}: expected a time in whole milliseconds, got {_shown(line)}") from None
    falls = np.flatnonzero(np.diff(times) < 0)
    if falls.size:
        at = int(falls[0])
        raise Unfit(f":{at + 2}: {times[at + 1]} ms comes after {times[at]} ms; expected times in their order")
    if times[-1] > _LATEST_MS:
        late = int(np.searchsorted(times, _LATEST_MS, side="right")) + 1
        raise Unfit(f":{late}: expected at most {_LATEST_MS} ms, got {times[late - 1]}")
    if not times[-1]:
        raise Unfit(": its last time is 0 ms, so that it has no length; expected a later one")


def _whole_numbers(held: bytes) -> Times:
    """The numbers of lines that hold one each; in time's order they do not get shorter, and stand in blocks.

    Raises
    ------
    ValueError
        A line holds something else.
    """
    text = np.frombuffer(held if held.endswith(b"\n") else held + b"\n", dtype=np.uint8)
    ends = np.flatnonzero(text == _LINE_END)
    lengths = np.diff(ends, prepend=-1) - 1
    if lengths.min() < 1 or lengths.max() > _DIGITS or np.count_nonzero(text - _ZERO > 9) != ends.size:
        raise ValueError
    firsts = np.flatnonzero(np.diff(lengths, prepend=0))
    if (np.diff(lengths[firsts]) < 0).any():  # not in order, or with zeros before a number
        return np.array(held.split(), dtype=np.int64)
    found = np.zeros(ends.size, dtype=np.int64)
    for first, last in zip(firsts, [*firsts[1:], ends.size], strict=True):
        length = int(lengths[first])
        begin = int(ends[first]) - length
        block = text[begin : begin + (last - first) * (length + 1)].reshape(-1, length + 1)
        numbers = found[first:last]
        for place in range(length):
            numbers *= 10
            numbers += block[:, place] - _ZERO
    return found


def _is_whole(line: bytes) -> bool:
    return line.isdigit() and len(line) <= _DIGITS


def _shown(line: bytes) -> str:
    text = line[:40].decode("utf-8", "replace")
    return repr(text) if text.strip() else "an empty line"

# SPDX-License-Identifier: MIT
"""Check the small files that a network's parameters name: schedules of a link, distributions of flows' sizes."""

from collections.abc import Callable
from typing import Any

from tcpsweep.sweepfile.unfit import Unfit
from tcpsweep.words import normal_forms, quantities

# The columns of a schedule, each with how its values are written; an empty one stays as it was.
SCHEDULE: dict[str, Callable[[str], Any]] = {
    "time": normal_forms.time,
    "rate": normal_forms.rate,
    "delay": normal_forms.time,
    "loss": normal_forms.share,
}


def check_schedule(held: bytes) -> None:
    """Check a schedule: a CSV with a line of heads, `time` and some of `rate`, `delay`, `loss`, in time's order.

    Raises
    ------
    Unfit
    """
    lines = _lines(held)
    number, first = lines[0]
    heads = [head.strip() for head in first.split(",")]
    if heads[0] != "time" or len(heads) < 2 or len(set(heads)) < len(heads) or not set(heads) <= set(SCHEDULE):
        raise Unfit(f":{number}: expected the heads time and some of rate, delay and loss, got {first[:60]!r}")
    if len(lines) < 2:
        raise Unfit(" has no line below its heads")
    last = -1.0
    for number, line in lines[1:]:
        values = [value.strip() for value in line.split(",")]
        if len(values) != len(heads):
            raise Unfit(f":{number}: expected {len(heads)} values, as there are heads, got {len(values)}")
        for head, value in zip(heads, values, strict=True):
            try:
                if value or head == "time":
                    SCHEDULE[head](value)
            except ValueError as error:
                raise Unfit(f":{number}: {head}: {error}") from None
        at = float(quantities.si(normal_forms.time(values[0]), "time"))
        if at <= last:
            raise Unfit(f":{number}: {values[0]} is not after the line before it; expected times in their order")
        last = at


def check_sizes(held: bytes) -> None:
    """Check a cumulative distribution: lines of bytes and the share of flows up to there, which rises to 1, or to 100.

    Raises
    ------
    Unfit
    """
    rows: list[tuple[int, float, float]] = []
    for number, line in _lines(held):
        parts = line.replace(",", " ").split()
        try:
            size, share = map(float, parts)
            if not (size >= 0 and 0 <= share <= 100):
                raise ValueError
        except ValueError:
            expected = "expected a size in bytes and the share of flows that have no more"
            raise Unfit(f":{number}: {expected}, such as 10000 0.15, got {line[:40]!r}") from None
        if rows and size <= rows[-1][1]:
            raise Unfit(f":{number}: {size:g} bytes come after {rows[-1][1]:g}; expected sizes in their order")
        if rows and share < rows[-1][2]:
            raise Unfit(f":{number}: the share {share:g} comes after {rows[-1][2]:g}; expected shares that rise")
        rows.append((number, size, share))
    number, _, last = rows[-1]
    if last not in (1.0, 100.0):
        raise Unfit(f":{number}: the distribution ends at {last:g}; expected 1, or 100 for percentages")
    if rows[-1][1] < 1:
        raise Unfit(f":{number}: its largest size is less than a byte")


def _lines(held: bytes) -> list[tuple[int, str]]:
    """The lines of a text with their numbers, without empty ones and those that begin with #."""
    try:
        text = held.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = held[: error.start].count(b"\n") + 1
        raise Unfit(f":{line}: not UTF-8 text") from None
    found = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    found = [(number, line) for number, line in found if line and not line.startswith("#")]
    if not found:
        raise Unfit(" is empty")
    return found

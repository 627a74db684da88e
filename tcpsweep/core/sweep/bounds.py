# SPDX-License-Identifier: MIT
"""Whether a mean with its interval meets a bound."""

import operator
from collections.abc import Callable
from typing import Any

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
EQUALITY = ("==", "!=")
_ROUNDING = 1e-9  # a smaller relative difference is rounding


def met(sign: str, value: float, mean: float, low: float | None, high: float | None) -> str:
    """Whether a mean with this 95 % interval meets a bound, by one of `OPERATORS`.

    Returns "holds" if the whole interval meets it, "fails" if no part does, else "not shown". Without an interval, the
    mean itself is judged.
    """
    ends = (mean, mean) if low is None or high is None else (low, high)
    least, greatest = (value if abs(end - value) <= _ROUNDING * abs(value) else end for end in ends)
    if sign in EQUALITY:
        if least < value < greatest or (least == value) != (greatest == value):
            return "not shown"
        return "holds" if (least == value) == (sign == "==") else "fails"
    results = {OPERATORS[sign](end, value) for end in (least, greatest)}
    if len(results) > 1:
        return "not shown"
    return "holds" if results.pop() else "fails"

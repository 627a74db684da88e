# SPDX-License-Identifier: MIT
"""Values of metrics in a sweep file: plain numbers in the metric's unit, or numbers with a unit of the same kind."""

import re

from tcpsweep.core.words import unit_factors, unit_hints

_VALUE = re.compile(r"([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)([A-Za-z/%]*)")
# A metric's unit to an example of a value in it.
EXAMPLES = {"bit/s": "2Mbps", "s": "20ms", "B": "64kB", "1": "0.9 or 90%", "packets": "100p", "1/s": "250"}


def read(text: str, unit: str) -> float:
    """A metric's value as a number in its unit: written with a unit of the same kind, or as a plain number.

    Raises `ValueError` with the expected form.
    """
    match, factors = _VALUE.fullmatch(text), unit_factors.OF_METRICS[unit]
    try:
        number = float(match[1]) if match else None
    except ValueError:
        number = None
    if match is None or number is None or (match[2] and match[2] not in factors):
        near = unit_hints.hint(text, factors) if match and match[2] else ""
        expected = "a share" if unit == "1" else f"a number of {unit}, plain or with its unit"
        got = repr(text) if text else "the end"
        raise ValueError(f"expected {expected}, such as {EXAMPLES[unit]}, got {got}{near}")
    return number * float(factors[match[2]]) if match[2] else number

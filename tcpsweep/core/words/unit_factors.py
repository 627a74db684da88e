# SPDX-License-Identifier: MIT
"""The units of rates, times and sizes, and their factors to the base units."""

from collections.abc import Mapping
from decimal import Decimal
from typing import TypeAlias

Factors: TypeAlias = Mapping[str, int | float | Decimal]
"""Each unit to its factor, exact where it is an int or a Decimal."""

# Units in sweep files: of rates in bit/s, of times in s, of sizes in B.
RATES: dict[str, int] = {
    f"{prefix}{bits}{per}": factor * size
    for prefix, factor in {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9}.items()
    for bits, size in {"b": 1, "B": 8}.items()
    for per in ("ps", "/s")
} | {
    f"{prefix}{bits}/s": factor * size
    for prefix, factor in {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}.items()
    for bits, size in {"b": 1, "B": 8}.items()
}
TIMES: dict[str, Decimal] = {
    "s": Decimal(1),
    "ms": Decimal("1e-3"),
    "us": Decimal("1e-6"),
    "ns": Decimal("1e-9"),
    "min": Decimal(60),
    "h": Decimal(3600),
}
SIZES: dict[str, int] = {
    "B": 1,
    "kB": 10**3,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
}
BUFFERS: dict[str, int] = {"p": 1} | SIZES
QUEUES: dict[str, int] = {"p": 1, "bdp": 1} | SIZES
# A metric's unit to the units in which a sweep file may write its values.
OF_METRICS: dict[str, Factors] = {
    "bit/s": RATES,
    "s": TIMES,
    "B": SIZES,
    "1": {"%": 0.01},
    "packets": {"p": 1},
    "1/s": {},
}
# A quantity to the units of its normal form, the largest first.
NORMAL: dict[str, Factors] = {
    "bit/s": {unit: RATES[unit] for unit in ("Gbps", "Mbps", "kbps", "bps")},
    "s": {unit: TIMES[unit] for unit in ("s", "ms", "us", "ns")},
    "B": {"B": 1},
    "packets": {"p": 1},
    "BDP": {"bdp": 1},
}


def _in_print(unit: str) -> float:
    """The factor of a unit in its printed spelling: kbit/s for kb/s, µs for us."""
    factors: Factors = {**RATES, **TIMES, **SIZES}
    return float(factors[unit.replace("bit", "b").replace("µ", "u")])


# The units of figures and tables for people, the largest first.
SHOWN: dict[str, dict[str, float]] = {
    quantity: {unit: _in_print(unit) for unit in units}
    for quantity, units in {
        "bit/s": ("Gbit/s", "Mbit/s", "kbit/s", "bit/s"),
        "s": ("s", "ms", "µs", "ns"),
        "B": ("GB", "MB", "kB", "B"),
    }.items()
}
# A metric's unit to the units in publications; a segment's payload is the sweep's segment_size.
PRINTED: dict[str, dict[str, float | None]] = {
    "bit/s": {unit: _in_print(unit) for unit in ("bit/s", "kbit/s", "Mbit/s", "Kibit/s", "Mibit/s", "kB/s")},
    "B": {**{unit: _in_print(unit) for unit in ("B", "kB", "MB")}, "segments": None},
    "s": {unit: _in_print(unit) for unit in ("s", "ms")},
    "1": {"1": 1, "%": 1e-2},
    "packets": {"packets": 1},
    "1/s": {"1/s": 1},
}

# SPDX-License-Identifier: MIT
"""The size classes in which the slowdown of arriving flows is reported.

They follow Alizadeh et al.: Data Center TCP (DCTCP), SIGCOMM 2010, with all sizes above 1 MB in one class.
"""

BYTES: dict[str, tuple[int, int | None]] = {
    "to_10kB": (0, 10_000),
    "to_100kB": (10_000, 100_000),
    "to_1MB": (100_000, 1_000_000),
    "above_1MB": (1_000_000, None),
}
"""Each class to the bytes that its flows have more than, and at most; None for no limit."""

WORDS = {"to_10kB": "≤ 10 kB", "to_100kB": "≤ 100 kB", "to_1MB": "≤ 1 MB", "above_1MB": "> 1 MB"}
"""Each class in short, for a figure in which they stand in their order."""

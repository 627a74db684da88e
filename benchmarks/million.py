# SPDX-License-Identifier: MIT
"""Measure the cost of a sweep of a million cells without its simulations: `scale` with hard links as files.

It runs only on request: its folders and digests take 5 million inodes and 20 GB.
"""

import sys

import harness
import scale
from scale import Part

UNASKED = True
SIZES = {
    "full": (Part(50_000, 20, 5, linked=True),),
    "quick": (Part(5_000, 20, 5, linked=True),),
    "tiny": (Part(8, 2, 1, linked=True),),
}


def minutes(parts):
    """The approximate duration."""
    return sum(part.cells * 0.005 + 20 for part in parts) / 60


def measure(parts, scratch):
    """Yield the rows of `scale` without their targets, which are for fewer cells."""
    for row in scale.measure(parts, scratch):
        yield harness.Row(row.name.replace("scale:", "million:"), row.measured)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])

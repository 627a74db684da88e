# SPDX-License-Identifier: MIT
"""What a sweep of a million cells costs beside its simulations: `scale` with hard links for files, only if asked for.

Folders and digests alone take 5 million inodes and 20 GB.
"""

import sys

import harness
import scale
from scale import Part

UNASKED = True
SIZES = {
    "full": (Part(50_000, 20, 5, linked=True),),
    "quick": (Part(5_000, 20, 5, linked=True),),
    "tiny": (Part(40, 2, 1, linked=True),),
}


def minutes(parts):
    """About how long it takes."""
    return sum(part.cells * 0.005 + 20 for part in parts) / 60


def measure(parts, scratch):
    """The rows of `scale`; its targets are not meant for as many cells."""
    for row in scale.measure(parts, scratch):
        yield harness.Row(row.name.replace("scale:", "million:"), row.measured)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])

# SPDX-License-Identifier: MIT
"""How many combinations the axes of a sweep file make, told without making them."""

import math
from typing import Any

from tcpsweep.sweepfile import pairs, sections


def count(data: dict[str, Any]) -> int:
    """How many combinations axes and `pairs` make, before conditions and with those that stand in several blocks."""
    if "pairs" in data:
        variants = len(pairs.variants(data))
        network = {key: value for key, value in data.items() if key != "pairs"}
        return count(network) * (variants * (variants + 1) // 2 + pairs.added(data))
    attributes = [len(values) for values in data.get("attributes", {}).values() if isinstance(values, list)]
    zips = [min(map(len, block.values()), default=1) for _, block in sections.blocks(data, "zip")]
    grids = [math.prod(map(len, block.values())) for _, block in sections.blocks(data, "grid")]
    return (sum(grids) or 1) * math.prod(zips) * math.prod(attributes)

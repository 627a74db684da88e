# SPDX-License-Identifier: MIT
"""Names of ns-3's types and attributes."""

import functools


@functools.cache  # asked for each name of each combination
def is_attribute(name: str) -> bool:
    """Whether an axis or a value is an ns-3 attribute's, not a parameter's."""
    return name.startswith("ns3::")

# SPDX-License-Identifier: MIT
"""Names of ns-3's types and attributes."""


def is_attribute(name: str) -> bool:
    """Whether an axis or a value is an ns-3 attribute's, not a parameter's."""
    return name.startswith("ns3::")

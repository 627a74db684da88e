# SPDX-License-Identifier: MIT
"""The names of a link's checks."""

from tcpsweep.measure.checks.audited_cell import AuditedCell
from tcpsweep.parse.parsed import Way


def named(cell: AuditedCell, way: Way, check: str) -> str:
    """A check's name for a direction of a link: with the link where the network has several."""
    link, direction = way
    own = f"reverse_{check}" if direction == "reverse" else check
    return own if len(cell.run["links"]) == 1 else f"{own} of {link}"

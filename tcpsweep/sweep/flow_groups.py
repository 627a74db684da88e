# SPDX-License-Identifier: MIT
"""Whether a custom topology's groups of flows are similar, so that their numbers may be combined."""

from collections.abc import Iterator

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Settings

_NO_DELAY = "0s"


def differ(row: Settings) -> bool:
    """Whether groups of flows take different paths: other links, by their names in the file, or another direction."""
    if not network_graph.is_described(row) or len(network_graph.things(row, "flows")) < 2:
        return False
    ways: dict[str, set[tuple[tuple[str, bool], ...]]] = {}
    for group, way in _ways(row):
        ways.setdefault(group, set()).add(way)
    return len({frozenset(of_group) for of_group in ways.values()}) > 1


def share_a_link(row: Settings) -> bool:
    """Whether all flows cross one link in the same direction, or links of one group; also where they draw their ways.

    Else what is left of them may be limited by another link, so that it cannot be compared with the whole.
    """
    if not network_graph.is_described(row) or row.get("ecmp"):
        return True
    ways = [set(way) for _, way in _ways(row)]
    return not ways or bool(set.intersection(*ways))


def _ways(row: Settings) -> Iterator[tuple[str, tuple[tuple[str, bool], ...]]]:
    """The group of each flow, and its way, with links by their names in the file."""
    network = network_graph.network_of(row, _NO_DELAY)
    for flow in network.flows:
        yield flow.group, tuple((network.links[step.link].group, step.forth) for step in flow.way)

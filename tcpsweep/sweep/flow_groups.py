# SPDX-License-Identifier: MIT
"""Whether a custom topology's groups of flows are similar, so that their numbers may be combined."""

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Settings

_NO_DELAY = "0s"


def differ(row: Settings) -> bool:
    """Whether groups of flows take different paths: other links, by their names in the file, or another direction."""
    if not network_graph.is_described(row) or len(network_graph.things(row, "flows")) < 2:
        return False
    network = network_graph.network_of(row, _NO_DELAY)
    ways: dict[str, set[tuple[tuple[str, bool], ...]]] = {}
    for flow in network.flows:
        way = tuple((network.links[step.link].group, step.forth) for step in flow.way)
        ways.setdefault(flow.group, set()).add(way)
    return len({frozenset(of_group) for of_group in ways.values()}) > 1

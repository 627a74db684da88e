# SPDX-License-Identifier: MIT
"""Whether a custom topology's groups of flows are similar, so that their numbers may be combined."""

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Settings

_NO_DELAY = "0s"


def differ(row: Settings) -> bool:
    """Whether groups of flows take different paths: other links, by their names in the file, or another direction.

    Groups on links of one group, such as those of a chain, differ if they have no link in common.
    """
    if not network_graph.is_described(row) or len(network_graph.things(row, "flows")) < 2:
        return False
    network = network_graph.network_of(row, _NO_DELAY)
    ways: dict[str, set[tuple[tuple[str, bool], ...]]] = {}
    for flow in network.flows:
        alike = tuple((network.links[step.link].group, step.forth) for step in flow.way)
        ways.setdefault(flow.group, set()).add(alike)
    return len({frozenset(of_group) for of_group in ways.values()}) > 1 or not share_a_link(row)


def share_a_link(row: Settings) -> bool:
    """Whether all flows cross one link in the same direction; also where their paths are random.

    Else the remaining flows may be limited by another link, so that they cannot be compared with the whole.
    """
    if not network_graph.is_described(row) or row.get("ecmp"):
        return True
    ways = [set(flow.way) for flow in network_graph.network_of(row, _NO_DELAY).flows]
    return not ways or bool(set.intersection(*ways))

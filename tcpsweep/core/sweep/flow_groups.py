# SPDX-License-Identifier: MIT
"""Whether a combination's groups of flows are similar, so that their numbers may be combined."""

from collections import Counter

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination

_NO_DELAY = "0s"


def differ(row: Combination) -> bool:
    """Whether groups of flows take different paths: other links, by their names in the file, or another direction.

    Links of one group, such as those of a chain, are other links if several flows cross one of them, or if no link is
    common to all flows. Hosts' own links, each with one flow, count as the same.
    """
    compared = {group.name for group in network_graph.groups(row) if group.is_compared}
    if len(compared) < 2:
        return False
    network = network_graph.network_of(row, _NO_DELAY)
    flow_counts = Counter(step for flow in network.flows for step in flow.way)
    paths_by_group: dict[str, set[tuple[tuple[str, bool], ...]]] = {}
    for flow in network.flows:
        steps = ((step, network.links[step.link]) for step in flow.way)
        comparable_path = tuple(
            (link.group if flow_counts[step] == 1 else link.name, step.forth) for step, link in steps
        )
        paths_by_group.setdefault(flow.group, set()).add(comparable_path)
    return len({frozenset(paths) for paths in paths_by_group.values()}) > 1 or not share_a_link(row)


def share_a_link(row: Combination) -> bool:
    """Whether all flows cross one link in the same direction; also where their paths are random.

    Else the remaining flows may be limited by another link, so that they cannot be compared with the whole.
    """
    if row.get("ecmp"):
        return True
    compared = {group.name for group in network_graph.groups(row) if group.is_compared}
    flows = network_graph.network_of(row, _NO_DELAY).flows
    steps_by_flow = [set(flow.way) for flow in flows if flow.group in compared]
    return not steps_by_flow or bool(set.intersection(*steps_by_flow))

# SPDX-License-Identifier: MIT
"""What each flow of a combination has of a parameter, whether its network is described or a program's own."""

from typing import Any

from tcpsweep.sweep import assignment, network_graph
from tcpsweep.sweep.base_network import of_flow
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweepfile import network_fields


def values(row: Settings, name: str) -> list[Any]:
    """Each flow's value of a parameter of flows, such as ``start`` or ``bytes``, reverse flows behind the others."""
    if not network_graph.is_described(row):
        value, count = row[name], assignment.flow_count(row)
        return [of_flow(value, flow) for flow in range(count)] if isinstance(value, list | tuple) else [value] * count
    default = network_fields.defaults("flows").get(name)
    found = []
    for group in network_graph.things(row, "flows"):
        given = network_graph.value(row, "flows", group, name, default)
        found += [network_graph.of_member(given, i) for i in range(network_graph.count(row, "flows", group))]
    return found


def members(row: Settings) -> list[int]:
    """Each flow's number in its group."""
    groups = network_graph.things(row, "flows")
    return [i for group in groups for i in range(network_graph.count(row, "flows", group))]

# SPDX-License-Identifier: MIT
"""Which nodes of a wireless network reach their gateway, and why flows carried no data."""

from __future__ import annotations

from typing import Any, TypeAlias

Record: TypeAlias = dict[str, Any]
"""A simulator's record of its run, ``run.json``."""


def reachable(run: Record) -> set[int]:
    """The nodes with a path to their side's gateway, whose hops join nodes that hear each other in both directions.

    Returns their ns-3 ids. To an access point a path has one hop, to the router of a mesh at most one more than its
    radius, the parameter ``mesh_radius_left`` or ``mesh_radius_right``.
    """
    hears = {node["node"]: set(node["hears"]) for node in run["nodes"]}
    found: set[int] = set()
    for gateway in (node for node in run["nodes"] if node["role"] != "station"):
        hops = int(run["parameters"].get(f"mesh_radius_{gateway['side']}", 0)) + 1
        ring = {gateway["node"]}
        found |= ring
        for _ in range(hops):
            ring = {other for node in ring for other in hears[node] - found if node in hears[other]}
            found |= ring
    return found


def silent_flows(run: Record) -> dict[int, str]:
    """The flows that carried no data, each with the reason in words."""
    nodes, found = {node["node"]: node for node in run["nodes"]}, reachable(run)
    return {flow["flow"]: _why(flow, nodes, found) for flow in run["flows"] if not flow["received_bytes"]}


def _why(flow: Record, nodes: dict[int, Record], found: set[int]) -> str:
    """Why a flow carried no data; ``nodes`` are by their ids, ``found`` are the nodes that reach their gateway."""
    gateways = {node["side"]: node for node in nodes.values() if node["role"] != "station"}
    for end, name in (("source", "sender"), ("destination", "receiver")):
        node = nodes[flow[f"{end}_node"]]
        gateway = gateways[node["side"]]["role"]
        if node["node"] not in found:
            return f"the {name} is out of its {gateway}'s reach"
        if gateway == "access point" and node["associated_s"] is None:
            return f"the {name} is in reach of its access point, but has not associated"
    if flow["established_s"] is None:
        return "both ends are in reach, but the connection was not established"
    return "the connection was established, but no data arrived"

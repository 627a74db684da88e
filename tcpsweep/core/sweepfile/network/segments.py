# SPDX-License-Identifier: MIT
"""How large segments may be: as after path MTU discovery, the smallest MTU of a flow's path decides.

`ns3-scenarios/lib/scenario/path-mtu.cc` does the same for each flow.
"""

from collections.abc import Iterator
from typing import Any, cast

from tcpsweep.core.sweep import base_network, network_graph
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweep.network_graph import Network, Way
from tcpsweep.core.sweepfile.keys import network_fields, schema
from tcpsweep.core.words import dotted_names

SEGMENT_SIZE = "segment_size"
_UDP_BYTES = 8
_LEAST_MTU_OF_IPV6 = 1280  # RFC 8200, 5

# The parameters at fault, the most important one first, and the message.
_Faults = Iterator[tuple[tuple[str, ...], str]]


def path_mtu(row: Settings, network: Network, way: Way) -> int:
    """The smallest MTU of a path's links, in bytes."""
    default = network_fields.defaults("links")["mtu"]
    return min(int(network_graph.link_value(row, network.links[step.link], "mtu", True, default)) for step in way)


def mtu_over(row: Settings, network: Network, number: int) -> int:
    """The largest IP packet that crosses a link, in bytes: its own MTU if neither flows nor traffic cross it."""
    ways = [network.flows[flow].way for flow in network.crossing.get(number, [])]
    ways += [way for way in network.pairs.values() if any(step.link == number for step in way)]
    return max(path_mtu(row, network, way) for way in ways or [(network_graph.Step(number, True),)])


def default_size(scenario: str, row: Settings, network: Network | None) -> int:
    """The default of ``segment_size`` in a combination: segments fill the largest MTU of its paths.

    A scenario with its own default has at most that. ``network`` is the combination's custom topology.
    """
    default, shared = schema.parameters(scenario)[SEGMENT_SIZE]["default"], schema.raw()["$defs"]["parameters"]
    most = _largest_mtu(row, network) - _headers_bytes(row)
    return most if default == shared[SEGMENT_SIZE]["default"] else min(default, most)


def faults(row: Settings, network: Network | None) -> _Faults:
    """Packets of one combination that are too large for its links, and links that are too small for IPv6."""
    for name, mtu in _mtus(row, network):
        if row["ip"] == 6 and mtu < _LEAST_MTU_OF_IPV6:
            yield (name,), f"IPv6 needs an MTU of {_LEAST_MTU_OF_IPV6} B or more; got {mtu}"
    mtu = _largest_mtu(row, network)
    yield from _size_faults(SEGMENT_SIZE, "segments", row[SEGMENT_SIZE], _headers_bytes(row), mtu)
    datagram_headers = base_network.IP_BYTES[row["ip"]] + _UDP_BYTES
    if row.get("cbr_flows"):
        yield from _size_faults("cbr_packet_size", "packets", row["cbr_packet_size"], datagram_headers, mtu)
    if network is None:
        return
    for name, way in network.pairs.items():
        dotted_name = dotted_names.dotted_name("traffic", name, "packet_size")
        if dotted_name in row:
            mtu = path_mtu(row, network, way)
            yield from _size_faults(dotted_name, "packets", row[dotted_name], datagram_headers, mtu)


def _size_faults(name: str, what: str, size: Any, headers: int, mtu: int) -> _Faults:
    if size + headers > mtu:
        yield (
            (name, "mtu"),
            f"{what} of {size} B and {headers} B of headers exceed the MTU of {mtu} B; at most {mtu - headers} B fit",
        )


def _headers_bytes(row: Settings) -> int:
    """The bytes of IP's and TCP's headers with timestamps, even where TCP sends none."""
    return base_network.IP_BYTES[row["ip"]] + base_network.TCP_BYTES + base_network.TIMESTAMP_BYTES


def _mtus(row: Settings, network: Network | None) -> Iterator[tuple[str, int]]:
    """The parameters with MTUs, and their values."""
    if network is None:
        yield "mtu", row["mtu"]
        return
    for link in network.links:
        name = dotted_names.dotted_name("links", link.group, "mtu")
        if name in row:
            yield name, network_graph.of_member(row[name], link.member)


def _largest_mtu(row: Settings, network: Network | None) -> int:
    """The largest MTU of the paths of flows and traffic, in bytes."""
    if network is None:
        return cast(int, row["mtu"])
    ways = [*(flow.way for flow in network.flows), *network.pairs.values()]
    default = network_fields.defaults("links")["mtu"]
    return max((path_mtu(row, network, way) for way in ways), default=int(default))

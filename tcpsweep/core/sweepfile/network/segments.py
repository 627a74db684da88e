# SPDX-License-Identifier: MIT
"""How large segments may be: as after path MTU discovery, the smallest MTU of a flow's path decides.

`ns3-scenarios/lib/scenario/path-mtu.cc` does the same for each flow.
"""

import functools
from collections.abc import Iterator

from tcpsweep.core.sweep import base_network, network_graph
from tcpsweep.core.sweep.matching import Combination, Settings
from tcpsweep.core.sweep.network_graph import Network, ValuesOfLinks, Way
from tcpsweep.core.sweepfile.keys import network_fields, schema
from tcpsweep.core.words import dotted_names

SEGMENT_SIZE = "segment_size"
_UDP_BYTES = 8
_LEAST_MTU_OF_IPV6 = 1280  # RFC 8200, 5

# The parameters at fault, the most important one first, and the message.
_Faults = Iterator[tuple[tuple[str, ...], str]]


def path_mtu(row: Combination, network: Network, way: Way) -> int:
    """The smallest MTU of a path's links, in bytes."""
    return _largest_of(network, _mtus(row, network), (way,))


def mtu_over(row: Combination, network: Network, number: int) -> int:
    """The largest IP packet that crosses a link, in bytes: its own MTU if neither flows nor traffic cross it."""
    return _largest_of(network, _mtus(row, network), _ways_over(network, number))


@functools.lru_cache(maxsize=1024)
def _ways_over(network: Network, number: int) -> tuple[Way, ...]:
    """The paths over a link, or the link alone."""
    ways = [network.flows[flow].way for flow in network.crossing.get(number, [])]
    ways += [way for way in network.pairs.values() if any(step.link == number for step in way)]
    return tuple(ways) or ((network_graph.Step(number, True),),)


def _mtus(row: Settings, network: Network) -> ValuesOfLinks:
    return network_graph.values_of_links(row, network, "mtu", network_fields.defaults("links")["mtu"])


@functools.lru_cache(maxsize=1024)
def _largest_of(network: Network, mtus: ValuesOfLinks, ways: tuple[Way, ...]) -> int:
    """The largest MTU of some paths, in bytes."""
    of_links = network_graph.of_each_link(network, mtus)
    return max(min(int(of_links[step.link][0]) for step in way) for way in ways)


def default_size(row: Combination, network: Network) -> int:
    """The default of ``segment_size`` in a combination: segments fill the largest MTU of its paths.

    A scenario with its own default has at most that.
    """
    default, shared = schema.parameters(row.scenario)[SEGMENT_SIZE]["default"], schema.raw()["parameters"]
    most = _largest_mtu(row, network) - _headers_bytes(row)
    return most if default == shared[SEGMENT_SIZE]["default"] else min(default, most)


def faults(row: Combination, network: Network) -> _Faults:
    """Packets of one combination that are too large for its links, and links that are too small for IPv6."""
    for link in network.links if row["ip"] == 6 else ():
        name = dotted_names.dotted_name("links", link.group, "mtu") if network_graph.has_named_parts(row) else "mtu"
        mtu = network_graph.of_member(row.get(name), link.member)
        if mtu is not None and mtu < _LEAST_MTU_OF_IPV6:
            yield (name,), f"IPv6 needs an MTU of {_LEAST_MTU_OF_IPV6} B or more; got {mtu}"
    largest = _largest_mtu(row, network)
    if message := _size_fault("segments", row[SEGMENT_SIZE], _headers_bytes(row), largest):
        yield (SEGMENT_SIZE, "mtu"), message
    if row.get("cbr_flows") and (message := datagram_fault(row, row["cbr_packet_size"], largest)):
        yield ("cbr_packet_size", "mtu"), message


def datagram_fault(row: Combination, size: int, mtu: int) -> str:
    """The message on UDP payloads that do not fit into an MTU; empty if they do."""
    return _size_fault("packets", size, base_network.IP_BYTES[row["ip"]] + _UDP_BYTES, mtu)


def _size_fault(what: str, size: int, headers: int, mtu: int) -> str:
    if size + headers <= mtu:
        return ""
    return f"{what} of {size} B and {headers} B of headers exceed the MTU of {mtu} B; at most {mtu - headers} B fit"


def _headers_bytes(row: Combination) -> int:
    """The bytes of IP's and TCP's headers with timestamps, even where TCP sends none."""
    return base_network.IP_BYTES[row["ip"]] + base_network.TCP_BYTES + base_network.TIMESTAMP_BYTES


def _largest_mtu(row: Combination, network: Network) -> int:
    """The largest MTU of the paths of flows and traffic, in bytes."""
    ways = (*(flow.way for flow in network.flows), *network.pairs.values())
    return _largest_of(network, _mtus(row, network), ways) if ways else int(network_fields.defaults("links")["mtu"])

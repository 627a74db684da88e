# SPDX-License-Identifier: MIT
"""Warnings about round trips so short that ns-3's timers and clocks decide what a flow does."""

from collections.abc import Iterator
from decimal import Decimal

from tcpsweep.sweep import base_network
from tcpsweep.sweep.base_network import Topology
from tcpsweep.sweep.matching import Settings
from tcpsweep.words import quantities

SHORT_S = 0.02
_MIN_RTO = "ns3::TcpSocketBase::MinRto"
_DELAYED_ACK = "ns3::TcpSocket::DelAckTimeout"
_TIMESTAMP = "ns3::TcpSocketBase::Timestamp"
# ns-3's defaults, in s: tcp-socket-base.cc and tcp-socket.cc.
_DEFAULT_S = {_MIN_RTO: 1.0, _DELAYED_ACK: 0.2}


def warnings(row: Settings, topology: Topology) -> Iterator[str]:
    """Of one combination at most one warning: what ns-3's TCP does there that nobody chose, with the numbers."""
    shortest_s = round(min(base_network.round_trips_s(row, topology), default=0.0), 9)
    if not 0 < shortest_s < SHORT_S:
        return
    said = [
        f"{what} {_text_of(_DEFAULT_S[name])}, {_times(_DEFAULT_S[name] / shortest_s)} that"
        for name, what in ((_MIN_RTO, "timeouts come after"), (_DELAYED_ACK, "a delayed ACK waits up to"))
        if name not in row
    ]
    shorter = "`preset: linux` has shorter timers, and " if said else ""
    if row.get(_TIMESTAMP) != "false":
        said.insert(0, "with timestamps, it is measured in whole milliseconds")  # TcpOptionTS::NowToTsValue
    if said:
        yield (
            f"a base round trip of {_text_of(shortest_s)} is short for ns-3's TCP: {'; '.join(said)}; "
            f"{shorter}`preset: datacentre` measures round trips exactly"
        )


def _times(factor: float) -> str:
    """A factor in words, with two digits."""
    return f"{float(f'{factor:.2g}'):g} times"


def _text_of(seconds: float) -> str:
    """A time as people write it."""
    return quantities.scaled(Decimal(f"{seconds:.9f}"), "s")

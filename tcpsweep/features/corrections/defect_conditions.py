# SPDX-License-Identifier: MIT
"""The known defects of ns-3's TCP that affect a combination's numbers."""

import operator
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from tcpsweep.core.sweep import base_network, host_programs, network_graph, ns3_tcp
from tcpsweep.core.sweep.base_network import Topology
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.words import dotted_names, units
from tcpsweep.core.words.metrics import FAMILIES
from tcpsweep.features.corrections import correction_names, corrections_in_force

UNSET = "default"
TRANSFERS = "transfers"  # a condition's name: whether flows have limited bytes, or there is application traffic
LOSSES = "losses"  # whether packets may be lost, or seem to be
# Packets of a flow besides its segments: SYN, FIN and the ACK of the handshake; and the share of retransmissions that
# spurious timeouts may add.
_EXTRA_PACKETS, _RESENT_FACTOR = 3, 2
# Parameters with which packets are lost, or queues drop before they are full, unless they have one of these values.
_SAFE_VALUES = {
    "loss": (0,),
    "loss_good_to_bad": (0,),
    "loss_in_good": (0,),
    "reorder": (0,),
    "schedule": ("none",),
    "policer_rate": ("none",),
    "queue_disc": ("none", "FifoQueueDisc"),
    "cbr_flows": (0,),
    "stations": (0,),
}
_BOUND = re.compile(r"([<>]=?) *(.+)")
_COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class Defect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry of ``config/known-defects.yaml``, which explains the fields."""

    name: str
    variants: list[str] = []
    but: list[str] = []
    beside: list[str] = []
    since: str = "3.37"
    until: str | None = None
    when: dict[str, str | list[str]] = {}
    metrics: list[str]
    effect: str
    source: str
    correction: str | None = None
    shown_by: dict[str, Any] | None = None
    not_shown: str = ""

    @property
    def touches(self) -> set[str]:
        """The names of the metrics that it affects."""
        return {name for metric in self.metrics for name in FAMILIES.get(metric, [metric])}


def of_version(defects: Iterable[Defect], version: str) -> list[Defect]:
    """The defects that a version of ns-3 has."""
    return [defect for defect in defects if correction_names.is_between(version, defect.since, defect.until)]


def applying(defects: Iterable[Defect], row: Combination, version: str) -> list[Defect]:
    """A version's defects that affect a combination's numbers, because no correction in force removes them."""
    ns3_variants = ns3_tcp.variants(row)
    if not ns3_variants:
        return []
    corrected = corrections_in_force.in_force(row, version)
    return [
        defect
        for defect in defects
        if defect.correction not in corrected and _is_shown_by(defect, ns3_variants) and _is_met(defect.when, row)
    ]


def variants(rows: Iterable[Combination]) -> list[str]:
    """The variants in combinations that use ns-3's TCP, by name."""
    return sorted({variant for row in rows for variant in ns3_tcp.variants(row)})


def variants_with(defect: Defect, all_variants: Collection[str]) -> list[str]:
    """The variants with a defect, by name."""
    return sorted(_variants_with(defect, all_variants))


def by_combination(defects: Iterable[Defect], rows: Sequence[Combination], version: str) -> list[list[Defect]]:
    """The defects that affect each combination's numbers."""
    version_defects = of_version(defects, version)
    return [applying(version_defects, row, version) for row in rows]


def _is_shown_by(defect: Defect, ns3_variants: Collection[str]) -> bool:
    """Whether one of the variants has the defect, and one of those that it shows beside, if it names any, is there."""
    return bool(_variants_with(defect, ns3_variants)) and (
        not defect.beside or bool(set(defect.beside) & set(ns3_variants))
    )


def _variants_with(defect: Defect, all_variants: Collection[str]) -> set[str]:
    """The variants with a defect."""
    not_excluded = set(all_variants) - set(defect.but)
    return not_excluded & set(defect.variants) if defect.variants else not_excluded


def _is_met(conditions: Mapping[str, str | list[str]], row: Combination) -> bool:
    return all(any(_is_wanted(wanted, value) for value in _values_of(row, name)) for name, wanted in conditions.items())


def _values_of(row: Combination, name: str) -> Iterator[Any]:
    """A combination's values of a parameter: each link's, flow's and group of traffic's, else the network's."""
    if name == TRANSFERS:
        yield _has_transfers(row)
        return
    if name == LOSSES:
        yield _may_lose(row)
        return
    values = []
    if "::" not in name and dotted_names.names_key("links") in row:
        values = [value for key, value in row.items() if (parts := dotted_names.split(key)) and _field(parts) == name]
    for value in values or [row.get(name, UNSET)]:
        yield from value if isinstance(value, list) else [value]


def _has_transfers(row: Combination) -> bool:
    """Whether there are transfers that end: flows with limited bytes, or application traffic."""
    return bool(row.get(dotted_names.names_key("traffic"))) or any(
        (units.as_number(value) or 0) > 0
        for name, value in row.items()
        if name == "bytes" or (name.startswith(dotted_names.PREFIX) and name.endswith(".bytes"))
    )


def _may_lose(row: Combination) -> bool:
    """Whether a combination's packets may be lost or overtake each other, unless they all fit into the buffer."""
    if network_graph.has_named_parts(row) or any(host_programs.commands(row)):
        return True
    if any(name in row and row[name] not in safe for name, safe in _SAFE_VALUES.items()):
        return True
    if not {"queue", "bandwidth", "delay", "flows", "bytes"} <= row.keys():
        return True
    sizes = [network_graph.of_member(row["bytes"], flow) for flow in range(row["flows"] + row.get("reverse_flows", 0))]
    if 0 in sizes:  # without end
        return True
    # Without access links, which would only make the product larger.
    topology = Topology(2 * units.si(row["delay"], "time"))
    amount, unit = base_network.in_queue(row, row["queue"], topology)
    room_packets = (
        amount if unit == "p" else amount / (base_network.packet_bytes(row, topology) + base_network.PPP_BYTES)
    )
    packets = sum(-(-size // row["segment_size"]) + _EXTRA_PACKETS for size in sizes)
    return bool(_RESENT_FACTOR * packets > room_packets)


def _field(parts: dotted_names.Dotted) -> str:
    return parts.field.removeprefix(dotted_names.BACK)


def _is_wanted(wanted: str | list[str], value: Any) -> bool:
    if isinstance(wanted, list):
        return units.value_text(value) in wanted
    bound_match = _BOUND.fullmatch(wanted)
    if not bound_match:
        raise ValueError(f"expected such as '> 0', got {wanted!r}")
    if bound_match[2].endswith("bdp") and not str(value).endswith("bdp"):
        return str(value) != "none"  # a queue in packets or bytes may be as small; `none` is a queue that never drops
    amount, limit = units.as_number(value), units.as_number(bound_match[2])
    return amount is not None and limit is not None and bool(_COMPARISONS[bound_match[1]](amount, limit))

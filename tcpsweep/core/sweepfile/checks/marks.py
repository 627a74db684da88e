# SPDX-License-Identifier: MIT
"""Where a queue disc begins to mark or drop: ECN, RED's thresholds, and DCTCP's single threshold.

`ns3-scenarios/lib/network/disc-settings.cc` derives missing settings and refuses the same ones.
"""

from collections.abc import Iterator

from tcpsweep.core.sweep import assignment, base_network, network_graph
from tcpsweep.core.sweep.base_network import Topology
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweep.network_graph import Link
from tcpsweep.core.words import units
from tcpsweep.core.words.mixes import Mix

# ns-3's queue discs that never mark packets.
_UNMARKING = ("none", "FifoQueueDisc", "PfifoFastQueueDisc", "PrioQueueDisc", "TbfQueueDisc", "MqQueueDisc")
RED = "RedQueueDisc"
MARKING = f"`queue_disc: {RED}` with `ecn_threshold: 20p`"  # an example
# Discs that mark by a packet's delay in the queue. PIE and its relatives use CeThreshold only for L4S.
_BY_DELAY = ("CoDelQueueDisc", "CobaltQueueDisc", "FqCoDelQueueDisc", "FqCobaltQueueDisc")
# Discs that use it only for L4S, and have no `ecn_threshold`.
_ONLY_FOR_L4S = ("PieQueueDisc", "FqPieQueueDisc")
_DUALPI2 = "DualPi2QueueDisc"  # our own; its queue for L4S has a threshold of its own
DCTCP = ("TcpDctcp", "linux:dctcp")
_USE_ECT0 = "ns3::TcpDctcp::UseEct0"
_RED_SETS = ("MinTh", "MaxTh", "QW", "Gentle", "UseHardDrop", "ARED")
_MAX_OF_MIN = 3

# The parameters at fault, the most important one first, and the message.
_Faults = Iterator[tuple[tuple[str, ...], str]]


def problems(row: Settings, topology: Topology) -> _Faults:
    """Marks and thresholds of one combination that do not fit together."""
    disc, threshold = row["queue_disc"], row["ecn_threshold"]
    if (dctcp_variant := _dctcp_variant(row)) and not row["ecn"]:
        yield (
            ("variant",),
            f"{dctcp_variant} needs `ecn: true` and a queue disc that marks, such as {MARKING}",
        )
    if row["ecn"] and disc in _UNMARKING:
        instead = "add" if disc == "none" else f"{disc} does not; write"
        yield ("ecn",), f"`ecn: true` needs a queue disc that marks: {instead} `queue_disc: RedQueueDisc`"
    elif threshold != "none":
        yield from _threshold_problems(row, topology)
    elif disc == RED:
        yield from _red_problems(row, topology)
    if _is_l4s(row) and disc in (*_BY_DELAY, *_ONLY_FOR_L4S):
        yield from _l4s_problems(row)


def is_marking(row: Settings, link: Link, forth: bool) -> bool:
    """Whether a direction of a custom topology's link marks packets."""
    return bool(network_graph.link_value(row, link, "ecn", forth, None))


def warnings(row: Settings) -> Iterator[str]:
    """Marks of one combination that are probably not intended."""
    dctcp_variant = _dctcp_variant(row)
    if dctcp_variant and row["ecn_threshold"] == "none" and f"{_disc_type(row)}::CeThreshold" not in row:
        if row["queue_disc"] in _BY_DELAY:
            yield (
                f"{dctcp_variant} needs marks on all packets above one threshold, but {row['queue_disc']} marks by its "
                "own rule: write `ecn_threshold`, such as 1ms"
            )
        elif row["queue_disc"] not in (RED, _DUALPI2):
            yield (
                f"{dctcp_variant} needs marks on all packets above one threshold, which {row['queue_disc']} lacks: "
                f"use {RED} with `ecn_threshold`"
            )
    if dctcp_variant:
        yield from _ect0_warnings(row, dctcp_variant)


def _ect0_warnings(row: Settings, dctcp: str) -> Iterator[str]:
    """ECT(0) from DCTCP at a disc that takes only ECT(1) for L4S."""
    is_from_kernel = dctcp in assignment.kernel_variants(row)
    if not is_from_kernel and row.get(_USE_ECT0) == "false":
        return
    if _is_l4s(row):
        instead = "Linux' DCTCP has no other" if is_from_kernel else f"write the attribute {_USE_ECT0}: false"
        yield f"{dctcp} sends ECT(0), and {_disc_type(row)}::UseL4s does not apply the threshold to ECT(0): {instead}"
    elif row["queue_disc"] == _DUALPI2 and row.get(f"{_disc_type(row)}::AnyEct") != "true":
        instead = f"{_disc_type(row)}::AnyEct: true" if is_from_kernel else f"{_USE_ECT0}: false"
        yield f"{dctcp} sends ECT(0), which {_DUALPI2} puts into its classic queue: write the attribute {instead}"


def _dctcp_variant(row: Settings) -> str | None:
    """The name of DCTCP in a combination's flows, ns-3's or Linux'; None without such flows."""
    return next((variant for variant in Mix.parse(row["variant"]).turns if variant in DCTCP), None)


def _disc_type(row: Settings) -> str:
    return f"ns3::{row['queue_disc']}"


def _is_l4s(row: Settings) -> bool:
    return row.get(f"{_disc_type(row)}::UseL4s") == "true"


def _l4s_problems(row: Settings) -> _Faults:
    """L4S without marks, or without its threshold, in which case ns-3 aborts the simulation."""
    use_l4s, threshold = f"{_disc_type(row)}::UseL4s", f"{_disc_type(row)}::CeThreshold"
    if not row["ecn"]:
        yield (use_l4s,), "this needs `ecn: true`, without which no packet is marked"
    elif row["ecn_threshold"] == "none" and threshold not in row:
        where = f"`ecn_threshold: 1ms`, or {threshold}" if row["queue_disc"] in _BY_DELAY else f"{threshold}: 1ms"
        yield (use_l4s,), f"L4S marks above a delay: write {where}"


def _threshold_problems(row: Settings, topology: Topology) -> _Faults:
    """Problems with a threshold in the file."""
    disc, threshold = row["queue_disc"], row["ecn_threshold"]
    if not row["ecn"]:
        yield ("ecn_threshold",), "`ecn_threshold` needs `ecn: true`, without which no packet is marked"
        return
    if disc != RED and disc not in _BY_DELAY:
        yield (
            ("ecn_threshold", "queue_disc"),
            f"{disc} has no threshold; {RED} takes a length, such as 20p, and {', '.join(_BY_DELAY)} take a time, "
            "such as 1ms",
        )
        return
    for name in _RED_SETS if disc == RED else ("CeThreshold",):
        if f"{_disc_type(row)}::{name}" in row:
            yield ("ecn_threshold",), f"this also sets {_disc_type(row)}::{name}; remove one of them"
            return
    _, unit = units.split(threshold) or ("", "")
    is_length = unit in ("p", "B", "bdp")
    if is_length != (disc == RED):
        expected = (
            f"{RED} marks by its length: expected packets, bytes or bandwidth-delay products, such as 20p"
            if disc == RED
            else f"{disc} marks by a packet's delay in the queue: expected a time, such as 1ms"
        )
        yield ("ecn_threshold",), f"{expected}; got {threshold}"
    elif is_length:
        yield from _length_problems(row, topology)


def _length_problems(row: Settings, topology: Topology) -> _Faults:
    """A threshold that the queue never reaches, or that is less than a packet; the file has it as a length."""
    packet_bytes = base_network.packet_bytes(row, topology)
    (queue_size, queue_unit), (threshold_size, threshold_unit) = (
        base_network.in_queue(row, row[name], topology) for name in ("queue", "ecn_threshold")
    )
    if threshold_unit == "B" and threshold_size < packet_bytes + base_network.PPP_BYTES:
        least = packet_bytes + base_network.PPP_BYTES
        yield ("ecn_threshold",), f"expected at least a full packet's {least}B, got {row['ecn_threshold']}"
    if queue_unit == threshold_unit:
        in_queue_unit: float = threshold_size
    else:
        in_queue_unit = threshold_size * packet_bytes if queue_unit == "B" else threshold_size / packet_bytes
    if in_queue_unit >= queue_size:
        most = max(1, queue_size - (packet_bytes if queue_unit == "B" else 1))
        yield (
            ("ecn_threshold", "queue"),
            f"expected less than the queue, {queue_size:g}{queue_unit}, such as {most:.10g}{queue_unit}; "
            f"got {row['ecn_threshold']}",
        )


def _red_problems(row: Settings, topology: Topology) -> _Faults:
    """RED's own thresholds if the file sets any; DCTCP without a threshold."""
    threshold_names = [f"{_disc_type(row)}::{name}" for name in ("MinTh", "MaxTh")]
    set_names = [name for name in threshold_names if name in row]
    if not set_names:
        if (dctcp := _dctcp_variant(row)) and row["ecn"]:
            yield (
                ("variant", "queue_disc"),
                f"{dctcp} needs marks on all packets above one threshold: write `ecn_threshold`, such as 20p, "
                f"or {' and '.join(threshold_names)}",
            )
        return
    try:
        min_th, max_th = (float(row[name]) if name in row else None for name in threshold_names)
    except ValueError:  # ns-3 refuses the value with a better message
        return
    if row.get(f"{_disc_type(row)}::ARED") == "true" or (min_th == max_th == 0):
        return  # ns-3 derives both
    queue_size, queue_unit = base_network.in_queue(row, row["queue"], topology)
    packet_bytes = base_network.packet_bytes(row, topology)
    highest = max_th if max_th is not None else _MAX_OF_MIN * (min_th or 0)
    if min_th is not None and not 0 <= min_th <= highest:
        yield (threshold_names[0],), f"expected from 0 to MaxTh, {highest:.10g}; got {min_th:.10g}"
    elif highest > queue_size and max_th is None:
        yield (
            (threshold_names[0], "queue"),
            f"expected at most {queue_size / _MAX_OF_MIN:.10g}, because MaxTh is three times as much and at most the "
            f"queue, {queue_size:.10g}{queue_unit}; got {min_th:.10g}",
        )
    elif highest > queue_size:
        yield (
            (threshold_names[1], "queue"),
            f"expected no more than the queue, {queue_size:.10g}{queue_unit}; got {highest:.10g}",
        )
    elif queue_unit == "B" and highest < packet_bytes:
        yield (
            (set_names[-1], "queue"),
            f"MaxTh is in bytes, like the queue: expected at least a full packet, {packet_bytes}; got {highest:.10g}",
        )

# SPDX-License-Identifier: MIT
"""Where a queue disc begins to mark or drop: ECN, RED's thresholds, and the one threshold that DCTCP wants.

`ns3-scenarios/lib/network/disc-settings.cc` derives what the file leaves open, and refuses the same.
"""

from collections.abc import Iterator

from tcpsweep.sweep import assignment, base_network
from tcpsweep.sweep.base_network import Topology
from tcpsweep.sweep.matching import Settings
from tcpsweep.words import quantities
from tcpsweep.words.mixes import Mix

# Queue discs of ns-3 that never mark a packet.
_UNMARKING = ("none", "FifoQueueDisc", "PfifoFastQueueDisc", "PrioQueueDisc", "TbfQueueDisc", "MqQueueDisc")
RED = "RedQueueDisc"
# The discs that mark by a packet's delay in them; those of PIE's kind heed CeThreshold for L4S alone.
_BY_DELAY = ("CoDelQueueDisc", "CobaltQueueDisc", "FqCoDelQueueDisc", "FqCobaltQueueDisc")
# Those that heed it for L4S alone, and have no `ecn_threshold`.
_FOR_L4S = ("PieQueueDisc", "FqPieQueueDisc")
DCTCP = ("TcpDctcp", "linux:dctcp")
_ECT0 = "ns3::TcpDctcp::UseEct0"
_RED_SETS = ("MinTh", "MaxTh", "QW", "Gentle", "UseHardDrop", "ARED")
_MAX_OF_MIN = 3

# The parameters at fault, the one to name first, and what is wrong.
_Found = Iterator[tuple[tuple[str, ...], str]]


def problems(row: Settings, topology: Topology) -> _Found:
    """Marks and thresholds of one combination that do not go together."""
    disc, threshold = row["queue_disc"], row["ecn_threshold"]
    if (dctcp := _dctcp(row)) and not row["ecn"]:
        yield (
            ("variant",),
            f"{dctcp} needs `ecn: true` and a queue disc that marks, such as `queue_disc: RedQueueDisc` "
            "with `ecn_threshold: 20p`",
        )
    if row["ecn"] and disc in _UNMARKING:
        yield ("ecn",), f"`ecn: true` needs a queue disc that marks; queue_disc {disc} does not"
    elif threshold != "none":
        yield from _threshold_problems(row, topology)
    elif disc == RED:
        yield from _red_problems(row, topology)
    if _is_l4s(row) and disc in (*_BY_DELAY, *_FOR_L4S):
        yield from _l4s_problems(row)


def warnings(row: Settings) -> Iterator[str]:
    """Marks of one combination that are hardly what was meant."""
    dctcp = _dctcp(row)
    if dctcp and row["ecn_threshold"] == "none" and f"{_type(row)}::CeThreshold" not in row:
        if row["queue_disc"] in _BY_DELAY:
            yield (
                f"{dctcp} wants marks on all packets above one threshold, and {row['queue_disc']} marks by its own "
                "law: give `ecn_threshold`, such as 1ms"
            )
        elif row["queue_disc"] != RED:
            yield (
                f"{dctcp} wants marks on all packets above one threshold, which {row['queue_disc']} has not: "
                f"{RED} has, with `ecn_threshold`"
            )
    of_kernel = dctcp in assignment.kernel_variants(row)
    if dctcp and _is_l4s(row) and (of_kernel or row.get(_ECT0) != "false"):
        instead = "Linux' has no other" if of_kernel else f"give the attribute {_ECT0}: false"
        yield f"{dctcp} sets ECT(0), for which {_type(row)}::UseL4s leaves the threshold alone: {instead}"


def _dctcp(row: Settings) -> str | None:
    """The name that a combination's flows with DCTCP have, ns-3's or Linux'; None if there are none."""
    return next((variant for variant in Mix.parse(row["variant"]).turns if variant in DCTCP), None)


def _type(row: Settings) -> str:
    return f"ns3::{row['queue_disc']}"


def _is_l4s(row: Settings) -> bool:
    return row.get(f"{_type(row)}::UseL4s") == "true"


def _l4s_problems(row: Settings) -> _Found:
    """L4S without its threshold, for which ns-3 ends the simulation, or without marks."""
    name, threshold = f"{_type(row)}::UseL4s", f"{_type(row)}::CeThreshold"
    if not row["ecn"]:
        yield (name,), "this needs `ecn: true`: without it, nothing is marked"
    elif row["ecn_threshold"] == "none" and threshold not in row:
        where = f"`ecn_threshold: 1ms`, or {threshold}" if row["queue_disc"] in _BY_DELAY else f"{threshold}: 1ms"
        yield (name,), f"L4S marks above a delay: give {where}"


def _threshold_problems(row: Settings, topology: Topology) -> _Found:
    """What is wrong with a threshold that is given."""
    disc, threshold = row["queue_disc"], row["ecn_threshold"]
    if not row["ecn"]:
        yield ("ecn_threshold",), "`ecn_threshold` needs `ecn: true`: without it, nothing is marked"
        return
    if disc != RED and disc not in _BY_DELAY:
        yield (
            ("ecn_threshold", "queue_disc"),
            f"{disc} has no such threshold; {RED} has a length, such as 20p, and {', '.join(_BY_DELAY)} have a time, "
            "such as 1ms",
        )
        return
    for name in _RED_SETS if disc == RED else ("CeThreshold",):
        if f"{_type(row)}::{name}" in row:
            yield ("ecn_threshold",), f"this sets {_type(row)}::{name} too; give one of the two, not both"
            return
    _, unit = quantities.split(threshold) or ("", "")
    is_length = unit in ("p", "B", "bdp")
    if is_length != (disc == RED):
        expected = (
            f"{RED} marks by its length: expected packets, bytes or bandwidth-delay products, such as 20p"
            if disc == RED
            else f"{disc} marks by a packet's delay in it: expected a time, such as 1ms"
        )
        yield ("ecn_threshold",), f"{expected}; got {threshold}"
    elif is_length:
        yield from _length_problems(row, topology)


def _length_problems(row: Settings, topology: Topology) -> _Found:
    """A length that the queue never has, or that is less than a packet."""
    packet = base_network.packet_bytes(row, topology)
    (limit, unit), (length, counted) = (
        base_network.in_queue(row, row[name], topology) for name in ("queue", "ecn_threshold")
    )
    if counted == "B" and length < packet + base_network.PPP_BYTES:
        least = packet + base_network.PPP_BYTES
        yield ("ecn_threshold",), f"expected at least a full packet's {least}B, got {row['ecn_threshold']}"
    in_unit = length if unit == counted else length * packet if unit == "B" else length / packet
    if in_unit >= limit:
        most = max(1, limit - (packet if unit == "B" else 1))
        yield (
            ("ecn_threshold", "queue"),
            f"expected less than the queue, {limit:g}{unit}, such as {most:.10g}{unit}; got {row['ecn_threshold']}",
        )


def _red_problems(row: Settings, topology: Topology) -> _Found:
    """RED's own thresholds, where the file gives any, and DCTCP where it gives none."""
    names = [f"{_type(row)}::{name}" for name in ("MinTh", "MaxTh")]
    given = [name for name in names if name in row]
    if not given:
        if (dctcp := _dctcp(row)) and row["ecn"]:
            yield (
                ("variant", "queue_disc"),
                f"{dctcp} needs a disc that marks all packets above one threshold: give `ecn_threshold`, such as 20p, "
                f"or {' and '.join(names)}",
            )
        return
    try:
        least, most = (float(row[name]) if name in row else None for name in names)
    except ValueError:  # what ns-3 refuses, with a better message
        return
    if row.get(f"{_type(row)}::ARED") == "true" or (least == most == 0):
        return  # ns-3 finds both by itself
    limit, unit = base_network.in_queue(row, row["queue"], topology)
    packet = base_network.packet_bytes(row, topology)
    highest = most if most is not None else _MAX_OF_MIN * (least or 0)
    if least is not None and not 0 <= least <= highest:
        yield (names[0],), f"expected from 0 to MaxTh, {highest:.10g}; got {least:.10g}"
    elif highest > limit and most is None:
        yield (
            (names[0], "queue"),
            f"expected at most {limit / _MAX_OF_MIN:.10g}, as MaxTh is three times as much and no more than the queue, "
            f"{limit:.10g}{unit}; got {least:.10g}",
        )
    elif highest > limit:
        yield (names[1], "queue"), f"expected no more than the queue, {limit:.10g}{unit}; got {highest:.10g}"
    elif unit == "B" and highest < packet:
        yield (
            (given[-1], "queue"),
            f"it counts bytes as the queue does: expected MaxTh from a full packet's {packet}; got {highest:.10g}",
        )

# SPDX-License-Identifier: MIT
"""The corrections of ns-3's TCP that make a difference to a combination's cells."""

from collections.abc import Collection

from tcpsweep.core.sweep import ns3_tcp
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.ns3_tcp import CORRECTIONS, NONE
from tcpsweep.features.corrections import correction_names

RECOVERY = "ns3::TcpL4Protocol::RecoveryType"
_PRR = "ns3::TcpPrrRecovery"  # ns-3's default
_SACK = "ns3::TcpSocketBase::Sack"
_RATE_BASED = frozenset({"TcpBbr"})  # ns-3's variants that set their window from rate samples, also in recovery


def in_force(row: Combination, version: str, custom: Collection[str] = ()) -> list[str]:
    """The names of the corrections with which a combination's cells are simulated in a version of ns-3.

    Corrections that change nothing are left out: a cell is the same with and without them. ``custom`` are variants with
    our own code; all corrections count for them, because their needs are unknown.
    """
    selected = correction_names.in_version(str(row.get(CORRECTIONS, NONE)), version)
    variants = ns3_tcp.variants(row)
    is_by_rate = bool(variants & (_RATE_BASED | set(custom)))
    has_sack = bool(variants) and str(row.get(_SACK, "true")) != "false"
    has_rack = has_sack and "rack_tlp" in selected
    is_effective = {
        "bbr": bool(variants & _RATE_BASED),
        "cubic": "TcpCubic" in variants,
        "dsack": has_rack,
        "f_rto": has_rack,
        "prr": str(row.get(RECOVERY, _PRR)) == _PRR and not variants <= _RATE_BASED,
        "quick_ack": bool(variants),
        "rack_tlp": has_sack,
        "rate_sample": is_by_rate,
        "receive_window": bool(variants),
        "recovery_exit": not variants <= _RATE_BASED,
        "reno": "TcpLinuxReno" in variants,
        "sack_compression": has_sack,
        "syn_timeouts": bool(variants),
        "undo": has_rack and ("bbr" in selected or not variants <= _RATE_BASED),
        "window_after_recovery": is_by_rate,
    }
    return [name for name in selected if is_effective[name]]

# SPDX-License-Identifier: MIT
"""The corrections of ns-3's TCP that make a difference to a combination's cells."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from tcpsweep.core.sweep import assignment
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.words import field_names
from tcpsweep.core.words.dotted_names import is_variant
from tcpsweep.core.words.mixes import NOBODY, Mix
from tcpsweep.features.corrections import correction_names
from tcpsweep.features.quic import quic_names

RECOVERY = "ns3::TcpL4Protocol::RecoveryType"
_PRR = "ns3::TcpPrrRecovery"  # ns-3's default
_SACK = "ns3::TcpSocketBase::Sack"
_SETTINGS = {"linux": "Linux' settings", "none": "its own settings", "datacentre": "the settings of a data centre"}
_RATE_BASED = frozenset({"TcpBbr"})  # ns-3's variants that set their window from rate samples, also in recovery


def in_force(row: Settings, version: str, custom: Collection[str] = ()) -> list[str]:
    """The names of the corrections with which a combination's cells are simulated in a version of ns-3.

    Corrections that change nothing are left out: a cell is the same with and without them. ``custom`` are variants with
    our own code; all corrections count for them, because their needs are unknown.
    """
    selected = correction_names.in_version(str(row.get(correction_names.KEY, correction_names.NONE)), version)
    variants = of_ns3(row)
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


def by_value(rows: Iterable[Settings], version: str) -> dict[str, list[str]]:
    """Each value of ``corrections`` in combinations, to the names that it selects in a version of ns-3."""
    values = dict.fromkeys(str(row[correction_names.KEY]) for row in rows if correction_names.KEY in row)
    return {value: correction_names.in_version(value, version) for value in values}


def in_words(names_by_value: Mapping[str, Sequence[str]]) -> str:
    """The result of `by_value` for people; if there are several values, an axis, each has its name."""
    words_by_value = {value: ", ".join(names) or correction_names.NONE for value, names in names_by_value.items()}
    if len(words_by_value) == 1:
        return next(iter(words_by_value.values()))
    return "; ".join(value if value == names else f"{value}: {names}" for value, names in words_by_value.items())


def tcp_in_words(rows: Iterable[Settings], version: str) -> str:
    """Which TCP of ns-3 runs in combinations: its corrections and its settings; empty if no flow has ns-3's TCP."""
    values_and_presets = dict.fromkeys((str(row["corrections"]), str(row["preset"])) for row in rows if of_ns3(row))
    return "; ".join(_one_tcp_in_words(*value_and_preset, version) for value_and_preset in values_and_presets)


def _one_tcp_in_words(value: str, preset: str, version: str) -> str:
    names = correction_names.in_version(value, version)
    listed = f"the correction{'s' * (len(names) > 1)} {', '.join(names)}"
    correction_words = {
        correction_names.ALL: f"all {len(names)} corrections",
        correction_names.NONE: "no corrections",
    }.get(value, listed)
    introduction = {correction_names.ALL + "linux": "TCP as it runs today (`tcp: corrected`): "}.get(value + preset, "")
    if value == preset == correction_names.NONE:
        introduction = "ns-3's own TCP (`tcp: ns-3`): "
    return f"{introduction}ns-3 {version} with {correction_words} and {_SETTINGS.get(preset, preset)}"


def of_ns3(row: Settings) -> set[str]:
    """The variants of a combination's flows and traffic that use ns-3's TCP."""
    if row.get("stack") == assignment.OF_KERNEL:
        return set()
    variants = {
        turn.removeprefix("ns3::")
        for name, value in row.items()
        if (name == "variant" or is_variant(name)) and isinstance(value, str)
        for turn in Mix.parse(value).turns
    }
    foreign_checks = (field_names.is_kernels, quic_names.is_quic)
    return {name for name in variants if name != NOBODY and not any(is_foreign(name) for is_foreign in foreign_checks)}

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
_BY_RATE = frozenset({"TcpBbr"})  # ns-3's variants that set their window from rate samples, also in recovery


def in_force(row: Settings, version: str, custom: Collection[str] = ()) -> list[str]:
    """The names of the corrections with which a combination's cells are simulated in a version of ns-3.

    Corrections that change nothing are left out: a cell is the same with and without them. ``custom`` are variants with
    our own code; all corrections count for them, because their needs are unknown.
    """
    asked = correction_names.in_version(str(row.get(correction_names.KEY, correction_names.NONE)), version)
    variants = of_ns3(row)
    is_by_rate = bool(variants & (_BY_RATE | set(custom)))
    has_sack = bool(variants) and str(row.get(_SACK, "true")) != "false"
    has_rack = has_sack and "rack_tlp" in asked
    needs = {
        "bbr": bool(variants & _BY_RATE),
        "cubic": "TcpCubic" in variants,
        "dsack": has_rack,
        "f_rto": has_rack,
        "prr": str(row.get(RECOVERY, _PRR)) == _PRR and not variants <= _BY_RATE,
        "quick_ack": bool(variants),
        "rack_tlp": has_sack,
        "rate_sample": is_by_rate,
        "receive_window": bool(variants),
        "recovery_exit": not variants <= _BY_RATE,
        "reno": "TcpLinuxReno" in variants,
        "sack_compression": has_sack,
        "syn_timeouts": bool(variants),
        "undo": has_rack and ("bbr" in asked or not variants <= _BY_RATE),
        "window_after_recovery": is_by_rate,
    }
    return [name for name in asked if needs[name]]


def by_value(rows: Iterable[Settings], version: str) -> dict[str, list[str]]:
    """Each value of ``corrections`` in combinations, to the names that it selects in a version of ns-3."""
    values = dict.fromkeys(str(row[correction_names.KEY]) for row in rows if correction_names.KEY in row)
    return {value: correction_names.in_version(value, version) for value in values}


def in_words(names_by_value: Mapping[str, Sequence[str]]) -> str:
    """The result of `by_value` for people; if there are several values, an axis, each has its name."""
    said = {value: ", ".join(names) or correction_names.NONE for value, names in names_by_value.items()}
    if len(said) == 1:
        return next(iter(said.values()))
    return "; ".join(value if value == names else f"{value}: {names}" for value, names in said.items())


def tcp_in_words(rows: Iterable[Settings], version: str) -> str:
    """Which TCP of ns-3 runs in combinations: its corrections and its settings; empty if no flow has ns-3's TCP."""
    kinds = dict.fromkeys((str(row["corrections"]), str(row["preset"])) for row in rows if of_ns3(row))
    return "; ".join(_tcp_in_words(*kind, version) for kind in kinds)


def _tcp_in_words(value: str, preset: str, version: str) -> str:
    names = correction_names.in_version(value, version)
    some = f"the correction{'s' * (len(names) > 1)} {', '.join(names)}"
    words = {correction_names.ALL: f"all {len(names)} corrections", correction_names.NONE: "no corrections"}.get(
        value, some
    )
    kind = {correction_names.ALL + "linux": "TCP as it runs today (`tcp: corrected`): "}.get(value + preset, "")
    if value == preset == correction_names.NONE:
        kind = "ns-3's own TCP (`tcp: ns-3`): "
    return f"{kind}ns-3 {version} with {words} and {_SETTINGS.get(preset, preset)}"


def of_ns3(row: Settings) -> set[str]:
    """The variants of a combination's flows and traffic that use ns-3's TCP."""
    if row.get("stack") == assignment.OF_KERNEL:
        return set()
    named = {
        turn.removeprefix("ns3::")
        for name, value in row.items()
        if (name == "variant" or is_variant(name)) and isinstance(value, str)
        for turn in Mix.parse(value).turns
    }
    foreign = (field_names.is_kernels, quic_names.is_quic)
    return {name for name in named if name != NOBODY and not any(is_of(name) for is_of in foreign)}

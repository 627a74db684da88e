# SPDX-License-Identifier: MIT
"""Names of variants and mixes for print: CUBIC for ``TcpCubic``, and CUBIC (next to BBR) for its flows in a mix.

A sweep file's key ``names`` replaces them. Data files keep the names of the sweep file.
"""

from __future__ import annotations

from collections.abc import Mapping

from tcpsweep.core.words import field_names
from tcpsweep.core.words.mixes import JOINT, NOBODY, Mix

IN = " in "  # between a variant and its mix in the name of a series, see `axes.series`
# The names in the field. Others lose only their prefix Tcp.
_PRINTED_NAME = {
    "TcpBbr": "BBR",
    "TcpBbr3": "BBRv3",
    "TcpBic": "BIC",
    "TcpCubic": "CUBIC",
    "TcpDctcp": "DCTCP",
    "TcpHtcp": "H-TCP",
    "TcpLedbat": "LEDBAT",
    "TcpLinuxReno": "Reno",
    "TcpLp": "TCP-LP",
    "TcpWestwoodPlus": "Westwood+",
}
_OF_PREFIX = "Tcp"


def variant_name(variant: str, names: Mapping[str, str] | None = None) -> str:
    """The name of a variant for print; ``names`` are the sweep file's own.

    Linux' and QUIC's congestion controls have the name of the algorithm, and the implementation in parentheses.
    """
    if names and variant in names:
        return names[variant]
    if implementation := field_names.implementation(variant):
        stack, control = field_names.stack_and_control(variant)
        parts = filter(None, [field_names.IMPLEMENTATIONS[implementation], stack])
        return f"{_algorithm_name(control)} ({', '.join(parts)})"
    return _PRINTED_NAME.get(variant) or variant.removeprefix(_OF_PREFIX) or variant


def mix_name(mix: str, names: Mapping[str, str] | None = None) -> str:
    """The name of a mix for print, such as CUBIC+BBR; of a single variant, its own."""
    return JOINT.join(variant_name(turn, names) for turn in Mix.parse(mix).turns if turn != NOBODY)


def flows_name(variant: str, mix: str, names: Mapping[str, str] | None = None) -> str:
    """The name of a variant's flows, such as CUBIC, or CUBIC (next to BBR) in a mix."""
    others = [variant_name(other, names) for other in Mix.parse(mix).variants if other != variant]
    name = mix_name(variant, names)
    return f"{name} (next to {' and '.join(others)})" if others and variant != mix else name


def series_name(series: str, names: Mapping[str, str] | None = None) -> str:
    """The name for print of a series as `axes.series` names it: a variant, a mix, or ``VARIANT in MIX``."""
    variant, joint, mix = series.partition(IN)
    return flows_name(variant, mix, names) if joint else mix_name(series, names)


def _algorithm_name(control: str) -> str:
    """The name for print of an algorithm by the name that Linux or a QUIC stack has for it."""
    variant = field_names.VARIANTS.get(control)
    return _PRINTED_NAME.get(variant or "") or (variant or control.capitalize()).removeprefix(_OF_PREFIX)

# SPDX-License-Identifier: MIT
"""Attributes of TCP that have ns-3's default value: they change no simulation, so its identity leaves them out."""

import re
from collections.abc import Callable
from typing import Any

from tcpsweep.core.ns3 import catalogue, variants
from tcpsweep.core.ns3.catalogue import Types
from tcpsweep.core.words import normal_forms, units

# Types of whose attributes the scenarios only use the value. A scenario also asks whether an attribute of a queue disc,
# a stream or a pacing rate is set, and then does not choose its own value.
_PLAIN_TYPES = {"ns3::TcpSocket", "ns3::TcpSocketBase", "ns3::TcpL4Protocol", "ns3::RttMeanDeviation"}
_ANCESTORS = {variants.OPS, "ns3::TcpRecoveryOps"}
_STREAM = "Stream"
_WHOLE = re.compile(r"0|-?[1-9][0-9]*")


def is_default(types: Types, full_name: str, text: str) -> bool:
    """Whether a value's text is an attribute's default; ``types`` are from `catalogue.types`."""
    owner, _, attribute = full_name.rpartition("::")
    definition = types[owner]["attributes"].get(attribute) if owner in types else None
    if definition is None or attribute == _STREAM:
        return False
    if owner not in _PLAIN_TYPES and not _ANCESTORS.intersection(catalogue.line_of(types, owner)):
        return False
    read = _READER_OF_TYPE.get(definition["type"], str)
    try:
        return bool(read(normal_forms.normal_attribute(text)) == read(definition["default"]))
    except ValueError:
        return False


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


_READER_OF_TYPE: dict[str, Callable[[str], Any]] = {
    "ns3::UintegerValue": _whole,
    "ns3::IntegerValue": _whole,
    "ns3::DoubleValue": float,
    "ns3::TimeValue": lambda text: units.quantity(text.lstrip("+"), units.TIMES),
    "ns3::DataRateValue": lambda text: units.quantity(text.lstrip("+"), units.RATES),
}

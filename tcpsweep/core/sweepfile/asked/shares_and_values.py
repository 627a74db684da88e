# SPDX-License-Identifier: MIT
"""Read a share, such as 5%, or a metric's value, such as 1ms, from a sweep file."""

import re

from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.words import quantity_forms, units

_SHARE = re.compile(r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?) ?%")


def share(value: object, whole: str) -> float:
    """A share below 1, written in percent; ``whole`` names the whole in messages.

    Raises
    ------
    ValueError
        What was expected.
    """
    match = _SHARE.fullmatch(value) if isinstance(value, str) else None
    if match is None or float(match[1]) >= 100:
        is_plain_share = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1
        near = f"; did you mean '{float(value) * 100:.6g}%'?" if is_plain_share else ""  # type: ignore[arg-type]
        raise ValueError(f"expected a share of {whole} below 100%, such as 2%, got {value!r}{near}")
    return float(match[1]) / 100


def is_share(value: object) -> bool:
    """Whether a value is written in percent."""
    return isinstance(value, str) and value.endswith("%")


def share_or_value(value: object, whole: str, unit: str) -> ShareOrValue:
    """A share below 1, or a value of at least 0 in a metric's unit.

    Raises
    ------
    ValueError
        What was expected.
    """
    if is_share(value):
        return ShareOrValue(share=share(value, whole))
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"expected a share, such as 2%, or a value of the metric, got {value!r}")
    try:
        absolute = quantity_forms.metric_value(value if isinstance(value, str) else units.number_text(value), unit)
    except ValueError as error:
        raise ValueError(f"expected a share of {whole}, such as 2%, or a value: {error}") from None
    if absolute < 0:
        raise ValueError(f"expected at least 0, got {value!r}")
    return ShareOrValue(absolute=absolute)

# SPDX-License-Identifier: MIT
"""A search's contrast and its values, in words."""

from __future__ import annotations

import math

from tcpsweep.core.sweep.contrast import Contrast
from tcpsweep.core.words import metrics, rounding


def title(contrast: Contrast) -> str:
    """The contrast's title: a metric, its variant, and the variant compared with."""
    of = f" of {contrast.variant}" if contrast.variant else ""
    against = f" against {contrast.against}" if contrast.against else ""
    return f"{metrics.METRICS[contrast.metric].title}{of}{against}"


def scale(contrast: Contrast) -> float:
    """The factor from a value to the number shown to people."""
    return 100.0 if contrast.is_share else metrics.METRICS[contrast.metric].scale


def unit(contrast: Contrast) -> str:
    """The unit of that number."""
    return "%" if contrast.is_share else metrics.METRICS[contrast.metric].shown_unit


def value(contrast: Contrast, amount: float | None) -> str:
    """A value with its unit; a difference also has its sign."""
    if amount is None:
        return "–"
    number = amount * scale(contrast)
    text = _number(number)
    sign = "+" if contrast.against and number > 0 and text != "0" else ""
    shown_unit = unit(contrast)
    if contrast.against is not None and not contrast.is_share:
        shown_unit = rounding.difference_with_unit("", shown_unit).strip()
    return f"{sign}{text} {shown_unit}".rstrip()


def interval(contrast: Contrast, low: float | None, high: float | None) -> str:
    """The ends of an interval, without the unit; empty if there is none."""
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return ""
    ends = (_number(end * scale(contrast)) for end in (low, high))
    return f"[{', '.join(ends)}]"


def mean_of(contrast: Contrast, mean: float | None) -> str:
    """A variant's own mean with its unit."""
    metric = metrics.METRICS[contrast.metric]
    return "–" if mean is None else f"{_number(mean * metric.scale)} {metric.shown_unit}".rstrip()


def _number(number: float) -> str:
    return rounding.with_minus(rounding.significant(number, 3))

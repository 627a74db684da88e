# SPDX-License-Identifier: MIT
"""Read a metric to follow, as a sweep file writes it, such as ``goodput_bps of TcpBbr - TcpCubic``.

The form is ``METRIC [of VARIANT [- VARIANT]]``. The caller reads any further words.
"""

import re
from collections.abc import Sequence
from typing import TypeAlias

from tcpsweep.core.sweep import combination_parts
from tcpsweep.core.sweep.contrast import Contrast
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweepfile.asked import asked_metrics
from tcpsweep.core.words import field_names, metrics, spelling

MINUS = ("-", "−")
_TOKEN = re.compile(r"\S+")

Word: TypeAlias = tuple[str, int]
"""A word of a text, and its position."""


class Unreadable(ValueError):
    """A problem with a text, and the character where it is; the message is for the user."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(f"at character {at + 1}: {message}")


def parse(text: str) -> tuple[Contrast, list[Word]]:
    """Read a metric to follow, and the words after it.

    Raises
    ------
    Unreadable
    """
    words = [(match[0], match.start()) for match in _TOKEN.finditer(text)]
    end_word = ("", len(text))
    name, at = words.pop(0) if words else end_word
    if not name:
        raise Unreadable(f"expected a metric, such as jain or goodput_bps, got {quoted(name)}", at)
    if unknown := asked_metrics.why_not_compared(name):
        raise Unreadable(unknown, at)
    if not words or words[0][0] != "of":
        return Contrast(name), words
    words.pop(0)
    variant = _take_variant(words, end_word)
    if not words or words[0][0] not in MINUS:
        return Contrast(name, variant), words
    words.pop(0)
    at = words[0][1] if words else end_word[1]
    against = _take_variant(words, end_word)
    if against == variant:
        raise Unreadable(f"expected a variant other than {variant}, got it again", at)
    return Contrast(name, variant, against), words


def quoted(word: str) -> str:
    """A word in quotes, for messages."""
    return repr(word) if word else "the end"


def _take_variant(words: list[Word], end_word: Word) -> str:
    word, at = words.pop(0) if words else end_word
    if not word or word in MINUS:
        raise Unreadable(f"expected a variant, such as TcpCubic, got {quoted(word)}", at)
    if word in ("link", "traffic"):
        raise Unreadable("only metrics of flows and of the whole network can be followed", at)
    return field_names.VARIANTS.get(word.replace("-", "_"), word.removeprefix("ns3::"))


def fault(contrast: Contrast, text: str, combinations: Sequence[Combination]) -> str:
    """Why a sweep's combinations lack the metric to follow, with its position in the text; else empty."""
    flow_variants = {flow_variant for row in combinations for flow_variant in combination_parts.variants_of_flows(row)}
    if why := asked_metrics.why_unmeasured(contrast.metric, combinations):
        return why
    variants = list(dict.fromkeys(row.variant for row in combinations if "variant" in row))
    if metrics.METRICS[contrast.metric].by_variant:
        variants = [name for name in dict.fromkeys([*variants, *sorted(flow_variants)]) if name in flow_variants]
    for variant in (contrast.variant, contrast.against):
        if variant is not None and variant not in variants:
            at = text.find(variant)
            place = f"at character {at + 1}: " if at >= 0 else ""
            near = spelling.did_you_mean(variant, variants)
            return f"{place}expected a variant of the sweep, {', '.join(variants)}; got {variant!r}{near}"
    return ""

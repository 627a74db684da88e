# SPDX-License-Identifier: MIT
"""The form of an answer: a sentence, and charts whose rows are a table too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tcpsweep.core.report.strips import Axis, MarkedStrip, Strip
from tcpsweep.core.sweep.sweep_parts import Caveat
from tcpsweep.core.words import printed_names

MOST_ROWS = 8  # of a chart on the first screen

Parts = list[tuple[str, str]]
"""A sentence: each part's kind, "text" or "variant", and its words."""


@dataclass(frozen=True)
class Row:
    """A row of a chart: the name of a variant or of something else, a remark on it, its drawing, and its texts."""

    name: str
    about: str
    texts: list[str]
    strip: Strip | None = None
    turns: MarkedStrip | None = None  # of a crossover
    is_variant: bool = True


@dataclass(frozen=True)
class Chart:
    """Rows of values on one axis; ``head`` is the first column's head, ``heads`` are the heads of the texts."""

    title: str
    head: str
    heads: list[str]
    rows: list[Row]
    axis: Axis | None = None
    ticks: list[tuple[float, str]] = field(default_factory=list)  # in place of an axis
    about: str = ""  # the head of the remarks on the names
    legend: str = ""
    more: int = 0  # rows that are left out
    ahead: tuple[str, ...] = ()  # of a crossover: the variant that has more where marks are "above", and "below"
    colours: tuple[str, ...] = ()  # theirs, in the style sheet
    over: str = ""  # whose means a row's line spans, in words; empty where each row is one mean


@dataclass(frozen=True)
class Finding:
    """A sentence on effects in one metric, variant and direction, and the ``link`` to its figure.

    ``is_shown`` is false for a sentence that nothing was shown, ``is_tested`` if all of it are only means. ``size`` is
    its rank. ``of_mix`` says whether it is on the goodput of a mix's variants.
    """

    parts: Parts
    link: str
    size: float
    is_tested: bool
    is_shown: bool
    of_mix: bool = False
    touched: list[Caveat] = field(default_factory=list)


@dataclass(frozen=True)
class Answer:
    """An answer; ``kind`` is the file's question, ``note`` explains a word of the sentence, ``link`` has more.

    ``findings`` stand beside it.
    """

    kind: str
    sentence: Parts
    charts: list[Chart] = field(default_factory=list)
    note: str = ""
    link: str = "#explore"
    findings: list[Finding] = field(default_factory=list)


def plain(parts: Iterable[tuple[str, str]], names: Mapping[str, str]) -> str:
    """A sentence as text; ``names`` are the sweep's names of variants for print."""
    return "".join(printed_names.series_name(words, names) if kind == "variant" else words for kind, words in parts)

# SPDX-License-Identifier: MIT
"""The lists of what features add to a report, and to the terminal's last lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from tcpsweep.core.contact.section import Remark, Section

if TYPE_CHECKING:
    from tcpsweep.core.analysis.sweep_results import SweepResults
    from tcpsweep.core.figures.picture_files import Figure
    from tcpsweep.core.report.answers.answer import Answer, Finding
    from tcpsweep.core.report.sections.score_card import Card
    from tcpsweep.core.words.aligned import Part

_Result = TypeVar("_Result")
Asked: TypeAlias = "Sequence[Callable[[SweepResults], _Result]]"
"""Functions of a sweep's results."""
Figures: TypeAlias = "Callable[[SweepResults, float], Iterator[Figure]]"
"""Draws a kind of figures of a sweep's results, in a width in pixels."""


class AnswerParts(Protocol):
    """What people see first. Of each list, the first that is not None is shown, otherwise the core's own."""

    ANSWERS: Asked[Answer | None]
    FINDINGS: Asked[list[Finding] | None]


class ReportParts(AnswerParts, Protocol):
    """The lists of `tcpsweep.registry.report`.

    A figure's place is the kind of the core's figures that it follows, such as "metrics". A section's place is the name
    of the core's section that it follows, such as "audit", or a place inside one, such as "in methods".
    """

    FIGURES: Sequence[tuple[str, Figures]]
    SECTIONS: Sequence[tuple[str, Section]]
    REMARKS: Asked[Remark | None]
    CARDS: Asked[Card | None]  # score cards, for the first that is not None


class ClosingParts(AnswerParts, Protocol):
    """The lists of `tcpsweep.registry.closing`."""

    TABLES: Asked[list[Part]]  # below the sweep's table
    LAST_LINES: Asked[list[str]]
    UNMET: Asked[str]  # what the sweep was to show and does not, so that its run fails; else empty

# SPDX-License-Identifier: MIT
"""The first screen of a report, which is a picture too: whether the results hold, the answer, score card and plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.report_parts import ReportParts
from tcpsweep.core.contact.section import Remark
from tcpsweep.core.report.answers import first_screen
from tcpsweep.core.report.answers.answer import Answer
from tcpsweep.core.report.sections import audit, plane, score_card
from tcpsweep.core.report.sections.audit import Outcome
from tcpsweep.core.report.sections.score_card import Card
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import units


@dataclass(frozen=True)
class Overview:
    """The first screen."""

    sweep: PlannedSweep
    counted: tuple[str, tuple[int, str], tuple[str, str]]  # from `_counts_in_words`
    network: str
    audit: Outcome
    cells: int
    lacking: int  # cells without a result
    remarks: list[Remark]
    with_variant: str  # the settings of variants, in words
    answer: Answer
    card: Card
    plane: dict[str, Any] | None


def overview(results: SweepResults, parts: ReportParts) -> Overview:
    """The first screen of a sweep's results; ``parts`` are what features add to it."""
    swept = results.swept
    cards = (card(results) for card in parts.CARDS)
    card = next((found for found in cards if found), None)
    remarks = (remark(results) for remark in parts.REMARKS)
    has_plane = results.is_interactive and not results.begins_with_traffic
    return Overview(
        results.sweep,
        _counts_in_words(swept, results.sweep.runs_in_words()),
        _common_rate_and_delay(swept),
        audit.outcome(results.sweep, results.table("audit")),
        results.cells,
        len(results.failed),
        [remark for remark in remarks if remark],
        axes.settings_of_variants(swept),
        first_screen.answer(results, parts),
        card or score_card.card(swept, results.summary, results.effects),
        plane.delay_and_link_use(swept, results.summary, results.finished) if has_plane else None,
    )


def _common_rate_and_delay(sweep: PlannedSweep) -> str:
    """The bottleneck's rate and delay where all network conditions have the same, such as "5Mbps, 20ms"; else empty."""
    texts_of_parameters = [
        {units.value_text(row.get(name, "")) for row in sweep.own} for name in ("bandwidth", "delay")
    ]
    return ", ".join(value for texts in texts_of_parameters if len(texts) == 1 for value in texts if value)


def _counts_in_words(sweep: PlannedSweep, runs: str) -> tuple[str, tuple[int, str], tuple[str, str]]:
    """How many variants, network conditions and repetitions a sweep has: words, and numbers with their nouns."""
    variants = {row["variant"] for row in sweep.texts}
    networks = {tuple(place.values()) for place in axes.network_texts(sweep)}
    variants_text = f"{len(variants)} variant{'s' * (len(variants) != 1)}"
    return (
        variants_text,
        (len(networks), "network condition" + "s" * (len(networks) != 1)),
        (runs, "repetition" + "s" * (runs != "1")),
    )

# SPDX-License-Identifier: MIT
"""How the variants of mixes share the goodput, and what features say of it."""

from dataclasses import dataclass

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.words.mixes import Mix


@dataclass(frozen=True)
class Fairness:
    """Whether the section has its chart."""

    has_chart: bool


def _fairness(results: SweepResults) -> Fairness | None:
    """None without a mix."""
    has_mixes = any(Mix.parse(row["variant"]).is_mixed for row in results.swept.texts)
    return Fairness(results.has_explorer) if has_mixes else None


SECTION = Section("fairness", "report/fairness.html.jinja", _fairness, heading="Fairness")

# SPDX-License-Identifier: MIT
"""The figures, sections and answers that features add to a report. The step `report` has this list as its code."""

from __future__ import annotations

from collections.abc import Sequence

from tcpsweep.core.contact.report_parts import Asked, Figures
from tcpsweep.core.contact.section import Remark, Section
from tcpsweep.core.report.answers.answer import Answer, Finding
from tcpsweep.core.report.sections.score_card import Card
from tcpsweep.features.certificate import certified_section
from tcpsweep.features.corrections import corrections_section
from tcpsweep.features.expectations import expectation_section
from tcpsweep.features.linux import linux_answer, stack_section
from tcpsweep.features.pairs import fairest_answer, harm_section, pair_figures, pair_section
from tcpsweep.features.precision import precision_section
from tcpsweep.features.refine import crossover_answer, turning_figures, turning_points_section
from tcpsweep.features.search import found_network_answer, search_section
from tcpsweep.features.studies import study_section
from tcpsweep.features.traffic import traffic_figures, traffic_findings, traffic_section
from tcpsweep.features.wireless import wireless_figures

FIGURES: Sequence[tuple[str, Figures]] = (
    ("requested metrics", turning_figures.figures),
    ("requested metrics", pair_figures.figures),
    ("requested metrics", traffic_figures.figures),
    ("metrics", wireless_figures.figures),
)
SECTIONS: Sequence[tuple[str, Section]] = (
    ("lacking", expectation_section.SECTION),
    ("audit", search_section.SECTION),
    ("audit", turning_points_section.SECTION),
    ("audit", pair_section.SECTION),
    ("audit", stack_section.SECTION),
    ("audit", traffic_section.LEADING),
    ("networks", traffic_section.SECTION),
    ("in fairness", harm_section.SECTION),
    ("over_time", study_section.SECTION),
    ("over_time", precision_section.SECTION),
    ("tcp", corrections_section.FACT),
    ("in swept", expectation_section.FACT),
    ("in settings", corrections_section.SECTION),
    ("settings", certified_section.SECTION),
    ("in methods", corrections_section.SENTENCE),
)
REMARKS: Asked[Remark | None] = (expectation_section.remark, certified_section.remark)
ANSWERS: Asked[Answer | None] = (
    found_network_answer.answer,
    crossover_answer.answer,
    fairest_answer.answer,
    linux_answer.answer,
)
FINDINGS: Asked[list[Finding] | None] = (traffic_findings.findings,)
CARDS: Asked[Card | None] = (traffic_section.card,)

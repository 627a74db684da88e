# SPDX-License-Identifier: MIT
"""The one place that picks the answer to the sweep file's question."""

from __future__ import annotations

from dataclasses import replace

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.report_parts import AnswerParts
from tcpsweep.core.report.answers import late, means, mixes, topology
from tcpsweep.core.report.answers.answer import Answer, Finding
from tcpsweep.core.report.sections import headlines

BESIDE_MIXES = 2  # findings, so that the first screen stays short


def answer(results: SweepResults, parts: AnswerParts) -> Answer:
    """The answer to the sweep file's question, with the findings that it does not say itself."""
    of_features = (findings(results) for findings in parts.FINDINGS)
    findings = next((found for found in of_features if found is not None), None)
    if findings is None:
        findings = headlines.largest(results.swept, results.effects)
    answers = (answer(results) for answer in parts.ANSWERS)
    picked = next((found for found in answers if found), None) or _own_answer(results, findings)
    with_late = late.added(picked, results.swept, results.summary, results.table("traffic"))
    return replace(with_late, findings=_beside(with_late, findings))


def _own_answer(results: SweepResults, findings: list[Finding]) -> Answer:
    """The answer to a question that any sweep asks."""
    swept, summary, table = results.swept, results.summary, results.table
    return (
        topology.answer(swept, table("links"), table("flows"), table("groups"))
        or (means.of_traffic(swept, table("traffic"), findings) if results.has_no_flows else None)
        or mixes.answer(swept, summary, table("effects"))
        or means.answer(swept, summary, findings)
    )


def _beside(answer: Answer, findings: list[Finding]) -> list[Finding]:
    """The findings that stand beside an answer: those that it does not say itself."""
    if answer.kind == "comparison":
        return findings
    if answer.kind == "mixes":
        return [finding for finding in findings if not finding.of_mix][:BESIDE_MIXES]
    return [finding for finding in findings if finding.is_shown and finding.is_tested]

# SPDX-License-Identifier: MIT
"""The one place that picks the answer to the sweep file's question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.report.answers import late, means, mixes, topology
from tcpsweep.core.report.answers.answer import Answer
from tcpsweep.core.sweep import sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.features.linux import linux_answer
from tcpsweep.features.pairs import fairest_answer
from tcpsweep.features.refine import crossover_answer
from tcpsweep.features.search import found_network_answer

BESIDE_MIXES = 2  # findings, so that the first screen stays short


def answer(folder: Path, sweep: PlannedSweep, summary: pl.DataFrame, findings: list[dict[str, Any]]) -> Answer:
    """The answer to the sweep file's question, from the tables in the sweep's folder.

    ``summary`` is the sweep's table, and ``findings`` are the findings that its overview names.
    """

    def read(name: str) -> pl.DataFrame:
        return sweep_tables.read(folder, name)

    swept = sweep.up_to(sweep.swept)
    picked: Answer | None = None
    if "search" in sweep.questions:
        picked = found_network_answer.answer(swept, read("search"))
    elif "refine" in sweep.questions:
        picked = crossover_answer.answer(sweep, read("refined_points"), read("refined"))
    elif "pairs" in sweep.questions:
        picked = fairest_answer.answer(sweep, read("pairs"), read("ranking"))
    picked = (
        picked
        or linux_answer.answer(swept, read("stacks"))
        or topology.answer(swept, read("links"), read("flows"), read("groups"))
        or (means.of_traffic(swept, read("traffic"), findings) if _has_no_flows(summary) else None)
        or mixes.answer(swept, summary, read("effects"))
        or means.answer(swept, summary, findings)
    )
    return late.added(picked, swept, summary, read("traffic"))


def beside(answer: Answer, findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The findings that stand beside an answer: those that it does not say itself."""
    if answer.kind == "comparison":
        return findings
    if answer.kind == "mixes":
        return [finding for finding in findings if not finding.get("of_mix")][:BESIDE_MIXES]
    return [finding for finding in findings if finding["shown"] and finding["tested"]]


def _has_no_flows(summary: pl.DataFrame) -> bool:
    return summary["flow_variant"].null_count() == summary.height

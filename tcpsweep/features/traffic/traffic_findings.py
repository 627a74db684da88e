# SPDX-License-Identifier: MIT
"""The findings on traffic that the overview and the terminal name, with or without findings on flows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from tcpsweep.core.analysis import traffic_groups
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.report.answers.answer import Finding
from tcpsweep.core.report.sections import headlines
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import traffic_metrics


def findings(results: SweepResults) -> list[Finding] | None:
    """The largest effects on traffic, and on flows if any has metrics; None without effects on traffic."""
    effects = results.table("traffic_effects", {"traffic": pl.String})
    if effects.is_empty():
        return None
    if results.begins_with_traffic:
        return of_traffic(results.swept, effects)
    return together(results.swept, results.effects, effects)


def of_traffic(sweep: PlannedSweep, effects: pl.DataFrame) -> list[Finding]:
    """The largest effects on traffic, as `headlines.largest` gives them, from each group in turn."""
    findings_by_group = _by_group(sweep, effects, effects["traffic"].n_unique() > 1)
    return _first_shown(
        finding for turn in range(headlines.MOST) for group in findings_by_group for finding in group[turn : turn + 1]
    )


def together(sweep: PlannedSweep, effects: pl.DataFrame, on_traffic: pl.DataFrame) -> list[Finding]:
    """The largest effects on flows and on traffic, as `headlines.largest` gives them.

    Flows and each group of traffic lead one finding before any has two; in each turn the largest is first. Tested
    effects come before means that could not be tested.
    """
    found = [headlines.largest(sweep, effects, of=" of flows"), *_by_group(sweep, on_traffic, True)]
    turn_and_finding = [(turn, finding) for own_findings in found for turn, finding in enumerate(own_findings)]
    turn_and_finding.sort(key=lambda each: (not each[1].is_tested, each[0], -each[1].size))
    return _first_shown(finding for _, finding in turn_and_finding)


def _by_group(sweep: PlannedSweep, effects: pl.DataFrame, names_group: bool) -> list[list[Finding]]:
    """The findings on each group."""
    found = []
    for name, rows in traffic_groups.groups(sweep, effects):
        first = traffic_metrics.first_metrics(set(rows["metric"].cast(pl.String)))
        found.append([_finding_of_group(name, each, names_group) for each in headlines.largest(sweep, rows, first)])
    return found


def _first_shown(findings: Iterable[Finding]) -> list[Finding]:
    """At most `headlines.MOST` findings that show a difference; without any, the first ones that show none."""
    all_findings = list(findings)
    return ([each for each in all_findings if each.is_shown] or all_findings)[: headlines.MOST]


def _finding_of_group(name: str, finding: Finding, names_group: bool) -> Finding:
    """A finding with its group, if the group is to be named, and with the link to its figure."""
    parts = [("text", f"{name}: "), *finding.parts] if names_group else finding.parts
    metric = finding.link.partition("metric=")[2]
    return replace(finding, parts=parts, link=link(name, metric) if finding.is_shown else "#traffic")


def link(name: str, metric: str) -> str:
    """The link to the figure of a group's metric."""
    return f"#traffic?traffic+group={name}&traffic+metric={metric}"

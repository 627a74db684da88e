# SPDX-License-Identifier: MIT
"""The chapters of a dossier from ``config/dossier/chapters.yaml``: their questions and the sweeps that answer them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tcpsweep.core.identity import source_folders
from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.sweepfile.asked import shares_and_values
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.words import metrics

FOLDER = source_folders.ROOT / "config" / "dossier"
REFERENCES = {"TcpLinuxReno": "NewReno", "TcpCubic": "CUBIC"}  # the references of a candidate, with their plain names
FORMS = ("short", "full")


@dataclass(frozen=True)
class Asked:
    """A finding that a chapter asks for."""

    what: str  # the measured quantity, in words
    sweep: str  # the name of its file
    metric: str  # one of `metrics.METRICS`
    threshold: ShareOrValue  # the least difference that counts
    better: str  # "higher" or "lower"
    # The variant whose flows are measured while they compete with the candidate; None to measure the candidate's own.
    beside: str | None = None
    traffic: str | None = None  # the group of traffic that is measured; None for flows
    whole: bool = False  # whether the mean covers the sweep's whole time, so that flows need not be steady
    # The values of axes that choose among the sweep's networks; empty for all.
    where: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Chapter:
    """A chapter, for a section of the RFC."""

    section: str
    title: str
    question: str  # the section's question, in plain words; empty if the chapter is not covered
    networks: str  # the networks of the short form
    findings: tuple[Asked, ...]
    left_out: str  # the parts that the chapter does not cover or, if it covers nothing, the reason
    full_networks: str = ""  # the networks of the full form

    @property
    def is_covered(self) -> bool:
        """Whether the chapter has a sweep."""
        return bool(self.findings)

    @property
    def sweeps(self) -> tuple[str, ...]:
        """The names of its sweeps, each once."""
        return tuple(dict.fromkeys(asked.sweep for asked in self.findings))


def read(folder: Path = FOLDER) -> tuple[list[Chapter], dict[str, Any]]:
    """The chapters in the RFC's order, and the common part of every sweep, from the folder with ``chapters.yaml``."""
    data = yaml_document.read(folder / "chapters.yaml").data
    return [_chapter(chapter_data) for chapter_data in data["chapters"]], data["every_sweep"]


def _chapter(chapter_data: dict[str, Any]) -> Chapter:
    return Chapter(
        section=chapter_data["section"],
        title=chapter_data["title"],
        question=chapter_data.get("question", ""),
        networks=chapter_data.get("networks", ""),
        findings=tuple(_asked(finding) for finding in chapter_data.get("findings", [])),
        full_networks=chapter_data.get("full_networks", ""),
        left_out=chapter_data.get("not_covered", chapter_data.get("left_out", "")),
    )


def _asked(finding_data: dict[str, Any]) -> Asked:
    metric = metrics.METRICS[finding_data["metric"]]
    return Asked(
        what=finding_data["what"],
        sweep=finding_data["sweep"],
        metric=finding_data["metric"],
        threshold=shares_and_values.share_or_value(finding_data["threshold"], "the reference", metric.unit),
        better=finding_data.get("better", metric.better),
        beside=finding_data.get("beside"),
        traffic=finding_data.get("traffic"),
        whole=finding_data.get("whole", False),
        where=finding_data.get("where", {}),
    )


def sweeps(chapters: list[Chapter]) -> list[str]:
    """The names of all sweeps in the order of the chapters, each once."""
    return list(dict.fromkeys(name for chapter in chapters for name in chapter.sweeps))

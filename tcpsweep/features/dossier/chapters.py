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
    return [_chapter(said) for said in data["chapters"]], data["every_sweep"]


def _chapter(said: dict[str, Any]) -> Chapter:
    return Chapter(
        section=said["section"],
        title=said["title"],
        question=said.get("question", ""),
        networks=said.get("networks", ""),
        findings=tuple(_asked(finding) for finding in said.get("findings", [])),
        full_networks=said.get("full_networks", ""),
        left_out=said.get("not_covered", said.get("left_out", "")),
    )


def _asked(said: dict[str, Any]) -> Asked:
    metric = metrics.METRICS[said["metric"]]
    return Asked(
        what=said["what"],
        sweep=said["sweep"],
        metric=said["metric"],
        threshold=shares_and_values.share_or_value(said["threshold"], "the reference", metric.unit),
        better=said.get("better", metric.better),
        beside=said.get("beside"),
        traffic=said.get("traffic"),
        whole=said.get("whole", False),
        where=said.get("where", {}),
    )


def sweeps(chapters: list[Chapter]) -> list[str]:
    """The names of all sweeps in the order of the chapters, each once."""
    return list(dict.fromkeys(name for chapter in chapters for name in chapter.sweeps))

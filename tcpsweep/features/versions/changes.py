# SPDX-License-Identifier: MIT
"""How the conclusions of a sweep change from one version of ns-3 to another."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from tcpsweep.core.words import metrics
from tcpsweep.features.versions.conclusions import DECIDED, Conclusion, Outcome

# From the strongest change to none. "in some" is decided in some versions, and always in the same way.
REVERSED, FLIPS, IN_SOME, STAYS, OPEN = KINDS = ("reversed", "flips", "in some", "stays", "open")
CHANGED = (REVERSED, FLIPS)
NO_RESULT = Outcome("no result", None, None, None, "no result")


class Change(NamedTuple):
    """A conclusion with its outcome in each version, in the versions' order."""

    conclusion: Conclusion
    outcomes: tuple[Outcome, ...]
    kind: str  # one of KINDS
    is_apart: bool  # whether the intervals of two versions have nothing in common


def kind(findings: Sequence[str]) -> str:
    """One of `KINDS` for a conclusion's findings in several versions."""
    decided = {word for word in findings if word in DECIDED}
    if {"higher", "lower"} <= decided:
        return REVERSED
    if len(decided) > 1:
        return FLIPS
    if not decided:
        return OPEN
    return STAYS if len(set(findings)) == 1 else IN_SOME


def changes(of_versions: Sequence[Mapping[Conclusion, Outcome]]) -> list[Change]:
    """All conclusions of the versions, the strongest changes first; among equals, those with separate intervals."""
    every = dict.fromkeys(conclusion for found in of_versions for conclusion in found)
    found = []
    for conclusion in every:
        outcomes = tuple(each.get(conclusion, NO_RESULT) for each in of_versions)
        found.append(Change(conclusion, outcomes, kind([each.finding for each in outcomes]), _are_apart(outcomes)))
    return sorted(found, key=lambda change: (KINDS.index(change.kind), not change.is_apart))


def _are_apart(outcomes: Sequence[Outcome]) -> bool:
    ends = [(each.low, each.high) for each in outcomes if each.low is not None and each.high is not None]
    return any(one[1] < other[0] or other[1] < one[0] for one, other in itertools.combinations(ends, 2))


def table(found: Sequence[Change], labels: Sequence[str]) -> pl.DataFrame:
    """The changes with a row for each conclusion.

    Returns
    -------
    DataFrame
        ``about``, ``metric``, ``unit``, ``subject``, ``where``, ``change`` (one of `KINDS`), ``apart``; and for each
        version ``finding``, ``value``, ``low`` and ``high`` with the version's label behind an underscore.
    """
    rows = []
    for change in found:
        row = change.conclusion._asdict() | {"unit": metrics.METRICS[change.conclusion.metric].unit}
        row |= {"change": change.kind, "apart": change.is_apart}
        for label, outcome in zip(labels, change.outcomes, strict=True):
            row |= {f"{name}_{label}": getattr(outcome, name) for name in ("finding", "value", "low", "high")}
        rows.append(row)
    numbers = {f"{name}_{label}": pl.Float64 for label in labels for name in ("value", "low", "high")}
    texts = dict.fromkeys(("about", "metric", "unit", "subject", "where", "change"), pl.String)
    schema = {**texts, "apart": pl.Boolean} | {f"finding_{label}": pl.String for label in labels} | numbers
    order = [*texts, "apart", *(f"{n}_{label}" for label in labels for n in ("finding", "value", "low", "high"))]
    return pl.DataFrame(rows, schema=schema).select(order)

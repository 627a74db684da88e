# SPDX-License-Identifier: MIT
"""The contrast of a search at a side of a network: the value of a look, and the result of fresh runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import polars as pl

from tcpsweep.core.analysis import paired_runs, summaries
from tcpsweep.core.statistics import effect_tests, means
from tcpsweep.features.search.search_record import Search

Ends: TypeAlias = tuple[float, float | None, float | None]
"""A mean, and the ends of its interval."""


@dataclass(frozen=True)
class Checked:
    """The result of a network's fresh runs.

    Attributes
    ----------
    mean, low, high : float or None
        The mean with its interval. There is no mean if a run has no value, because the others would be biased.
    runs : int
        The number of distinct runs.
    own, against : (float, float or None, float or None), or None
        For a difference, the mean of each variant with its own interval.
    """

    mean: float | None
    low: float | None = None
    high: float | None = None
    runs: int = 0
    own: Ends | None = None
    against: Ends | None = None


@dataclass(frozen=True)
class Side:
    """A part of a network for which the contrast of a search is computed.

    Attributes
    ----------
    own, against : (int, str or None)
        The combination and the flows' variant; None for the whole network.
    """

    own: tuple[int, str | None]
    against: tuple[int, str | None] | None = None


def told(search: Search, value_by_side: Mapping[tuple[int, str | None], float], side: Side) -> float | None:
    """The contrast at a side, from the values by combination and flows' variant; None where one is missing."""
    value = value_by_side.get(side.own)
    if value is None or side.against is None:
        return value
    other = value_by_side.get(side.against)
    if other is None or (search.contrast.is_share and not other):
        return None
    return (value - other) / abs(other) if search.contrast.is_share else value - other


def checked(search: Search, values: pl.DataFrame, side: Side, runs: int, lengths: Sequence[int]) -> Checked:
    """The result of ``runs`` runs at a side; no mean if one of them has no value."""

    def values_of(combination: int, own: str | None) -> pl.DataFrame:
        is_own = pl.col("flow_variant").is_null() if own is None else pl.col("flow_variant") == own
        return values.filter(pl.col("combination") == combination, is_own)

    parts = [values_of(*place) for place in (side.own, side.against) if place is not None]
    valued = min(part["run"].n_unique() for part in parts)
    if valued < runs:
        return Checked(None, runs=valued)
    own, *others = (summaries.summarise(part, lengths=lengths).row(0, named=True) for part in parts)
    if side.against is None:
        return Checked(own["mean"], own["low"], own["high"], own["distinct_runs"], own=_ends(own))
    compared = pl.DataFrame(
        [(0, *side.own, *side.against)],
        schema={
            "pair": pl.UInt32,
            "combination": pl.Int64,
            "own": pl.String,
            "reference_combination": pl.Int64,
            "reference_own": pl.String,
        },
        orient="row",
    )
    both = pl.concat(parts).unique(maintain_order=True)
    rows = paired_runs.paired(both.with_columns(counts=pl.lit(True)), compared, lengths)
    row = paired_runs.sums(rows, [], paired_runs.finished_runs(rows)).row(0, named=True)
    return replace(_difference(search, row), own=_ends(own), against=_ends(others[0]))


def _ends(row: Mapping[str, float]) -> Ends:
    return row["mean"], row["low"], row["high"]


def _difference(search: Search, row: Mapping[str, float | None]) -> Checked:
    difference, reference, runs = row["difference"], row["reference_mean"], int(row["distinct_runs"] or 0)
    if difference is None or reference is None or (search.contrast.is_share and not reference):
        return Checked(None, runs=runs)
    mean = difference / abs(reference) if search.contrast.is_share else difference
    if runs < 2:
        return Checked(mean, runs=runs)
    names = ("difference", "reference_mean", "error", "reference_error", "covariance", "degrees")
    estimates = effect_tests.Estimates(*(np.array([row[name]], dtype=float) for name in names))
    interval = effect_tests.relative_interval if search.contrast.is_share else effect_tests.interval
    low, high = (float(end[0]) for end in interval(estimates, 1 - means.CONFIDENCE))
    is_bounded = not math.isnan(low)
    return Checked(mean, low if is_bounded else -math.inf, high if is_bounded else math.inf, runs)

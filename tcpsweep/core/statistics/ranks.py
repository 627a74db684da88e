# SPDX-License-Identifier: MIT
"""Ranks, and the Pareto frontier of several points."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.float64]

SAME = 1e-9  # differences that are smaller, against the values, are rounding


def shared_ranks(scores: Numbers) -> Numbers:
    """The rank of each value along the last axis, from 1 for the least; equal values share the mean of their ranks."""
    ranks = np.empty_like(scores, dtype=float)
    for place in range(scores.shape[-1]):  # one at a time: all at once would need the square of the memory
        score = scores[..., place, None]
        margin = _tolerance(score, scores)
        ranks[..., place] = (scores < score - margin).sum(axis=-1) + (
            (np.abs(scores - score) <= margin).sum(axis=-1) + 1
        ) / 2
    return ranks


def frontier(values: Numbers) -> npt.NDArray[np.bool_]:
    """Whether a point is on the Pareto frontier: no other is at least as good in all of its values and better in one.

    Parameters
    ----------
    values : array
        Points along the last axis but one, and their values along the last axis. Less is better.

    Returns
    -------
    array of bool
        The shape of ``values`` without the last axis.
    """
    on_frontier = np.empty(values.shape[:-1], dtype=bool)
    for place in range(values.shape[-2]):
        point = values[..., place, None, :]
        margin = _tolerance(point, values)
        beaten = (values <= point + margin).all(axis=-1) & (values < point - margin).any(axis=-1)
        on_frontier[..., place] = ~beaten.any(axis=-1)
    return on_frontier


def _tolerance(value: Numbers, others: Numbers) -> Numbers:
    margin: Numbers = SAME * np.maximum(np.abs(value), np.abs(others))
    return margin

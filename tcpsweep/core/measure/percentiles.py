# SPDX-License-Identifier: MIT
"""Means and percentiles for the metrics."""

import math

import numpy as np
import numpy.typing as npt
import polars as pl

PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
_ROUNDING = 1e-12  # tolerance with which a share counts as reached despite rounding errors


def spread(value: pl.Expr, name: str) -> list[pl.Expr]:
    """The mean and percentiles of times in s.

    A percentile is the smallest value that at least its share of all values does not exceed.
    """
    return [value.mean().alias(f"{name}_mean_s")] + [
        value.quantile(share, "equiprobable").alias(f"{name}_{rank}_s") for rank, share in PERCENTILES.items()
    ]


def spread_of(values: npt.NDArray[np.float64], name: str) -> dict[str, float | None]:
    """`spread` of an array; None without values."""
    if not len(values):
        return dict.fromkeys([f"{name}_mean_s", *(f"{name}_{rank}_s" for rank in PERCENTILES)])
    in_order = np.sort(values)
    position_of_rank = {rank: max(math.ceil(share * len(values)) - 1, 0) for rank, share in PERCENTILES.items()}
    mean: dict[str, float | None] = {f"{name}_mean_s": float(values.mean())}
    return mean | {f"{name}_{rank}_s": float(in_order[position]) for rank, position in position_of_rank.items()}


def weighted_spread_of(
    values: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], name: str
) -> dict[str, float | None]:
    """`weighted_mean` and `weighted_quantile` of an array, as `spread` names them; there are values."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    shares = reached / reached[-1]
    mean: dict[str, float | None] = {f"{name}_mean_s": float((values * weights).sum() / weights.sum())}
    return mean | {
        f"{name}_{rank}_s": float(values[order[np.argmax(shares >= share - _ROUNDING)]])
        for rank, share in PERCENTILES.items()
    }


def weighted_mean(value: pl.Expr, weight: pl.Expr) -> pl.Expr:
    """An expression for the weighted mean, Σ w x / Σ w; null without values."""
    value, weight = _without_nulls(value, weight)
    return pl.when(weight.sum() > 0).then((value * weight).sum() / weight.sum())


def weighted_quantile(value: pl.Expr, weight: pl.Expr, share: float) -> pl.Expr:
    """An expression for the smallest value that at least ``share`` of all weight does not exceed; null without values.

    It is the inverse of the distribution function F(x) = Σ {w : value ≤ x} / Σ w. With the time that a value was held
    as its weight, it is the quantile over time.

    Raises
    ------
    ValueError
        The share is not between 0 and 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"expected a share from 0 to 1, such as 0.99, got {share}")
    value, weight = _without_nulls(value, weight)
    reached = weight.sort_by(value).cum_sum()
    return value.sort().filter(reached / reached.last() >= share - _ROUNDING).first()


def _without_nulls(value: pl.Expr, weight: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """The values that are not null, such as a threshold after it is set, and their weights."""
    return value.filter(value.is_not_null()), weight.filter(value.is_not_null())

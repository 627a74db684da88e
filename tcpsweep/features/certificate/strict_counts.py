# SPDX-License-Identifier: MIT
"""The counts of a certificate, strictly: without comparisons that nearly any result passes, and signs of a bias.

Wilson: Probable Inference, the Law of Succession, and Statistical Inference. Journal of the American Statistical
Association 22(158), 1927. It has the interval of a share.
Dixon and Mood: The Statistical Sign Test. Journal of the American Statistical Association 41(236), 1946.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import polars as pl

from tcpsweep.core.statistics import means, significance


def margin() -> pl.Expr:
    """A cell's margin in the metric's unit; null without a mean of Linux."""
    share_bound = pl.col("smallest_share") * (pl.col("reference_mean") - pl.col("smallest_origin")).abs()
    return pl.when(share_bound.is_not_null()).then(pl.max_horizontal(share_bound, "smallest_value"))


def is_lenient() -> pl.Expr:
    """Whether a cell is equivalent within a ``margin`` of at least Linux' mean.

    Such a margin passes everything from 0 to twice Linux' mean. Without losses or timeouts on both sides, nothing is
    compared with nothing.
    """
    is_wide = (pl.col("margin") >= pl.col("reference_mean").abs()).fill_null(value=False)
    return (pl.col("verdict") == "equivalent") & is_wide


def interval(count: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, from 0 to 1. It takes the comparisons as independent."""
    if not total:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + means.CONFIDENCE) / 2)
    center = count + z**2 / 2
    half_width = z * math.sqrt(count * (total - count) / total + z**2 / 4)
    return max((center - half_width) / (total + z**2), 0.0), min((center + half_width) / (total + z**2), 1.0)


def interval_in_words(count: int, total: int) -> str:
    """The 95 % interval of a share, such as " (95 %: 83 to 90 %)"; empty without comparisons."""
    low, high = interval(count, total)
    return f" (95 %: {low * 100:.0f} to {high * 100:.0f} %)" if total else ""


def sign_p(higher: int, lower: int) -> float:
    """The two-sided p-value of the sign test: that chance makes signs at least as unequal, if both are as likely."""
    total = higher + lower
    ways = sum(math.comb(total, k) for k in range(min(higher, lower) + 1))
    return min(2 * ways / (1 << total), 1.0)


def signs(cells: pl.DataFrame) -> pl.DataFrame:
    """How often an implementation's mean is higher or lower than Linux', also within the margin.

    Returns
    -------
    DataFrame
        ``implementation``, ``variant``, ``metric``, the numbers of networks in which the mean is ``higher`` and
        ``lower``, ``p`` of the sign test, and ``p_after_holm`` of all tests of the implementation. Networks without a
        difference are not counted.
    """
    difference = pl.col("difference").fill_nan(None)
    counts = (
        cells.filter(difference != 0)
        .group_by("implementation", "variant", "metric", maintain_order=True)
        .agg(higher=(difference > 0).sum().cast(pl.Int64), lower=(difference < 0).sum().cast(pl.Int64))
    )
    p_values = [sign_p(row["higher"], row["lower"]) for row in counts.rows(named=True)]
    with_p = counts.with_columns(p=pl.Series(p_values, dtype=pl.Float64))
    return with_p.with_columns(p_after_holm=pl.col("p").map_batches(_after_holm).over("implementation"))


def _after_holm(p: pl.Series) -> pl.Series:
    return pl.Series(significance.holm(p.to_numpy())[0])

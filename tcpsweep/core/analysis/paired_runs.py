# SPDX-License-Identifier: MIT
"""The runs of each comparison side by side, and their sums: counts, means and spreads."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tcpsweep.core.statistics import replicates, rotation_blocks

FLAGS = ("counts", "steady_shown")  # of values, as from `summaries.by_run`
SAME = 1e-9  # smaller relative differences are rounding errors


def paired(values: pl.DataFrame, compared: pl.DataFrame, lengths: Sequence[int] = ()) -> pl.DataFrame:
    """The runs of each pair side by side, or its whole rotations where variants change places.

    Values of different links make no pair.

    ``values`` are as from `summaries.by_run`. ``compared`` is from `comparisons.pairs`, with ``pair``, the number of
    each pair. ``lengths`` are from `rotations.lengths`; without them, all rotations have one run.

    Returns
    -------
    DataFrame
        The columns of ``compared``, ``metric``, ``link``, ``run``; ``value``, ``digest``, and `FLAGS`:
        whether it takes part in verdicts, and whether steady state is shown; and ``reference_…`` of each.
    """
    own = values.select(
        "combination", "metric", "link", "run", "digest", "value", *FLAGS, own=pl.col("flow_variant")
    ).drop_nulls("value")
    reference = own.rename({name: f"reference_{name}" for name in ("combination", "own", "digest", "value", *FLAGS)})
    rows = compared.join(own, on=["combination", "own"], nulls_equal=True, maintain_order="left_right").join(
        reference,
        on=["reference_combination", "reference_own", "metric", "link", "run"],
        nulls_equal=True,
        maintain_order="left",
    )
    return in_rotations(rows, rotation_of(rows, lengths)) if max(lengths, default=1) > 1 else rows


def rotation_of(pairs: pl.DataFrame, lengths: Sequence[int]) -> pl.Series:
    """The number of runs after which both sides' rotations of each pair end; ``pairs`` is as `comparisons.pairs`."""
    return rotation_blocks.of_pairs(lengths, pairs["combination"], pairs["reference_combination"])


def in_rotations(rows: pl.DataFrame, rotation: pl.Series) -> pl.DataFrame:
    """Paired runs as whole rotations; ``rotation`` has the number of runs, row by row."""
    sides = ("", "reference_")
    return rotation_blocks.blocked(
        rows.with_columns(rotation.alias(rotation_blocks.ROTATION)),
        ["pair", "metric"],
        [f"{side}value" for side in sides],
        [f"{side}digest" for side in sides],
        [f"{side}{flag}" for side in sides for flag in FLAGS],
    )


def finished_runs(rows: pl.DataFrame) -> pl.DataFrame:
    """How many runs of each pair have a value of any metric: ``pair``, ``finished_runs``; ``rows`` as `paired`."""
    return rows.group_by("pair").agg(finished_runs=pl.col("run").n_unique().cast(pl.Int64))


def sums(rows: pl.DataFrame, about: Sequence[str], finished: pl.DataFrame) -> pl.DataFrame:
    """Each pair's and metric's counts of runs, means and spreads, including runs that are not steady.

    Parameters
    ----------
    rows : DataFrame
        From `paired`.
    about : list of str
        The columns that describe a pair.
    finished : DataFrame
        From `finished_runs`.

    Returns
    -------
    DataFrame
        A row for each pair and metric. Columns:

        - ``pair``, ``metric``, ``link``, and the columns ``about``
        - ``runs``, ``distinct_runs``
        - ``steady``, ``reference_steady``: whether all runs count; ``steady_shown``, ``reference_steady_shown``
        - ``mean``, ``reference_mean``, ``correlation``, and the ``difference`` with its ``sd``
        - ``error``, ``reference_error``: the standard errors of the mean difference and of the reference's mean, with
          their ``covariance`` and ``degrees`` of freedom
        - ``lacking``: whether a finished run has no value
        - ``of_variant``, ``of_reference``: the values of the runs that count, as lists, which ``are_pairs``
    """
    key = ["pair", "metric"]
    counts = rows.group_by(key, maintain_order=True).agg(
        pl.col("link", *about).first(),
        runs=pl.len().cast(pl.Int64),
        steady=pl.col("counts").all(),
        reference_steady=pl.col("reference_counts").all(),
        steady_shown=pl.col("steady_shown").all(),
        reference_steady_shown=pl.col("reference_steady_shown").all(),
    )
    distinct_rows = replicates.counted(rows, key, ("digest", "reference_digest"))
    x, y = pl.col("value"), pl.col("reference_value")
    difference = pl.when((x - y).abs() > SAME * pl.max_horizontal(x.abs(), y.abs())).then(x - y).otherwise(0.0)
    statistics = distinct_rows.group_by(key).agg(
        distinct_runs=pl.len().cast(pl.Int64),
        mean=x.mean(),
        reference_mean=y.mean(),
        difference=difference.mean(),
        sd=pl.when(_spreads(difference)).then(difference.std()).otherwise(difference.std() * 0),
        reference_sd=y.std(),
        covariance=pl.when(_spreads(difference)).then(pl.cov(difference, y)).otherwise(0.0) / pl.len(),
        correlation=pl.when(_spreads(x) & _spreads(y)).then(pl.corr(x, y)),
        of_variant=x,
        of_reference=y,
    )
    n = pl.col("distinct_runs")
    return (
        counts.join(finished, on="pair", maintain_order="left")
        .join(statistics, on=key, how="left", maintain_order="left")
        .with_columns(n.fill_null(0), lacking=pl.col("runs") < pl.col("finished_runs"), are_pairs=True)
        .with_columns(error=pl.col("sd") / n.sqrt(), reference_error=pl.col("reference_sd") / n.sqrt(), degrees=n - 1)
        .drop("reference_sd")
    )


def _spreads(values: pl.Expr) -> pl.Expr:
    """Whether values differ by more than rounding."""
    return values.std() > SAME * values.abs().max()


def lost(values: pl.DataFrame, asked: Sequence[int]) -> pl.DataFrame:
    """The number of requested runs without a value, for each variant and metric that has a value in any run.

    ``values`` are as from `summaries.by_run`, and ``asked`` has the number of requested runs of each combination.

    Returns
    -------
    DataFrame
        ``combination``, ``metric``, ``own`` (the flows' variant) and ``lost_runs``.
    """
    metric = pl.col("metric").cast(pl.String)
    measured = values.drop_nulls("value").group_by("combination", metric=metric, own=pl.col("flow_variant"))
    asked_counts = pl.Series(asked, dtype=pl.Int64)
    finished = measured.agg(lost_runs=pl.col("run").n_unique().cast(pl.Int64))
    return finished.with_columns(lost_runs=asked_counts.gather(finished["combination"]) - pl.col("lost_runs"))


def with_lost(sums: pl.DataFrame, lost: pl.DataFrame) -> pl.DataFrame:
    """Sums with the runs that each side lost, ``lost_runs`` and ``reference_lost_runs``, and whether unequally many.

    ``sums`` has the columns of `comparisons.PAIR`, and ``lost`` is from `lost`.
    """
    reference_lost = lost.rename({name: f"reference_{name}" for name in lost.columns if name != "metric"})
    key, other_key = (["metric", f"{side}combination", f"{side}own"] for side in ("", "reference_"))
    return (
        sums.join(lost, on=key, how="left", nulls_equal=True, maintain_order="left")
        .join(reference_lost, on=other_key, how="left", nulls_equal=True, maintain_order="left")
        .with_columns(uneven=pl.col("lost_runs") != pl.col("reference_lost_runs"))
    )

# SPDX-License-Identifier: MIT
"""The effects of variants on groups of traffic and on groups of flows, by paired runs."""

from collections.abc import Iterator

import polars as pl

from tcpsweep.core.analysis import comparisons, effects, paired_runs, verdict_words
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics


def values(measures: pl.DataFrame) -> pl.DataFrame:
    """The replicates: a row for each run, group of traffic and metric.

    ``measures`` are from `cell_tables.measure`.

    Returns
    -------
    DataFrame
        ``combination``, ``traffic``, and the columns of `summaries.by_run`. ``flow_variant`` is null because a group's
        metric is compared with the same group's metric in the other combination. Infinite values become null.
    """
    return measures.filter(pl.col("traffic").is_not_null()).select(
        "combination",
        "traffic",
        *(pl.lit(None, pl.String).alias(name) for name in ("flow_variant", "link")),
        "metric",
        "run",
        "digest",
        pl.when(pl.col("value").is_finite()).then("value").alias("value"),
        # Flows arrive at the same rate all the time; transfers that began in the warm-up are left out.
        **dict.fromkeys(paired_runs.FLAGS, pl.lit(True)),
    )


def by_group(
    sweep: PlannedSweep, found: pl.LazyFrame, column: str = "traffic"
) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    """The effects of each variant on each group of traffic, or of flows.

    ``found`` is from `values`, with the group's name in ``column``; or from `group_values.of_whole_groups`, in "group".

    Yields
    ------
    effects, verdicts : DataFrame
        As from `effects.by_metric` and `verdict_words.verdicts`, with the group's name first. Each family that is
        corrected together belongs to one group.
    """
    groups = found.select(pl.col(column).unique()).collect()[column].sort()
    if groups.is_empty():
        return
    is_traffic, pairs = column == "traffic", comparisons.pairs(sweep)
    names = metrics.compared("traffic") if is_traffic else metrics.compared()
    if not is_traffic:  # compare a group with the same group in another combination
        pairs = pairs.filter(pl.col("own").is_null())
    for group in groups:
        group_values = found.filter(pl.col(column) == group).drop(column)
        for part in effects.by_metric(sweep, group_values, names, pairs):
            if part.is_empty():
                continue
            verdicts = verdict_words.verdicts(part, pairs if is_traffic else None)
            group_column = pl.lit(group).alias(column)
            yield part.select(group_column, pl.all()), verdicts.select(group_column, pl.all())

# SPDX-License-Identifier: MIT
"""The effects of variants against the baseline, by paired runs.

A pair is two runs with the same number in one network: their combinations differ only in the variant and its settings.
In a mix, a pair is two variants in one run. Paired runs use common random numbers for the flows' starts and, packet by
packet, for random losses. The correlation shows how much this helped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

import polars as pl

from tcpsweep.core.analysis import comparisons, findings, paired_runs
from tcpsweep.core.sweep import rotations
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics

MOST_VALUES = 3_000_000  # values of runs that are in memory at a time, unless one metric has more
MOST_PAIRED = 500_000  # pairs of runs in memory at a time
_SIDES = ("pair", "combination", "reference_combination", "own", "reference_own")
_NUMBERS = (
    "runs",
    "lost_runs",
    "reference_lost_runs",
    "steady",
    "reference_steady",
    "steady_shown",
    "reference_steady_shown",
    "distinct_runs",
    "mean",
    "reference_mean",
    "difference",
    "sd",
    "correlation",
    "smallest_share",
    "smallest_value",
    "smallest_origin",
)


def by_metric(
    sweep: PlannedSweep,
    values: pl.DataFrame | pl.LazyFrame,
    chosen: Collection[str] | None = None,
    pairs: pl.DataFrame | None = None,
) -> Iterator[pl.DataFrame]:
    """The effects of each variant, per network and metric: in one table, or an empty table and then metric by metric.

    ``values`` are as from `summaries.by_run`. A small sweep's effects are computed in one step, because each step costs
    the same for few rows as for one. For other sweeps, memory holds the values of a few metrics at a time,
    `MOST_VALUES`, and some of a metric's pairs, `MOST_PAIRED`. The primary metrics' effects stay in memory, because
    they are corrected together. ``chosen`` are the metrics to compare. Default: all metrics that compare variants.
    ``pairs`` are the comparisons. Default: `comparisons.pairs`.

    Yields
    ------
    DataFrame
        A row for each comparison and metric. Columns:

        - ``combination``, ``reference_combination``, ``variant``, ``reference``, ``metric``, ``family``, ``unit``
        - ``mix``: the mix that both are in, or null
        - ``simulator``: the values of axes of the simulator, such as "corrections all", or null
        - ``link``: as in `summaries.by_run`, the same for both
        - ``runs``: finished pairs, or whole rotations if variants change flow positions
        - ``lost_runs``, ``reference_lost_runs``: the requested runs without a value
        - ``steady``, ``reference_steady``: whether all runs of a side are stationary together
        - ``steady_shown``, ``reference_steady_shown``: whether steady state of a side is shown
        - ``distinct_runs``: pairs that differ
        - ``mean``, ``reference_mean``, and ``ratio`` of both with its interval
        - ``difference``, its standard deviation over pairs ``sd``, and its 95 % interval ``low``, ``high``
        - ``correlation`` of the pairs
        - ``smallest_share``, ``smallest_value``, ``smallest_origin``: the smallest effect of interest
        - ``p``: of the paired t-test of no difference
        - ``beyond_p``, ``within_p``: of the tests that the effect is beyond the smallest one, and within it
        - ``beyond_holm``, ``within_holm``: the same with Holm's correction
        - ``effect``: the difference as a share of the reference
        - ``holm_low``, ``holm_high``, ``effect_low``, ``effect_high``: the intervals for the finding, of the difference
          and of the effect
        - ``finding``: one of `findings.FINDINGS`
        - ``runs_needed``: the runs with which this comparison would be decided, by `effect_tests.runs_needed`
    """
    metric_names = metrics.compared() if chosen is None else list(chosen)
    values = values.lazy().filter(pl.col("metric").is_in(metric_names) & pl.col("value").is_not_null())
    compared = (comparisons.pairs(sweep) if pairs is None else pairs).with_row_index("pair")
    chunks = list(compared.iter_slices(max(1, MOST_PAIRED // max(1, len(sweep.runs))))) or [compared]
    # The runs with a value of any metric. `paired` also needs the other columns, whose values do not matter here.
    fillers = {"metric": pl.lit("any"), "digest": pl.lit(""), "value": pl.lit(0.0)}
    fillers |= dict.fromkeys(paired_runs.FLAGS, pl.lit(True))
    fillers["link"] = pl.lit(None, pl.String)
    runs = _collected(values.select("combination", "flow_variant", "run").unique()).with_columns(**fillers)
    lengths = rotations.lengths(sweep.combinations)
    finished = pl.concat(paired_runs.finished_runs(paired_runs.paired(runs, chunk, lengths)) for chunk in chunks)
    del runs

    asked_runs = sweep.run_counts()

    def sums_of(values: pl.DataFrame) -> pl.DataFrame:
        """The sums of all pairs in the metrics of ``values``, computed for one slice of the pairs after the other."""
        lost = paired_runs.lost(values, asked_runs)
        tables = []
        for chunk in chunks:
            sums = paired_runs.sums(paired_runs.paired(values, chunk.select(_SIDES), lengths), [], finished)
            sums = sums.with_columns(pl.col("metric").cast(pl.String)).join(chunk, on="pair", maintain_order="left")
            tables.append(paired_runs.with_lost(sums, lost))
        return pl.concat(tables)

    def sums_by_metric(names: Iterable[str]) -> Iterator[pl.DataFrame]:
        """The sums of each metric; as many metrics' values as `MOST_VALUES` allows are read together."""
        for together in _batches({name: counts[name] for name in names}):
            frames = _collected(values.filter(pl.col("metric").is_in(together))).partition_by("metric", as_dict=True)
            for name in together:
                yield sums_of(frames.pop((name,)))

    counts = dict(_collected(values.group_by("metric").agg(pl.len())).iter_rows())
    paired_rows = compared.height * len(sweep.runs) * len(counts)
    if paired_rows <= MOST_PAIRED and sum(counts.values()) <= MOST_VALUES:
        yield _table(sweep, sums_of(_collected(values)))
        return
    no_rows = sums_of(_collected(values.limit(0)))
    yield _table(sweep, no_rows)
    headline = metrics.headline(metrics.METRICS, sweep.headline)
    measured = [name for name in metrics.METRICS if name in counts]
    primary = _table(sweep, pl.concat([no_rows, *sums_by_metric(name for name in measured if name in headline)]))
    primary_by_metric = primary.partition_by("metric", as_dict=True, maintain_order=True)
    del primary
    others = sums_by_metric(name for name in measured if name not in headline)
    for name in measured:
        if name not in headline:
            yield _table(sweep, next(others))
        elif (name,) in primary_by_metric:
            yield primary_by_metric.pop((name,))


def _batches(counts: Mapping[str, int]) -> Iterator[list[str]]:
    """Names whose counts make up to `MOST_VALUES` together, in order."""
    batch: list[str] = []
    for name, count in counts.items():
        if batch and sum(counts[other] for other in batch) + count > MOST_VALUES:
            yield batch
            batch = []
        batch.append(name)
    if batch:
        yield batch


def _collected(rows: pl.LazyFrame) -> pl.DataFrame:
    return rows.collect(engine="streaming")


def _table(sweep: PlannedSweep, sums: pl.DataFrame) -> pl.DataFrame:
    """The table of effects of comparisons with these sums."""
    sums = sums.with_columns(finding=findings.why_not())
    table = findings.judged(sums, sweep.smallest_effects, metrics.headline(metrics.METRICS, sweep.headline))
    rotation = paired_runs.rotation_of(table, rotations.lengths(sweep.combinations))
    table = table.with_columns(runs_needed=rotation * pl.col("runs_needed").cast(pl.Int64))
    names = [
        "combination",
        "reference_combination",
        "variant",
        "reference",
        "mix",
        "simulator",
        "link",
        "metric",
        "family",
        "unit",
    ]
    tested = [name for name in findings.TESTED if name != "runs_needed"]
    return table.select(*names, *_NUMBERS, *tested, "finding", "runs_needed")

# SPDX-License-Identifier: MIT
"""The Pareto frontier of goodput, delay and losses among variants with homogeneous flows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.analysis import axis_columns, findings
from tcpsweep.core.analysis.run_results import RunResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.statistics import bootstrap, ranks
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.features.pairs import harm, pair_ranking, pair_record, pair_tables

Numbers: TypeAlias = npt.NDArray[np.float64]

GOODPUT, LOSS = "goodput_bps", "congestion_loss"
DELAYS = ("queueing_delay_p95_s", "owd_p95_s")  # the first that all variants have
COLUMNS = {
    **{"combination": pl.Int64, "variant": pl.String, "runs": pl.Int64, GOODPUT: pl.Float64},
    **{"delay_metric": pl.String, "mean_delay_s": pl.Float64, LOSS: pl.Float64},
    **{"on_frontier": pl.Boolean, "probability": pl.Float64},
}


def table(sweep: PlannedSweep, values: pl.LazyFrame) -> pl.DataFrame:
    """The frontier in each network.

    Runs are resampled by their numbers, the same for all variants. A run counts where all variants have all values.
    ``values`` are as for `pair_tables.by_run`.

    Returns
    -------
    DataFrame
        A row for each network and variant. Columns:

        - ``combination``, ``variant``, and ``runs``, the number of runs that count
        - ``goodput_bps`` of a flow, ``mean_delay_s`` and ``congestion_loss``: means over these runs. ``delay_metric``
          names the delay.
        - ``on_frontier``: whether no other variant is at least as good in all means and better in one
        - ``probability``: the share of bootstrap resamples with the variant on the frontier, null below
          `findings.LEAST_RUNS` runs
    """
    homogeneous = pair_tables.places(sweep).filter(pl.col("variant") == pl.col("beside")).drop("beside")
    tables = [pl.DataFrame(schema=COLUMNS)]
    if homogeneous.is_empty():
        return tables[0]
    metric_names = (GOODPUT, LOSS, *DELAYS)
    of_all = (
        values.filter(pl.col("metric").cast(pl.String).is_in(metric_names))
        .join(homogeneous.lazy(), left_on=["combination", "flow_variant"], right_on=["combination", "variant"])
        .select(
            "network", "combination", "run", "value", variant="flow_variant", metric=pl.col("metric").cast(pl.String)
        )
        .drop_nulls("value")
        .sort("network", "combination", "run")
        .collect()
    )
    for (network,), rows in of_all.partition_by("network", as_dict=True, maintain_order=True).items():
        combinations = homogeneous.filter(pl.col("network") == network).sort("combination")
        by_metric = {metric: part for (metric,), part in rows.partition_by("metric", as_dict=True).items()}
        delay = next((name for name in DELAYS if name in by_metric), None)
        if delay and GOODPUT in by_metric and LOSS in by_metric:
            tables.append(_of_network(combinations, [by_metric[GOODPUT], by_metric[delay], by_metric[LOSS]], delay))
    return pl.concat(tables)


def _of_network(combinations: pl.DataFrame, metrics: list[pl.DataFrame], delay: str) -> pl.DataFrame:
    """The frontier of one network, from a frame for each of its three metrics."""
    complete = set.intersection(*(set(part["combination"]) for part in metrics))
    combinations = combinations.filter(pl.col("combination").is_in(sorted(complete)))
    values = _values(combinations["combination"].to_list(), metrics)
    n = len(values)
    if not n:
        return pl.DataFrame(schema=COLUMNS)
    signs = np.array([-1, 1, 1])
    means = values.mean(axis=0)
    probability: list[float | None] = [None] * combinations.height
    if n >= findings.LEAST_RUNS:
        weights, probabilities = bootstrap.resamples(n)
        estimates = np.tensordot(weights, values * signs, axes=1)
        probability = bootstrap.shares(ranks.frontier(estimates).T.astype(float), probabilities).tolist()
    columns = {"runs": [n] * combinations.height, GOODPUT: means[:, 0], "delay_metric": [delay] * combinations.height}
    columns |= {"mean_delay_s": means[:, 1], LOSS: means[:, 2]}
    columns |= {"on_frontier": ranks.frontier(means * signs), "probability": probability}
    return combinations.select("combination", "variant").with_columns(
        pl.Series(name, column, dtype=COLUMNS[name]) for name, column in columns.items()
    )


def _values(combinations: list[int], metrics: list[pl.DataFrame]) -> Numbers:
    """The values by run, combination and metric, of the distinct runs that all combinations and metrics have."""
    index = {number: at for at, number in enumerate(combinations)}
    by_run: dict[int, Numbers] = {}
    for at, rows in enumerate(metrics):
        for number, run, value in rows.select("combination", "run", "value").rows():
            if number in index:
                empty = np.full((len(index), len(metrics)), np.nan)
                by_run.setdefault(run, empty)[index[number], at] = value
    distinct = pair_tables.whole_runs(by_run)
    return np.stack(distinct) if distinct else np.empty((0, len(index), len(metrics)))


def tables_of_pairs(results: RunResults) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of harm, pairs, ranking and frontier, by name."""
    sweep = results.full.up_to(results.full.published.first)
    values = pl.concat([results.values, results.parts.whole("added_runs")])
    runs = pair_tables.by_run(sweep, values, results.parts.whole("flows"))
    frames = {
        "harm": harm.harms(sweep, values),
        "pairs": pair_tables.pair_means(runs),
        "ranking": pair_ranking.table(runs, pair_record.of(sweep)),
        "frontier": table(sweep, values),
    }
    for name, frame in frames.items():
        yield name, axis_columns.networks(results.sweep, results.full_axes, frame, 1)


TABLES = AddedTables(key=pair_record.KEY, tables=tables_of_pairs)

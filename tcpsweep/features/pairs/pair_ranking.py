# SPDX-License-Identifier: MIT
"""The ranking of variants by their results in competition with each other, with intervals for the ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.analysis import findings
from tcpsweep.core.statistics import bootstrap, ranks
from tcpsweep.features.pairs import pair_tables

Numbers: TypeAlias = npt.NDArray[np.float64]

# The criteria of the ranking, with the measure of each. Rank 1 has the least harm, or the largest share.
HARM, SHARE, LEAST = "harm", "share", "least_share"
BY = {HARM: "harm_goodput", SHARE: pair_tables.SHARE, LEAST: pair_tables.SHARE}
# Also in the table: rank 1 has the harm that is nearest to the harm that the others do to themselves.
FAIR = "fair"
_MEASURES = BY | {FAIR: BY[HARM]}
_ENDS = ("score", "rank")
COLUMNS = {
    **{"combination": pl.Int64, "variant": pl.String, "by": pl.String, "networks": pl.Int64, "runs": pl.Int64},
    **{f"{what}{end}": pl.Float64 for what in _ENDS for end in ("", "_low", "_high")},
    "first": pl.Float64,
}


def table(runs: pl.DataFrame, variants: Sequence[str]) -> pl.DataFrame:
    """The ranking in each network and over all.

    Runs are resampled by their numbers, the same for all pairs and networks. A run counts where all pairs have a value.

    Hall and Miller: Using the Bootstrap to Quantify the Authority of an Empirical Ranking. The Annals of Statistics
    37(6B), 2009. Mean ranks over networks: Demšar, Statistical Comparisons of Classifiers over Multiple Data Sets.
    Journal of Machine Learning Research 7, 2006.

    ``runs`` are from `pair_tables.by_run`, and ``variants`` are the sweep's ``pairs``.

    Returns
    -------
    DataFrame
        A row for each variant, score and network, and for all networks together. Columns:

        - ``combination`` of the variant's homogeneous flows, null over all networks
        - ``variant``, and ``by``, one of `BY` or `FAIR`
        - ``networks``, ``runs``: the numbers that count
        - ``score``, ``rank``, with the ends of their 95 % intervals; means if the row is over all networks
        - ``first``: the share of resamples in which no other variant has a lower rank

        With fewer runs than `findings.LEAST_RUNS`, there are no intervals and no ``first``.
    """
    tables = [pl.DataFrame(schema=COLUMNS)]
    for criterion, measure in _MEASURES.items():
        of_measure = runs.filter(
            pl.col("measure") == measure, (pl.col("variant") != pl.col("beside")) | (criterion == FAIR)
        )
        networks = {
            network: rows
            for (network,), rows in of_measure.sort("network").partition_by("network", as_dict=True).items()
        }
        alone = _homogeneous_combinations(runs)
        for network, rows in networks.items():
            numbers = {variant: alone.get((network, variant)) for variant in variants}
            tables.append(_ranked(criterion, [rows], variants, numbers))
        if len(networks) > 1:
            tables.append(_ranked(criterion, list(networks.values()), variants, {}))
    return pl.concat(tables)


def _homogeneous_combinations(runs: pl.DataFrame) -> dict[tuple[int, str], int]:
    """The combination of each variant's homogeneous flows in each network."""
    rows = runs.filter(pl.col("variant") == pl.col("beside")).select("network", "variant", "combination").unique()
    return {(network, variant): number for network, variant, number in rows.rows()}


def _ranked(
    criterion: str, networks: list[pl.DataFrame], variants: Sequence[str], numbers: Mapping[str, int | None]
) -> pl.DataFrame:
    """The ranking by one score over some networks."""
    ranked = _comparable_variants(networks, variants)
    values = _values(networks, ranked, np.nan if criterion == FAIR else 0.0)
    n = values.shape[1]
    if len(ranked) < 2 or not n:
        return pl.DataFrame(schema=COLUMNS)
    scores, rank_values = _scored(criterion, values, np.full((1, n), 1 / n))
    columns = {"score": scores[:, 0], "rank": rank_values[:, 0]}
    if n >= findings.LEAST_RUNS:
        weights, probabilities = bootstrap.resamples(n)
        scores, rank_values = _scored(criterion, values, weights)
        for column, estimates in (("score", scores), ("rank", rank_values)):
            low, high = bootstrap.interval_ends(estimates, probabilities, n)
            columns |= {f"{column}_low": low, f"{column}_high": high}
        least = rank_values <= rank_values.min(axis=0) + ranks.SAME
        columns["first"] = bootstrap.shares(least / least.sum(axis=0), probabilities)
    identity = {
        "combination": [numbers.get(variant) for variant in ranked],
        "variant": ranked,
        "by": [criterion] * len(ranked),
    }
    counts = {"networks": [len(networks)] * len(ranked), "runs": [n] * len(ranked)}
    empty = {name: [None] * len(ranked) for name in COLUMNS}
    ranking = pl.DataFrame(empty | identity | counts | columns, schema=COLUMNS)
    return ranking.sort("rank", maintain_order=True)


def _comparable_variants(networks: list[pl.DataFrame], variants: Sequence[str]) -> list[str]:
    """The variants that have a value against every other; a variant that ends every run, for example, has none."""
    remaining = list(variants)
    pairs_of = [set(rows.drop_nulls("value").select("variant", "beside").unique().rows()) for rows in networks]
    while True:
        lacking = {
            one: sum((one, other) not in pairs for pairs in pairs_of for other in remaining if other != one)
            for one in remaining
        }
        worst = max(remaining, key=lambda one: lacking[one], default=None)
        if worst is None or not lacking[worst]:
            return remaining
        remaining.remove(worst)


def _values(networks: list[pl.DataFrame], variants: Sequence[str], diagonal: float) -> Numbers:
    """The values by network, run, variant and competitor, of the distinct runs in which all pairs have a value.

    The rows may lack the harm or share of a variant to itself. ``diagonal`` stands for it.
    """
    index = {variant: number for number, variant in enumerate(variants)}
    empty = np.tile(np.where(np.eye(len(variants), dtype=bool), diagonal, np.nan), (len(networks), 1, 1))
    by_run: dict[int, Numbers] = {}
    for network, rows in enumerate(networks):
        for run, variant, beside, value in rows.drop_nulls("value").select("run", "variant", "beside", "value").rows():
            if variant in index and beside in index:
                by_run.setdefault(run, empty.copy())[network, index[variant], index[beside]] = value
    distinct = pair_tables.whole_runs(by_run)
    return np.stack(distinct, axis=1) if distinct else np.empty((len(networks), 0, len(variants), len(variants)))


def _scored(criterion: str, values: Numbers, weights: Numbers) -> tuple[Numbers, Numbers]:
    """Scores and ranks in each resample, means over the networks: a row per variant, a column per resample."""
    _, n, count, _ = values.shape
    scores, rank_means = np.zeros((count, len(weights))), np.zeros((count, len(weights)))
    for of_network in values:
        of_variants = _distances(of_network, weights) if criterion == FAIR else np.empty((len(weights), count))
        for variant in range(count) if criterion != FAIR else ():
            beside = weights @ np.delete(of_network[:, variant, :], variant, axis=1).reshape(n, count - 1)
            of_variants[:, variant] = beside.min(axis=1) if criterion == LEAST else beside.mean(axis=1)
        scores += of_variants.T / len(values)
        rank_means += ranks.shared_ranks(of_variants if criterion in (HARM, FAIR) else -of_variants).T / len(values)
    return scores, rank_means


def _distances(of_network: Numbers, weights: Numbers) -> Numbers:
    """How far each variant's mean harm to another is from the other's harm to itself: a mean over the others."""
    n, count, _ = of_network.shape
    harm = (weights @ of_network.reshape(n, count * count)).reshape(len(weights), count, count)
    distances = np.abs(harm - np.diagonal(harm, axis1=1, axis2=2)[:, None, :])  # 0 on the diagonal
    means: Numbers = distances.sum(axis=2) / (count - 1)
    return means

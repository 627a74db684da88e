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
    found = [pl.DataFrame(schema=COLUMNS)]
    for by, measure in _MEASURES.items():
        of_measure = runs.filter(pl.col("measure") == measure, (pl.col("variant") != pl.col("beside")) | (by == FAIR))
        networks = {
            network: rows
            for (network,), rows in of_measure.sort("network").partition_by("network", as_dict=True).items()
        }
        alone = _alone(runs)
        for network, rows in networks.items():
            numbers = {variant: alone.get((network, variant)) for variant in variants}
            found.append(_ranked(by, [rows], variants, numbers))
        if len(networks) > 1:
            found.append(_ranked(by, list(networks.values()), variants, {}))
    return pl.concat(found)


def _alone(runs: pl.DataFrame) -> dict[tuple[int, str], int]:
    """The combination of each variant's homogeneous flows in each network."""
    rows = runs.filter(pl.col("variant") == pl.col("beside")).select("network", "variant", "combination").unique()
    return {(network, variant): number for network, variant, number in rows.rows()}


def _ranked(
    by: str, networks: list[pl.DataFrame], variants: Sequence[str], numbers: Mapping[str, int | None]
) -> pl.DataFrame:
    """The ranking by one score over some networks."""
    there = _there(networks, variants)
    values = _values(networks, there, np.nan if by == FAIR else 0.0)
    n = values.shape[1]
    if len(there) < 2 or not n:
        return pl.DataFrame(schema=COLUMNS)
    scores, ranked = _scored(by, values, np.full((1, n), 1 / n))
    columns = {"score": scores[:, 0], "rank": ranked[:, 0]}
    if n >= findings.LEAST_RUNS:
        weights, probabilities = bootstrap.resamples(n)
        scores, ranked = _scored(by, values, weights)
        for what, estimates in (("score", scores), ("rank", ranked)):
            low, high = bootstrap.interval_ends(estimates, probabilities, n)
            columns |= {f"{what}_low": low, f"{what}_high": high}
        least = ranked <= ranked.min(axis=0) + ranks.SAME
        columns["first"] = bootstrap.shares(least / least.sum(axis=0), probabilities)
    own = {"combination": [numbers.get(variant) for variant in there], "variant": there, "by": [by] * len(there)}
    counts = {"networks": [len(networks)] * len(there), "runs": [n] * len(there)}
    empty = {name: [None] * len(there) for name in COLUMNS}
    made = pl.DataFrame(empty | own | counts | columns, schema=COLUMNS)
    return made.sort("rank", maintain_order=True)


def _there(networks: list[pl.DataFrame], variants: Sequence[str]) -> list[str]:
    """The variants that have a value against every other; a variant that ends every run, for example, has none."""
    left = list(variants)
    pairs_of = [set(rows.drop_nulls("value").select("variant", "beside").unique().rows()) for rows in networks]
    while True:
        lacking = {
            one: sum((one, other) not in known for known in pairs_of for other in left if other != one) for one in left
        }
        worst = max(left, key=lambda one: lacking[one], default=None)
        if worst is None or not lacking[worst]:
            return left
        left.remove(worst)


def _values(networks: list[pl.DataFrame], variants: Sequence[str], own: float) -> Numbers:
    """The values by network, run, variant and competitor, of the distinct runs in which all pairs have a value.

    The diagonal has the value ``own``, unless the rows have values for it.
    """
    place = {variant: at for at, variant in enumerate(variants)}
    empty = np.tile(np.where(np.eye(len(variants), dtype=bool), own, np.nan), (len(networks), 1, 1))
    by_run: dict[int, Numbers] = {}
    for network, rows in enumerate(networks):
        for run, variant, beside, value in rows.drop_nulls("value").select("run", "variant", "beside", "value").rows():
            if variant in place and beside in place:
                by_run.setdefault(run, empty.copy())[network, place[variant], place[beside]] = value
    different = pair_tables.whole_runs(by_run)
    return np.stack(different, axis=1) if different else np.empty((len(networks), 0, len(variants), len(variants)))


def _scored(by: str, values: Numbers, weights: Numbers) -> tuple[Numbers, Numbers]:
    """Scores and ranks in each resample, means over the networks: a row per variant, a column per resample."""
    _, n, count, _ = values.shape
    scores, ranked = np.zeros((count, len(weights))), np.zeros((count, len(weights)))
    for of_network in values:
        own = _distances(of_network, weights) if by == FAIR else np.empty((len(weights), count))
        for one in range(count) if by != FAIR else ():
            beside = weights @ np.delete(of_network[:, one, :], one, axis=1).reshape(n, count - 1)
            own[:, one] = beside.min(axis=1) if by == LEAST else beside.mean(axis=1)
        scores += own.T / len(values)
        ranked += ranks.shared_ranks(own if by in (HARM, FAIR) else -own).T / len(values)
    return scores, ranked


def _distances(of_network: Numbers, weights: Numbers) -> Numbers:
    """How far each variant's mean harm to another is from the other's harm to itself: a mean over the others."""
    n, count, _ = of_network.shape
    harm = (weights @ of_network.reshape(n, count * count)).reshape(len(weights), count, count)
    far = np.abs(harm - np.diagonal(harm, axis1=1, axis2=2)[:, None, :])  # 0 on the diagonal
    found: Numbers = far.sum(axis=2) / (count - 1)
    return found

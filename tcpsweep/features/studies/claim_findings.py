# SPDX-License-Identifier: MIT
"""The claims of a published study, judged from the sweep's runs.

A claim is judged in each group of combinations that are equal in everything else, from runs with the same number. A
run's effect depends on the claim. It is the difference, Spearman's rank correlation with the axis, the span of the
values over their mean, or the distance of a value from the least-squares line through the others, over their mean. The
claim is judged by the effect's mean over runs and its 95 % interval by Student's t. The intervals are not corrected for
the number of networks.
"""

from collections.abc import Iterator, Sequence
from statistics import linear_regression, mean
from typing import Any

import polars as pl

from tcpsweep.core.analysis import axis_columns
from tcpsweep.core.analysis.run_results import RunResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.statistics import means, rotation_blocks
from tcpsweep.core.sweep import axes, matching, rotations
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words.thresholds import LITTLE
from tcpsweep.features.studies import claims, reproduction, study_record
from tcpsweep.features.studies.study_record import KEY, Claim

WORDS = {"held": "held", "reversed": "the reverse", "not shown": "not shown", "no value": "no value"}
FINDINGS = {
    "claim": pl.String,
    "combination": pl.Int64,
    "metric": pl.String,
    "flow_variant": pl.String,
    "effect": pl.String,
    "runs": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "finding": pl.String,
}


def judged(sweep: Sweep, measures: pl.DataFrame) -> pl.DataFrame:
    """Judge each claim in each network to which it applies.

    Parameters
    ----------
    measures : DataFrame
        From `cell_tables.measure`.

    Returns
    -------
    DataFrame
        - ``claim`` in words, ``combination``, the first of the network's, ``metric``, ``flow_variant``
        - ``effect``, the quantity that ``mean`` averages: "difference" in the metric's unit, "rank correlation", "span"
          or "distance from the line"
        - ``runs``, how many different runs have all values
        - ``low`` and ``high``, the ends of the interval
        - ``finding``, a key of `WORDS`
    """
    combinations, variant_settings = sweep.own, axes.beside_variant(sweep)
    rows: list[dict[str, Any]] = []
    study = study_record.of(sweep)
    for claim in study.claims if study else ():
        run_values = reproduction.values(measures, claim.metric, claim.of, "mean")
        if claim.than:
            other_values = reproduction.values(measures, claim.metric, claim.than, "mean")
            run_values = run_values.join(other_values, on=["combination", "run", "digest"]).select(
                "combination", "run", "digest", value=pl.col("value") - pl.col("value_right")
            )
        for network in claims.networks(claim, combinations, variant_settings):
            per_run, effect = _effects(claim, network, run_values, combinations)
            rows.append(
                {"claim": claim.says, "combination": network[0], "metric": claim.metric}
                | {"flow_variant": claim.of, "effect": effect}
                | _judged_effect(claim, per_run)
            )
    return pl.DataFrame(rows, schema=FINDINGS)


def _effects(
    claim: Claim, network: Sequence[int], run_values: pl.DataFrame, combinations: Sequence[Combination]
) -> tuple[pl.DataFrame, str]:
    """A claim's effect in each run, or whole rotation, of a network: ``digest``, ``value``; and the effect's name."""
    if claim.outlier:
        axis_positions = claims.places(claim, network, combinations)
        outlier = network.index(*(set(network) & set(matching.where([claim.outlier], combinations))))
    by_run: dict[int, dict[int, tuple[str, float]]] = {}
    run_effects: list[tuple[str, float]] = []
    rotation_length = rotations.longest(combinations[number] for number in network)
    network_values = run_values.filter(pl.col("combination").is_in(network))
    if rotation_length > 1:
        rotation = pl.lit(rotation_length, pl.Int64).alias(rotation_blocks.ROTATION)
        network_values = rotation_blocks.blocked(network_values.with_columns(rotation), ["combination"])
    for number, run, digest, value in network_values.iter_rows():
        by_run.setdefault(run, {})[number] = digest, value
    whole_runs = {
        run: [cells[number] for number in network] for run, cells in by_run.items() if len(cells) == len(network)
    }
    for cells in whole_runs.values():
        digest, values = "+".join(digest for digest, _ in cells), [value for _, value in cells]
        if claim.more or claim.less:
            run_effects.append((digest, values[0] - values[1]))
        elif claim.than:
            run_effects.append((digest, values[0]))
        elif claim.level_with:
            if any(values):
                run_effects.append((digest, (max(values) - min(values)) / mean(values)))
        elif claim.outlier:
            if any(values[:outlier] + values[outlier + 1 :]):
                run_effects.append((digest, _distance_from_line(axis_positions, values, outlier)))
        else:
            # The network is in the order of the axis; a metric that is constant along it does not rise.
            run_effects.append((digest, reproduction.correlations(range(len(values)), values)[0] or 0.0))
    kinds = {"level_with": "span", "outlier": "distance from the line", "more": "difference", "than": "difference"}
    effect = next((kind for key, kind in kinds.items() if getattr(claim, key)), "rank correlation")
    return pl.DataFrame(run_effects, schema={"digest": pl.String, "value": pl.Float64}, orient="row"), effect


def _distance_from_line(positions: Sequence[float], values: Sequence[float], outlier: int) -> float:
    """How far one value lies above the least-squares line through the others, over their mean."""
    others = [number for number in range(len(values)) if number != outlier]
    slope, intercept = linear_regression(
        [positions[number] for number in others], [values[number] for number in others]
    )
    return (values[outlier] - (intercept + slope * positions[outlier])) / mean(values[number] for number in others)


def _judged_effect(claim: Claim, per_run: pl.DataFrame) -> dict[str, Any]:
    """Mean and interval of an effect over runs, and the finding for the claim."""
    if per_run.is_empty():
        return {"runs": 0, "mean": None, "low": None, "high": None, "finding": "no value"}
    row = means.summarise(per_run.with_columns(all=pl.lit(0)), ["all"]).row(0, named=True)
    low, high = row["low"], row["high"]
    finding = "not shown" if low is None else _finding_of_interval(claim, low, high)
    return {"runs": row["distinct_runs"]} | {key: row[key] for key in ("mean", "low", "high")} | {"finding": finding}


def _finding_of_interval(claim: Claim, low: float, high: float) -> str:
    """The finding that follows from an interval of the effect."""
    if claim.level_with:
        return "held" if high <= LITTLE else "reversed" if low > LITTLE else "not shown"
    if claim.outlier:
        is_away = low > LITTLE or high < -LITTLE
        return "held" if is_away else "reversed" if max(-low, high) <= LITTLE else "not shown"
    if low <= 0 <= high:
        return "not shown"
    return "held" if (low > 0) != (bool(claim.falls_with)) else "reversed"


def tables(results: RunResults) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of printed numbers, their ranks and winners, and of claims, by name."""
    sweep, measures = results.full, results.parts.whole("measures").collect()
    numbers = reproduction.numbers(sweep, measures)
    frames = {
        "published": numbers,
        "published_ranks": reproduction.ranks(sweep, numbers),
        "published_winners": reproduction.winners(sweep, numbers),
        "published_claims": judged(sweep, measures),
    }
    for name, frame in frames.items():
        yield name, axis_columns.with_axes(results.axes, frame)


TABLES = AddedTables(key=KEY, tables=tables, needs_measures=True)

# SPDX-License-Identifier: MIT
"""The score of a candidate in a network, against the baseline there.

For each metric, the score has the logarithm of a ratio to the base 2: 1 is twice as good as the baseline, −1 half as
good, and 0 the same. Metrics of which less is better have the ratio's inverse. The score is the sum of these logarithms
times the metrics' weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import yaml

from tcpsweep.core.frames.opened_sweep import OpenedSweep
from tcpsweep.core.words import spelling
from tcpsweep.core.words.mixes import JOINT
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.rank.paired_tests import Numbers
from tcpsweep.features.rank.rank_sweeps import Networks

# The metrics, with what they are called in tables.
TITLES = {
    "goodput": "goodput",
    "delay": "one-way delay",
    "loss": "congestion loss",
    "jain": "Jain's index",
    "harm": "baseline's goodput beside it",
}
_METRICS = {"goodput": "goodput_bps", "delay": "owd_mean_s", "loss": "congestion_loss", "jain": "jain"}
_FEWER_IS_BETTER = ("delay", "loss")
SMALLEST, _MOST_WEIGHT = "smallest", 100
_LEAST_LOSS = 0.001  # is added to both shares, so that a baseline without losses is no division by zero
MOST = 4.0  # a ratio of 16 or of 1/16 counts as much as a larger one


@dataclass(frozen=True)
class Weights:
    """The weight of each of `TITLES`, and the smallest difference of scores from the baseline that matters."""

    by_metric: Mapping[str, float]
    smallest: float = 0.0


def weights(file: Path) -> Weights:
    """The weights in a file. Raises `UserError` if it has anything else."""
    try:
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UserError(f"{file} cannot be read as YAML: {error}") from None
    if not isinstance(data, dict) or not set(data) & set(TITLES):
        raise UserError(f"{file}: expected a weight for some of {', '.join(TITLES)}, such as `goodput: 1`")
    names = (*TITLES, SMALLEST)
    for name, weight in data.items():
        if name not in names:
            raise UserError(spelling.none_of_these(f"{file}: unknown key {name!r}", "expected", str(name), names))
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= _MOST_WEIGHT:
            raise UserError(f"{file}: {name}: expected a number from 0 to {_MOST_WEIGHT}, got {weight!r}")
    if not any(data.get(name) for name in TITLES):
        raise UserError(f"{file}: all weights are 0; expected a larger one for some of {', '.join(TITLES)}")
    return Weights({name: float(data.get(name, 0)) for name in TITLES}, float(data.get(SMALLEST, 0)))


def table(sweep: OpenedSweep, networks: Networks, baseline: str, weight: Mapping[str, float]) -> pl.DataFrame:
    """The score of each candidate in each network that has finished.

    Returns
    -------
    DataFrame
        ``candidate``, ``network`` (its number in ``networks``), the logarithm of each of `TITLES`, and ``score``. A
        value is null if the candidate has no value in some repetition.

    Raises `UserError` if the baseline has no value somewhere.
    """
    values = _values(sweep, networks, baseline)
    of_baseline = values.filter(pl.col("candidate") == baseline).drop("candidate")
    paired = values.filter(pl.col("candidate") != baseline).join(
        of_baseline, on=["network", "run"], suffix="_baseline", how="left"
    )
    _check_baseline(paired, networks, baseline)
    ratios = paired.select("candidate", "network", "run", *map(_logarithm, TITLES))
    means = ratios.group_by("candidate", "network", maintain_order=True).agg(
        pl.when(pl.col(name).is_null().any()).then(None).otherwise(pl.col(name).mean()).alias(name) for name in TITLES
    )
    return means.with_columns(
        score=pl.sum_horizontal((pl.col(name) * weight[name] for name in TITLES), ignore_nulls=False)
    )


def _check_baseline(paired: pl.DataFrame, networks: Networks, baseline: str) -> None:
    """Raise `UserError` for a metric that the baseline lacks in some network, where no candidate could have a score."""
    for name in _METRICS:
        lacking = paired.filter(pl.col(f"{name}_baseline").is_null())["network"]
        if not lacking.is_empty():
            raise UserError(
                f"the baseline {baseline} has no {TITLES[name]} in the network {networks.words(lacking[0])}, so no "
                "candidate can have a score there; let it last longer, or leave it out"
            )


def _logarithm(name: str) -> pl.Expr:
    """The logarithm of a metric's ratio, within ±`MOST`; of 0 against 0 it is 0."""
    value, baseline = pl.col(name), pl.col("goodput_baseline" if name == "harm" else f"{name}_baseline")
    if name == "loss":
        value, baseline = value + _LEAST_LOSS, baseline + _LEAST_LOSS
    ratio = baseline / value if name in _FEWER_IS_BETTER else value / baseline
    logarithm = pl.when(value == baseline).then(0.0).otherwise(ratio.log(2).clip(-MOST, MOST))
    return (logarithm.clip(upper_bound=0.0) if name == "harm" else logarithm).alias(name)


def ratio(name: str) -> pl.Expr:
    """The geometric mean of a metric's ratio to the baseline, from the logarithms of `table`."""
    mean = pl.col(name).mean()
    return (2 ** (-mean if name in _FEWER_IS_BETTER else mean)).alias(name)


def _values(sweep: OpenedSweep, networks: Networks, baseline: str) -> pl.DataFrame:
    """The metrics of each candidate alone, and ``harm``, the baseline's goodput next to it, in each run."""
    runs = sweep.runs.collect()
    places = _places(sweep, networks)
    rows = runs.select("combination", "run", "flow_variant", "metric", "value").join(places, on="combination")
    alone = rows.filter(~pl.col("variant").str.contains(JOINT, literal=True))
    of_metric = {
        name: alone.filter(pl.col("metric") == metric)
        .group_by("candidate", "network", "run")
        .agg(pl.col("value").first())
        for name, metric in _METRICS.items()
    }
    beside = rows.filter(
        pl.col("variant").str.contains(JOINT, literal=True),
        pl.col("metric") == "goodput_bps",
        pl.col("flow_variant") == baseline,
    )
    of_metric["harm"] = beside.select("candidate", "network", "run", "value")
    values = alone.select("candidate", "network", "run").unique(maintain_order=True)
    for name, frame in of_metric.items():
        values = values.join(frame.rename({"value": name}), on=["candidate", "network", "run"], how="left")
    return values


def _places(sweep: OpenedSweep, networks: Networks) -> pl.DataFrame:
    """Each combination's ``variant``, ``candidate`` (the first of a mix) and ``network``."""
    number_of_row = {row: number for number, row in enumerate(networks.rows)}
    rows: list[tuple[int, str, str, int]] = []
    for combination, texts in enumerate(sweep.record.texts[: sweep.record.swept]):
        place = tuple(texts[name] for name in networks.names)
        rows.append((combination, texts["variant"], texts["variant"].split(JOINT)[0], number_of_row[place]))
    schema = {"combination": pl.Int64, "variant": pl.String, "candidate": pl.String, "network": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def matrix(scores: pl.DataFrame, candidates: Sequence[str]) -> Numbers:
    """The scores as an array: a row for each of these candidates, and a column for each network in the table's order.

    A candidate has NaN where it has no score. ``scores`` is from `table`, of one look or of several.
    """
    networks = scores["network"].unique(maintain_order=True).to_list()
    row, column = ({name: place for place, name in enumerate(names)} for names in (candidates, networks))
    filled = np.full((len(candidates), len(networks)), np.nan)
    for candidate, network, score in scores.select("candidate", "network", "score").drop_nulls().rows():
        if candidate in row:
            filled[row[candidate], column[network]] = score
    return filled

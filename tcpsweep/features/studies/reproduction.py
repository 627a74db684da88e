# SPDX-License-Identifier: MIT
"""Compare the printed numbers of a published study with the sweep's own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import polars as pl

from tcpsweep.core.statistics import means, rotation_blocks
from tcpsweep.core.sweep import axes, rotations
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import metrics
from tcpsweep.features.studies import study_record

NUMBERS = {
    "line": pl.Int64,
    "combination": pl.Int64,
    "flow_variant": pl.String,
    "metric": pl.String,
    "over": pl.String,
    "unit": pl.String,
    "printed": pl.Float64,
    "at_setting": pl.Float64,
    "ratio": pl.Float64,
    "runs": pl.Int64,
    "distinct_runs": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "least": pl.Float64,
    "greatest": pl.Float64,
    "inside": pl.Boolean,
    "remark": pl.String,
}
RANKS = {
    "metric": pl.String,
    "over": pl.String,
    "axis": pl.String,
    "flow_variant": pl.String,
    "combination": pl.Int64,
    "points": pl.Int64,
    "printed_rises": pl.Float64,
    "measured_rises": pl.Float64,
    "spearman": pl.Float64,
    "kendall": pl.Float64,
}
WINNERS = {
    "combination": pl.Int64,
    "metric": pl.String,
    "over": pl.String,
    "variants": pl.Int64,
    "printed": pl.String,
    "measured": pl.String,
    "same": pl.Boolean,
}
LEAST_POINTS = 3

_RowByCombination: TypeAlias = dict[int, dict[str, Any]]


def values(measures: pl.DataFrame, metric: str, flow_variant: str | None, over: str) -> pl.DataFrame:
    """A metric in each run of each combination: ``combination``, ``run``, ``digest``, ``value``.

    Parameters
    ----------
    measures : DataFrame
        From `cell_tables.measure`.
    flow_variant : str or None
        The flows' variant; None for a metric of the whole network.
    over : str
        "mean" or "sum" over the variant's forward flows.
    """
    metric_rows = measures.filter(pl.col("metric").cast(pl.String) == metric)
    if flow_variant is None:
        metric_rows = metric_rows.filter(pl.col("flow").is_null())
    else:
        metric_rows = metric_rows.filter(pl.col("direction") == "forward", pl.col("variant") == flow_variant)
    value = pl.col("value").sum() if over == "sum" else pl.col("value").mean()
    return metric_rows.group_by("combination", "run", "digest").agg(value).sort("combination", "run")


def numbers(sweep: Sweep, measures: pl.DataFrame) -> pl.DataFrame:
    """Compare each printed number with the sweep's.

    Parameters
    ----------
    sweep : Sweep
        With the combinations in the published setting.
    measures : DataFrame
        From `cell_tables.measure`, with those combinations.

    Returns
    -------
    DataFrame
        ``line`` in the file of numbers, ``combination``, ``flow_variant`` (null for a metric of the whole network),
        ``metric``, ``over``, ``unit`` (the metric's). In that unit:

        - ``printed``
        - ``at_setting``, the value of the one run in the published setting
        - ``mean`` over the runs of the sweep's own combination, ``low`` and ``high``, the ends of its 95 % interval by
          Student's t, ``least`` and ``greatest``

        Without a unit:

        - ``ratio`` is ``at_setting``, or without it ``mean``, to ``printed``
        - ``inside`` says whether ``printed`` lies between ``least`` and ``greatest``
        - ``remark``
    """
    setting_of = {number: sweep.published.first + index for index, number in enumerate(sweep.published.of)}
    rows: list[dict[str, Any]] = []
    known: dict[tuple[str, str | None, str], tuple[_RowByCombination, _RowByCombination]] = {}
    study, lengths = study_record.of(sweep), rotations.lengths(sweep.combinations)
    for number in study.numbers if study else ():
        key = number.metric, number.of, number.over
        if key not in known:
            run_values = values(measures, *key)
            whole_rotations = rotation_blocks.of_combinations(run_values, lengths, ["combination"])
            summary = means.summarise(whole_rotations, ["combination"])
            run_ranges = run_values.group_by("combination").agg(
                least=pl.col("value").min(), greatest=pl.col("value").max()
            )
            known[key] = _row_by_combination(summary), _row_by_combination(run_ranges)
        summaries, ranges = known[key]
        own = summaries.get(number.combination, {}) | ranges.get(number.combination, {})
        at_setting = summaries.get(setting_of.get(number.combination, -1), {}).get("mean")
        row = sweep.combinations[setting_of.get(number.combination, number.combination)]
        printed = number.printed * number.scale(row)
        value = own.get("mean") if at_setting is None else at_setting
        rows.append(
            {name: own.get(name) for name in ("runs", "distinct_runs", "mean", "low", "high", "least", "greatest")}
            | {"line": number.line, "combination": number.combination, "flow_variant": number.of}
            | {"metric": number.metric, "over": number.over, "unit": metrics.METRICS[number.metric].unit}
            | {"printed": printed, "at_setting": at_setting, "remark": number.remark}
            | {"ratio": value / printed if value is not None and printed else None}
            | {"inside": own["least"] <= printed <= own["greatest"] if own else None}
        )
    return pl.DataFrame(rows, schema=NUMBERS)


def _row_by_combination(table: pl.DataFrame) -> _RowByCombination:
    return {row["combination"]: row for row in table.iter_rows(named=True)}


def ours(row: Mapping[str, Any]) -> float | None:
    """The sweep's value for a printed one: in the published setting if that was simulated, else the mean."""
    own_value: float | None = row["mean"] if row["at_setting"] is None else row["at_setting"]
    return own_value


def ranks(sweep: Sweep, table: pl.DataFrame) -> pl.DataFrame:
    """Compare the printed order along each axis with the sweep's.

    Parameters
    ----------
    table : DataFrame
        From `numbers`.

    Returns
    -------
    DataFrame
        A row for each axis, metric and flows' variant, with all else equal and `LEAST_POINTS` values or more.

        - ``combination`` is the first of them
        - ``printed_rises`` and ``measured_rises`` are Spearman's rank correlation with the axis, null if it is not
          numeric or a side is constant
        - ``spearman`` and ``kendall`` (tau b) correlate the printed values with the sweep's
    """
    every, texts = axes.variant_and_network_axes(sweep), axes.variant_and_network_texts(sweep)
    rows: list[dict[str, Any]] = []
    for axis in every:
        rows_by_line: dict[tuple[Any, ...], list[tuple[str, dict[str, Any]]]] = {}
        for row in table.iter_rows(named=True):
            place = dict(texts[row["combination"]])
            axis_text = place.pop(axis)
            # On the axis of variants, the flows' own variants differ along the line.
            own = None if axis == "variant" else row["flow_variant"]
            rows_by_line.setdefault((row["metric"], row["over"], own, tuple(place.items())), []).append(
                (axis_text, row)
            )
        for (metric, over, own, _), members in rows_by_line.items():
            points = [(axis_text, row) for axis_text, row in members if ours(row) is not None]
            if len(points) < LEAST_POINTS:
                continue
            printed, measured = [row["printed"] for _, row in points], [ours(row) for _, row in points]
            places = [every[axis].values.get(axis_text) for axis_text, _ in points] if every[axis].numeric else None
            spearman, kendall = correlations(printed, measured)
            rows.append(
                {"metric": metric, "over": over, "axis": axis, "flow_variant": own, "points": len(points)}
                | {"combination": points[0][1]["combination"], "spearman": spearman, "kendall": kendall}
                | {"printed_rises": places and correlations(places, printed)[0]}
                | {"measured_rises": places and correlations(places, measured)[0]}
            )
    return pl.DataFrame(rows, schema=RANKS)


def correlations(x: Sequence[Any], y: Sequence[Any]) -> tuple[float | None, float | None]:
    """Spearman's rho and Kendall's tau b of two lists; None if one of them is constant."""
    from scipy import stats

    if len(set(x)) < 2 or len(set(y)) < 2:
        return None, None
    return float(stats.spearmanr(x, y).statistic), float(stats.kendalltau(x, y).statistic)


def winners(sweep: Sweep, table: pl.DataFrame) -> pl.DataFrame:
    """The best variant, as printed and in the sweep, of each network that has printed numbers for several variants.

    Returns
    -------
    DataFrame
        ``combination``, the first of the network's; ``metric``, ``over``, ``variants``, how many are compared;
        ``printed`` and ``measured``, the best, several if they are equal; ``same``, whether one is in both.
    """
    texts = axes.network_texts(sweep)
    rows_by_network: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    rows: list[tuple[Any, ...]] = []
    for row in table.iter_rows(named=True):
        if row["flow_variant"] and ours(row) is not None:
            network = tuple(texts[row["combination"]].items())
            rows_by_network.setdefault((row["metric"], row["over"], network), []).append(row)
    for (metric, over, _), members in rows_by_network.items():
        better_side, variants = metrics.METRICS[metric].better, {row["flow_variant"] for row in members}
        if len(variants) < 2 or not better_side:
            continue
        printed = _best(members, lambda row: row["printed"], better_side)
        measured = _best(members, ours, better_side)
        has_common_best = bool(printed & measured)
        best_in_words = (", ".join(sorted(names)) for names in (printed, measured))
        rows.append((members[0]["combination"], metric, over, len(variants), *best_in_words, has_common_best))
    return pl.DataFrame(rows, schema=WINNERS, orient="row")


def _best(network_rows: Sequence[dict[str, Any]], value: Callable[[dict[str, Any]], Any], better: str) -> set[str]:
    """The variants that are best, several if they are equal."""
    best = (max if better == "higher" else min)(value(row) for row in network_rows)
    return {row["flow_variant"] for row in network_rows if value(row) == best}

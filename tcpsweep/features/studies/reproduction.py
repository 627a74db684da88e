# SPDX-License-Identifier: MIT
"""Compare the printed numbers of a published study with the sweep's own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import polars as pl

from tcpsweep.core.statistics import means, rotation_blocks
from tcpsweep.core.sweep import axes, rotations
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import metrics

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

_Rows: TypeAlias = dict[int, dict[str, Any]]


def values(measures: pl.DataFrame, metric: str, own: str | None, over: str) -> pl.DataFrame:
    """A metric in each run of each combination: ``combination``, ``run``, ``digest``, ``value``.

    Parameters
    ----------
    measures : DataFrame
        From `cell_tables.measure`.
    own : str or None
        The flows' variant; None for a metric of the whole network.
    over : str
        "mean" or "sum" over the variant's forward flows.
    """
    rows = measures.filter(pl.col("metric").cast(pl.String) == metric)
    if own is None:
        rows = rows.filter(pl.col("flow").is_null())
    else:
        rows = rows.filter(pl.col("direction") == "forward", pl.col("variant") == own)
    value = pl.col("value").sum() if over == "sum" else pl.col("value").mean()
    return rows.group_by("combination", "run", "digest").agg(value).sort("combination", "run")


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
    at = {number: sweep.published.first + place for place, number in enumerate(sweep.published.of)}
    rows: list[dict[str, Any]] = []
    known: dict[tuple[str, str | None, str], tuple[_Rows, _Rows]] = {}
    lengths = rotations.lengths(sweep.combinations) if sweep.study else []
    for number in sweep.study.numbers if sweep.study else ():
        key = number.metric, number.of, number.over
        if key not in known:
            found = values(measures, *key)
            whole = rotation_blocks.of_combinations(found, lengths, ["combination"])
            summary = means.summarise(whole, ["combination"])
            ends = found.group_by("combination").agg(least=pl.col("value").min(), greatest=pl.col("value").max())
            known[key] = _by_combination(summary), _by_combination(ends)
        once, extremes = known[key]
        own = once.get(number.combination, {}) | extremes.get(number.combination, {})
        setting = once.get(at.get(number.combination, -1), {}).get("mean")
        row = sweep.combinations[at.get(number.combination, number.combination)]
        printed = number.printed * number.scale(row)
        beside = own.get("mean") if setting is None else setting
        rows.append(
            {name: own.get(name) for name in ("runs", "distinct_runs", "mean", "low", "high", "least", "greatest")}
            | {"line": number.line, "combination": number.combination, "flow_variant": number.of}
            | {"metric": number.metric, "over": number.over, "unit": metrics.METRICS[number.metric].unit}
            | {"printed": printed, "at_setting": setting, "remark": number.remark}
            | {"ratio": beside / printed if beside is not None and printed else None}
            | {"inside": own["least"] <= printed <= own["greatest"] if own else None}
        )
    return pl.DataFrame(rows, schema=NUMBERS)


def _by_combination(table: pl.DataFrame) -> _Rows:
    return {row["combination"]: row for row in table.iter_rows(named=True)}


def ours(row: Mapping[str, Any]) -> float | None:
    """The sweep's value for a printed one: in the published setting if that was simulated, else the mean."""
    found: float | None = row["mean"] if row["at_setting"] is None else row["at_setting"]
    return found


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
        lines: dict[tuple[Any, ...], list[tuple[str, dict[str, Any]]]] = {}
        for row in table.iter_rows(named=True):
            place = dict(texts[row["combination"]])
            at = place.pop(axis)
            # On the axis of variants, the flows' own variants differ along the line.
            own = None if axis == "variant" else row["flow_variant"]
            lines.setdefault((row["metric"], row["over"], own, tuple(place.items())), []).append((at, row))
        for (metric, over, own, _), members in lines.items():
            known = [(at, row) for at, row in members if ours(row) is not None]
            if len(known) < LEAST_POINTS:
                continue
            printed, measured = [row["printed"] for _, row in known], [ours(row) for _, row in known]
            places = [every[axis].values.get(at) for at, _ in known] if every[axis].numeric else None
            spearman, kendall = correlations(printed, measured)
            rows.append(
                {"metric": metric, "over": over, "axis": axis, "flow_variant": own, "points": len(known)}
                | {"combination": known[0][1]["combination"], "spearman": spearman, "kendall": kendall}
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
    places = axes.network_texts(sweep)
    networks: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    rows: list[tuple[Any, ...]] = []
    for row in table.iter_rows(named=True):
        if row["flow_variant"] and ours(row) is not None:
            place = tuple(places[row["combination"]].items())
            networks.setdefault((row["metric"], row["over"], place), []).append(row)
    for (metric, over, _), members in networks.items():
        better, variants = metrics.METRICS[metric].better, {row["flow_variant"] for row in members}
        if len(variants) < 2 or not better:
            continue
        printed = _best(members, lambda row: row["printed"], better)
        measured = _best(members, ours, better)
        same = bool(printed & measured)
        words = (", ".join(sorted(names)) for names in (printed, measured))
        rows.append((members[0]["combination"], metric, over, len(variants), *words, same))
    return pl.DataFrame(rows, schema=WINNERS, orient="row")


def _best(members: Sequence[dict[str, Any]], value: Callable[[dict[str, Any]], Any], better: str) -> set[str]:
    """The variants that are best, several if they are equal."""
    best = (max if better == "higher" else min)(value(row) for row in members)
    return {row["flow_variant"] for row in members if value(row) == best}


def comparison_tables(sweep: Sweep, measures: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The tables of a sweep that reproduces a study, by name: `numbers`, `ranks` and `winners`."""
    found = numbers(sweep, measures)
    return {"published": found, "published_ranks": ranks(sweep, found), "published_winners": winners(sweep, found)}

# SPDX-License-Identifier: MIT
"""The static figures of variants compared with each other: matrices, ranking and frontier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.figures import series_styles
from tcpsweep.core.figures.picture_files import Figure
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics
from tcpsweep.features.pairs import pair_charts, pair_ranking, pair_record, pair_tables, pair_words

GROUP = "Pairs"
MATRICES = (pair_tables.SHARE, "harm_goodput")
MOST_NETWORKS = 12


def figures(results: SweepResults, width: float) -> Iterator[Figure]:
    """The figures of the sweep's tables of pairs, in a width in pixels; none if it has no pairs."""
    sweep, table, ranking = results.sweep, results.table("pairs"), results.table("ranking")
    if table.is_empty():
        return
    networks = pair_tables.by_network(sweep, table)
    several = len(networks) > 1
    rows_by_title = {f"mean of {len(networks)} network conditions": pair_tables.over_networks(table)} if several else {}
    rows_by_title |= dict(list(networks.items())[:MOST_NETWORKS])
    for number, (where, rows) in enumerate(rows_by_title.items()):
        for measure in MATRICES:
            yield from _matrix(sweep, rows.filter(pl.col("measure") == measure), measure, number, where, width)
    over_all = ranking.filter(pl.col("combination").is_null() if several else pl.col("combination").is_not_null())
    yield from _ranks(sweep, over_all, width)
    frontiers = pair_tables.by_network(sweep, results.table("frontier"))
    for number, (where, rows) in enumerate(list(frontiers.items())[:MOST_NETWORKS]):
        yield _frontier(sweep, rows, number, where, width)


def _combinations(sweep: PlannedSweep, rows: pl.DataFrame) -> Sequence[int]:
    """The combinations of rows; all of the sweep's for means over networks."""
    return rows["combination"].unique().to_list() if "combination" in rows.columns else range(sweep.swept)


def _title_end(where: str) -> str:
    return f", {where}" if where else ""


def _matrix(
    sweep: PlannedSweep, rows: pl.DataFrame, measure: str, number: int, where: str, width: float
) -> Iterator[Figure]:
    words = pair_words.MEASURES[measure]
    names = axes.names_for_print(sweep)
    values = {(names[row["variant"]], names[row["beside"]]): row["mean"] for row in rows.iter_rows(named=True)}
    measured = {pair: mean for pair, mean in values.items() if mean is not None}
    if measured:
        middle = 0.5 if measure == pair_tables.SHARE else 0.0
        yield Figure(
            f"pairs-{measure}-{number}",
            GROUP,
            f"{words.title}{_title_end(where)}",
            f"{words.title} {words.meaning}, half of the flows each; on the diagonal, half of a variant's flows next "
            "to its other half. Means over runs.",
            "metric",
            pair_charts.matrix([names[variant] for variant in pair_record.of(sweep)], measured, middle, width),
            rows.select("variant", "beside", "mean", "low", "high"),
            width,
            ["goodput_bps"],
            _combinations(sweep, rows),
        )


def _ranks(sweep: PlannedSweep, ranking: pl.DataFrame, width: float) -> Iterator[Figure]:
    rankings = {name: ranking.filter(pl.col("by") == name) for name in pair_ranking.BY}
    rankings = {name: rows for name, rows in rankings.items() if rows.height}
    if rankings:
        first = next(iter(rankings.values()))
        others = [name for name in pair_record.of(sweep) if name not in set(first["variant"])]
        names = axes.names_for_print(sweep)
        printed = {name: rows.with_columns(pl.col("variant").replace(names)) for name, rows in rankings.items()}
        meanings = "; ".join(f"{pair_words.SCORES[name].title}: {pair_words.SCORES[name].meaning}" for name in rankings)
        networks = f", means over {first['networks'][0]} networks" if first["networks"][0] > 1 else ""
        yield Figure(
            "pairs-ranking",
            GROUP,
            "Ranking of the variants next to each other",
            f"Ranks{networks}, with 95 % bootstrap intervals over {first['runs'][0]} runs. {meanings}.",
            "metric",
            pair_charts.ranks(
                {pair_words.SCORES[name].title: rows.rows(named=True) for name, rows in printed.items()},
                [names[variant] for variant in (*first["variant"], *others)],
                width,
            ),
            ranking.drop("combination"),
            width,
            ["goodput_bps"],
            range(sweep.swept),
        )


def _frontier(sweep: PlannedSweep, rows: pl.DataFrame, number: int, where: str, width: float) -> Figure:
    delay, goodput = metrics.METRICS[rows["delay_metric"][0]], metrics.METRICS["goodput_bps"]
    names = axes.names_for_print(sweep)
    marks = [
        {
            "variant": row["variant"],
            "x": row["mean_delay_s"] * delay.scale,
            "y": row["goodput_bps"] * goodput.scale,
            "size": float(row["on_frontier"]) if row["probability"] is None else row["probability"],
            "label": names[row["variant"]]
            + ("" if row["probability"] is None else f" {row['probability'] * 100:.0f} %"),
        }
        for row in rows.iter_rows(named=True)
    ]
    titles = f"{delay.title} [{delay.shown_unit}]", f"{goodput.title} [{goodput.shown_unit}]"
    return Figure(
        f"pairs-frontier-{number}",
        GROUP,
        f"Frontier of goodput, delay and losses{_title_end(where)}",
        "All flows have the same variant. The size of a mark is the probability, over resampled runs, that no other "
        "variant is at least as good in goodput, delay and losses and better in one. Means over "
        f"{rows['runs'][0]} runs.",
        "metric",
        pair_charts.frontier(marks, titles, series_styles.styles(sweep), width),
        rows,
        width,
        [rows["delay_metric"][0], "goodput_bps", "congestion_loss"],
        _combinations(sweep, rows),
    )

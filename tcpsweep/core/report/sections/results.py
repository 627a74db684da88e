# SPDX-License-Identifier: MIT
"""The table of results: a row for each combination and variant, a column for each headline metric."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from tcpsweep.core.analysis import summaries
from tcpsweep.core.report.sections import finished_runs, table_texts
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import metrics, rounding

MOST_LINKS = 10  # to the cells of a row


@dataclass(frozen=True)
class Row:
    """The means of a combination and variant, as texts."""

    combination: int
    axes: list[tuple[str, float | str]]  # text and place on the axis
    variant: str
    whole: str  # the mix that the variant is in
    runs: str
    means: list[tuple[str, str]]  # with intervals
    cells: list[tuple[int, str | None]]  # finished runs with the links to their cells' pages
    more_cells: int = 0  # that are left out


@dataclass(frozen=True)
class Results:
    """The table of results."""

    axes: list[str]
    metrics: list[tuple[str, str]]  # titles and units
    rows: list[Row]
    more: int  # rows that are left out


def table(sweep: PlannedSweep, summary: pl.DataFrame, finished: Sequence[Run]) -> Results:
    """The table of results with its first `table_texts.MOST_ROWS` rows."""
    swept_axes, texts = axes.swept_axes(sweep), sweep.texts
    network_axes = axes.network_axes(sweep)
    headline = metrics.headline(set(summary["metric"]) - table_texts.constant_metrics(summary), sweep.headline)
    without_traffic = summaries.silent(summary)
    keys = summaries.variants(summary, [text["variant"] for text in texts])
    first = axes.in_order(keys.rows(), texts)[: table_texts.MOST_ROWS]
    texts_by_key = _texts_by_key(summary, list(headline), {row[0] for row in first})
    cells = finished_runs.links(sweep, finished)
    rows = [
        Row(
            combination,
            table_texts.sortable(network_axes, texts[combination]),
            axes.series(variant, texts[combination]["variant"]),
            whole=texts[combination]["variant"],
            runs=f"{runs}, identical" if runs > 1 and distinct == 1 else str(runs),
            cells=cells.get(combination, [])[:MOST_LINKS],
            more_cells=max(0, len(cells.get(combination, [])) - MOST_LINKS),
            means=[
                texts_by_key.get(
                    (combination, variant if metric.by_variant else None, name),
                    (rounding.NO_TRAFFIC if combination in without_traffic else "–", ""),
                )
                for name, metric in headline.items()
            ],
        )
        for combination, variant, runs, distinct in first
    ]
    return Results(
        [axes.title(name, list(swept_axes)) for name in network_axes],
        [(metric.title, metric.shown_unit) for metric in headline.values()],
        rows,
        keys.height - len(rows),
    )


def _texts_by_key(
    summary: pl.DataFrame, names: list[str], combinations: set[int]
) -> dict[tuple[int, str | None, str], tuple[str, str]]:
    """Each mean and its interval as texts, by combination, flow's variant and metric."""
    needed = pl.col("metric").is_in(names) & pl.col("combination").is_in(combinations)
    texts = {}
    for row in summary.filter(needed).iter_rows(named=True):
        mean, _, interval = table_texts.mean_and_interval(row).partition(" ")
        texts[row["combination"], row["flow_variant"], row["metric"]] = (mean, interval)
    return texts

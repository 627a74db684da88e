# SPDX-License-Identifier: MIT
"""Variants compared with each other: matrices of shares and of harm, the ranking, and the frontier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.sweep import axes
from tcpsweep.core.words import rounding
from tcpsweep.features.pairs import frontier_section, pair_ranking, pair_record, pair_tables, pair_words

SHOWN, FOLDED = (pair_tables.SHARE, "harm_goodput"), ("harm_delay", "harm_loss")
_MOST_INK = 62  # percent of a cell's colour in its ground, so that its number can be read on it in both schemes
STRIP = 150.0  # the width of a rank's strip, with room for a dot at either end
_ROOM = 7.0


class _Cell(NamedTuple):  # a number, its colour, and its details in words
    text: str
    hue: str
    ink: int
    said: str
    is_unsteady: bool


class _Matrix(NamedTuple):  # of each variant next to each other one
    measure: pair_words.Measure
    rows: list[tuple[str, list[_Cell | None]]]


class _Rank(NamedTuple):  # the places of a dot and of its interval's ends, and its words
    at: float
    low: float | None
    high: float | None
    text: str
    score: str
    said: str


class _Ranking(NamedTuple):  # the variants by their first rank, with a rank for each score
    heads: list[pair_words.Score]
    rows: list[tuple[str, list[_Rank | None]]]


class _Network(NamedTuple):  # or all networks
    where: str
    shown: list[_Matrix]
    folded: list[_Matrix]
    ranking: _Ranking | None


@dataclass(frozen=True)
class Pairs:
    """The variants compared with each other."""

    variants: Sequence[str]
    over_all: _Network
    networks: list[_Network]  # if there are several
    frontiers: list[dict[str, Any]]  # from `frontier_section.frontiers`
    is_unsteady: bool


def section(results: SweepResults) -> Pairs | None:
    """The section's contents; None if the sweep has no pairs, so that its tables are empty."""
    sweep, table, ranking = results.sweep, results.table("pairs"), results.table("ranking")
    if table.is_empty():
        return None
    variants = pair_record.of(sweep)
    names = axes.names_for_print(sweep)
    ranking_by_where = pair_tables.by_network(sweep, ranking)
    networks = [
        _network(variants, names, rows, where, ranking_by_where.get(where))
        for where, rows in pair_tables.by_network(sweep, table).items()
    ]
    over_all, networks = networks[0], networks if len(networks) > 1 else []
    if networks:
        rows, where = pair_tables.over_networks(table), f"Mean of {len(networks)} network conditions"
        of_all = ranking.filter(pl.col("combination").is_null()) if ranking.height else None
        over_all = _network(variants, names, rows, where, of_all)
    frontiers = frontier_section.frontiers(sweep, results.table("frontier"))
    is_unsteady = bool(table.filter(pl.col("steady_runs") < pl.col("runs")).height)
    return Pairs(variants, over_all, networks, frontiers, is_unsteady)


def _network(
    variants: Sequence[str], names: Mapping[str, str], rows: pl.DataFrame, where: str, ranking: pl.DataFrame | None
) -> _Network:
    row_by_cell = {(row["measure"], row["variant"], row["beside"]): row for row in rows.iter_rows(named=True)}
    measured = set(rows["measure"])

    def matrices(measures: Iterable[str]) -> list[_Matrix]:
        return [
            _Matrix(
                pair_words.MEASURES[name],
                [
                    (one, [_cell(name, names, row_by_cell.get((name, one, other))) for other in variants])
                    for one in variants
                ],
            )
            for name in measures
            if name in measured
        ]

    return _Network(where, matrices(SHOWN), matrices(FOLDED), _ranking(variants, ranking))


def _cell(measure: str, names: Mapping[str, str], row: Mapping[str, Any] | None) -> _Cell | None:
    if row is None or row["mean"] is None:
        return None
    mean = row["mean"]
    deviation = 2 * mean - 1 if measure == pair_tables.SHARE else max(-1.0, min(1.0, mean))
    mean_words = rounding.mean_text(mean, row["low"], row["high"], 1, "bootstrap")
    unsteady = row["steady_runs"] < row["runs"]
    description = f"{names[row['variant']]} next to {names[row['beside']]}: {mean_words}, {row['distinct_runs']} runs"
    hue, ink = "more" if deviation > 0 else "less", round(abs(deviation) * _MOST_INK)
    return _Cell(pair_words.short(mean), hue, ink, description + (", not steady" if unsteady else ""), unsteady)


def _ranking(variants: Sequence[str], ranking: pl.DataFrame | None) -> _Ranking | None:
    if ranking is None or ranking.is_empty():
        return None
    rank_rows = {(row["by"], row["variant"]): row for row in ranking.iter_rows(named=True)}
    criteria = [name for name in pair_ranking.BY if any(key[0] == name for key in rank_rows)]
    order = sorted(
        variants,
        key=lambda one: rank_rows[criteria[0], one]["rank"] if (criteria[0], one) in rank_rows else len(variants) + 1,
    )
    rows = [(one, [_rank(rank_rows.get((name, one)), len(variants)) for name in criteria]) for one in order]
    return _Ranking([pair_words.SCORES[name] for name in criteria], rows)


def _rank(row: Mapping[str, Any] | None, count: int) -> _Rank | None:
    if row is None:
        return None

    def place(rank: float) -> float:
        return round(_ROOM + (rank - 1) / max(1, count - 1) * (STRIP - 2 * _ROOM), 1)

    has_interval = row["rank_low"] is not None
    ends = f" [{_rank_text(row['rank_low'])}, {_rank_text(row['rank_high'])}]" if has_interval else ""
    first = f"; first in {row['first']:.0%} of the resamples" if has_interval else ""
    return _Rank(
        place(row["rank"]),
        place(row["rank_low"]) if has_interval else None,
        place(row["rank_high"]) if has_interval else None,
        text=f"{_rank_text(row['rank'])}{ends}",
        score=rounding.mean_text(row["score"], row["score_low"], row["score_high"], 1, "bootstrap"),
        said=f"rank {_rank_text(row['rank'])}{ends}{first}",
    )


def _rank_text(rank: float) -> str:
    return f"{rank:.1f}".removesuffix(".0")


SECTION = Section(
    "pairs",
    "features/pairs/report/pairs.html.jinja",
    section,
    heading="Pairs",
    style="features/pairs/report/pairs.css",
    script="features/pairs/report/frontiers.js",
    script_data=lambda pairs: {"frontiers": frontier_section.chart() | {"networks": pairs.frontiers}},
)

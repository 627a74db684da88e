# SPDX-License-Identifier: MIT
"""Variants compared with each other: matrices of shares and of harm, the ranking, and the frontier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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


def section(results: SweepResults) -> dict[str, Any] | None:
    """The section's contents; None if the sweep has no pairs, so that its tables are empty.

    ``variants``; ``over_all`` and ``networks``, lists of ``where``, ``shown`` and ``folded`` matrices, and
    ``by_where``; ``frontiers``, as `frontier_section.frontiers` has them.
    """
    sweep, table, ranking = results.sweep, results.table("pairs"), results.table("ranking")
    if table.is_empty():
        return None
    variants = pair_record.of(sweep)
    networks = pair_tables.by_network(sweep, table)
    by_where = pair_tables.by_network(sweep, ranking)
    sections, names = [], axes.names_for_print(sweep)
    for where, rows in networks.items():
        sections.append(_network(variants, names, rows, where) | {"rankings": _rankings(variants, by_where.get(where))})
    several = len(sections) > 1
    if several:
        over_all = ranking.filter(pl.col("combination").is_null()) if ranking.height else None
        where = f"Mean of {len(sections)} network conditions"
        overall = _network(variants, names, pair_tables.over_networks(table), where)
        overall["rankings"] = _rankings(variants, over_all)
    return {
        "variants": variants,
        "over_all": overall if several else sections[0],
        "networks": sections if several else [],
        "frontiers": frontier_section.frontiers(sweep, results.table("frontier")),
        "unsteady": bool(table.filter(pl.col("steady_runs") < pl.col("runs")).height),
        "measures": pair_words.MEASURES,
    }


def _network(variants: Sequence[str], names: Mapping[str, str], rows: pl.DataFrame, where: str) -> dict[str, Any]:
    """The matrices of one network."""
    row_by_cell = {(row["measure"], row["variant"], row["beside"]): row for row in rows.iter_rows(named=True)}
    measured = set(rows["measure"])

    def matrices(measures: Iterable[str]) -> list[dict[str, Any]]:
        return [
            {
                "name": name,
                "title": pair_words.MEASURES[name].title,
                "rows": [
                    (one, [_cell(name, names, row_by_cell.get((name, one, other))) for other in variants])
                    for one in variants
                ],
            }
            for name in measures
            if name in measured
        ]

    return {"where": where, "shown": matrices(SHOWN), "folded": matrices(FOLDED)}


def _cell(measure: str, names: Mapping[str, str], row: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A matrix' cell: its number, its colour, and its details in words."""
    if row is None or row["mean"] is None:
        return None
    mean = row["mean"]
    deviation = 2 * mean - 1 if measure == pair_tables.SHARE else max(-1.0, min(1.0, mean))
    mean_words = rounding.mean_text(mean, row["low"], row["high"], 1, "bootstrap")
    unsteady = row["steady_runs"] < row["runs"]
    description = f"{names[row['variant']]} next to {names[row['beside']]}: {mean_words}, {row['distinct_runs']} runs"
    return {
        "text": pair_words.short(mean),
        "hue": "more" if deviation > 0 else "less",
        "ink": round(abs(deviation) * _MOST_INK),
        "said": description + (", not steady" if unsteady else ""),
        "unsteady": unsteady,
    }


def _rankings(variants: Sequence[str], ranking: pl.DataFrame | None) -> list[dict[str, Any]]:
    """The variants by their first rank, each with a strip for each score; nothing where there is no ranking."""
    if ranking is None or ranking.is_empty():
        return []
    rank_rows = {(row["by"], row["variant"]): row for row in ranking.iter_rows(named=True)}
    criteria = [name for name in pair_ranking.BY if any(key[0] == name for key in rank_rows)]
    order = sorted(
        variants,
        key=lambda one: rank_rows[criteria[0], one]["rank"] if (criteria[0], one) in rank_rows else len(variants) + 1,
    )
    heads = [{"title": pair_words.SCORES[name].title, "first": pair_words.SCORES[name].first} for name in criteria]
    rows = [(one, [_rank(rank_rows.get((name, one)), len(variants)) for name in criteria]) for one in order]
    return [{"heads": heads, "rows": rows, "runs": next(iter(rank_rows.values()))["runs"]}]


def _rank(row: Mapping[str, Any] | None, count: int) -> dict[str, Any] | None:
    """A rank's strip: the places of its dot and its interval's ends, and its words."""
    if row is None:
        return None

    def place(rank: float) -> float:
        return round(_ROOM + (rank - 1) / max(1, count - 1) * (STRIP - 2 * _ROOM), 1)

    has_interval = row["rank_low"] is not None
    ends = f" [{_rank_text(row['rank_low'])}, {_rank_text(row['rank_high'])}]" if has_interval else ""
    first = f"; first in {row['first']:.0%} of the resamples" if has_interval else ""
    return {
        "at": place(row["rank"]),
        "low": place(row["rank_low"]) if has_interval else None,
        "high": place(row["rank_high"]) if has_interval else None,
        "text": f"{_rank_text(row['rank'])}{ends}",
        "score": rounding.mean_text(row["score"], row["score_low"], row["score_high"], 1, "bootstrap"),
        "said": f"rank {_rank_text(row['rank'])}{ends}{first}",
    }


def _rank_text(rank: float) -> str:
    return f"{rank:.1f}".removesuffix(".0")


SECTION = Section(
    "pairs",
    "features/pairs/report/pairs.html.jinja",
    section,
    heading="Pairs",
    style="features/pairs/report/pairs.css",
    script="features/pairs/report/frontiers.js",
    script_data=lambda pairs: {"frontiers": frontier_section.chart() | {"networks": pairs["frontiers"]}},
)

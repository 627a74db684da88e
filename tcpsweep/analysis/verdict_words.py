# SPDX-License-Identifier: MIT
"""The verdicts on variants in words, from their effects in each network."""

from __future__ import annotations

from typing import Any

import polars as pl

from tcpsweep.analysis.findings import FINDINGS, LEAST_RUNS
from tcpsweep.words import metrics

WORDS = {
    "deterministic": "deterministic",
    "not steady": "not steady",
    "no value": "no value in some runs",
    "no result": "no result",
    "too few runs": f"fewer than {LEAST_RUNS} different runs",
    "no spread": "the same difference in every run",
}


def verdicts(effects: pl.DataFrame, asked: pl.DataFrame | None = None) -> pl.DataFrame:
    """In how many networks a variant's metric was shown to be higher or lower than its reference's, in words.

    Parameters
    ----------
    effects : DataFrame
        From `effects.effects`.
    asked : DataFrame, optional
        From `comparisons.pairs`: networks in it that have no finished pair of runs are counted and said to have no
        result.

    Returns
    -------
    DataFrame
        ``metric``, ``variant``, ``reference``, ``mix``, ``networks``, a column per finding with the number of
        networks, ``correlation`` (the median of the networks'), ``verdict``. Headline metrics come first.
    """
    key = ["metric", "variant", "reference", "mix"]
    counts = effects.group_by(key, maintain_order=True).agg(
        networks=pl.len().cast(pl.Int64),
        **{_column(name): (pl.col("finding") == name).sum().cast(pl.Int64) for name in FINDINGS},
        correlation=pl.col("correlation").median(),
        runs_needed=pl.col("runs_needed").max(),
    )
    if asked is not None:
        counts = _with_missing(counts, asked)
    rank = {name: place for place, name in enumerate(sorted(metrics.METRICS, key=_not_headline))}
    counts = counts.sort(pl.col("metric").replace_strict(rank, return_dtype=pl.Int64), maintain_order=True)
    words = [said(row) for row in counts.iter_rows(named=True)]
    return counts.with_columns(verdict=pl.Series(words, dtype=pl.String))


def _with_missing(counts: pl.DataFrame, asked: pl.DataFrame) -> pl.DataFrame:
    """The counts, extended by the networks that have no finished pair of runs."""
    kind = pl.col("metric").replace_strict({n: m.by_variant for n, m in metrics.METRICS.items()})
    key = ["variant", "reference", "mix", "of_flows"]
    swept = asked.with_columns(of_flows=pl.col("own").is_not_null()).group_by(key).agg(swept=pl.len().cast(pl.Int64))
    return (
        counts.with_columns(of_flows=kind)
        .join(swept, on=key, how="left", nulls_equal=True, maintain_order="left")
        .with_columns(networks=pl.col("swept"), no_result=pl.col("swept") - pl.col("networks"))
        .drop("swept", "of_flows")
    )


def _not_headline(name: str) -> bool:
    return not metrics.METRICS[name].headline


def _column(finding: str) -> str:
    return finding.replace(" ", "_")


def said(row: dict[str, Any]) -> str:
    """A row of counts as a sentence, such as "TcpBbr > TcpCubic in 14 of 16 networks; no difference shown in 2"."""
    variant, reference = row["variant"], row["reference"]
    within = f"in {row['mix']}: " if row["mix"] else ""
    plural = "s" if row["networks"] > 1 else ""
    shown = [(sign, row[name]) for sign, name in ((">", "higher"), ("<", "lower")) if row[name]]
    parts = [f"{variant} {sign} {reference} in {count}" for sign, count in shown]
    if parts:
        parts[0] += f" of {row['networks']} network{plural}"
    if row["none"]:
        of = "" if parts else f" of {row['networks']} network{plural}"
        between = "" if parts else f" between {variant} and {reference}"
        parts.append(f"no difference{between} shown in {row['none']}{of}")
    untested = [(WORDS[name], row[_column(name)]) for name in WORDS if row.get(_column(name))]
    if untested:
        reasons = ", ".join(f"{why} in {count}" for why, count in untested)
        parts.append(f"not tested: {reasons}" if parts else f"{variant} and {reference} not compared: {reasons}")
    return within + "; ".join(parts)

# SPDX-License-Identifier: MIT
"""The conclusions of a finished sweep: its primary findings, and its expectations, each in one network condition."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from tcpsweep.core.analysis import findings
from tcpsweep.core.report.sections import effect_words
from tcpsweep.core.sweep import axes, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, rounding

FINDING, EXPECTATION = "finding", "expectation"
DECIDED = ("higher", "lower", "same", "holds", "fails")


class Conclusion(NamedTuple):
    """What a conclusion is about. The same conclusion of another version of ns-3 is equal."""

    about: str  # FINDING or EXPECTATION
    metric: str
    subject: str  # the compared variants, or the expectation
    where: str  # the network condition in words; for an expectation, also the variant

    def in_words(self) -> str:
        """The conclusion's place, such as "Congestion loss, TcpCubic − TcpBbr, delay 10ms"."""
        first = [metrics.METRICS[self.metric].title] if self.about == FINDING else []
        return ", ".join(filter(None, (*first, self.subject, self.where)))


class Outcome(NamedTuple):
    """What a version of ns-3 shows: the finding's word, the value with its interval, and all of it in words."""

    finding: str
    value: float | None  # the difference, or the mean that an expectation is about
    low: float | None
    high: float | None
    words: str


def of_sweep(folder: Path) -> dict[Conclusion, Outcome]:
    """The conclusions of the sweep in a folder. Raises `digests.Differs` and `sweep_record.Unreadable`."""
    sweep = sweep_record.read(folder)
    return _findings(sweep, folder) | _expectations(sweep, folder)


def is_whole(folder: Path) -> bool:
    """Whether the tables of the sweep in a folder include all its simulations."""
    try:
        runs = sweep_record.read(folder).cells
    except sweep_record.Unreadable:
        return False
    return bool(runs) and set(runs) <= sweep_tables.covered(folder)


def _rows(folder: Path, table: str) -> pl.DataFrame:
    return sweep_tables.read(folder, table, {"family": pl.String, "metric": pl.String, "combination": pl.Int64})


def _findings(sweep: PlannedSweep, folder: Path) -> dict[Conclusion, Outcome]:
    networks = list(axes.network_axes(sweep))
    outcome_by_conclusion = {}
    for row in _rows(folder, "effects").filter(pl.col("family") == findings.PRIMARY).iter_rows(named=True):
        subject = f"{row['variant']} − {row['reference']}{' in ' + row['mix'] if row['mix'] else ''}"
        where = _network_in_words(sweep, networks, row)
        outcome_by_conclusion[Conclusion(FINDING, row["metric"], subject, where)] = _outcome_of_effect(row)
    return outcome_by_conclusion


def _outcome_of_effect(row: Mapping[str, Any]) -> Outcome:
    is_tested = row["holm_low"] is not None
    low, high = (row["holm_low" if is_tested else "low"], row["holm_high" if is_tested else "high"])
    words = effect_words.finding(dict(row)) if row["difference"] is not None else row["finding"]
    interval = ""
    if effect_words.is_share(dict(row)) and row["effect_low"] is not None:
        interval = _interval(row["effect_low"], row["effect_high"], 100, "%")
    elif low is not None:
        metric = metrics.METRICS[row["metric"]]
        interval = _interval(low, high, metric.scale, "pp" if metric.shown_unit == "%" else metric.shown_unit)
    return Outcome(row["finding"], row["difference"], low, high, f"{words}{interval}")


def _interval(low: float, high: float, scale: float, unit: str) -> str:
    return f" ({rounding.signed(low * scale, 2)} to {rounding.signed(high * scale, 2)} {unit})".replace(" )", ")")


def _expectations(sweep: PlannedSweep, folder: Path) -> dict[Conclusion, Outcome]:
    networks = list(axes.network_axes(sweep))
    outcome_by_conclusion = {}
    for row in _rows(folder, "expectations").iter_rows(named=True):
        mix = sweep.texts[row["combination"]]["variant"]
        variant_and_network = [axes.series(row["flow_variant"], mix), _network_in_words(sweep, networks, row)]
        conclusion = Conclusion(
            EXPECTATION, row["metric"], row["expectation"], ", ".join(filter(None, variant_and_network))
        )
        metric = metrics.METRICS[row["metric"]]
        words = row["finding"]
        if row["mean"] is not None:
            mean = rounding.mean_text(row["mean"], row["low"], row["high"], metric.scale, metric.interval)
            words = f"{words}, {mean} {metric.shown_unit}".rstrip()
        outcome_by_conclusion[conclusion] = Outcome(row["finding"], row["mean"], row["low"], row["high"], words)
    return outcome_by_conclusion


def _network_in_words(sweep: PlannedSweep, networks: list[str], row: Mapping[str, Any]) -> str:
    """The network condition of a row in words, with the link if the row has one."""
    texts = sweep.texts[row["combination"]]
    link = row.get("link")
    words = axes.axes_in_words({name: texts[name] for name in networks})
    return ", ".join(filter(None, (words, f"link {link}" if link else "")))

# SPDX-License-Identifier: MIT
"""The comparison of variants: a verdict for each metric and pair, and the differences in each network."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from tcpsweep.core.analysis import verdict_words
from tcpsweep.core.report.sections import effect_words, table_texts
from tcpsweep.core.statistics import means
from tcpsweep.core.sweep import axes, compared_variants, sweep_tables
from tcpsweep.core.sweep.caveats import Touching
from tcpsweep.core.sweep.sweep_parts import Caveat
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, rounding, thresholds

MOST_DIFFERENCES = 3000
MOST_RUNS = 1000  # runs needed, beyond which their number says nothing more


class _Verdict(NamedTuple):  # a row, with its numbers as texts; a refused row has the reason in a word
    title: str
    pair: str
    difference: str
    span: str  # the least and the greatest difference
    verdict: str
    family: str
    correlation: str
    runs_needed: str
    touched: list[Caveat]


@dataclass(frozen=True)
class Verdicts:
    """The table of verdicts."""

    rows: list[_Verdict]
    refused: list[tuple[str, str, int]]  # why rows have no verdict in any network: word, words, and how many rows
    idle: list[str]  # the titles of metrics in which nothing differs
    beside: str | None  # the variant next to the baseline
    least_alike: int


@dataclass(frozen=True)
class Difference:
    """A difference between two variants in a network, with its numbers as texts."""

    title: str
    axes: list[tuple[str, float | str]]  # text and place on each axis of networks
    pair: str
    means: str
    difference: str
    interval: str  # with Holm's correction; where nothing was tested, Student's plain interval, with a note
    share: str  # of the reference
    finding: str
    touched: list[Caveat]


def verdicts(sweep: PlannedSweep, folder: Path) -> Verdicts:
    """The verdicts of the sweep in ``folder``."""
    rows = _rows_with_spans(folder)
    # Metrics without any difference are named once, without rows.
    idle_metrics = {row["metric"] for row in rows} - {row["metric"] for row in rows if row["least"] or row["greatest"]}
    idle_metrics -= {row["metric"] for row in rows if row["least"] is None}
    shown = [row for row in rows if row["metric"] not in idle_metrics]
    refusals = [_refusal(row) for row in shown]
    touched = Touching(sweep)
    return Verdicts(
        [_verdict(row, refusal, touched) for row, refusal in zip(shown, refusals, strict=True)],
        [(name, words, refusals.count(name)) for name, words in verdict_words.WORDS.items() if name in refusals],
        idle=[metrics.METRICS[name].title for name in metrics.METRICS if name in idle_metrics],
        beside=next(iter(compared_variants.references(sweep)[1:]), None),
        least_alike=thresholds.LEAST_ALIKE,
    )


def _rows_with_spans(folder: Path) -> list[dict[str, Any]]:
    """The rows of the table of verdicts, each with the median, least and greatest of its differences."""
    if not (folder / "verdicts.csv").is_file():
        return []
    table = sweep_tables.scan_csv(sweep_tables.file(folder, "verdicts.csv")).collect()
    key = ["metric", "variant", "reference", "mix", "simulator"]
    numbers = dict.fromkeys(("difference", "least", "greatest"), pl.Float64)
    spans = pl.DataFrame(schema={**dict.fromkeys(key, pl.String), **numbers})
    if (folder / "effects.parquet").is_file():
        difference = pl.col("difference")
        effects = pl.scan_parquet(sweep_tables.file(folder, "effects.parquet")).group_by(key)
        spans = effects.agg(difference.median(), least=difference.min(), greatest=difference.max()).collect()
    joined = table.join(spans, on=key, how="left", nulls_equal=True, maintain_order="left")
    return list(joined.iter_rows(named=True))


def _refusal(row: dict[str, Any]) -> str | None:
    """The one reason why a comparison has no verdict in any network; None if it has one, or several reasons.

    Where a reason is about one of the two variants, the row's own words say which.
    """
    reasons = [name for name in verdict_words.WORDS if name not in ("not steady", "uneven loss")]
    everywhere = (name for name in reasons if row.get(verdict_words.column(name)) == row["networks"])
    return next(everywhere, None)


def _verdict(row: dict[str, Any], refusal: str | None, touched: Touching) -> _Verdict:
    metric = metrics.METRICS[row["metric"]]
    numbers = [row[name] for name in ("difference", "least", "greatest")]
    median, least, greatest = (None if end is None else rounding.signed(end * metric.scale) for end in numbers)
    unit = f" {metric.shown_unit}" if metric.shown_unit else ""
    return _Verdict(
        metric.title,
        f"{row['variant']} − {row['reference']}{' in ' + row['mix'] if row['mix'] else ''}"
        f"{', ' + row['simulator'] if row['simulator'] else ''}",
        difference="–" if median is None else f"{median}{unit}",
        span="" if median is None or least == greatest else f"{least} to {greatest}",
        verdict=refusal or row["verdict"],
        family=row["family"],
        correlation="–" if row["correlation"] is None else f"{row['correlation']:.2f}",
        runs_needed=needed(row["runs_needed"]),
        touched=touched.verdict(row),
    )


def needed(runs: int | None) -> str:
    """The number of runs that would be needed, where it is meaningful."""
    if runs is None:
        return "–"
    return str(runs) if runs <= MOST_RUNS else f"> {MOST_RUNS}"


def differences(sweep: PlannedSweep, folder: Path) -> list[Difference]:
    """Each network's differences in the headline metrics; none if there are more than `MOST_DIFFERENCES`."""
    if not (folder / "effects.parquet").is_file():
        return []
    network_axes, texts = axes.network_axes(sweep), sweep.texts
    is_headline = pl.col("metric").is_in(list(metrics.headline(metrics.METRICS, sweep.headline)))
    effects = pl.scan_parquet(sweep_tables.file(folder, "effects.parquet"))
    headline = effects.filter(is_headline).head(MOST_DIFFERENCES + 1).collect()
    if headline.height > MOST_DIFFERENCES:
        return []
    touched = Touching(sweep)
    return [
        _difference(row, table_texts.sortable(network_axes, texts[row["combination"]]), touched)
        for row in headline.iter_rows(named=True)
    ]


def _difference(row: dict[str, Any], axes: list[tuple[str, float | str]], touched: Touching) -> Difference:
    metric = metrics.METRICS[row["metric"]]
    scaled = {name: _scaled(row[name], metric.scale) for name in ("mean", "reference_mean", "difference")}
    within = f" in {row['mix']}" if row["mix"] else ""
    return Difference(
        f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title,
        axes,
        f"{row['variant']} − {row['reference']}{within}",
        means=f"{scaled['mean']}, {scaled['reference_mean']}",
        difference=scaled["difference"],
        interval=_interval(row, metric.scale),
        share=_share(row),
        finding=_finding_text(row),
        touched=touched.effects([row]),
    )


def _scaled(value: float | None, scale: float) -> str:
    return "–" if value is None else rounding.with_minus(f"{value * scale:.4g}")


def _interval(row: dict[str, Any], scale: float) -> str:
    """The corrected interval of a difference, or the plain interval where it has none."""
    if row["holm_low"] is not None:
        return f"[{_scaled(row['holm_low'], scale)}, {_scaled(row['holm_high'], scale)}]"
    runs = row["distinct_runs"]
    if row["sd"] is None or not row["sd"] or runs < 2:
        return ""
    half = means.student_t([runs - 1])[0] * row["sd"] / math.sqrt(runs)
    low, high = row["difference"] - half, row["difference"] + half
    return f"[{_scaled(low, scale)}, {_scaled(high, scale)}] plain"


def _share(row: dict[str, Any]) -> str:
    """The difference as a share of the reference, whether it was tested or not."""
    if not row["reference_mean"] or row["reference_mean"] < 0 or row["difference"] is None:
        return ""
    return f"{rounding.signed(row['difference'] / row['reference_mean'] * 100)} %"


def _finding_text(row: dict[str, Any]) -> str:
    """The finding in words; why a comparison was not tested, in the word that the table of verdicts explains."""
    return effect_words.finding(row) if row["finding"] not in ("higher", "lower") else str(row["finding"])

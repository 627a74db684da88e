# SPDX-License-Identifier: MIT
"""The published study that a sweep reproduces, in the report's words."""

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import polars as pl

from tcpsweep.core.sweep import axes, sweep_tables
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import metrics, rounding
from tcpsweep.core.words.metrics import Metric
from tcpsweep.core.words.thresholds import LITTLE
from tcpsweep.features.studies import claim_findings, reproduction, study_record
from tcpsweep.features.studies.study_record import Claim, PrintedNumber, Study

TABLES = {
    "published": reproduction.NUMBERS,
    "published_ranks": reproduction.RANKS,
    "published_winners": reproduction.WINNERS,
    "published_claims": claim_findings.FINDINGS,
}
_TextAndPlace = tuple[str, float | str]
NEAR = 0.05  # of a printed number
LONG = 1e5  # whole numbers from here on


class Ratios(NamedTuple):
    """The sweep's numbers over a printed one."""

    at: float | None  # in the published setting
    mean: float | None
    low: float | None
    high: float | None
    least: float | None
    greatest: float | None


class Number(NamedTuple):
    """A printed number and the sweep's own, in the unit that was printed."""

    variant: str
    title: str
    unit: str
    where: list[_TextAndPlace]  # on each axis
    said: str  # the combination in words, without what all numbers share
    printed: str
    at_setting: str
    ratio: str
    ours: str
    ratio_of_ours: str
    mean: str
    runs: str
    range: str
    inside: str
    remark: str
    to_printed: Ratios | None  # None if the printed number is 0, or without own numbers


class _Rank(NamedTuple):  # the correlations along an axis
    axis: str
    title: str
    variant: str
    where: str
    points: int
    coefficients: list[str]  # printed and ours with the axis, and of printed and ours Spearman's and Kendall's


class _JudgedNetwork(NamedTuple):
    where: str
    effect: str
    value: str
    runs: int
    finding: str
    kind: str


class _JudgedClaim(NamedTuple):
    claim: Claim
    metric: Metric
    networks: list[_JudgedNetwork]
    held: int  # networks in which it held
    reversed: int


@dataclass(frozen=True)
class ReproducedStudy:
    """A published study, and the sweep's own numbers."""

    study: Study
    setting: str
    run: int
    axes: list[str]  # the heads of the columns with the axes' values
    numbers: list[Number]
    summary: list[str]
    ranks: list[_Rank]
    winners: list[tuple[str, str, dict[str, Any]]]  # a network, a metric's title, and a row of the sweep's table
    claims: list[_JudgedClaim]
    little: float = LITTLE


def reproduced_study(sweep: Sweep, folder: Path) -> ReproducedStudy | None:
    """The study that the sweep reproduces; None without one."""
    study = study_record.of(sweep)
    if study is None:
        return None
    table_by_name = {name: sweep_tables.read(folder, name, columns) for name, columns in TABLES.items()}
    all_axes, texts = axes.swept_axes(sweep), sweep.texts
    names, settings = [*axes.network_axes(sweep)], [*sweep.with_variant]
    numbers = list(table_by_name["published"].iter_rows(named=True))
    printed = zip(study.numbers, numbers, strict=True)
    shown_texts = [texts[number.combination] for number in study.numbers]
    same = [name for name in names if len({place.get(name) for place in shown_texts}) == 1]
    return ReproducedStudy(
        study,
        axes.axes_in_words(study.setting),
        sweep.published.run,
        [axes.title(name, all_axes) for name in names],
        numbers=[
            _number(
                row,
                number,
                sweep.combinations[number.combination],
                [(text := texts[number.combination][name], all_axes[name].values.get(text, text)) for name in names],
                _text_without_axes(texts[number.combination], {"variant", *settings, *same}),
            )
            for number, row in printed
        ],
        summary=_summary(numbers, table_by_name["published_winners"]),
        ranks=[
            _rank(row, all_axes[row["axis"]].title, texts[row["combination"]], settings)
            for row in table_by_name["published_ranks"].iter_rows(named=True)
        ],
        winners=[
            (
                _text_without_axes(texts[row["combination"]], {"variant", *settings}),
                metrics.METRICS[row["metric"]].title,
                row,
            )
            for row in table_by_name["published_winners"].iter_rows(named=True)
        ],
        claims=[_claim(claim, table_by_name["published_claims"], texts, settings) for claim in study.claims],
    )


def _text_without_axes(text_by_axis: Mapping[str, str], without: Collection[str]) -> str:
    """A combination in words, without some of the axes."""
    return axes.axes_in_words({name: text for name, text in text_by_axis.items() if name not in without})


def _number(
    row: Mapping[str, Any], number: PrintedNumber, combination: Combination, where: list[_TextAndPlace], said: str
) -> Number:
    metric, unit_scale, ours = metrics.METRICS[number.metric], number.scale(combination), reproduction.ours(row)

    def text(value: float | None) -> str:
        if value is None:
            return "–"
        return f"{value / unit_scale:.0f}" if value >= LONG * unit_scale else f"{value / unit_scale:.5g}"

    return Number(
        axes.series(number.of, cast(str, combination["variant"])),
        f"{metric.title}, sum over flows" if number.over == "sum" else metric.title,
        number.unit,
        where,
        said,
        f"{number.printed:.12g}",
        at_setting=text(row["at_setting"]),
        ratio="–" if row["ratio"] is None else f"{row['ratio']:.3f}",
        ours=text(ours),
        ratio_of_ours="–" if ours is None or not row["printed"] else f"{ours / row['printed']:.3f}",
        mean=rounding.mean_text(row["mean"], row["low"], row["high"], 1 / unit_scale),
        runs="–" if row["distinct_runs"] is None else str(row["distinct_runs"]),
        range="–" if row["least"] is None else f"{text(row['least'])} to {text(row['greatest'])}",
        inside={True: "yes", False: "no", None: "–"}[row["inside"]],
        remark=number.remark,
        to_printed=_ratios_to_printed(row),
    )


def _ratios_to_printed(row: Mapping[str, Any]) -> Ratios | None:
    if not row["printed"] or reproduction.ours(row) is None:
        return None
    columns = ("at_setting", *Ratios._fields[1:])
    return Ratios(*(None if row[name] is None else row[name] / row["printed"] for name in columns))


def _summary(numbers: Sequence[Mapping[str, Any]], winners: pl.DataFrame) -> list[str]:
    """Sentences on the ratios, on the ranges, and on the winners."""
    measured = [row for row in numbers if reproduction.ours(row) is not None]
    ratios, sentences = sorted(row["ratio"] for row in measured if row["ratio"] is not None), []
    if ratios:
        near = sum(abs(reproduction.ours(row) - row["printed"]) <= NEAR * abs(row["printed"]) for row in measured)
        sentences.append(
            f"{near} of {len(measured)} printed numbers came out within {NEAR:.0%}; the ratio of ours to the printed"
            f" has the median {statistics.median(ratios):.3f} and lies between {ratios[0]:.3f} and {ratios[-1]:.3f}."
        )
    are_inside = [row["inside"] for row in numbers if row["inside"] is not None and row["distinct_runs"] > 1]
    if are_inside:
        sentences.append(f"{sum(are_inside)} of {len(are_inside)} printed values lie within the range of our runs.")
    if winners.height:
        sentences.append(
            f"The best variant is the printed one in {winners['same'].sum()} of {winners.height} network conditions."
        )
    return sentences


def _rank(row: Mapping[str, Any], axis: str, texts: Mapping[str, str], settings: Sequence[str]) -> _Rank:
    coefficients = ("printed_rises", "measured_rises", "spearman", "kendall")
    without = {row["axis"], *settings, "variant"} if row["flow_variant"] else {row["axis"], *settings}
    return _Rank(
        axis,
        metrics.METRICS[row["metric"]].title,
        axes.series(row["flow_variant"], texts["variant"]) if row["flow_variant"] else "all variants",
        _text_without_axes(texts, without),
        row["points"],
        ["–" if row[name] is None else f"{row[name]:+.3f}" for name in coefficients],
    )


def _claim(
    claim: Claim, judged_claims: pl.DataFrame, texts: Sequence[Mapping[str, str]], settings: Sequence[str]
) -> _JudgedClaim:
    metric = metrics.METRICS[claim.metric]
    compared_axes = {*claim.more, *claim.less, *claim.along}
    compared_axes |= {*settings} if "variant" in compared_axes else set()
    rows = judged_claims.filter(pl.col("claim") == claim.says)
    networks = [
        _JudgedNetwork(
            _text_without_axes(texts[row["combination"]], compared_axes),
            row["effect"],
            rounding.mean_text(
                row["mean"], row["low"], row["high"], metric.scale if row["effect"] == "difference" else 1, "difference"
            ),
            row["runs"],
            claim_findings.WORDS[row["finding"]],
            row["finding"].replace(" ", "-"),
        )
        for row in rows.iter_rows(named=True)
    ]
    held, in_reverse = (rows.filter(pl.col("finding") == name).height for name in ("held", "reversed"))
    return _JudgedClaim(claim, metric, networks, held, in_reverse)

# SPDX-License-Identifier: MIT
"""The published study that a sweep reproduces, in the report's words."""

import statistics
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import polars as pl

from tcpsweep.core.sweep import axes, sweep_tables
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import metrics, rounding
from tcpsweep.core.words.thresholds import LITTLE
from tcpsweep.features.studies import claim_findings, reproduction, study_record
from tcpsweep.features.studies.study_record import Claim, PrintedNumber

TABLES = {
    "published": reproduction.NUMBERS,
    "published_ranks": reproduction.RANKS,
    "published_winners": reproduction.WINNERS,
    "published_claims": claim_findings.FINDINGS,
}
NEAR = 0.05  # of a printed number
LONG = 1e5  # whole numbers from here on


def study_for_page(sweep: Sweep, folder: Path) -> dict[str, Any] | None:
    """The content of the report's section on the study; None if the sweep reproduces none.

    Returns
    -------
    dict
        - ``source``, ``setting``, ``run``, ``corrections``
        - ``axes``, the heads of the columns with the axes' values
        - ``numbers``, ``ranks`` and ``winners`` as rows of text, a number's ``to_printed`` being ours over the printed
        - ``claims``, each with its networks and the number of them in which it held
        - ``summary``, sentences on the numbers
    """
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
    return {
        "source": study.source,
        "setting": axes.axes_in_words(study.setting),
        "run": sweep.published.run,
        "corrections": study.corrections,
        "axes": [axes.title(name, all_axes) for name in names],
        "numbers": [
            _number(row, number, sweep.combinations[number.combination])
            | {
                "where": [_text_and_sort_key(all_axes[name], texts[number.combination][name]) for name in names],
                "said": _text_without_axes(texts[number.combination], {"variant", *settings, *same}),
            }
            for number, row in printed
        ],
        "summary": _summary(numbers, table_by_name["published_winners"]),
        "ranks": [
            _rank(row, all_axes[row["axis"]].title, texts[row["combination"]], settings)
            for row in table_by_name["published_ranks"].iter_rows(named=True)
        ],
        "winners": [
            row
            | {
                "title": metrics.METRICS[row["metric"]].title,
                "where": _text_without_axes(texts[row["combination"]], {"variant", *settings}),
            }
            for row in table_by_name["published_winners"].iter_rows(named=True)
        ],
        "little": LITTLE,
        "claims": [_claim(claim, table_by_name["published_claims"], texts, settings) for claim in study.claims],
    }


def _text_and_sort_key(axis: axes.Axis, text: str) -> tuple[str, Any]:
    """A value's text, and the key that sorts it."""
    return text, axis.values.get(text, text)


def _text_without_axes(text_by_axis: Mapping[str, str], without: Collection[str]) -> str:
    """A combination in words, without some of the axes."""
    return axes.axes_in_words({name: text for name, text in text_by_axis.items() if name not in without})


def _number(row: Mapping[str, Any], number: PrintedNumber, combination: Combination) -> dict[str, Any]:
    """A printed number and the sweep's own, in the unit that was printed."""
    metric, unit_scale, ours = metrics.METRICS[number.metric], number.scale(combination), reproduction.ours(row)

    def text(value: float | None) -> str:
        if value is None:
            return "–"
        return f"{value / unit_scale:.0f}" if value >= LONG * unit_scale else f"{value / unit_scale:.5g}"

    return {
        "variant": axes.series(number.of, cast(str, combination["variant"])),
        "title": f"{metric.title}, sum over flows" if number.over == "sum" else metric.title,
        "unit": number.unit,
        "printed": f"{number.printed:.12g}",
        "at_setting": text(row["at_setting"]),
        "ratio": "–" if row["ratio"] is None else f"{row['ratio']:.3f}",
        "ours": text(ours),
        "ratio_of_ours": "–" if ours is None or not row["printed"] else f"{ours / row['printed']:.3f}",
        "mean": rounding.mean_text(row["mean"], row["low"], row["high"], 1 / unit_scale),
        "runs": "–" if row["distinct_runs"] is None else str(row["distinct_runs"]),
        "range": "–" if row["least"] is None else f"{text(row['least'])} to {text(row['greatest'])}",
        "inside": {True: "yes", False: "no", None: "–"}[row["inside"]],
        "remark": number.remark,
        "to_printed": _ratios_to_printed(row),
    }


def _ratios_to_printed(row: Mapping[str, Any]) -> dict[str, float | None]:
    """The sweep's numbers over the printed one, by names in pictures; empty if that is 0, or without own numbers."""
    if not row["printed"] or reproduction.ours(row) is None:
        return {}
    keys = {"at": "at_setting", "mean": "mean", "low": "low", "high": "high", "least": "least", "greatest": "greatest"}
    return {name: None if row[column] is None else row[column] / row["printed"] for name, column in keys.items()}


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


def _rank(row: Mapping[str, Any], axis: str, texts: Mapping[str, str], settings: Sequence[str]) -> dict[str, Any]:
    coefficients = ("printed_rises", "measured_rises", "spearman", "kendall")
    without = {row["axis"], *settings, "variant"} if row["flow_variant"] else {row["axis"], *settings}
    return {
        "axis": axis,
        "title": metrics.METRICS[row["metric"]].title,
        "variant": axes.series(row["flow_variant"], texts["variant"]) if row["flow_variant"] else "all variants",
        "where": _text_without_axes(texts, without),
        "points": row["points"],
    } | {name: "–" if row[name] is None else f"{row[name]:+.3f}" for name in coefficients}


def _claim(
    claim: Claim, judged_claims: pl.DataFrame, texts: Sequence[Mapping[str, str]], settings: Sequence[str]
) -> dict[str, Any]:
    """A claim, its networks, and the number of networks in which it held."""
    metric = metrics.METRICS[claim.metric]
    compared_axes = {*claim.more, *claim.less, *claim.along}
    compared_axes |= {*settings} if "variant" in compared_axes else set()
    rows = judged_claims.filter(pl.col("claim") == claim.says)
    networks = [
        {
            "where": _text_without_axes(texts[row["combination"]], compared_axes),
            "effect": row["effect"],
            "value": rounding.mean_text(
                row["mean"],
                row["low"],
                row["high"],
                metric.scale if row["effect"] == "difference" else 1,
                "difference",
            ),
            "runs": row["runs"],
            "finding": claim_findings.WORDS[row["finding"]],
            "kind": row["finding"].replace(" ", "-"),
        }
        for row in rows.iter_rows(named=True)
    ]
    return {
        "says": claim.says,
        "title": metric.title,
        "unit": metric.shown_unit or metric.unit,
        "of": claim.of,
        "networks": networks,
        "held": (rows["finding"] == "held").sum(),
        "reversed": (rows["finding"] == "reversed").sum(),
    }

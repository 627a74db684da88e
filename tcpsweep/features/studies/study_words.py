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
from tcpsweep.features.studies import claim_findings, reproduction
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
    about = sweep.study
    if about is None:
        return None
    found = {name: sweep_tables.read(folder, name, columns) for name, columns in TABLES.items()}
    every, texts = axes.swept_axes(sweep), sweep.texts
    names, own = [*axes.network_axes(sweep)], [*sweep.with_variant]
    numbers = list(found["published"].iter_rows(named=True))
    printed = zip(about.numbers, numbers, strict=True)
    places = [texts[number.combination] for number in about.numbers]
    same = [name for name in names if len({place.get(name) for place in places}) == 1]
    return {
        "source": about.source,
        "setting": axes.axes_in_words(about.setting),
        "run": sweep.published.run,
        "corrections": about.corrections,
        "axes": [axes.title(name, every) for name in names],
        "numbers": [
            _number(row, number, sweep.combinations[number.combination])
            | {
                "where": [_placed(every[name], texts[number.combination][name]) for name in names],
                "said": _held(texts[number.combination], {"variant", *own, *same}),
            }
            for number, row in printed
        ],
        "summary": _summary(numbers, found["published_winners"]),
        "ranks": [
            _rank(row, every[row["axis"]].title, texts[row["combination"]], own)
            for row in found["published_ranks"].iter_rows(named=True)
        ],
        "winners": [
            row
            | {
                "title": metrics.METRICS[row["metric"]].title,
                "where": _held(texts[row["combination"]], {"variant", *own}),
            }
            for row in found["published_winners"].iter_rows(named=True)
        ],
        "little": LITTLE,
        "claims": [_claim(claim, found["published_claims"], texts, own) for claim in about.claims],
    }


def _placed(axis: axes.Axis, text: str) -> tuple[str, Any]:
    """A value's text, and the key that sorts it."""
    return text, axis.values.get(text, text)


def _held(texts: Mapping[str, str], without: Collection[str]) -> str:
    """A combination in words, without some of the axes."""
    return axes.axes_in_words({name: text for name, text in texts.items() if name not in without})


def _number(row: Mapping[str, Any], number: PrintedNumber, combination: Combination) -> dict[str, Any]:
    """A printed number and the sweep's own, in the unit that was printed."""
    metric, scale, ours = metrics.METRICS[number.metric], number.scale(combination), reproduction.ours(row)

    def text(value: float | None) -> str:
        if value is None:
            return "–"
        return f"{value / scale:.0f}" if value >= LONG * scale else f"{value / scale:.5g}"

    return {
        "variant": axes.series(number.of, cast(str, combination["variant"])),
        "title": f"{metric.title}, sum over flows" if number.over == "sum" else metric.title,
        "unit": number.unit,
        "printed": f"{number.printed:.12g}",
        "at_setting": text(row["at_setting"]),
        "ratio": "–" if row["ratio"] is None else f"{row['ratio']:.3f}",
        "ours": text(ours),
        "ratio_of_ours": "–" if ours is None or not row["printed"] else f"{ours / row['printed']:.3f}",
        "mean": rounding.mean_text(row["mean"], row["low"], row["high"], 1 / scale),
        "runs": "–" if row["distinct_runs"] is None else str(row["distinct_runs"]),
        "range": "–" if row["least"] is None else f"{text(row['least'])} to {text(row['greatest'])}",
        "inside": {True: "yes", False: "no", None: "–"}[row["inside"]],
        "remark": number.remark,
        "to_printed": _to_printed(row),
    }


def _to_printed(row: Mapping[str, Any]) -> dict[str, float | None]:
    """The sweep's numbers as multiples of the printed one; empty if that is 0 or nothing was simulated."""
    if not row["printed"] or reproduction.ours(row) is None:
        return {}
    ours = {"at": "at_setting", "mean": "mean", "low": "low", "high": "high", "least": "least", "greatest": "greatest"}
    return {name: None if row[of] is None else row[of] / row["printed"] for name, of in ours.items()}


def _summary(numbers: Sequence[Mapping[str, Any]], winners: pl.DataFrame) -> list[str]:
    """Sentences on the ratios, on the ranges, and on the winners."""
    known = [row for row in numbers if reproduction.ours(row) is not None]
    ratios, words = sorted(row["ratio"] for row in known if row["ratio"] is not None), []
    if ratios:
        near = sum(abs(reproduction.ours(row) - row["printed"]) <= NEAR * abs(row["printed"]) for row in known)
        words.append(
            f"{near} of {len(known)} printed numbers came out within {NEAR:.0%}; the ratio of ours to the printed has"
            f" the median {statistics.median(ratios):.3f} and lies between {ratios[0]:.3f} and {ratios[-1]:.3f}."
        )
    ranges = [row["inside"] for row in numbers if row["inside"] is not None and row["distinct_runs"] > 1]
    if ranges:
        words.append(f"{sum(ranges)} of {len(ranges)} printed values lie within the range of our runs.")
    if winners.height:
        words.append(
            f"The best variant is the printed one in {winners['same'].sum()} of {winners.height} network conditions."
        )
    return words


def _rank(row: Mapping[str, Any], axis: str, texts: Mapping[str, str], own: Sequence[str]) -> dict[str, Any]:
    coefficients = ("printed_rises", "measured_rises", "spearman", "kendall")
    without = {row["axis"], *own, "variant"} if row["flow_variant"] else {row["axis"], *own}
    return {
        "axis": axis,
        "title": metrics.METRICS[row["metric"]].title,
        "variant": axes.series(row["flow_variant"], texts["variant"]) if row["flow_variant"] else "all variants",
        "where": _held(texts, without),
        "points": row["points"],
    } | {name: "–" if row[name] is None else f"{row[name]:+.3f}" for name in coefficients}


def _claim(claim: Claim, found: pl.DataFrame, texts: Sequence[Mapping[str, str]], own: Sequence[str]) -> dict[str, Any]:
    """A claim, its networks, and the number of networks in which it held."""
    metric = metrics.METRICS[claim.metric]
    compared = {*claim.more, *claim.less, *claim.along}
    compared |= {*own} if "variant" in compared else set()
    rows = found.filter(pl.col("claim") == claim.says)
    networks = [
        {
            "where": _held(texts[row["combination"]], compared),
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

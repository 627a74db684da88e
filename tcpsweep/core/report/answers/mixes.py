# SPDX-License-Identifier: MIT
"""The answer for mixes: each variant's share of the goodput next to the others, and the largest difference alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from tcpsweep.core.analysis import findings
from tcpsweep.core.report import strips
from tcpsweep.core.report.answers.answer import MOST_ROWS, Answer, Chart, Parts, Row
from tcpsweep.core.report.sections import headlines
from tcpsweep.core.sweep import axes, compared_variants
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import capitals, metrics, printed_names, rounding
from tcpsweep.core.words.mixes import Mix

METRIC = "share"  # of the fair share: 1 is an equal part
MOST_MIXES = 2  # in the sentence
_UNIT = re.compile(r"(?<=[0-9])[A-Za-z]+\b")
MOST_PLACES = 2  # network conditions that a sentence names one by one; of more, the two ends


class Share(NamedTuple):
    """A variant's part of a mix's goodput in a network condition, in percent, with its interval."""

    where: str
    mean: float
    low: float | None
    high: float | None
    fair: float  # its part of the flows
    why: str  # why it was not tested; empty if it was

    @property
    def text(self) -> str:
        """Such as "8 % [5, 12]"."""
        ends = "" if self.low is None or self.high is None else f" [{_percent(self.low)}, {_percent(self.high)}]"
        return f"{_percent(self.mean)} %{ends}"


Shares = dict[tuple[str, str], list[Share]]
"""By mix and variant, a share for each network condition."""


def answer(sweep: PlannedSweep, summary: pl.DataFrame, effects: pl.DataFrame) -> Answer | None:
    """The shares in mixes, from the sweep's tables ``summary`` and ``effects``; None without mixes."""
    shares = _shares(sweep, summary, effects)
    if not shares:
        return None
    sentence = [*_sentence(shares), *_alone_in_words(sweep, summary, effects)]
    return Answer("mixes", sentence, [_chart(sweep, shares)], link="#fairness")


def _chart(sweep: PlannedSweep, by_mix: Shares) -> Chart:
    """The shares on one axis; where all are of one variant in one mix, the title names it, else each row."""
    axis = strips.Axis(0.0, 100.0, False, 50.0, [(0.0, "0"), (50.0, "50"), (100.0, "100")])
    series = [axes.series(variant, mix) for mix, variant in by_mix]
    is_single = len(series) == 1 and all(share.where for share in by_mix[next(iter(by_mix))])
    is_untested = any(share.why for shares in by_mix.values() for share in shares)
    title, rows = "Share of goodput [%]", []
    for series_name, shares in zip(series, by_mix.values(), strict=True):
        for share in shares:
            texts = [share.text, *([share.why and f"not tested: {share.why}"] if is_untested else [])]
            strip = strips.strip(axis, share.mean, ring=share.fair, whisker=(share.low, share.high))
            names = (share.where, "") if is_single else (series_name, share.where)
            rows.append(Row(*names, texts, strip, is_variant=not is_single))
    if is_single:
        title += f": {printed_names.series_name(series[0], sweep.names)}"
    more = max(0, len(rows) - MOST_ROWS)
    heads = ["share", *(["why not tested"] if is_untested else [])]
    return Chart(title, "variant", heads, rows[:MOST_ROWS], axis, legend="shares", more=more)


def _shares(sweep: PlannedSweep, summary: pl.DataFrame, effects: pl.DataFrame) -> Shares:
    """The shares of one variant of each mix of two, which is not the baseline; of all variants in larger mixes."""
    texts, networks = sweep.texts, axes.network_texts(sweep)
    reasons = _reasons_untested(effects)
    shares: Shares = {}
    for row in summary.filter(pl.col("metric") == METRIC).drop_nulls("mean").iter_rows(named=True):
        mix, variant = Mix.parse(texts[row["combination"]]["variant"]), row["flow_variant"]
        if variant != _main_variant(mix, compared_variants.references(sweep)) and len(mix.variants) == 2:
            continue
        fair = 100 * mix.turns.count(variant) / len(mix.turns)
        low, high = (None if row[end] is None else fair * row[end] for end in ("low", "high"))
        where, why = _network_in_words(networks[row["combination"]]), reasons.get((row["combination"], variant), "")
        shares.setdefault((str(mix), variant), []).append(Share(where, fair * row["mean"], low, high, fair, why))
    return shares


def _main_variant(mix: Mix, references: list[str]) -> str:
    """The variant of a mix of two that the sentence is about: the last that is no reference."""
    return next((variant for variant in reversed(mix.variants) if variant not in references), mix.variants[-1])


def _reasons_untested(effects: pl.DataFrame) -> dict[tuple[int, str], str]:
    """Why the goodput of a mix's variants was not compared, by combination and variant."""
    if effects.is_empty():
        return {}
    rows = effects.filter(pl.col("mix").is_not_null() & (pl.col("metric") == "goodput_bps"))
    tested = findings.TESTS.values()
    return {
        (row["combination"], variant): row["finding"]
        for row in rows.iter_rows(named=True)
        if row["finding"] not in tested
        for variant in (row["variant"], row["reference"])
    }


def _sentence(by_mix: Shares) -> Parts:
    """Each mix's shares: where they are, or their ends if there are many network conditions."""
    sentence: Parts = []
    for mix in list(dict.fromkeys(mix for mix, _ in by_mix))[:MOST_MIXES]:
        by_variant = {variant: shares for (other_mix, variant), shares in by_mix.items() if other_mix == mix}
        for number, (variant, shares) in enumerate(by_variant.items()):
            others = [other for other in Mix.parse(mix).variants if other != variant]
            sentence += [("text", ", "), ("variant", variant)] if number else _next_to(others, variant)
            sentence += [("text", f" gets {_shares_in_words(shares)}")]
        sentence += [("text", ". ")]
    return sentence


def _next_to(others: list[str], variant: str) -> Parts:
    joined = [part for other in others for part in (("text", " and "), ("variant", other))][1:]
    return [("text", "Next to "), *joined, ("text", ", "), ("variant", variant)]


def _shares_in_words(shares: list[Share]) -> str:
    if len(shares) <= MOST_PLACES:
        first, *others = shares
        second = "".join(f" and {share.text}{_where_and_why(share)}" for share in others)
        return f"{first.text} of the goodput{_where_and_why(first)}{second}"
    least, most = (function(shares, key=lambda share: share.mean) for function in (min, max))
    return f"{least.text}{_where_and_why(least)} to {most.text}{_where_and_why(most)} of the goodput"


def _where_and_why(share: Share) -> str:
    return (f" at {share.where}" if share.where else "") + (f" (not tested: {share.why})" if share.why else "")


def _alone_in_words(sweep: PlannedSweep, summary: pl.DataFrame, effects: pl.DataFrame) -> Parts:
    """The largest difference in a delay between a variant and the baseline, each alone: both means, and where."""
    references = compared_variants.references(sweep)[:1]
    if effects.is_empty() or not references:
        return []
    delays = [name for name, metric in metrics.headline(metrics.METRICS, sweep.headline).items() if metric.unit == "s"]
    texts, networks = sweep.texts, axes.network_texts(sweep)
    is_alone = pl.col("mix").is_null() & pl.col("reference").is_in(references) & pl.col("metric").is_in(delays)
    rows = [
        row
        for row in effects.filter(is_alone).drop_nulls(["mean", "reference_mean"]).iter_rows(named=True)
        if not Mix.parse(texts[row["combination"]]["variant"]).is_mixed
    ]
    row = max(rows, key=headlines.ratio, default=None)
    if row is None or headlines.of_means(row)["finding"] not in headlines.SHOWN:
        return []
    place = networks[row["combination"]]
    reference_texts = {"variant": row["reference"], **place}
    reference_number = next(
        (n for n, text in enumerate(texts) if {"variant": text["variant"], **networks[n]} == reference_texts), None
    )
    if reference_number is None:
        return []
    means = [_mean_text(summary, number, row["metric"]) for number in (reference_number, row["combination"])]
    where, title = _network_in_words(place), metrics.METRICS[row["metric"]].title
    return [
        ("text", f"Alone{f', at {where}' if where else ''}: {capitals.uncapitalised(title)} {means[0]} with "),
        ("variant", row["reference"]),
        ("text", f", {means[1]} with "),
        ("variant", row["variant"]),
        ("text", "." if row["finding"] in findings.TESTS.values() else f" (not tested: {row['finding']})."),
    ]


def _mean_text(summary: pl.DataFrame, combination: int, name: str) -> str:
    """A mean with its interval, in the unit that people read."""
    rows = summary.filter((pl.col("combination") == combination) & (pl.col("metric") == name))
    mean, low, high = rows.select("mean", "low", "high").row(0)
    metric = metrics.METRICS[name]
    return f"{rounding.mean_text(mean, low, high, metric.scale, metric.interval, 4)} {metric.shown_unit}"


def _network_in_words(place: Mapping[str, str]) -> str:
    """A network condition in a sentence, such as "delay 10 ms, queue 4 BDP"."""
    return _UNIT.sub(lambda match: " BDP" if match[0] == "bdp" else f" {match[0]}", axes.axes_in_words(place))


def _percent(value: float) -> str:
    return rounding.significant(value)

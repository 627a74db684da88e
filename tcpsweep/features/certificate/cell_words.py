# SPDX-License-Identifier: MIT
"""The cells of a certificate in words: networks, sizes of differences, and shares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from tcpsweep.core.analysis import verdict_words
from tcpsweep.core.report.sections import effect_words
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, rounding
from tcpsweep.features.certificate import certified_cells, strict_counts
from tcpsweep.features.certificate.certified_cells import EQUIVALENT, HIGHER, LOWER, UNTESTED, VERDICTS

# The short titles of the matrix' columns.
SHORT = {
    "goodput_bps": "goodput",
    "queueing_delay_mean_s": "queueing delay",
    "congestion_loss": "loss",
    "timeouts": "timeouts",
    "jain": "Jain's index",
    "completion_mean_s": "completion",
}
MEANINGS = {
    EQUIVALENT: "the interval is within the margin",
    certified_cells.HIGHER: "the mean is higher than Linux': the interval is above the margin",
    certified_cells.LOWER: "the mean is lower than Linux': the interval is below the margin",
    certified_cells.INCONCLUSIVE: "the interval is neither within the margin nor beyond it",
    UNTESTED: "there are too few values, or flows are not steady",
}
_NOTHING = ("0", "none", "false", "0s", "0B")  # a value that leaves something out of the network
_NOT_SHOWN = ("duration", "warmup")  # they do not change the network
_WITHOUT_NAME = ("bandwidth", "delay", "queue")  # their values need no name


def network(sweep: PlannedSweep, number: int) -> str:
    """A combination's network condition in one line, such as "4Mbps 25ms 2bdp, flows 2", without what it lacks."""
    all_texts = certified_cells.network(sweep, number)
    shown = {name: text for name, text in all_texts.items() if name not in _NOT_SHOWN and text.lower() not in _NOTHING}
    first = " ".join(shown.pop(name) for name in _WITHOUT_NAME if name in shown)
    queue_disc = shown.pop("queue_disc", "").removeprefix("ns3::").removesuffix("QueueDisc")
    ecn = "ECN" if shown.pop("ecn", None) else ""
    return ", ".join(filter(None, (first, axes.axes_in_words(shown), queue_disc, ecn))) or sweep.scenario


def row(sweep: PlannedSweep, cell: dict[str, Any]) -> dict[str, Any]:
    """A cell of `certified_cells.table` for people: its texts, ``verdict``, ``metric`` and ``implementation``.

    ``far`` is the difference in margins, by which rows are sorted; None without means.
    """
    metric = metrics.METRICS[cell["metric"]]
    reason = verdict_words.REASONS.get(cell["finding"], "") if cell["verdict"] == UNTESTED else ""
    return {
        "variant": axes.series(cell["variant"], cell["mix"] or cell["variant"]),
        "network": network(sweep, cell["combination"]),
        "metric": cell["metric"],
        "title": metric.title,
        "unit": metric.shown_unit,
        "implementation": cell["implementation"],
        "verdict": cell["verdict"],
        "after_holm": cell["after_holm"],
        "words": " ".join(filter(None, (cell["verdict"], reason))),
        "ns3": _mean(cell["mean"], metric),
        "linux": _mean(cell["reference_mean"], metric),
        "difference": "–" if cell["difference"] is None else effect_words.signed(cell),
        "interval": _interval(cell, metric),
        "margin": "–" if cell["smallest_share"] is None else verdict_words.bound(cell),
        "far": _difference_in_margins(cell),
    }


def _mean(value: float | None, metric: metrics.Metric) -> str:
    return "–" if value is None else rounding.significant(value * metric.scale, 3)


def _interval(cell: Mapping[str, Any], metric: metrics.Metric) -> str:
    """The 95 % interval of the difference, as a share of Linux' mean if the margin is one."""
    if effect_words.is_share(dict(cell)) and cell["ratio_low"] is not None:
        ends, unit = [(cell[end] - 1) * 100 for end in ("ratio_low", "ratio_high")], "%"
    elif cell["low"] is not None:
        ends = [cell[end] * metric.scale for end in ("low", "high")]
        unit = "pp" if metric.shown_unit == "%" else metric.shown_unit
    else:
        return ""
    return f"{rounding.signed(ends[0], 2)} to {rounding.signed(ends[1], 2)} {unit}".rstrip()


def _difference_in_margins(cell: Mapping[str, Any]) -> float | None:
    is_comparable = cell["difference"] is not None and cell["margin"]
    return abs(cell["difference"]) / cell["margin"] if is_comparable else None


def percent(share: float) -> str:
    """A share in percent, such as "64 %"; never 100 % unless it is whole."""
    return f"{min(share * 100, 100 if share == 1 else 99):.0f} %"


def answer(cells: pl.DataFrame) -> str:
    """The first sentence: the share of equivalent cells with each implementation, the last one first."""
    tallies = certified_cells.shares(cells).rows(named=True)
    parts = [
        f"{percent(tally['share'])} with `{tally['implementation']}` ({_differing(tally[HIGHER] + tally[LOWER])})"
        for tally in reversed(tallies)
    ]
    comparisons = max(tally["cells"] for tally in tallies)
    return f"Of {comparisons} comparisons, these are equivalent to Linux: {', '.join(parts)}."


def _differing(count: int) -> str:
    return f"{count or 'none'} {'are' if count > 1 else 'is'} shown to differ"


def counts(cells: pl.DataFrame) -> list[str]:
    """A sentence for each implementation, the last one first: the cells with each verdict, and the strict share."""
    holm_tallies = {
        tally["implementation"]: tally for tally in certified_cells.shares(cells, verdict="after_holm").rows(named=True)
    }
    sentences = []
    for tally in reversed(certified_cells.shares(cells).rows(named=True)):
        verdict_counts = ", ".join(f"{tally[verdict]} {verdict}" for verdict in VERDICTS if tally[verdict])
        after_holm = f"{holm_tallies[tally['implementation']][EQUIVALENT]} equivalent after correction for many tests"
        sentences.append(f"{tally['implementation']}: {verdict_counts} ({after_holm}); {strictly(tally)}")
    return sentences


def strictly(tally: Mapping[str, Any]) -> str:
    """The share of equivalent cells of `certified_cells.shares` without the lenient ones, with its interval."""
    count, total = tally[EQUIVALENT] - tally["lenient"], tally["cells"] - tally["lenient"]
    return f"strictly, {count} of {total} equivalent{strict_counts.interval_in_words(count, total)}"


def signs(cells: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    """The sign tests of all variants and metrics, the least p first: heads, and rows of texts."""
    heads = ["variant", "metric", "implementation", "higher", "lower", "p", "p after Holm"]
    rows = strict_counts.signs(cells).sort("p", maintain_order=True).rows(named=True)
    return heads, [
        [
            *(row["variant"], SHORT[row["metric"]], row["implementation"], str(row["higher"]), str(row["lower"])),
            *(f"{row[p]:.2g}" for p in ("p", "p_after_holm")),
        ]
        for row in rows
    ]


def by_variant(cells: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    """The numbers of equivalent cells of each variant, and of all: heads, and rows of texts such as "8 of 10"."""
    names = [name for name in SHORT if name in set(cells["metric"])]
    parts = cells.partition_by("variant", maintain_order=True) if cells["variant"].n_unique() > 1 else []
    rows = []
    for part in [*parts, cells]:
        by_metric = certified_cells.shares(part, "metric").rows(named=True)
        tally_by_metric = {(tally["implementation"], tally["metric"]): tally for tally in by_metric}
        variants = part["variant"].unique().to_list()
        for whole in certified_cells.shares(part).rows(named=True):
            texts = [_equivalent_of_all(tally_by_metric.get((whole["implementation"], name))) for name in names]
            head = variants[0] if len(variants) == 1 else "all"
            rows.append(
                [head, whole["implementation"], *texts, f"{_equivalent_of_all(whole)} ({percent(whole['share'])})"]
            )
    return ["variant", "implementation", *(SHORT[name] for name in names), "all"], rows


def _equivalent_of_all(tally: Mapping[str, Any] | None) -> str:
    return f"{tally[EQUIVALENT]} of {tally['cells']}" if tally else "–"


def margins(cells: pl.DataFrame) -> dict[str, str]:
    """The margin of each metric in words, by its title."""
    rows = cells.drop_nulls("smallest_share").unique("metric", maintain_order=True).rows(named=True)
    bounds = {cell["metric"]: verdict_words.bound(cell) for cell in rows}
    return {metrics.METRICS[name].title: bounds[name] for name in SHORT if name in bounds}


def furthest(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that are not equivalent: those that differ first, and then the largest difference in margins."""
    verdict_order: Sequence[str] = (certified_cells.HIGHER, certified_cells.INCONCLUSIVE, UNTESTED)
    rank_by_verdict = {name: place for place, name in enumerate(verdict_order)} | {certified_cells.LOWER: 0}
    not_equivalent = [cell for cell in rows if cell["verdict"] != EQUIVALENT]
    return sorted(not_equivalent, key=lambda cell: (rank_by_verdict[cell["verdict"]], -(cell["far"] or 0)))

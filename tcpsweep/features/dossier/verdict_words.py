# SPDX-License-Identifier: MIT
"""Findings of a dossier in words: values, differences with their intervals, and a chapter's verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tcpsweep.core.analysis import verdict_words as why
from tcpsweep.core.words import capitals, metrics, rounding
from tcpsweep.features.dossier import chapter_findings
from tcpsweep.features.dossier.chapters import Asked

# What a verdict is, in the order in which a chapter names them; the colours of pages know the others' names.
VERDICTS = {
    "worse": "worse",
    "better": "better",
    "equivalent": "equivalent within the threshold",
    "undecided": "not decided",
}
COLOURS = {"equivalent": "same"}


def unit(asked: Asked) -> str:
    """The unit of a finding's values, or nothing."""
    return metrics.METRICS[asked.metric].shown_unit


def value(asked: Asked, number: float | None) -> str:
    """A mean in the metric's shown unit."""
    return "–" if number is None else f"{number * metrics.METRICS[asked.metric].scale:.4g}"


def shown(asked: Asked, number: float) -> float:
    """A difference in the unit for readers: percent of the reference, or the metric's shown unit."""
    return number * (100.0 if asked.threshold.share else metrics.METRICS[asked.metric].scale)


def difference_unit(asked: Asked) -> str:
    """The unit of `shown`."""
    shown_unit = metrics.METRICS[asked.metric].shown_unit
    return "%" if asked.threshold.share else {"%": "points"}.get(shown_unit, shown_unit)


def threshold(asked: Asked) -> str:
    """The threshold, such as "10 %" or "0.5 percentage points"."""
    row = {
        "metric": asked.metric,
        "smallest_value": asked.threshold.absolute,
        "smallest_share": asked.threshold.share,
        "smallest_origin": asked.threshold.origin,
    }
    return why.bound(row)


def difference(asked: Asked, row: Mapping[str, Any]) -> tuple[str, str]:
    """A difference, such as "−12 %", and its corrected interval, such as "−15 to −9"; empty where it has none."""
    size, (low, high) = chapter_findings.size(asked, row), chapter_findings.interval(asked, row)
    if size is None:
        return "", ""
    difference_text = f"{rounding.signed(shown(asked, size), 2)} {difference_unit(asked)}".rstrip()
    if low is None or high is None:
        return difference_text, ""
    return difference_text, " to ".join(rounding.signed(shown(asked, end), 2) for end in (low, high))


def verdict(asked: Asked, row: Mapping[str, Any]) -> str:
    """A finding's verdict, or the reason why there is none."""
    kind = chapter_findings.verdict(asked, row)
    if kind != "undecided":
        return VERDICTS[kind].partition(" within")[0]
    if row["finding"] in why.REASONS:
        return f"not decided, {why.REASONS[row['finding']]}"
    return "not decided, but not worse" if chapter_findings.is_no_worse(asked, row) else "not decided"


def counted(kinds: Iterable[str]) -> dict[str, int]:
    """The number of findings with each verdict, in the order of `VERDICTS`."""
    counts = Counter(kinds)
    return {kind: counts[kind] for kind in VERDICTS if counts[kind]}


def whole(counts: Mapping[str, int]) -> str:
    """A chapter's verdict against a reference, such as "2 worse, 1 better", or "worse" if all findings are."""
    if not counts:
        return "no result"
    if len(counts) == 1:
        return VERDICTS[next(iter(counts))].partition(" within")[0]
    return ", ".join(f"{count} {VERDICTS[kind].partition(' within')[0]}" for kind, count in counts.items())


def largest(rows: Sequence[tuple[Asked, Mapping[str, Any]]]) -> str:
    """The first worse finding in a few words, else the first better one, with its largest difference.

    Empty if all findings are equivalent or undecided.
    """
    for kind in ("worse", "better"):
        of_kind = [(asked, row) for asked, row in rows if chapter_findings.verdict(asked, row) == kind]
        if of_kind:
            of_first_finding = [finding for finding in of_kind if finding[0] is of_kind[0][0]]
            asked, row = max(of_first_finding, key=_size_in_thresholds)
            return f"{capitals.uncapitalised(asked.what)} {difference(asked, row)[0]}"
    return ""


def _size_in_thresholds(finding: tuple[Asked, Mapping[str, Any]]) -> float:
    """The size of a difference as a multiple of its threshold."""
    asked, row = finding
    return abs(chapter_findings.size(asked, row) or 0) / (asked.threshold.share or asked.threshold.absolute)

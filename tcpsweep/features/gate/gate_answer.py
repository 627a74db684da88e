# SPDX-License-Identifier: MIT
"""A gate's answer: its exit status, and a text in Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tcpsweep.core.analysis import findings
from tcpsweep.core.words import capitals, markup, metrics, rounding
from tcpsweep.features.gate.gated_versions import Version

UNDECIDED, CHANGED = 3, 4  # exit statuses; 0 if nothing changed, and 1 and 2 if the gate could not run
_SHOWN_FINDINGS = ("higher", "lower")
_WORDS = {"same": "equivalent", "undecided": "inconclusive", findings.TOO_FEW: "inconclusive: too few repetitions"}


@dataclass(frozen=True)
class Gate:
    """The results that a gate's answer follows from."""

    versions: Sequence[Version]
    identical: int  # simulations that are identical to the byte
    simulations: int
    overall: Mapping[str, Any]  # from `overall_change.overall`
    cases: pl.DataFrame  # from `differences.differences`

    @property
    def changed(self) -> pl.DataFrame:
        """The cases in which a headline metric is shown to differ by more than its smallest effect of interest."""
        return self.cases.filter((pl.col("family") == findings.PRIMARY) & pl.col("finding").is_in(_SHOWN_FINDINGS))

    @property
    def status(self) -> int:
        """The exit status."""
        if self.identical == self.simulations:
            return 0
        if self.overall["finding"] in _SHOWN_FINDINGS or self.changed.height:
            return CHANGED
        return 0 if self.overall["finding"] == "same" else UNDECIDED


def markdown(gate: Gate, labels: Sequence[str], sentences: Mapping[str, str], page: str) -> str:
    """The answer as Markdown.

    ``labels`` names the network condition of each row of goodput in ``gate.cases``. ``sentences`` has the changes in
    each metric in words.
    """
    base, head = gate.versions
    name = head.name if head.file or head.stack else f"{base.given} to {head.given}"
    parts = [f"### tcpsweep gate: {_table_cell(name)}", f"**{answer(gate)}**", _comparison_size(gate)]
    if gate.identical < gate.simulations:
        parts += [_table(gate.cases.filter(pl.col("metric") == "goodput_bps"), labels)]
        primary = [name for name in sentences if metrics.METRICS[name].headline]
        parts += ["\n".join(f"- {metrics.METRICS[name].title}: {_table_cell(sentences[name])}" for name in primary)]
    return "\n\n".join([*parts, f"Report: `{page}`"])


def answer(gate: Gate) -> str:
    """The first sentence."""
    if gate.identical == gate.simulations:
        return f"Nothing changed: all {gate.simulations} simulations are identical, byte for byte."
    goodput = f"goodput {change(gate.overall)}"
    finding = _WORDS.get(gate.overall["finding"], gate.overall["finding"])
    if gate.status == CHANGED:
        is_shown = gate.overall["finding"] in _SHOWN_FINDINGS
        parts = [goodput if is_shown else "", _changed_conditions(gate), "" if is_shown else f"{goodput}, {finding}"]
        return f"Changed: {'; '.join(filter(None, parts))}."
    if gate.status == UNDECIDED:
        return f"Not decided: {goodput}, {finding}; the bound is {bound(gate.overall)}."
    return f"Nothing changed: {goodput} is equivalent within {bound(gate.overall)}."


def _changed_conditions(gate: Gate) -> str:
    """The number of network conditions with a changed headline metric, such as "goodput per flow in 5 of 8 …"."""
    changed = gate.changed
    metric_titles = [metrics.METRICS[metric].title for metric in changed["metric"].unique(maintain_order=True)]
    if not metric_titles:
        return ""
    words = ", ".join(map(capitals.uncapitalised, metric_titles))
    changed_and_all = [rows["combination_a"].n_unique() for rows in (changed, gate.cases)]
    return f"{words} in {changed_and_all[0]} of {changed_and_all[1]} network conditions"


def change(row: Mapping[str, Any]) -> str:
    """A change with its interval, such as "−3.1 % (−3.8 to −2.4)"."""
    if row["effect"] is None:
        return "without a value"
    size = f"{_percent(row['effect'])} %"
    ends = [row[name] for name in ("effect_low", "effect_high")]
    return size if None in ends else f"{size} ({' to '.join(map(_percent, ends))})"


def bound(row: Mapping[str, Any]) -> str:
    """The smallest effect of interest, such as "1.5 %"."""
    return f"{row['smallest_share'] * 100:.4g} %"


def _percent(share: float) -> str:
    return rounding.signed(share * 100, 2)


def _comparison_size(gate: Gate) -> str:
    base, head = gate.versions
    pairs, conditions = gate.overall["runs"], gate.cases["combination_a"].n_unique()
    return (
        f"From `{base.given}` to `{head.given}`: {conditions} network conditions, {pairs} pairs of runs in each; "
        f"{gate.identical} of {gate.simulations} simulations are identical."
    )


def _table(rows: pl.DataFrame, labels: Sequence[str]) -> str:
    goodput = metrics.METRICS["goodput_bps"]
    heads = ["network condition", f"BASE [{goodput.shown_unit}]", f"HEAD [{goodput.shown_unit}]", "change", "finding"]
    lines = []
    for label, row in zip(labels, rows.iter_rows(named=True), strict=True):
        base_and_head = [_mean(row[f"mean_{side}"], goodput.scale) for side in "ab"]
        finding = _WORDS.get(row["finding"], row["finding"])
        lines.append([label, *base_and_head, change(row), finding])
    return markup.markdown(heads, lines).rstrip("\n")


def _mean(value: float | None, scale: float) -> str:
    return "–" if value is None else rounding.significant(value * scale, 4)


def _table_cell(text: str) -> str:
    """A text that cannot break a table's row."""
    return text.replace("|", "\\|")

# SPDX-License-Identifier: MIT
"""The score card: each variant compared with the baseline in the headline metrics, with a mark for each network."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tcpsweep.core.analysis import findings
from tcpsweep.core.report import common_conditions, strips
from tcpsweep.core.report.sections import effect_words, headlines, table_texts
from tcpsweep.core.report.strips import Axis, Strip
from tcpsweep.core.sweep import axes, compared_variants
from tcpsweep.core.sweep.caveats import Touching
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, rounding
from tcpsweep.core.words.metrics import Metric

MOST_LETTERS = 22  # of a variant's name on one line
MOST_NAMED = 4  # networks whose names say which mark is whose
MOST_MARKS = 24  # up to this number of networks a cell has a mark for each; beyond, its bar's parts show counts
STEP, HEIGHT, LEAST = 14, 30, 5.0  # of a mark, in the picture's pixels


@dataclass(frozen=True)
class Mark:
    """A network's mark: ``kind`` names its look, ``x``, ``y``, ``height`` place it, ``said`` is its text."""

    kind: str
    x: float
    y: float
    height: float
    said: str


@dataclass(frozen=True)
class Cell:
    """A variant's marks in a metric, how many networks each ``kind`` has, the largest size shown, all in words.

    ``touched`` are the names of the caveats that touch the cell.
    """

    metric: str
    marks: list[Mark]
    counts: dict[str, int]
    size: str
    kind: str
    said: str
    touched: list[str]


@dataclass(frozen=True)
class Mean:
    """A variant's mean, or the least and the greatest of several, as text and, where nothing is compared, drawn."""

    text: str
    strip: Strip | None = None


@dataclass(frozen=True)
class Row:
    """A variant's cells; ``about`` names the comparison unless it is the variant with the baseline."""

    variant: str
    about: tuple[str, str] | None
    cells: list[Cell | None]


@dataclass(frozen=True, kw_only=True)
class Card:
    """The score card."""

    metrics: list[tuple[str, str, str]]  # the columns' names, titles and links
    cell_links: list[str]  # the links of cells, by column
    rows: list[Row]
    reference: str | None  # the baseline
    means: list[tuple[str, list[Mean]]]  # the baseline's means, or all variants', each with a `Mean` a column
    axes: list[Axis | None]  # of the means' strips, by column
    constant: list[str]  # sentences on the metrics that have one value everywhere
    width: int  # of a cell's picture
    height: int
    longest: int  # from `longest_name`
    networks: list[str]  # the names of the marks from left to right, if they are few and each cell has all

    @property
    def kinds(self) -> set[str]:
        """The looks that occur."""
        return {kind for cell in self._cells() for kind in cell.counts}

    @property
    def has_bars(self) -> bool:
        """Whether bars show the shares of findings in place of marks."""
        return any(not cell.marks for cell in self._cells())

    @property
    def touched(self) -> bool:
        """Whether a caveat touches some cell."""
        return any(cell.touched for cell in self._cells())

    def _cells(self) -> Iterator[Cell]:
        return (cell for row in self.rows for cell in row.cells if cell)


def card(sweep: PlannedSweep, summary: pl.DataFrame, effects: pl.DataFrame, names: Sequence[str] | None = None) -> Card:
    """The score card of a sweep's tables, with the metrics ``names`` in place of those with which tables begin."""
    headline = metrics.headline(summary["metric"].unique(), sweep.headline if names is None else names)
    values = summary.filter(pl.col("metric").is_in(list(headline)) & pl.col("mean").is_not_null())
    constant = table_texts.constant_metrics(values)
    varying = {
        name: metric for name, metric in headline.items() if name not in constant and name in set(values["metric"])
    }
    references = compared_variants.references(sweep)[:1]
    primary = pl.DataFrame()
    if effects.height:
        is_compared = pl.col("mix").is_not_null() | pl.col("reference").is_in(references)
        primary = effects.filter(pl.col("metric").is_in(list(varying)) & is_compared)
    # Where nothing was tested, the means of all say more.
    is_tested = primary.height and primary["finding"].is_in(list(findings.TESTS.values())).any()
    rows = _compared_rows(sweep, primary, list(varying), next(iter(references), None)) if is_tested else []
    rows_by_metric = {} if rows else _rows_by_metric(values)
    axes_of_means = {
        name: axis_of_means(rows_by_metric[name], name, varying[name]) for name in varying if name in rows_by_metric
    }
    means = _means(sweep, values, varying, rows, axes_of_means)
    most_marks = max((len(cell.marks) for row in rows for cell in row.cells if cell), default=1)
    return Card(
        metrics=[(name, metric.title, f"#explore?kind=lines&metric={name}") for name, metric in varying.items()],
        cell_links=[f"#explore?kind=heat+map&metric={name}" for name in varying],
        rows=rows,
        reference=next(iter(references), None) if rows else None,
        means=means,
        axes=[axes_of_means.get(name) for name in varying],
        constant=[
            _constant_sentence(headline[name], values.filter(pl.col("metric") == name)["mean"][0])
            for name in headline
            if name in constant
        ],
        width=STEP * max(1, min(MOST_MARKS, most_marks)),  # of very many networks, cells have counts and no marks
        height=HEIGHT,
        longest=longest_name(row["variant"] for row in sweep.texts),
        networks=_names_of_marks(sweep, rows),
    )


def longest_name(variants: Iterable[str]) -> int:
    """The number of letters in the longest part of a name that is on one line."""
    return min(MOST_LETTERS, max((len(part) + 1 for name in variants for part in name.split("+")), default=0))


def _names_of_marks(sweep: PlannedSweep, rows: Sequence[Row]) -> list[str]:
    """The networks in the order of the marks, each in one word, such as "3Mbps/10ms"; none unless each cell has all."""
    names = list(dict.fromkeys("/".join(place.values()) for place in axes.network_texts(sweep)))
    counts = {len(cell.marks) for row in rows for cell in row.cells if cell}
    return names if 1 < len(names) <= MOST_NAMED and counts == {len(names)} else []


def _rows_by_metric(table: pl.DataFrame) -> dict[str, pl.DataFrame]:
    return {str(key[0]): part for key, part in table.partition_by("metric", as_dict=True, maintain_order=True).items()}


def _constant_sentence(metric: Metric, mean: float) -> str:
    return f"{metric.title}: {mean * metric.scale:.4g} {metric.shown_unit}".rstrip() + " everywhere."


def axis_of_means(rows: pl.DataFrame, name: str, metric: Metric) -> Axis:
    """The axis that holds all means of a metric with their intervals."""
    ends = [value for end in ("mean", "low", "high") for value in rows[end].drop_nulls().to_list()]
    means = (mean * metric.scale for mean in rows["mean"].drop_nulls().to_list())
    return strips.of_values((table_texts.not_below_zero(name, value) * metric.scale for value in ends), means)


def _means(
    sweep: PlannedSweep,
    values: pl.DataFrame,
    varying: Mapping[str, Metric],
    compared: Sequence[Row],
    axes_of_means: Mapping[str, Axis],
) -> list[tuple[str, list[Mean]]]:
    """The means of the baseline, or of every variant where nothing is compared."""
    texts = sweep.texts
    variants = (
        compared_variants.references(sweep)[:1] if compared else list(dict.fromkeys(row["variant"] for row in texts))
    )
    if not compared:  # the means are read against each other
        variant_of_mean = pl.col("combination").replace_strict(dict(enumerate(row["variant"] for row in texts)))
        of_metrics = values.with_columns(whole=variant_of_mean).partition_by("metric", maintain_order=True)
        comparable = [common_conditions.in_common(sweep, part, "whole").drop("whole") for part in of_metrics]
        values = pl.concat(comparable) if comparable else values
    means = []
    for variant in variants:
        combinations = [number for number, row in enumerate(texts) if row["variant"] == variant]
        rows_of = _rows_by_metric(values.filter(pl.col("combination").is_in(combinations)))
        means.append(
            (variant, [mean_of(rows_of.get(key), metric, axes_of_means.get(key)) for key, metric in varying.items()])
        )
    return means


def mean_of(rows: pl.DataFrame | None, metric: Metric, axis: Axis | None) -> Mean:
    """A variant's means in one metric: a single mean with its interval, or the span of several and their mean."""
    if rows is None or rows.is_empty():
        return Mean("–")
    means = [mean * metric.scale for mean in rows["mean"].to_list()]
    extremes = list(dict.fromkeys(map(rounding.significant, (min(means), max(means)))))
    text = f"{'–'.join(extremes)} {metric.shown_unit}".rstrip()
    if axis is None:
        return Mean(text)
    if len(means) > 1:
        return Mean(text, strips.strip(axis, dot=sum(means) / len(means), span=(min(means), max(means))))
    row = rows.row(0, named=True)
    text = f"{table_texts.mean_and_interval(row)} {metric.shown_unit}".rstrip()
    low = table_texts.lower_end(row["metric"], row["mean"], row["low"])
    interval = [None if end is None else end * metric.scale for end in (low, row["high"])]
    return Mean(text, strips.strip(axis, dot=means[0], whisker=(interval[0], interval[1])))


def _compared_rows(
    sweep: PlannedSweep, effects: pl.DataFrame, names: Sequence[str], reference: str | None
) -> list[Row]:
    texts, networks, touched = sweep.texts, axes.network_texts(sweep), Touching(sweep)
    largest_sizes = {name: _largest_size(part) for name, part in _rows_by_metric(effects).items()}
    # A mix of two has one row: the network's metrics against the baseline, and its flows against each other.
    effects_by_pair: dict[tuple[str, tuple[str, str] | None], list[dict[str, Any]]] = {}
    pairs_by_mix: dict[str, set[tuple[str, str]]] = {}
    for row in effects.iter_rows(named=True):
        if row["mix"]:
            pairs_by_mix.setdefault(row["mix"], set()).add((row["variant"], row["reference"]))
    for row in effects.iter_rows(named=True):
        whole = row["mix"] or row["variant"]  # in a mix, the effect's variant is one of its parts
        pairs_in_mix = pairs_by_mix.get(whole, set())
        about = (row["variant"], row["reference"]) if row["mix"] else None
        if len(pairs_in_mix) == 1:
            about = next(iter(pairs_in_mix))
        effects_by_pair.setdefault((whole, about), []).append(row)
    order = list(dict.fromkeys(row["variant"] for row in texts))
    rows = []
    for (whole, about), in_pair in sorted(effects_by_pair.items(), key=lambda pair: order.index(pair[0][0])):
        by_metric = {name: [row for row in in_pair if row["metric"] == name] for name in names}
        defects = {name: touched.between(name, whole, None if about else reference) for name in names}
        cells = [
            _cell(name, by_metric[name], largest_sizes[name], networks, [defect.name for defect in defects[name]])
            if by_metric[name]
            else None
            for name in names
        ]
        rows.append(Row(whole, about, cells))
    return rows


def _largest_size(effects: pl.DataFrame) -> float:
    """The largest `_size` of a metric's effects, whose mark has the full height; 1 if no effect has a size."""
    return (
        max((_size(row) for row in effects.iter_rows(named=True) if row["finding"] in headlines.SHOWN), default=0.0)
        or 1.0
    )


def _size(row: dict[str, Any]) -> float:
    """An effect's size before scaling: the logarithm of the ratio, or the difference where ratios mean nothing."""
    if row["smallest_value"] == 0 and row["effect"] is not None and row["effect"] > -1:
        return abs(math.log1p(row["effect"]))
    return abs(float(row["difference"] or 0.0))


def _cell(
    name: str,
    effects: list[dict[str, Any]],
    largest_size: float,
    networks: Sequence[dict[str, str]],
    defects: list[str],
) -> Cell:
    better = metrics.METRICS[name].better
    effects = [headlines.of_means(row) for row in effects]
    kinds = [_kind(row, better) for row in effects]
    counts: dict[str, int] = {kind: kinds.count(kind) for kind in effect_words.KINDS if kind in kinds}
    sized = [row for row in effects if row["finding"] in headlines.SHOWN and row.get("why") != findings.TOO_FEW]
    largest_effect = max(sized, key=_size, default=None)
    marked = zip(effects, kinds, strict=True) if len(effects) <= MOST_MARKS else ()
    marks = [_mark(number, row, kind, largest_size, networks) for number, (row, kind) in enumerate(marked)]
    return Cell(
        name,
        marks,
        counts,
        effect_words.signed(largest_effect) if largest_effect else "",
        _kind(largest_effect, better) if largest_effect else "",
        "; ".join(f"{effect_words.KINDS[kind]} in {count}" for kind, count in counts.items()),
        defects,
    )


def _kind(row: dict[str, Any], better: str) -> str:
    """The look of an effect's mark, of `effect_words.KINDS`; ``better`` is "higher", "lower" or empty."""
    if row.get("why") == findings.TOO_FEW:
        return "undecided"
    if "why" in row:
        return "means"
    if row["finding"] in headlines.SHOWN:
        # More of a mix's goodput is not better: the other variant has less.
        if row["mix"] or not better:
            return "more"
        return "better" if row["finding"] == better else "worse"
    if row["finding"] == findings.TOO_FEW:
        return "undecided"
    return row["finding"] if row["finding"] in findings.TESTS.values() else "untested"


def _mark(number: int, row: dict[str, Any], kind: str, largest: float, networks: Sequence[dict[str, str]]) -> Mark:
    middle, x = HEIGHT / 2, number * STEP + 2.0
    said = f"{axes.axes_in_words(networks[row['combination']]) or 'the network'}: {effect_words.finding(row)}"
    if row["finding"] not in headlines.SHOWN or kind == "undecided":
        return Mark(kind, x, middle, 0, said)
    height = round(max(LEAST, (middle - 1) * min(1.0, _size(row) / largest)), 1)
    return Mark(kind, x, middle - height if row["finding"] == "higher" else middle, height, said)

# SPDX-License-Identifier: MIT
"""The table that a run ends with: a sweep's results in a few lines, and its verdicts on goodput."""

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from tcpsweep.sweep import axes, sweep_record
from tcpsweep.words import metrics, rounding
from tcpsweep.words.aligned import aligned

MOST_COMBINATIONS, MOST_VERDICTS, MOST_COLUMNS = 12, 2, 4
_SHOWN = {"goodput_bps": "goodput", "utilisation": "utilisation", "jain": "Jain", "owd_mean_s": "delay"}
_Interval = tuple[float | None, float | None, float | None]  # mean, low, high


def table(folder: Path | str) -> str:
    """A short table of a sweep's results: each combination if there are few, else each variant's range over them."""
    sweep = sweep_record.read(folder)
    summary = pl.read_parquet(Path(folder) / "summary.parquet")
    if summary.is_empty():
        return f"{sweep.name}: no cell has a result"
    texts, shown = axes.texts(sweep), axes.of(sweep)
    each = len(texts) <= MOST_COMBINATIONS
    names = [name for name in shown if name != "variant"] if each else []
    own = summary.filter(pl.col("flow_variant").is_not_null()).select("combination", "flow_variant").unique()
    lines: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    for combination, variant in axes.in_order(own.rows(), texts):
        label = axes.series(variant, texts[combination]["variant"])
        place = [texts[combination][name] for name in names]
        lines.setdefault((label, *place), []).append((combination, variant))
    found: dict[tuple[int, str | None, str], _Interval] = {
        (combination, variant, metric): (mean, low, high)
        for combination, variant, metric, mean, low, high in summary.select(
            "combination", "flow_variant", "metric", "mean", "low", "high"
        ).iter_rows()
    }
    rows = [["variant", *(axes.title(name, shown) for name in names)]]
    columns = _SHOWN
    if chosen := sweep.headline:
        columns = {name: metrics.METRICS[name].title for name in chosen[:MOST_COLUMNS]}
    for name, title in columns.items():
        unit = metrics.METRICS[name].shown_unit
        rows[0].append(f"{title} [{unit}]" if unit else title)
    for line, keys in lines.items():
        row = [*line]
        for name in columns:
            metric = metrics.METRICS[name]
            values = [found.get((c, v if metric.by_variant else None, name), (None, None, None)) for c, v in keys]
            row.append(
                rounding.shown(*values[0], metric.scale, metric.interval) if each else _span(values, metric.scale)
            )
        rows.append(row)
    what = "means ± 95 % confidence" if each else "the least and the greatest mean over each variant's combinations"
    return "\n".join([f"{sweep.name}: {what}", aligned(rows), *_verdicts(folder, sweep.baseline)])


def _verdicts(folder: Path | str, baseline: str | None) -> list[str]:
    """The first verdicts on goodput against the baseline, in one line; no line if there are none."""
    path = Path(folder) / "verdicts.csv"
    if not path.is_file():
        return []
    table = pl.read_csv(path, schema_overrides={"mix": pl.String})
    rows = table.filter(
        pl.col("metric") == "goodput_bps", pl.col("mix").is_null(), pl.col("reference") == (baseline or "")
    )
    found = rows["verdict"].to_list()
    kind = "goodput, exploratory" if "exploratory" in rows["family"] else "goodput"
    more = f", and {len(found) - MOST_VERDICTS} more in the report" if len(found) > MOST_VERDICTS else ""
    return [f"{kind}: {'. '.join(found[:MOST_VERDICTS])}{more}"] if found else []


def _span(values: Iterable[_Interval], scale: float) -> str:
    means = [mean * scale for mean, _, _ in values if mean is not None]
    return f"{min(means):.4g} to {max(means):.4g}" if means else "–"

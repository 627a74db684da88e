# SPDX-License-Identifier: MIT
"""The table at the end of a run: a sweep's results in a few lines, and its findings, or why there are none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.analysis import group_values, stationarity
from tcpsweep.core.command_line.terminal import closing_findings
from tcpsweep.core.report.answers import first_screen
from tcpsweep.core.report.answers.answer import Answer, Chart, plain
from tcpsweep.core.report.sections import steadiness
from tcpsweep.core.sweep import axes, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, printed_names, rounding
from tcpsweep.core.words.aligned import aligned
from tcpsweep.core.words.printed_names import series_name
from tcpsweep.features.corrections import touched_numbers
from tcpsweep.features.corrections.known_defects import Defect
from tcpsweep.features.expectations import outcomes
from tcpsweep.features.traffic import traffic_findings, traffic_table

MOST_COMBINATIONS, MOST_VERDICTS, MOST_COLUMNS = 12, 2, 4
_TITLES = {"goodput_bps": "goodput", "utilisation": "utilisation", "jain": "Jain", "owd_mean_s": "one-way delay"}
_GROUP_SCHEMA = {"group": pl.String, "combination": pl.Int64, "flow_variant": pl.String, "link": pl.String}
_Key = tuple[int, str, str | None]  # combination, variant, group of flows
_Interval = tuple[float | None, float | None, float | None]  # mean, low, high


BAR = 10  # the characters of the longest bar
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def table(folder: Path | str, bars: bool = False) -> str:
    """A short table of a sweep's results: each combination if there are few, else each variant's range.

    With ``bars`` each row has a bar of its first metric, for a terminal that shows it.
    """
    sweep = sweep_record.read(folder)
    return "\n".join([_table(folder, sweep, bars), *_held_expectations(folder, sweep)])


def _held_expectations(folder: Path | str, sweep: PlannedSweep) -> list[str]:
    """The number of expectations, if all hold; `unmet_expectations` reports the others."""
    results = outcomes.outcomes_of(sweep, folder)
    return [outcomes.outcomes_in_words(results)] if results and all(result.holds for result in results) else []


def unmet_expectations(folder: Path | str) -> str:
    """The sweep's expectations in words, if any does not hold; empty if all hold."""
    sweep = sweep_record.read(folder)
    results = outcomes.outcomes_of(sweep, folder)
    return "" if all(result.holds for result in results) else outcomes.outcomes_in_words(results)


def _table(folder: Path | str, sweep: PlannedSweep, bars: bool) -> str:
    summary = sweep_tables.read(folder, "summary")
    on_traffic = sweep_tables.read(folder, "traffic_effects", {"traffic": pl.String})
    if summary["flow_variant"].null_count() == summary.height:
        is_single = sweep.swept <= MOST_COMBINATIONS
        traffic_lines = [*_traffic_tables(folder, sweep, on_traffic), *_traffic_findings(folder)]
        largest = traffic_findings.findings(sweep, on_traffic)
        if not traffic_lines:
            return f"{sweep.name}: no simulation has a result"
        answer = first_screen.answer(Path(folder), sweep, summary, largest)
        return "\n".join([*_answer_lines(answer, sweep.names), _meaning(sweep, is_single), *traffic_lines])
    texts, shown_axes = sweep.texts, axes.network_axes(sweep)
    is_single = sweep.swept <= MOST_COMBINATIONS
    axis_names = [*shown_axes] if is_single else []
    groups = sweep_tables.read(folder, "groups", _GROUP_SCHEMA)
    line_keys: dict[tuple[str, ...], list[_Key]] = {}
    for combination, variant, group, link in axes.in_order(_keys_and_links(summary, groups), texts):
        label = printed_names.series_name(axes.series(variant, texts[combination]["variant"]), sweep.names)
        place = [texts[combination][name] for name in axis_names]
        group_texts = [group or "", link or ""] if not groups.is_empty() else []
        line_keys.setdefault((label, *group_texts, *place), []).append((combination, variant, group))
    intervals = _intervals(summary, groups)
    effects = sweep_tables.read(folder, "effects")
    titles = _TITLES
    if chosen := sweep.headline:
        titles = {name: metrics.METRICS[name].title for name in chosen[:MOST_COLUMNS]}
    first_metric = next(iter(titles))
    compared: dict[_Key, dict[str, Any]] = {
        (*key, None): row for key, row in closing_findings.signs(effects, first_metric, sweep.baseline).items()
    }
    grouped = {
        (row["combination"], row["group"]): row
        for row in sweep_tables.read(folder, "group_effects", _GROUP_SCHEMA).iter_rows(named=True)
        if row["metric"] == first_metric and row["reference"] == sweep.baseline
    }
    compared |= {(c, v, g): grouped[c, g] for keys in line_keys.values() for c, v, g in keys if g and (c, g) in grouped}
    compared = {key: row for key, row in compared.items() if any(key in keys for keys in line_keys.values())}
    ends_by_line = {line: _least_and_greatest(intervals, keys, first_metric) for line, keys in line_keys.items()}
    longest = max((end for _, end in ends_by_line.values()), default=0.0)
    heads = ["variant"] if groups.is_empty() else ["variant", "flows", "link"]
    rows = [[*heads, *(axes.title(name, shown_axes) for name in axis_names), *([""] if bars else [])]]
    for name, title in titles.items():
        unit = metrics.METRICS[name].shown_unit
        rows[0].append(f"{title} [{unit}]" if unit else title)
    touched, marked_defects = touched_numbers.Touched(sweep), dict[str, Defect]()
    for line, keys in line_keys.items():
        row = [*line, *([bar(*ends_by_line[line], longest)] if bars else [])]
        for name in titles:
            metric = metrics.METRICS[name]
            values = [_interval(intervals, key, name) for key in keys]
            text = (
                rounding.mean_text(*values[0], metric.scale, metric.interval)
                if is_single
                else _span(values, metric.scale)
            )
            defects = touched.means(name, (combination for combination, *_ in keys))
            marked_defects |= {defect.name: defect for defect in defects}
            row.append(f"{text} {touched_numbers.SIGN}" if defects else text)
        if compared:
            row.append(closing_findings.sign(compared[key] for key in keys if key in compared))
        rows.append(row)
    parts = [_meaning(sweep, is_single)]
    if compared:
        rows[0].append("compared")
        legend = closing_findings.legend(
            titles[first_metric], sweep.baseline, compared.values(), is_single, sweep.names
        )
        parts += [aligned(rows), legend]
    else:
        parts.append(aligned(rows))
    if marked_defects:
        parts.append(touched_numbers.legend(sweep, marked_defects.values()))
    parts += _traffic_tables(folder, sweep, on_traffic)
    largest = traffic_findings.together(sweep, effects, on_traffic)
    answer = first_screen.answer(Path(folder), sweep, summary, largest)
    finding_lines = closing_findings.finding_lines(sweep, first_screen.beside(answer, largest))
    shown_any = any(row["finding"] in closing_findings.SHOWN for row in compared.values())
    parts += finding_lines if shown_any else [*finding_lines, *_verdicts(folder, sweep.baseline)]
    return "\n".join([*_answer_lines(answer, sweep.names), *parts])


def _keys_and_links(summary: pl.DataFrame, groups: pl.DataFrame) -> list[tuple[int, str, str | None, str | None]]:
    """Combination, variant, group of flows and its link; without groups if all flows count together."""
    of_flows = pl.col("flow_variant").is_not_null()
    in_groups = groups.select("combination").unique()
    ungrouped_rows = (
        summary.join(in_groups, on="combination", how="anti").filter(of_flows).select("combination", "flow_variant")
    )
    grouped = groups.filter(of_flows).group_by("combination", "flow_variant", "group", maintain_order=True)
    ungrouped = [(*row, None, None) for row in ungrouped_rows.unique().rows()]
    return ungrouped + grouped.agg(pl.col("link").first()).rows()


def _intervals(summary: pl.DataFrame, groups: pl.DataFrame) -> dict[tuple[int, str | None, str | None, str], _Interval]:
    """Each mean with its interval, by combination, variant, group of flows and metric."""
    names = ("combination", "flow_variant", "group", "metric", "mean", "low", "high")
    of_combinations = summary.with_columns(group=pl.lit(None, pl.String)).select(names)
    parts = [of_combinations] if groups.is_empty() else [of_combinations, groups.select(names)]
    rows = (row for part in parts for row in part.iter_rows())
    return {(c, v, g, metric): (mean, low, high) for c, v, g, metric, mean, low, high in rows}


def _interval(
    intervals: Mapping[tuple[int, str | None, str | None, str], _Interval], key: _Key, name: str
) -> _Interval:
    """A row's mean of a metric; for a group, its own link's value, or else the whole network's."""
    combination, variant, group = key
    of_variant = variant if metrics.METRICS[name].by_variant else None
    nothing: _Interval = (None, None, None)
    if group and (of_variant is None and name not in group_values.OF_LINKS):
        group = None
    return intervals.get((combination, of_variant, group, name), nothing)


def _traffic_tables(folder: Path | str, sweep: PlannedSweep, effects: pl.DataFrame) -> list[str]:
    """The results of each group of traffic; empty without traffic."""
    traffic = sweep_tables.read(folder, "traffic", {"traffic": pl.String})
    return [] if traffic.is_empty() else traffic_table.tables(sweep, traffic, effects, MOST_COMBINATIONS)


def _traffic_findings(folder: Path | str) -> list[str]:
    """The findings on traffic, for a sweep with only traffic."""
    verdicts = Path(folder) / "traffic_verdicts.csv"
    if not verdicts.is_file():
        return []
    return traffic_table.findings(sweep_tables.scan_csv(verdicts).collect())


def _meaning(sweep: PlannedSweep, is_single: bool) -> str:
    """The meaning of the tables' numbers."""
    what = (
        "means ± 95 % confidence" if is_single else "the least and the greatest mean over each variant's combinations"
    )
    settings = axes.settings_of_variants(sweep)
    return f"{sweep.name}: {what}" + (f"\n  ({settings})" if settings else "")


def _least_and_greatest(
    intervals: Mapping[tuple[int, str | None, str | None, str], _Interval], keys: Iterable[_Key], name: str
) -> tuple[float, float]:
    """A row's smallest and largest mean in a metric."""
    means = [_interval(intervals, key, name)[0] for key in keys]
    defined = [mean for mean in means if mean is not None]
    return min(defined, default=0.0), max(defined, default=0.0)


def bar(least: float, greatest: float, longest: float) -> str:
    """A bar from 0 to a mean, or from the smallest to the largest of several, as a share of the longest bar."""
    if longest <= 0:
        return ""
    begin = int(BAR * least / longest) if least < greatest else 0
    eighths = max(1, round(8 * (BAR * max(0.0, greatest) / longest - begin)))
    return " " * begin + "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _verdicts(folder: Path | str, baseline: str | None) -> list[str]:
    """The first verdicts on goodput compared with the baseline, in one line; no line without verdicts."""
    path = Path(folder) / "verdicts.csv"
    if not path.is_file():
        return []
    table = sweep_tables.scan_csv(path).collect()
    rows = table.filter(
        pl.col("metric") == "goodput_bps", pl.col("mix").is_null(), pl.col("reference") == (baseline or "")
    )
    verdicts = rows["verdict"].to_list()
    kind = "goodput, exploratory" if "exploratory" in rows["family"] else "goodput"
    more = f", and {len(verdicts) - MOST_VERDICTS} more in the report" if len(verdicts) > MOST_VERDICTS else ""
    lines = [f"{kind}: {'. '.join(verdicts[:MOST_VERDICTS])}{more}"] if verdicts else []
    if any("not steady" in line for line in lines):
        lines.append(f"(not in steady state, and what helps: {_advice(path.parent)})")
    return lines


def _advice(folder: Path) -> str:
    """Why variants are not in steady state, and what helps."""
    flows = pl.scan_parquet(sweep_tables.file(folder, "flows.parquet"))
    columns = flows.collect_schema().names()
    needed = ("combination", "run", "digest", "direction", "flow_variant", "group", *stationarity.OF_FLOWS)
    return steadiness.advice(sweep_record.read(folder), flows.select(n for n in needed if n in columns).collect())


def _span(values: Iterable[_Interval], scale: float) -> str:
    means = [mean * scale for mean, _, _ in values if mean is not None]
    return f"{min(means):.4g} to {max(means):.4g}" if means else "–"


def _answer_lines(answer: Answer, names: Mapping[str, str]) -> list[str]:
    """The answer's sentence, an explanation, and the tables of its charts; empty if findings say the same.

    ``names`` are the sweep's names of variants for print.
    """
    sentence = plain(answer.sentence, names).strip()
    if not sentence:
        return []
    if answer.kind == "mixes":  # the sweep's table has the values
        return [sentence, ""]
    note = [f"  ({answer.note})"] if answer.note and answer.kind != "means" else []
    tables = [part for chart in answer.charts for part in (f"{chart.title}:", _answer_table(chart, names))]
    return [sentence, *note, *tables, ""]


def _answer_table(chart: Chart, names: Mapping[str, str]) -> str:
    remarks = [row.about for row in chart.rows]
    head = [chart.head, *([chart.about] if any(remarks) else []), *chart.heads]
    labels = [series_name(row.name, names) if row.is_variant else row.name for row in chart.rows]
    rows = [
        [name, *([row.about] if any(remarks) else []), *row.texts] for name, row in zip(labels, chart.rows, strict=True)
    ]
    more = f"\n  and {chart.more} more, in the report" if chart.more > 0 else ""
    return aligned([head, *rows]) + more

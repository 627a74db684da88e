# SPDX-License-Identifier: MIT
"""The table at the end of a run: a sweep's results in a few lines, and its findings, or why there are none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl
from rich.bar import Bar
from rich.console import Console

from tcpsweep.core.analysis import group_values, stationarity
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.command_line.terminal import closing_findings
from tcpsweep.core.contact.report_parts import ClosingParts
from tcpsweep.core.report.answers import first_screen
from tcpsweep.core.report.answers.answer import Answer, Chart, plain
from tcpsweep.core.report.sections import steadiness
from tcpsweep.core.sweep import axes, caveats, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, printed_names, rounding
from tcpsweep.core.words.aligned import Part
from tcpsweep.core.words.printed_names import series_name

MOST_COMBINATIONS, MOST_VERDICTS, MOST_COLUMNS = 12, 2, 4
SIGNS_HEAD = "compared"  # of a table's last column, which has the signs of findings
_TITLES = {"goodput_bps": "goodput", "utilisation": "utilisation", "jain": "Jain", "owd_mean_s": "one-way delay"}
_GROUP_SCHEMA = {"group": pl.String, "combination": pl.Int64, "flow_variant": pl.String, "link": pl.String}
_Key = tuple[int, str, str | None]  # combination, variant, group of flows
_Interval = tuple[float | None, float | None, float | None]  # mean, low, high


BAR = 10  # the characters of the longest bar


def table(results: SweepResults, parts: ClosingParts) -> list[Part]:
    """A short table of a sweep's results: each combination if there are few, else each variant's range.

    Each row has a bar of its first metric, in a column without a head. ``parts`` are what features add.
    """
    return [*_table(results, parts), *(line for lines in parts.LAST_LINES for line in lines(results))]


def unmet(results: SweepResults, parts: ClosingParts) -> str:
    """What the sweep was to show and does not, in words; empty if there is nothing."""
    return "\n".join(filter(None, (words(results) for words in parts.UNMET)))


def _table(results: SweepResults, parts: ClosingParts) -> list[Part]:
    """The answer, the tables and the findings."""
    sweep = results.sweep
    added_tables = [part for tables in parts.TABLES for part in tables(results)]
    if results.has_no_flows and not added_tables:
        return [f"{sweep.name}: no simulation has a result"]
    answer = first_screen.answer(results, parts)
    lines: list[Part] = [*_answer_lines(answer, sweep.names), _meaning(sweep)]
    if results.has_no_flows:
        return [*lines, *added_tables]
    compared = _compared(results)
    has_more_signs = any(isinstance(part, list) and part[0][-1] == SIGNS_HEAD for part in added_tables)
    lines += [*_flow_table(results, compared, has_more_signs), *added_tables]
    lines += closing_findings.finding_lines(sweep, answer.findings)
    if not any(row["finding"] in closing_findings.SHOWN for row in compared.values()):
        lines += _verdicts(results)
    return lines


def _is_single(sweep: PlannedSweep) -> bool:
    """Whether each combination has a row."""
    return sweep.swept <= MOST_COMBINATIONS


def _titles(sweep: PlannedSweep) -> dict[str, str]:
    """The metrics in columns with their titles; the signs of findings are about the first."""
    chosen = sweep.headline
    return {name: metrics.METRICS[name].title for name in chosen[:MOST_COLUMNS]} if chosen else _TITLES


def _keys_by_line(results: SweepResults) -> dict[tuple[str, ...], list[_Key]]:
    """The means behind each row, by the texts with which it begins."""
    sweep, groups = results.sweep, results.table("groups", _GROUP_SCHEMA)
    texts, axis_names = sweep.texts, [*axes.network_axes(sweep)] if _is_single(sweep) else []
    keys_by_line: dict[tuple[str, ...], list[_Key]] = {}
    for combination, variant, group, link in axes.in_order(_keys_and_links(results.summary, groups), texts):
        label = printed_names.series_name(axes.series(variant, texts[combination]["variant"]), sweep.names)
        place = [texts[combination][name] for name in axis_names]
        group_texts = [group or "", link or ""] if not groups.is_empty() else []
        keys_by_line.setdefault((label, *group_texts, *place), []).append((combination, variant, group))
    return keys_by_line


def has_signs(results: SweepResults) -> bool:
    """Whether the table of means has signs, and so a legend."""
    return not results.has_no_flows and bool(_compared(results))


def _compared(results: SweepResults) -> dict[_Key, dict[str, Any]]:
    """The effects in the first metric of the table's means."""
    keys = {key for line_keys in _keys_by_line(results).values() for key in line_keys}
    baseline, first_metric = results.sweep.baseline, next(iter(_titles(results.sweep)))
    effects = closing_findings.signs(results.table("effects"), first_metric, baseline)
    group_effects = {
        (row["combination"], row["group"]): row
        for row in results.table("group_effects", _GROUP_SCHEMA).iter_rows(named=True)
        if row["metric"] == first_metric and row["reference"] == baseline
    }
    compared: dict[_Key, dict[str, Any]] = {(*key, None): row for key, row in effects.items()}
    compared |= {(c, v, g): group_effects[c, g] for c, v, g in keys if g and (c, g) in group_effects}
    return {key: row for key, row in compared.items() if key in keys}


def _flow_table(results: SweepResults, compared: Mapping[_Key, dict[str, Any]], has_more_signs: bool) -> list[Part]:
    """The table of means, and the meaning of its signs; ``has_more_signs`` says whether tables below have them, too."""
    sweep, groups, titles = results.sweep, results.table("groups", _GROUP_SCHEMA), _titles(results.sweep)
    keys_by_line = _keys_by_line(results)
    is_single, intervals = _is_single(sweep), _intervals(results.summary, groups)
    first_metric, first_title = next(iter(titles.items()))
    ends_by_line = {line: _least_and_greatest(intervals, keys, first_metric) for line, keys in keys_by_line.items()}
    longest = max((end for _, end in ends_by_line.values()), default=0.0)
    rows = [_heads(sweep, not groups.is_empty()) + ([SIGNS_HEAD] if compared else [])]
    touched, names_of_caveats = caveats.Touching(sweep), set[str]()
    for line, keys in keys_by_line.items():
        row = [*line, bar(*ends_by_line[line], longest)]
        for name in titles:
            text = _mean_text([_interval(intervals, key, name) for key in keys], name, is_single)
            of_mean = touched.means(name, (combination for combination, *_ in keys))
            names_of_caveats |= {caveat.name for caveat in of_mean}
            row.append(f"{text} {caveats.SIGN}" if of_mean else text)
        if compared:
            row.append(closing_findings.sign(compared[key] for key in keys if key in compared))
        rows.append(row)
    title = f"{first_title}, like the first metric of each table below," if has_more_signs else first_title
    legend = [caveats.legend(sweep, names_of_caveats)] if names_of_caveats else []
    if compared:
        legend.insert(0, closing_findings.legend(title, sweep.baseline, compared.values(), is_single, sweep.names))
    return [rows, *([f"  ({' '.join(legend)})"] if legend else [])]


def _heads(sweep: PlannedSweep, has_groups: bool) -> list[str]:
    """The heads of the table of means, without the one of signs."""
    shown_axes = axes.network_axes(sweep)
    titles = [axes.title(name, shown_axes) for name in shown_axes] if _is_single(sweep) else []
    units = ((title, metrics.METRICS[name].shown_unit) for name, title in _titles(sweep).items())
    return [
        *(["variant", "flows", "link"] if has_groups else ["variant"]),
        *titles,
        "",
        *(f"{title} [{unit}]" if unit else title for title, unit in units),
    ]


def _mean_text(values: Sequence[_Interval], name: str, is_single: bool) -> str:
    """A mean with its interval, or the least and the greatest of several."""
    metric = metrics.METRICS[name]
    if is_single:
        return rounding.mean_text(*values[0], metric.scale, metric.interval)
    return _span(values, metric.scale)


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


def _meaning(sweep: PlannedSweep) -> str:
    """The meaning of the tables' numbers."""
    spans = "the least and the greatest mean over each variant's combinations"
    what = "means ± 95 % confidence" if _is_single(sweep) else spans
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
    begin = least if least < greatest else 0.0
    drawn = Bar(longest, begin, max(greatest, longest / BAR / 8), width=BAR)
    return "".join(segment.text for segment in Console().render(drawn)).rstrip()


def _verdicts(results: SweepResults) -> list[str]:
    """The first verdicts on goodput compared with the baseline, in one line; no line without verdicts."""
    path, baseline = results.folder / "verdicts.csv", results.sweep.baseline
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
        lines.append(f"(not in steady state, and what helps: {_advice(results)})")
    return lines


def _advice(results: SweepResults) -> str:
    """Why variants are not in steady state, and what helps."""
    flows = pl.scan_parquet(sweep_tables.file(results.folder, "flows.parquet"))
    columns = flows.collect_schema().names()
    needed = ("combination", "run", "digest", "direction", "flow_variant", "group", *stationarity.OF_FLOWS)
    return steadiness.advice(results.sweep, flows.select(n for n in needed if n in columns).collect())


def _span(values: Iterable[_Interval], scale: float) -> str:
    means = [mean * scale for mean, _, _ in values if mean is not None]
    return f"{min(means):.4g} to {max(means):.4g}" if means else "–"


def _answer_lines(answer: Answer, names: Mapping[str, str]) -> list[Part]:
    """The answer's sentence, an explanation, and the tables of its charts; empty if findings say the same.

    ``names`` are the sweep's names of variants for print.
    """
    sentence = plain(answer.sentence, names).strip()
    if not sentence:
        return []
    if answer.kind == "mixes":  # the sweep's table has the values
        return [sentence, ""]
    note = [f"  ({answer.note})"] if answer.note and answer.kind != "means" else []
    tables = [part for chart in answer.charts for part in (f"{chart.title}:", *_answer_table(chart, names))]
    return [sentence, *note, *tables, ""]


def _answer_table(chart: Chart, names: Mapping[str, str]) -> list[Part]:
    remarks = [row.about for row in chart.rows]
    head = [chart.head, *([chart.about] if any(remarks) else []), *chart.heads]
    labels = [series_name(row.name, names) if row.is_variant else row.name for row in chart.rows]
    rows = [
        [name, *([row.about] if any(remarks) else []), *row.texts] for name, row in zip(labels, chart.rows, strict=True)
    ]
    more = [f"  and {chart.more} more, in the report"] if chart.more > 0 else []
    return [[head, *rows], *more]

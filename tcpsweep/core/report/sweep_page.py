# SPDX-License-Identifier: MIT
"""The report of a sweep: its sections put together on one page that needs no other file and no network.

For a large sweep, it shows only the metrics with which tables begin.
"""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl

from tcpsweep.core.analysis import stationarity
from tcpsweep.core.report import flow_and_node_tables, page_libraries, page_parts
from tcpsweep.core.report.answers import first_screen
from tcpsweep.core.report.picture import overview
from tcpsweep.core.report.sections import (
    audit,
    explorer,
    figures,
    networks,
    over_time,
    plane,
    results,
    score_card,
    settings,
    steadiness,
    table_texts,
    verdicts,
)
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import attributes_in_force, axes, failures, sweep_digests, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, printed_names, quantities, terms, thresholds
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.certificate import certified_section
from tcpsweep.features.corrections import touched_numbers
from tcpsweep.features.expectations import outcomes
from tcpsweep.features.linux import stack_section, stack_windows
from tcpsweep.features.pairs import frontier_section, harm_section, pair_section
from tcpsweep.features.precision import precision_section
from tcpsweep.features.refine import turning_points_section
from tcpsweep.features.search import network_sweep_file, search_section
from tcpsweep.features.studies import study_section, study_words
from tcpsweep.features.traffic import traffic_findings, traffic_section
from tcpsweep.features.versions import versions_section

# The page names these for single combinations and flows, even if no table begins with them.
_ALSO_NAMED = ("flows_with_data", "warmup_s")
_FLOW_COLUMNS = ("combination", "run", "digest", "direction", "flow_variant", *stationarity.OF_FLOWS)
_EFFECT_COLUMNS = (
    *("combination", "metric", "variant", "reference", "mix", "finding", "mean", "reference_mean", "difference"),
    *("effect", "smallest_share", "smallest_value", "smallest_origin"),
)


def write(folder: Path | str, page: Path | str) -> None:
    """Write the report of the sweep in ``folder`` to ``page``, and its overview as a picture in the same folder."""
    page_contents = contents(Path(folder), Path(page))
    overview.write(page_contents, picture(page))
    write_whole(page, page_parts.render("report/report.html.jinja", page_contents))


def picture(page: Path | str) -> Path:
    """The path of the overview's picture."""
    return Path(page).with_suffix(".png")


def contents(folder: Path, page: Path) -> dict[str, Any]:
    """The template's data, by the names that it uses."""

    def link(path: str) -> str:
        return quote(os.path.relpath(folder / path, page.parent))

    sweep = sweep_record.read(folder)
    harms = sweep_tables.read(folder, "harm")
    cells = list(dict.fromkeys(cell for cell, _, _ in sweep.cells))
    finished = sweep.finished()
    tables = shown_tables(folder, sweep, len(finished))
    summary, flows, effects = tables.summary, tables.flows, tables.effects
    failed = failures.failures_of(sweep, finished)
    common_attributes, differing_attributes = settings.settings_in_force(sweep, attributes_in_force.read(folder))
    texts = sweep.texts
    # The combinations that only pairs and harm need are in their own tables and in no other.
    swept = sweep.up_to(sweep.swept)
    explorer_data = None if tables.crowded else explorer.data_of_figures(swept, summary, flows, finished, effects)
    study = study_words.study_for_page(sweep, folder)
    link_means = sweep_tables.read(folder, "links")
    drawn_networks = networks.drawn_networks(swept, link_means, finished)
    traffic_means = sweep_tables.read(folder, "traffic")
    # Where no flow has metrics, the applications' traffic comes first.
    traffic_effects = sweep_tables.read(folder, "traffic_effects", {"traffic": pl.String})
    is_traffic_first = not traffic_means.is_empty() and summary["flow_variant"].null_count() == summary.height
    drawn_traffic = explorer_data and traffic_section.data_of_traffic(swept, traffic_means, finished)
    plane_data = None if is_traffic_first or not explorer_data else plane.delay_and_link_use(swept, summary, finished)
    first_runs = explorer_data and over_time.runs_over_time(swept, finished)
    pairs = pair_section.section(sweep, *(sweep_tables.read(folder, name) for name in ("pairs", "ranking", "frontier")))
    frontiers = pairs and frontier_section.chart() | {"networks": pairs["frontiers"]}
    stacks = stack_section.section(swept, sweep_tables.read(folder, "stacks"))

    audit_outcome = audit.outcome(sweep, sweep_tables.read(folder, "audit"))
    findings = (
        traffic_findings.findings(swept, traffic_effects)
        if is_traffic_first
        else traffic_findings.together(swept, effects, traffic_effects)
    )
    answer = first_screen.answer(folder, sweep, summary, findings)
    measured_metrics = tables.measured | (set() if traffic_means.is_empty() else set(traffic_means["metric"]))

    def where(row: dict[str, Any]) -> str:
        return ", ".join(filter(None, (axes.axes_in_words(texts[row["combination"]]), f"run {row['run']}")))

    return {
        "sweep": sweep,
        "printed": functools.partial(printed_names.series_name, names=sweep.names),
        "axes": [
            (axes.title(name, sweep.axes), [quantities.value_text(v) for v in values])
            for name, values in sweep.axes.items()
        ],
        "with_variant": axes.settings_of_variants(swept),
        "runs": sweep.runs,
        "warmup": steadiness.warmup(sweep, summary),
        "cells": len(cells),
        "finished": len(cells) - len(failed),
        "failed": [(failure, axes.axes_in_words(texts[failure.combination])) for failure in failed if failure.log],
        "missing": [(failure, axes.axes_in_words(texts[failure.combination])) for failure in failed if not failure.log],
        "audit": audit_outcome,
        "methods": settings.paragraph(sweep, audit_outcome, len(failed)),
        "outcomes": outcomes.outcomes_of(sweep, folder),
        "most_places": outcomes.MOST_PLACES,
        "touched": touched_numbers.Touched(sweep),
        "few": touched_numbers.FEW,
        "verdicts": verdicts.verdicts(sweep, folder),
        "differences": verdicts.differences(sweep, folder),
        "counted": _counts_in_words(swept, sweep.runs_in_words()),
        "network": _common_rate_and_delay(swept),
        "card": traffic_section.lead(swept, traffic_means, traffic_effects)
        if is_traffic_first
        else score_card.card(swept, summary, effects),
        "answer": answer,
        "findings": first_screen.beside(answer, findings),
        "plane": plane_data,
        "explorer": explorer_data is not None and bool(explorer_data["metrics"]),
        "colours": explorer.colours(swept) if explorer_data else [],
        "terms": terms.TERMS,
        "data": page_parts.as_json(
            (explorer_data or explorer.data_without_figures(swept))
            | {"overview": plane_data, "overTime": first_runs, "networks": drawn_networks, "traffic": drawn_traffic}
            | {"frontiers": frontiers}
        ),
        "library": page_libraries.chart_library() if explorer_data or frontiers else None,
        "tables_library": page_libraries.table_library(),
        "mixes": any(Mix.parse(row["variant"]).is_mixed for row in texts[: sweep.swept]),
        "unexplored": tables.crowded and f"{tables.means:,} means of {len(finished):,} runs",
        "results": results.table(swept, summary, finished),
        "links": networks.table_of_links(swept, link_means),
        "network_drawn": drawn_networks is not None,
        "traffic": traffic_section.tables(swept, traffic_means, finished),
        "traffic_drawn": drawn_traffic is not None,
        "leads": is_traffic_first,
        "files": [(name, link(name)) for name in sweep_tables.present_files(folder)],
        "pairs": pairs,
        "search": search_section.section(swept, sweep_tables.read(folder, "search")),
        "found_file": folder / network_sweep_file.FILE if (folder / network_sweep_file.FILE).is_file() else "",
        "turning": turning_points_section.turning_by_network(
            sweep, *(sweep_tables.read(folder, name) for name in ("refined_points", "refined"))
        ),
        "precision": precision_section.reached_precision(sweep, sweep_tables.read(folder, "precision"), finished),
        "stacks": stacks,
        "stack_windows": stack_windows.window_pictures(swept, finished) if stacks else [],
        "harms": harm_section.harm_rows(sweep, harms),
        "more_harms": max(0, harms.height - table_texts.MOST_ROWS),
        "flow_monitor": flow_and_node_tables.flows(sweep_tables.scan(folder, "flow_monitor"), where),
        "nodes": flow_and_node_tables.nodes(sweep_tables.scan(folder, "nodes"), where),
        "metrics": {name: metric for name, metric in metrics.METRICS.items() if name in measured_metrics},
        "intervals": metrics.INTERVALS,
        "groups": figures.groups(folder, link),
        "room": f"{figures.MOST_DRAWN / 1e6:.3g} MB",
        "smoothed": first_runs and over_time.smoothed(sweep, first_runs),
        "over_time": first_runs
        and f"Run {first_runs['runs'][0]['run']}{' at ' if first_runs['where'] else ''}{first_runs['where']}",
        "asked_tables": figures.tables(folder, link),
        "least_epochs": thresholds.LEAST_EPOCHS,
        "unsteady": steadiness.unsteady(sweep, flows),
        "not_shown": steadiness.not_shown(sweep, flows),
        "steady_trend": f"{thresholds.STEADY_TREND:.0%}",
        "level": f"{thresholds.LEVEL:.0%}",
        "repeated": steadiness.repeated(sweep, flows),
        "study": study,
        "picture": study and study_section.picture(study["numbers"]),
        "habits": settings.habits(common_attributes, differing_attributes),
        "presets": settings.presets(sweep),
        "corrections": settings.corrections_shown(sweep),
        "certified": certified_section.section(swept),
        "every_metric": metrics.METRICS,
        "common": common_attributes,
        "differing": differing_attributes,
        "most_values": settings.MOST_VALUES,
        "readable": settings.readable,
        "untraced": settings.untraced(sweep, finished),
        "yaml": (folder / "sweep.yaml").read_text(encoding="utf-8"),
        "digests": sweep_digests.shown_digests(folder),
        "versions": versions_section.versions(sweep),
        "compile": versions_section.compile_command(sweep),
        "commands": versions_section.commands(folder, table_texts.MOST_ROWS),
        "commands_file": link("commands.json"),
        "most_rows": table_texts.MOST_ROWS,
    }


def _common_rate_and_delay(sweep: PlannedSweep) -> str:
    """The bottleneck's rate and delay where all network conditions have the same, such as "5Mbps, 20ms"; else empty."""
    texts_of_parameters = [
        {quantities.value_text(row.get(name, "")) for row in sweep.own} for name in ("bandwidth", "delay")
    ]
    return ", ".join(value for texts in texts_of_parameters if len(texts) == 1 for value in texts if value)


def _counts_in_words(sweep: PlannedSweep, runs: str) -> tuple[str, tuple[int, str], tuple[str, str]]:
    """How many variants, network conditions and repetitions a sweep has: words, and numbers with their nouns."""
    variants = {row["variant"] for row in sweep.texts}
    networks = {tuple(place.values()) for place in axes.network_texts(sweep)}
    variants_text = f"{len(variants)} variant{'s' * (len(variants) != 1)}"
    return (
        variants_text,
        (len(networks), "network condition" + "s" * (len(networks) != 1)),
        (runs, "repetition" + "s" * (runs != "1")),
    )


@dataclass(frozen=True)
class ShownTables:
    """Tables of a sweep."""

    summary: pl.DataFrame
    flows: pl.DataFrame
    effects: pl.DataFrame
    means: int  # how many rows the whole summary has
    measured: set[str]  # the metrics in it
    crowded: bool  # whether the sweep is too large for interactive figures


def shown_tables(folder: Path, sweep: PlannedSweep, runs: int) -> ShownTables:
    """The tables of the sweep in a folder; ``runs`` is the number of its finished runs."""
    summary, flows, effects = (sweep_tables.scan(folder, name) for name in ("summary", "flows", "effects"))
    mean_count = summary.select(pl.len()).collect().item()
    measured = set(summary.select(pl.col("metric").unique()).collect()["metric"])
    crowded = explorer.is_crowded(mean_count, runs)
    if crowded:
        headline = metrics.headline(metrics.METRICS, sweep.headline)
        summary = summary.filter(pl.col("metric").is_in([*metrics.headline(measured, sweep.headline), *_ALSO_NAMED]))
        columns = flows.collect_schema().names()
        flows = flows.select(name for name in _FLOW_COLUMNS if name in columns)
        if effects.collect_schema().names():
            effects = effects.filter(pl.col("metric").is_in(list(headline))).select(_EFFECT_COLUMNS)
    return ShownTables(summary.collect(), flows.collect(), effects.collect(), mean_count, measured, crowded)

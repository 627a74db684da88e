# SPDX-License-Identifier: MIT
"""Judge a sweep's expectations by the intervals of the means."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import polars as pl

from tcpsweep.core.analysis import axis_columns
from tcpsweep.core.analysis.run_results import RunResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.statistics import means
from tcpsweep.core.sweep import bounds, combination_parts, network_part, rotations, sweep_tables
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.network_part import Part
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import metrics
from tcpsweep.features.expectations.expectation import KEY, Expectation, expectations_of

OfPart: TypeAlias = dict[tuple[int, str | None, str], dict[str, Any]]
"""Rows of a part's means, by combination, variant and metric."""

_RESULT = ("runs", "distinct_runs", "mean", "sd", "low", "high")
_SCHEMA = {
    "combination": pl.Int64,
    "expectation": pl.String,
    "that": pl.String,
    "flow_variant": pl.String,
    "metric": pl.String,
    "unit": pl.String,
    "runs": pl.Int64,
    "distinct_runs": pl.Int64,
    "mean": pl.Float64,
    "sd": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "finding": pl.String,
    "runs_needed": pl.Int64,
}


def judged_expectations(
    sweep: Sweep,
    summary: pl.DataFrame | pl.LazyFrame,
    values: pl.DataFrame | pl.LazyFrame,
    parts: Mapping[str, pl.LazyFrame] | None = None,
) -> pl.DataFrame:
    """Judge each expectation in each combination to which it applies.

    Parameters
    ----------
    summary : DataFrame or LazyFrame
        From `summaries.summarise`.
    values : DataFrame or LazyFrame
        From `summaries.by_run`.
    parts : dict of LazyFrame, optional
        For expectations of links, traffic and groups of flows, by the part's kind: from `summaries.of_links`,
        `summaries.of_traffic` and `group_values.summary`.

    Returns
    -------
    DataFrame
        - ``combination``, ``expectation`` (its name), ``that`` (its text), ``flow_variant`` (null for a
          metric of the whole network), ``metric``, ``unit``
        - ``runs``, ``distinct_runs``, ``mean``, ``sd``, ``low`` and ``high`` of the summary
        - ``finding``, "holds", "fails", "not shown", or "no value" if a finished run has none
        - ``runs_needed``, if it is not shown but the mean meets it: the number of different runs that would show it by
          Student's t, with the same mean and spread
    """
    expected = expectations_of(sweep)
    if not expected:
        return pl.DataFrame(schema=_SCHEMA)
    asked_metrics = list({expectation.metric for expectation in expected})
    summary, values = summary.lazy(), values.lazy()
    results = {
        (row["combination"], row["flow_variant"], row["metric"]): row
        for row in summary.filter(pl.col("metric").is_in(asked_metrics)).collect().iter_rows(named=True)
    }
    finished = dict(values.group_by("combination").agg(pl.col("run").n_unique()).collect().iter_rows())
    key = [pl.col("combination"), pl.col("flow_variant"), pl.col("metric").cast(pl.String)]
    with_value = values.filter(pl.col("metric").cast(pl.String).is_in(asked_metrics)).drop_nulls("value")
    counts = {tuple(place): runs for *place, runs in with_value.group_by(*key).agg(pl.len()).collect().iter_rows()}
    results_by_part = {
        part: _results_of_part(part, summary, parts or {}, asked_metrics)
        for part in dict.fromkeys(expectation.part for expectation in expected if expectation.part)
    }
    rows, lengths = [], rotations.lengths(sweep.combinations)
    for expectation in expected:
        for number in expectation.select(sweep.combinations):
            length = lengths[number]
            part_results = results_by_part[expectation.part] if expectation.part else {}
            for variant in _variants(expectation, number, sweep.combinations[number], part_results):
                if expectation.part is None:
                    result = results.get((number, variant, expectation.metric), dict.fromkeys(_RESULT))
                    count = counts.get((number, variant, expectation.metric), 0)
                else:
                    result = part_results.get((number, variant, expectation.metric), dict.fromkeys(_RESULT))
                    count = (result["runs"] or 0) * length
                rows.append(
                    {
                        "expectation": expectation.name,
                        "that": expectation.text,
                        "combination": number,
                        "flow_variant": variant,
                    }
                    | {"metric": expectation.metric, "unit": metrics.METRICS[expectation.metric].unit}
                    | _judged(expectation, result, count < finished.get(number, 1) // length * length, length)
                )
    return pl.DataFrame(rows, schema=_SCHEMA)


def _results_of_part(
    part: Part, summary: pl.LazyFrame, parts: Mapping[str, pl.LazyFrame], names: Sequence[str]
) -> OfPart:
    """The rows of means of a link, traffic or a group of flows, by combination, variant and metric."""
    part_summary = network_part.summary(part, summary, parts)
    rows = part_summary.filter(pl.col("metric").cast(pl.String).is_in(names)).collect().iter_rows(named=True)
    return {(row["combination"], row["flow_variant"], row["metric"]): row for row in rows}


def _variants(expected: Expectation, number: int, row: Combination, result_by_place: OfPart) -> Sequence[str | None]:
    """The flows' variants to which an expectation applies in a combination; None for the whole network or a part."""
    if expected.part and expected.part.kind == "group":
        return [
            variant for place, variant, metric in result_by_place if (place, metric) == (number, expected.metric)
        ] or [None]
    if expected.part or not metrics.METRICS[expected.metric].by_variant:
        return [None]
    return [variant for variant in combination_parts.variants_of_flows(row) if expected.variant in (None, variant)]


def _judged(expected: Expectation, result: Mapping[str, Any], is_lacking: bool, length: int) -> dict[str, Any]:
    """The columns with the result in one combination, where a rotation has ``length`` runs.

    ``is_lacking`` says whether a finished run or rotation has no value.
    """
    result_columns = {name: result[name] for name in _RESULT}
    is_traffic = expected.part is not None and expected.part.kind == "traffic"
    if is_traffic and result_columns["runs"] and result_columns["mean"] is None:
        # A percentile is infinite if it falls on an unfinished transfer.
        finding = bounds.met(expected.operator, expected.value, math.inf, None, None)
        return result_columns | {"finding": finding, "runs_needed": None}
    if is_lacking or result_columns["mean"] is None:
        return result_columns | {"finding": "no value", "runs_needed": None}
    mean = result_columns["mean"]
    finding = bounds.met(expected.operator, expected.value, mean, result_columns["low"], result_columns["high"])
    needed_runs = None
    if finding == "not shown" and bounds.met(expected.operator, expected.value, mean, None, None) == "holds":
        needed_runs = int(means.runs_needed([result_columns["sd"]], [abs(mean - expected.value)])[0]) * length or None
    return result_columns | {"finding": finding, "runs_needed": needed_runs}


def _tables(results: RunResults) -> Iterator[tuple[str, pl.DataFrame]]:
    of_parts = {kind: results.parts.whole(name) for kind, name in sweep_tables.OF_PARTS.items()}
    rows = judged_expectations(results.sweep, results.parts.whole("summary"), results.values, of_parts)
    yield "expectations", axis_columns.with_axes(results.axes, rows)


TABLES = AddedTables(key=KEY, tables=_tables)

# SPDX-License-Identifier: MIT
"""How the variants compare: a verdict for each metric and pair, and the differences in each network."""

from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.analysis import comparisons, effects, findings, verdict_words
from tcpsweep.report.sections import table_rows
from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics

# The metrics whose verdicts the page begins with, and how many of these verdicts it shows there.
FIRST, MOST_FIRST = ("goodput_bps", "queueing_delay_mean_s", "jain"), 12
MOST_DIFFERENCES = 3000


def verdicts(sweep: PlannedSweep, folder: Path) -> dict[str, Any]:
    """The verdicts of the sweep in ``folder``, as texts.

    Returns
    -------
    dict
        ``rows`` of the table; ``first``, those that the page begins with, each as the metric's title, the sentence, and
        the sentence against the variant that stands beside the baseline, or None; ``titles`` of the metrics of these;
        ``beside``, that variant or None; ``least_runs`` and ``precision``, what the section explains.
    """
    references = comparisons.references(sweep)
    rows = [_verdict(row) for row in _with_spans(folder)]
    beside = {
        (row["metric"], row["variant"]): row["verdict"]
        for row in rows
        if references[1:] == [row["reference"]] and not row["mix"]
    }
    headline = [row for row in rows if row["metric"] in FIRST and (row["mix"] or row["reference"] in references[:1])]
    return {
        "rows": rows,
        "first": [
            (row["title"], row["verdict"], None if row["mix"] else beside.get((row["metric"], row["variant"])))
            for row in headline[:MOST_FIRST]
        ],
        "titles": list(dict.fromkeys(row["title"] for row in headline)),
        "beside": next(iter(references[1:]), None),
        "least_runs": findings.LEAST_RUNS,
        "precision": f"{effects.PRECISION:.0%}",
    }


def _with_spans(folder: Path) -> list[dict[str, Any]]:
    """The rows of the table of verdicts, with the differences that each sums up: their median, least and greatest."""
    if not (folder / "verdicts.csv").is_file():
        return []
    table = pl.read_csv(folder / "verdicts.csv", schema_overrides={"mix": pl.String})
    key = ["metric", "variant", "reference", "mix"]
    ends = dict.fromkeys(("difference", "least", "greatest"), pl.Float64)
    spans = pl.DataFrame(schema={**dict.fromkeys(key, pl.String), **ends})
    if (folder / "effects.parquet").is_file():
        difference = pl.col("difference")
        every = pl.scan_parquet(folder / "effects.parquet").group_by(key)
        spans = every.agg(difference.median(), least=difference.min(), greatest=difference.max()).collect()
    joined = table.join(spans, on=key, how="left", nulls_equal=True, maintain_order="left")
    return list(joined.iter_rows(named=True))


def _verdict(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the table of verdicts with its numbers as text."""
    metric = metrics.METRICS[row["metric"]]
    ends = [row[name] for name in ("difference", "least", "greatest")]
    middle, least, greatest = (None if end is None else f"{end * metric.scale:+.3g}" for end in ends)
    unit = f" {metric.shown_unit}" if metric.shown_unit else ""
    return row | {
        "title": metric.title,
        "difference": "–" if middle is None else f"{middle}{unit} ({least} to {greatest})",
        "correlation": "–" if row["correlation"] is None else f"{row['correlation']:.2f}",
        "runs_needed": "–" if row["runs_needed"] is None else str(row["runs_needed"]),
    }


def differences(sweep: PlannedSweep, folder: Path) -> list[dict[str, Any]]:
    """Each network's differences in the headline metrics, as texts.

    Parameters
    ----------
    sweep : PlannedSweep
    folder : path
        The sweep's folder, with its table of effects where there are some.

    Returns
    -------
    list of dict
        ``title``, ``axes`` (text and place on each axis but the variant's), ``pair``, ``means``, ``difference`` with
        the interval that Holm's correction leaves, ``finding``. Empty if there are more than `MOST_DIFFERENCES`.
    """
    if not (folder / "effects.parquet").is_file():
        return []
    others, texts = {name: axis for name, axis in axes.of(sweep).items() if name != "variant"}, axes.texts(sweep)
    needed = pl.col("metric").is_in(list(metrics.headline(metrics.METRICS, sweep.headline)))
    headline = pl.scan_parquet(folder / "effects.parquet").filter(needed).head(MOST_DIFFERENCES + 1).collect()
    if headline.height > MOST_DIFFERENCES:
        return []
    return [
        _difference(row) | {"axes": table_rows.sortable(others, texts[row["combination"]])}
        for row in headline.iter_rows(named=True)
    ]


def _difference(row: dict[str, Any]) -> dict[str, Any]:
    metric = metrics.METRICS[row["metric"]]
    scaled = {
        name: None if row[name] is None else f"{row[name] * metric.scale:.4g}"
        for name in ("mean", "reference_mean", "difference", "holm_low", "holm_high")
    }
    share = "" if row["effect"] is None else f", {row['effect'] * 100:+.3g} %"
    interval = f" [{scaled['holm_low']}, {scaled['holm_high']}]" if scaled["holm_low"] else ""
    within = f" in {row['mix']}" if row["mix"] else ""
    return {
        "title": f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title,
        "pair": f"{row['variant']} − {row['reference']}{within}",
        "means": f"{scaled['mean'] or '–'}, {scaled['reference_mean'] or '–'}",
        "difference": f"{scaled['difference'] or '–'}{interval}{share}",
        "finding": _found(row),
    }


def _found(row: dict[str, Any]) -> str:
    same = f"the same within {verdict_words.bound(row)}"
    return {"same": same}.get(row["finding"]) or verdict_words.WORDS.get(row["finding"], row["finding"])

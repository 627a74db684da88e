# SPDX-License-Identifier: MIT
"""The end of a run in few words: a short table, what failed and how, and where the report is.

Snakemake loads this module at every start, so what is heavy is loaded only when it is needed.
"""

import json
import sys
from pathlib import Path

from tcpsweep.store import layout
from tcpsweep.sweep import axes, failures

MOST_FAILURES = 5
MOST_COMBINATIONS, MOST_VERDICTS, MOST_COLUMNS = 12, 2, 4
_SHOWN = {"goodput_bps": "goodput", "utilisation": "utilisation", "jain": "Jain", "owd_mean_s": "delay"}


def unmet(folder):
    """The sweep's expectations that do not hold, in words; empty if all do."""
    from tcpsweep.expectations import outcomes
    from tcpsweep.sweep import sweep_record

    sweep = sweep_record.read(folder)
    found = outcomes.of(sweep, folder) if sweep.expectations else []
    return outcomes.text(found) if not all(each.holds for each in found) else ""


def show(plan, logs=()):
    """Print how a run of Snakemake ended, to standard error; whatever happens, it says what it can.

    ``logs`` are Snakemake's own, where something went wrong.
    """
    if sys.stderr is None:  # closed
        return
    try:
        parts = (ending(plan, bool(logs)), *(f"Snakemake's log: {log}" for log in logs))
        text = "\n\n".join(part for part in parts if part)
    except Exception as error:  # the run has ended: nothing must hide how
        text = f"tcpsweep: {plan.sweep.name}: no summary ({type(error).__name__}: {error})"
    printable = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
    encoding = sys.stderr.encoding or "ascii"
    print("\n" + printable.encode(encoding, "replace").decode(encoding), file=sys.stderr, flush=True)


def ending(plan, went_wrong):
    """What `show` prints; a run that went well may have been asked for less than the report."""
    parts = []
    unfinished = _unfinished(plan)
    if _tables_are_made(plan):
        parts += [table(plan.folder), unmet(plan.folder)]
    failed = failures.failures(plan.folder)
    if unfinished and went_wrong:
        parts.append(unfinished)
    if failed:
        parts.append(_failed(failed, len({cell.id for cell in plan.cells})))
    if plan.report.is_file():
        parts.append(f"report: {plan.report}" + (" (of an earlier run)" if unfinished else ""))
    return "\n\n".join(part for part in parts if part)


def _failed(without, cells):
    """The cells without a result: those that failed, each with its log's end, and how many were not simulated."""
    failed = [failure for failure in without if failure.log]
    lines = [f"{len(without)} of {cells} cells have no result"]
    if len(failed) < len(without):
        lines[0] += f"; {len(without) - len(failed)} were not simulated, the next run does"
    for failure in failed[:MOST_FAILURES]:
        lines += [f"  {failure.cell} failed:", *(f"    {line}" for line in failure.log)]
    if len(failed) > MOST_FAILURES:
        lines.append(f"  and {len(failed) - MOST_FAILURES} more")
    return "\n".join(lines)


def _steps(plan):
    """The steps of a plan in their order: name, what the step makes, and its logs."""
    logs = plan.folder / "logs"
    if any(plan.jobs.values()):
        compiled = [
            ("compile", plan.binary),
            *(("variant", made) for made in plan.libraries),
            ("decoder", plan.decoder),
        ]
        for name, made in compiled:
            if made:
                yield name, made, [made.parent.with_suffix(".log"), Path(f"{made.parent}.rule.log")]
    for stamp in map(Path, plan.stamps()):
        kind, job = stamp.parent.name, stamp.stem
        yield kind, stamp, [layout.RESULTS / "logs" / kind / f"{job}.log"]
    yield "aggregate", plan.folder / "covered.json", [logs / "aggregate.log"]
    yield "figures", plan.folder / "figures.json", [logs / "figures.log"]
    yield "report", plan.report, [logs / "report.log"]


def _unfinished(plan):
    """The first step that has not made what it makes, and the end of its newest log; empty if all have."""
    for name, made, logs in _steps(plan):
        if made.exists():
            continue
        said = [log for log in logs if log.is_file() and log.stat().st_size]
        if not said:
            return f"{name} did not finish"
        log = max(said, key=lambda log: log.stat().st_mtime)
        return "\n".join(
            [f"{name} did not finish; {log} ends with", *(f"    {line}" for line in failures.last_lines(log, 15))]
        )
    return ""


def _tables_are_made(plan):
    """Whether the tables are those of the cells as they are now."""
    covered = plan.folder / "covered.json"
    if not covered.is_file() or not (plan.folder / "summary.parquet").is_file():
        return False
    return set(map(tuple, json.loads(covered.read_text(encoding="utf-8")))) == set(plan.finished())


def table(folder):
    """A short table of a sweep's results: each combination if they are few, else each variant's span over them."""
    import polars as pl

    from tcpsweep.sweep import sweep_record
    from tcpsweep.words import metrics, rounding

    sweep = sweep_record.read(folder)
    summary = pl.read_parquet(Path(folder) / "summary.parquet")
    if summary.is_empty():
        return f"{sweep.name}: no cell has a result"
    texts, shown = axes.texts(sweep), axes.of(sweep)
    each = len(texts) <= MOST_COMBINATIONS
    names = [name for name in shown if name != "variant"] if each else []
    own = summary.filter(pl.col("flow_variant").is_not_null()).select("combination", "flow_variant").unique()
    lines = {}
    for combination, variant in axes.in_order(own.rows(), texts):
        label = axes.series(variant, texts[combination]["variant"])
        place = [texts[combination][name] for name in names]
        lines.setdefault((label, *place), []).append((combination, variant))
    found = {
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
            values = [found.get((c, v if metric.scope == "flow" else None, name), (None,) * 3) for c, v in keys]
            row.append(
                rounding.shown(*values[0], metric.scale, metric.interval) if each else _span(values, metric.scale)
            )
        rows.append(row)
    what = "means ± 95 % confidence" if each else "the least and the greatest mean over each variant's combinations"
    return "\n".join([f"{sweep.name}: {what}", _aligned(rows), *_verdicts(folder, sweep.baseline)])


def _verdicts(folder, baseline):
    """What the sweep says of goodput against the baseline, in one line; of many variants, of the first."""
    import polars as pl

    table = pl.read_csv(Path(folder) / "verdicts.csv", schema_overrides={"mix": pl.String})
    found = table.filter(
        pl.col("metric") == "goodput_bps", pl.col("mix").is_null(), pl.col("reference") == (baseline or "")
    )["verdict"].to_list()
    more = f", and {len(found) - MOST_VERDICTS} more in the report" if len(found) > MOST_VERDICTS else ""
    return [f"goodput: {'. '.join(found[:MOST_VERDICTS])}{more}"] if found else []


def _span(values, scale):
    means = [mean * scale for mean, _, _ in values if mean is not None]
    return f"{min(means):.4g} to {max(means):.4g}" if means else "–"


def _aligned(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(f"  {line}".rstrip() for line in lines)

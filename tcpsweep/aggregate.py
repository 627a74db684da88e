# SPDX-License-Identifier: MIT
"""From the cells' Parquet to a sweep's tables."""

import json
from pathlib import Path

import polars as pl

from tcpsweep import metrics, statistics, store, tables, units
from tcpsweep.engine import write_whole
from tcpsweep.grid import value_form


def read_sweep(folder):
    """The sweep's table, as `plan` wrote it: a dict."""
    return json.loads((Path(folder) / "sweep.json").read_text(encoding="utf-8"))


def finished(sweep):
    """Those of the sweep's runs that have their metrics: a list of (cell, combination, run)."""
    runs = [tuple(run) for run in sweep["cells"]]
    return store.finished(runs, sweep["parser"], sweep["measures"])


def column(sweep, name):
    """The name of an axis' column: with its unit where all its values are numbers of one."""
    form = value_form(sweep["scenario"], name)
    suffix = {"rate": "_bps", "time": "_s", "duration": "_s"}.get(form, "")
    return name if any(isinstance(value, list) for value in sweep["axes"][name]) else name + suffix


def axis_values(sweep, name):
    """An axis' value in each combination as its column holds it: numbers in SI, or text.

    Where a value is one per flow, or some are words, all are as they are written.
    """
    values = [row.get(name) for row in sweep["combinations"]]
    form = value_form(sweep["scenario"], name)
    if not any(isinstance(value, list) for value in values):
        values = [units.si(value, form) for value in values]
    kinds = {isinstance(value, str | list) for value in values if value is not None}
    return [None if value is None else units.text(value) for value in values] if True in kinds else values


def combinations(sweep):
    """The sweep's combinations.

    Returns
    -------
    DataFrame
        ``combination`` (its number) and a column per axis, in the sweep's order.
    """
    columns = {"combination": pl.Series(range(len(sweep["combinations"])), dtype=pl.Int64)}
    return pl.DataFrame(
        columns | {column(sweep, name): axis_values(sweep, name) for name in sweep["axes"]}, strict=False
    )


def measure(sweep):
    """What all finished runs of a sweep came to.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``digest``, and the columns of `tables` "measures".
    """
    runs, digests = finished(sweep), {}
    for cell, _, _ in runs:
        if cell not in digests:
            record = store.parquet(cell, sweep["parser"]) / "run.json"
            digests[cell] = json.loads(record.read_text(encoding="utf-8"))["digest"]
    places = pl.DataFrame(
        [
            (str(_measured(sweep, cell, combination) / "measures.parquet"), combination, run, digests[cell])
            for cell, combination, run in runs
        ],
        schema={"path": pl.String, "combination": pl.Int64, "run": pl.Int64, "digest": pl.String},
        orient="row",
    )
    if not runs:
        return places.drop("path").join(pl.DataFrame(schema=tables.schema("measures")), how="cross")
    measures = pl.scan_parquet(
        places["path"].unique().to_list(), schema=tables.schema("measures"), include_file_paths="path"
    )
    return (
        measures.join(places.lazy(), on="path")
        .drop("path")
        .select("combination", "run", "digest", *tables.schema("measures"))
        .collect()
        .sort("combination", "run", "flow", "metric", nulls_last=True)
    )


def _measured(sweep, cell, combination):
    return store.measured(cell, sweep["parser"], sweep["measures"][combination])


def audit(sweep):
    """What the audits of a sweep's finished cells came to.

    Returns
    -------
    DataFrame
        ``combination``, a column per axis, ``run``, ``cell``, ``checks`` (how many there are), ``agreeing`` (how many
        of them agree), and of each check that does not agree a row with ``check``, ``flow``, ``low``, ``found``,
        ``high`` of `tables` "audit", and ``difference``, how far it is from what it may be. A cell whose checks all
        agree has one row, with nulls in these.
    """
    of_cells = {cell: (combination, run) for cell, combination, run in reversed(finished(sweep))}
    places = pl.DataFrame(
        [
            (str(_measured(sweep, cell, combination) / "audit.parquet"), combination, run, cell)
            for cell, (combination, run) in of_cells.items()
        ],
        schema={"path": pl.String, "combination": pl.Int64, "run": pl.Int64, "cell": pl.String},
        orient="row",
    )
    if of_cells:
        checks = pl.scan_parquet(places["path"].to_list(), schema=tables.schema("audit"), include_file_paths="path")
    else:
        checks = pl.LazyFrame(schema=tables.schema("audit") | {"path": pl.String})
    counts = checks.group_by("path").agg(checks=pl.len(), agreeing=pl.col("agrees").sum())
    off = pl.max_horizontal(pl.col("low") - pl.col("found"), pl.col("found") - pl.col("high"))
    disagreeing = checks.filter(~pl.col("agrees")).drop("agrees").with_columns(difference=off)
    found = places.lazy().join(counts, on="path").join(disagreeing, on="path", how="left").drop("path").collect()
    rows = found.sort("combination", "run", "check", "flow", maintain_order=True)
    return combinations(sweep).join(rows, on="combination", maintain_order="right")


def summarise(sweep, measures):
    """The sweep's summary: each metric of each combination, over its runs.

    Returns
    -------
    DataFrame
        ``combination``, a column per axis, ``flow_variant`` (null for a metric of the whole network), ``metric``,
        ``unit``, and the columns of `statistics.summarise`. A variant's value in a run is the mean over its forward
        flows: the replicate is the run, never the flow.
    """
    key = ["combination", "flow_variant", "metric"]
    values = (
        measures.filter(pl.col("flow").is_null() | (pl.col("direction") == "forward"))
        .rename({"variant": "flow_variant"})
        .group_by(*key, "run", "digest")
        .agg(pl.col("value").mean())
        .with_columns(pl.col("metric").cast(pl.Enum(list(metrics.METRICS))))
        .sort("combination", "flow_variant", "metric", "run", nulls_last=True)
    )
    units_of = {name: metric.unit for name, metric in metrics.METRICS.items()}
    return (
        combinations(sweep)
        .join(statistics.summarise(values, key), on="combination", maintain_order="right")
        .with_columns(pl.col("metric").cast(pl.String))
        .with_columns(unit=pl.col("metric").replace_strict(units_of, return_dtype=pl.String))
    )


def flows(sweep, measures):
    """The metrics of each run's flows.

    Returns
    -------
    DataFrame
        A column per axis, ``combination``, ``run``, ``digest``, ``cell``, ``flow``, ``direction``, ``flow_variant``,
        and a column per metric of scope "flow" that any has. Flows that were not there in the time that counts are not.
    """
    index = ["combination", "run", "digest", "cell", "flow", "direction", "flow_variant"]
    of_flows = measures.filter(pl.col("flow").is_not_null()).rename({"variant": "flow_variant"})
    found = set(of_flows["metric"].unique())
    table = of_flows.pivot("metric", index=index, values="value", maintain_order=True)
    names = [name for name in metrics.METRICS if name in found]
    return combinations(sweep).join(table.select(*index, *names), on="combination", maintain_order="right")


def wide(sweep, summary):
    """The summary with a row per combination and variant, and per metric its mean and the interval's ends.

    A metric of the whole network stands in each of its combination's rows; one that nothing has is left out.
    """
    found = set(summary["metric"].unique())
    axes = [column(sweep, name) for name in sweep["axes"]]
    rows = (
        summary.filter(pl.col("flow_variant").is_not_null())
        .group_by("combination", *axes, "flow_variant", maintain_order=True)
        .agg(pl.col("runs").max(), pl.col("distinct_runs").max())
    )
    for name, metric in metrics.METRICS.items():
        if name not in found:
            continue
        of_metric = summary.filter(pl.col("metric") == name)
        key = ["combination", "flow_variant"] if metric.scope == "flow" else ["combination"]
        ends = of_metric.select(
            *key, pl.col("mean").alias(name), pl.col("low").alias(f"{name}_low"), pl.col("high").alias(f"{name}_high")
        )
        rows = rows.join(ends, on=key, how="left", maintain_order="left")
    return rows.drop("combination")


def shown(value, low, high, scale):
    """A mean with its interval's half-width, to three digits of the mean or the half-width's second."""
    if value is None:
        return "–"
    mean, half = value * scale, None if high is None else (high - value) * scale
    if half is None:
        return f"{mean:.4g}"
    if half < abs(mean) * 1e-12:  # the rounding of a mean over equal values
        half = 0
    digits = 0
    while half and half * 10**digits < 9.5 and digits < 6:
        digits += 1
    return f"{mean:.{digits}f} ± {half:.{digits}f}" if half else f"{mean:.4g} ± 0"


def markdown(sweep, table):
    """The wide table's headline metrics as Markdown."""
    axes = [column(sweep, name) for name in sweep["axes"]]
    heads = [*axes, "flow_variant", "runs"]
    shown_metrics = metrics.headline(table.columns)
    for metric in shown_metrics.values():
        heads.append(f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title)
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for row in table.iter_rows(named=True):
        runs = f"{row['runs']}" if row["distinct_runs"] != 1 or row["runs"] == 1 else f"{row['runs']} (deterministic)"
        cells = [*(units.text(row[axis]) if row[axis] is not None else "" for axis in axes), row["flow_variant"], runs]
        for name, metric in shown_metrics.items():
            cells.append(shown(row[name], row[f"{name}_low"], row[f"{name}_high"], metric.scale))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write(folder):
    """Make the tables of the sweep in ``folder``.

    They are ``flows.parquet``, ``summary.parquet``, ``.csv`` and ``.md``, ``audit.parquet`` and ``.csv``, and last
    ``covered.json``, the finished runs that they are made of.
    """
    folder = Path(folder)
    sweep = read_sweep(folder)
    measures = measure(sweep)
    summary = summarise(sweep, measures)
    table = wide(sweep, summary)
    with store.written_whole(folder / "flows.parquet") as file:
        flows(sweep, measures).write_parquet(file)
    with store.written_whole(folder / "summary.parquet") as file:
        summary.write_parquet(file)
    with store.written_whole(folder / "summary.csv") as file:
        table.write_csv(file)
    audits = audit(sweep)
    with store.written_whole(folder / "audit.parquet") as file:
        audits.write_parquet(file)
    with store.written_whole(folder / "audit.csv") as file:
        audits.write_csv(file)
    write_whole(folder / "summary.md", markdown(sweep, table))
    write_whole(folder / "covered.json", json.dumps(finished(sweep)))

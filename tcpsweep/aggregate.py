# SPDX-License-Identifier: MIT
"""From the cells' Parquet to a sweep's tables."""

import json
from pathlib import Path

import polars as pl

from tcpsweep import metrics, statistics, store, tables, units
from tcpsweep.engine import write_whole
from tcpsweep.grid import value_form

BATCH_BYTES, BATCH_CELLS = 48 << 20, 400


def read_sweep(folder):
    """The sweep's table, as `plan` wrote it: a dict."""
    return json.loads((Path(folder) / "sweep.json").read_text(encoding="utf-8"))


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


def capacity_bps(row):
    """The bottleneck's rate in a combination, its mean over the time that is measured where it changes."""
    before = float(units.si(row["bandwidth"], "rate"))
    if row["step_bandwidth"] == "none":
        return before
    after = units.si(row["step_bandwidth"], "rate")
    start, end, step = (units.si(row[name], "time") for name in ("warmup", "duration", "step_time"))
    share = (end - min(max(step, start), end)) / (end - start)
    return before + (after - before) * share


def spans(sweep, finished):
    """When and against what each finished run is measured: `metrics.windows`' ``spans``."""
    rows = sweep["combinations"]
    captured = [*sweep["capture"]["traces"], *(["queue"] if sweep["capture"]["queue"] else [])]
    return pl.DataFrame(
        [
            {
                "combination": combination,
                "run": run,
                "cell": cell,
                "from_s": units.si(rows[combination]["warmup"], "time"),
                "to_s": units.si(rows[combination]["duration"], "time"),
                "capacity_bps": capacity_bps(rows[combination]),
                "captured": captured,
            }
            for cell, combination, run in sweep["cells"]
            if cell in finished
        ],
        schema={
            "combination": pl.Int64,
            "run": pl.Int64,
            "cell": pl.String,
            "from_s": pl.Float64,
            "to_s": pl.Float64,
            "capacity_bps": pl.Float64,
            "captured": pl.List(pl.String),
        },
    )


def _batches(cells, parser):
    """The cells in batches that fit in memory together."""
    batch, size = [], 0
    for cell in cells:
        batch.append(cell)
        size += (store.parquet(cell, parser) / "traces.parquet").stat().st_size
        if size >= BATCH_BYTES or len(batch) >= BATCH_CELLS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def measure(sweep):
    """Measure all finished runs of a sweep, batch by batch.

    Returns
    -------
    flows : DataFrame
        `metrics.per_flow` and each run's ``digest``.
    networks : DataFrame
        `metrics.per_network`.
    """
    parser = sweep["parser"]
    finished = store.finished({cell for cell, _, _ in sweep["cells"]}, parser)
    every = spans(sweep, finished)
    flow_parts, network_parts = [], []
    for batch in _batches(sorted(finished), parser):
        here = every.filter(pl.col("cell").is_in(batch))
        folders = [store.parquet(cell, parser) for cell in batch]
        flows, traces, queue = (
            pl.scan_parquet([folder / f"{table}.parquet" for folder in folders], schema=tables.schema(table))
            for table in ("flows", "traces", "queue")
        )
        measured = metrics.per_flow(flows.collect(), here, traces, queue)
        digests = [json.loads((folder / "run.json").read_text(encoding="utf-8"))["digest"] for folder in folders]
        flow_parts.append(measured.join(pl.DataFrame({"cell": batch, "digest": digests}), on="cell"))
        network_parts.append(metrics.per_network(measured, here, queue))
    if not flow_parts:
        nothing = pl.DataFrame(schema=tables.schema("flows"))
        idle = [pl.LazyFrame(schema=tables.schema(table)) for table in ("traces", "queue")]
        measured = metrics.per_flow(nothing, every, *idle).with_columns(digest=pl.lit(None, dtype=pl.String))
        return measured, metrics.per_network(measured, every, idle[1])
    order = ["combination", "run"]
    return pl.concat(flow_parts).sort(*order, "flow"), pl.concat(network_parts).sort(*order)


def summarise(sweep, flows, networks):
    """The sweep's summary: each metric of each combination, over its runs.

    Returns
    -------
    DataFrame
        ``combination``, a column per axis, ``flow_variant`` (null for a metric of the whole network), ``metric``,
        ``unit``, and the columns of `statistics.summarise`. In a mix a variant's value in a run is the mean over its
        flows: the replicate is the run, never the flow.
    """
    flow_names = [name for name, metric in metrics.METRICS.items() if metric.scope == "flow"]
    network_names = [name for name, metric in metrics.METRICS.items() if metric.scope == "network"]
    runs = ["combination", "run", "digest"]
    by_variant = (
        flows.group_by(*runs, pl.col("variant").alias("flow_variant"), maintain_order=True)
        .agg(pl.col(flow_names).mean())
        .unpivot(flow_names, index=[*runs, "flow_variant"], variable_name="metric", value_name="value")
    )
    digests = flows.select(runs).unique(maintain_order=True)
    by_network = (
        networks.join(digests, on=["combination", "run"])
        .with_columns(flow_variant=pl.lit(None, dtype=pl.String))
        .unpivot(network_names, index=[*runs, "flow_variant"], variable_name="metric", value_name="value")
    )
    values = pl.concat([by_variant, by_network.select(by_variant.columns)])
    names = pl.Enum(list(metrics.METRICS))
    units_of = {name: metric.unit for name, metric in metrics.METRICS.items()}
    summary = statistics.summarise(values, ["combination", "flow_variant", "metric"])
    return (
        combinations(sweep)
        .join(summary, on="combination")
        .with_columns(pl.col("metric").cast(names))
        .sort("combination", "flow_variant", "metric", nulls_last=True)
        .with_columns(pl.col("metric").cast(pl.String))
        .with_columns(unit=pl.col("metric").replace_strict(units_of, return_dtype=pl.String))
    )


def wide(sweep, summary):
    """The summary with a row per combination and variant, and per metric its mean and the interval's ends.

    A metric of the whole network stands in each of its combination's rows.
    """
    axes = [column(sweep, name) for name in sweep["axes"]]
    rows = (
        summary.filter(pl.col("flow_variant").is_not_null())
        .group_by("combination", *axes, "flow_variant", maintain_order=True)
        .agg(pl.col("runs").max(), pl.col("distinct_runs").max())
    )
    for name, metric in metrics.METRICS.items():
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
    """The wide table as Markdown."""
    axes = [column(sweep, name) for name in sweep["axes"]]
    heads = [*axes, "flow_variant", "runs"]
    for metric in metrics.METRICS.values():
        heads.append(f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title)
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for row in table.iter_rows(named=True):
        runs = f"{row['runs']}" if row["distinct_runs"] != 1 or row["runs"] == 1 else f"{row['runs']} (deterministic)"
        cells = [*(units.text(row[axis]) if row[axis] is not None else "" for axis in axes), row["flow_variant"], runs]
        for name, metric in metrics.METRICS.items():
            cells.append(shown(row[name], row[f"{name}_low"], row[f"{name}_high"], metric.scale))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write(folder):
    """Make the tables of the sweep in ``folder``: ``flows.parquet``, ``summary.parquet``, ``.csv`` and ``.md``.

    Last ``covered.json``, the finished cells that they are made of.
    """
    folder = Path(folder)
    sweep = read_sweep(folder)
    flows, networks = measure(sweep)
    summary = summarise(sweep, flows, networks)
    table = wide(sweep, summary)
    with store.written_whole(folder / "flows.parquet") as file:
        named = flows.rename({"variant": "flow_variant"})
        combinations(sweep).join(named, on="combination", maintain_order="right").write_parquet(file)
    with store.written_whole(folder / "summary.parquet") as file:
        summary.write_parquet(file)
    with store.written_whole(folder / "summary.csv") as file:
        table.write_csv(file)
    write_whole(folder / "summary.md", markdown(sweep, table))
    write_whole(folder / "covered.json", json.dumps(sorted(set(flows["cell"].to_list()))))

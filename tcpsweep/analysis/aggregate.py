# SPDX-License-Identifier: MIT
"""From the cells' Parquet to a sweep's tables."""

import itertools
import json
from pathlib import Path

import polars as pl

from tcpsweep.analysis import effects, harm
from tcpsweep.expectations import judged
from tcpsweep.statistics import estimates
from tcpsweep.store import layout, whole_files
from tcpsweep.store.whole_files import write_whole
from tcpsweep.study import claim_findings, reproduction
from tcpsweep.sweep import sweep_record
from tcpsweep.words import markup, metrics, rounding, table_columns, units

TABLES = (
    "verdicts.csv",
    "effects.csv",
    "effects.parquet",
    "summary.csv",
    "summary.md",
    "summary.tex",
    "summary.parquet",
    "flows.parquet",
    "audit.csv",
    "audit.parquet",
    "runs.parquet",
    "expectations.csv",
    "expectations.parquet",
    "flow_monitor.csv",
    "flow_monitor.parquet",
)
# Those that only a sweep with `harm: true` has rows in, and those that only one with ascii traces has.
HARM_TABLES = ("harm.csv", "harm.parquet")
NODE_TABLES = ("nodes.csv", "nodes.parquet")
STUDY_TABLES = tuple(f"{name}.{kind}" for name in reproduction.STUDIES for kind in ("csv", "parquet"))
# What a row of the table of flows is of.
FLOW_COLUMNS = ("combination", "run", "digest", "cell", "flow", "direction", "flow_variant")
BLOCK_RUNS = 2000  # whose cells' tables are in memory at a time


def column(sweep, name):
    """The name of an axis' column: with its unit where all its values are numbers of one."""
    form = sweep.forms.get(name)
    suffix = {"rate": "_bps", "time": "_s", "duration": "_s"}.get(form, "")
    return name if any(isinstance(value, list) for value in sweep.axes[name]) else name + suffix


def axis_values(sweep, name):
    """An axis' value in each combination as its column holds it: numbers in SI, or text.

    Where a value is one per flow, or some are words, all are as they are written.
    """
    values = [row.get(name) for row in sweep.combinations]
    form = sweep.forms.get(name)
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
    columns = {"combination": pl.Series(range(len(sweep.combinations)), dtype=pl.Int64)}
    return pl.DataFrame(columns | {column(sweep, name): axis_values(sweep, name) for name in sweep.axes}, strict=False)


def blocks(runs):
    """Runs as `finished` gives them in lists of about `BLOCK_RUNS`, all of a combination in one."""
    block = []
    for _, of_combination in itertools.groupby(runs, key=lambda run: run[1]):
        block += of_combination
        if len(block) >= BLOCK_RUNS:
            yield block
            block = []
    yield block


def measure(sweep, runs):
    """What finished runs of a sweep came to.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``digest``, and the columns of `tables` "measures".
    """
    digests = {}
    for cell, _, _ in runs:
        if cell not in digests:
            record = layout.parquet(cell, sweep.parser) / "run.json"
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
        return places.drop("path").join(pl.DataFrame(schema=table_columns.schema("measures")), how="cross")
    measures = pl.scan_parquet(
        places["path"].unique().to_list(), schema=table_columns.schema("measures"), include_file_paths="path"
    )
    return (
        measures.join(places.lazy(), on="path")
        .drop("path")
        .select("combination", "run", "digest", *table_columns.schema("measures"))
        .collect()
        .sort("combination", "run", "flow", "metric", nulls_last=True)
    )


def _measured(sweep, cell, combination):
    return layout.measured(cell, sweep.parser, sweep.measures[combination])


def first_uses(runs):
    """Of the runs that share a cell, as only their metrics differ, the first."""
    found = {}
    for run in runs:
        found.setdefault(run[0], run)
    return list(found.values())


def audit(sweep, runs):
    """What the audits of finished cells came to.

    Parameters
    ----------
    sweep : dict
    runs : list of (str, int, int)
        A run of each cell.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``cell``, ``checks`` (how many there are), ``agreeing`` (how many of them agree), and
        of each check that does not agree a row with ``check``, ``flow``, ``low``, ``found``,
        ``high`` of `tables` "audit", and ``difference``, how far it is from what it may be. A cell whose checks all
        agree has one row, with nulls in these.
    """
    places = pl.DataFrame(
        [
            (str(_measured(sweep, cell, combination) / "audit.parquet"), combination, run, cell)
            for cell, combination, run in runs
        ],
        schema={"path": pl.String, "combination": pl.Int64, "run": pl.Int64, "cell": pl.String},
        orient="row",
    )
    if runs:
        checks = pl.scan_parquet(
            places["path"].to_list(), schema=table_columns.schema("audit"), include_file_paths="path"
        )
    else:
        checks = pl.LazyFrame(schema=table_columns.schema("audit") | {"path": pl.String})
    counts = checks.group_by("path").agg(checks=pl.len(), agreeing=pl.col("agrees").sum())
    off = pl.max_horizontal(pl.col("low") - pl.col("found"), pl.col("found") - pl.col("high"))
    disagreeing = checks.filter(~pl.col("agrees")).drop("agrees").with_columns(difference=off)
    found = places.lazy().join(counts, on="path").join(disagreeing, on="path", how="left").drop("path").collect()
    return found.sort("combination", "run", "check", "flow", maintain_order=True)


def of_cells(sweep, runs, table):
    """A table that cells have, of finished cells.

    Parameters
    ----------
    sweep : dict
    runs : list of (str, int, int)
        A run of each cell.
    table : str

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``cell``, and the columns of `tables` ``table``, in their order.
    """
    parser = sweep.parser
    places = {
        str(layout.parquet(cell, parser) / f"{table}.parquet"): (combination, run, cell)
        for cell, combination, run in runs
    }
    there = [path for path in places if Path(path).is_file()]
    rows = [(path, *places[path]) for path in there]
    names = {"path": pl.String, "combination": pl.Int64, "run": pl.Int64, "cell": pl.String}
    found = pl.DataFrame(rows, schema=names, orient="row")
    if there:
        frame = pl.scan_parquet(there, include_file_paths="path").collect()
    else:
        frame = pl.DataFrame(schema=table_columns.schema(table) | {"path": pl.String})
    together = found.join(frame, on="path", maintain_order="right").drop("path")
    return together.sort("combination", "run", maintain_order=True)


def by_run(measures):
    """The replicates: a row for each run, variant and metric, never for each flow.

    Returns
    -------
    DataFrame
        ``combination``, ``flow_variant`` (null for a metric of the whole network), ``metric``, ``run``, ``digest``,
        ``value``, for a variant the mean over its forward flows, and ``counts``: whether it takes part in verdicts, as
        all of these flows, or all of the network's, are known to be steady or the metric does not ask for it.
    """
    forward = measures.filter(pl.col("flow").is_null() | (pl.col("direction") == "forward")).rename(
        {"variant": "flow_variant"}
    )
    free = [name for name, metric in metrics.METRICS.items() if not metric.needs_steady]
    return (
        forward.group_by("combination", "flow_variant", "metric", "run", "digest")
        .agg(pl.col("value").mean())
        .join(_steady(forward), on=["combination", "flow_variant", "run"], how="left", nulls_equal=True)
        .with_columns(
            counts=pl.col("metric").is_in(free) | pl.col("steady").fill_null(False),
            metric=pl.col("metric").cast(pl.Enum(list(metrics.METRICS))),
        )
        .drop("steady")
        .sort("combination", "flow_variant", "metric", "run", nulls_last=True)
    )


def _steady(forward):
    """Whether all flows of a variant in a run are steady, and with ``flow_variant`` null all of its network."""
    steady = (pl.col("metric") == "steady") & (pl.col("value") == 1)
    flows = (
        forward.filter(pl.col("flow").is_not_null())
        .group_by("combination", "flow_variant", "run", "flow")
        .agg(steady=steady.any())
    )
    parts = [flows, flows.with_columns(flow_variant=pl.lit(None, pl.String))]
    return pl.concat(parts).group_by("combination", "flow_variant", "run").agg(pl.col("steady").all())


def summarise(values):
    """Each metric of each combination, over its runs.

    Parameters
    ----------
    values : DataFrame
        From `by_run`.

    Returns
    -------
    DataFrame
        ``combination``, ``flow_variant`` (null for a metric of the whole network), ``metric``, the columns of
        `estimates.summarise`, ``unit``, and ``interval``, "t" or "bootstrap".
    """
    key = ["combination", "flow_variant", "metric"]
    units_of = {name: metric.unit for name, metric in metrics.METRICS.items()}
    intervals = {name: metric.interval for name, metric in metrics.METRICS.items()}
    skewed = [name for name, kind in intervals.items() if kind == "bootstrap"]
    ends = estimates.bootstrapped(values.filter(pl.col("metric").is_in(skewed)), key)
    summary = estimates.summarise(values, key).join(
        ends, on=key, how="left", nulls_equal=True, maintain_order="left", suffix="_bootstrap"
    )
    return (
        summary.with_columns(
            pl.col("metric").cast(pl.String), *(pl.coalesce(f"{n}_bootstrap", n).alias(n) for n in ("low", "high"))
        )
        .drop("low_bootstrap", "high_bootstrap")
        .with_columns(
            unit=pl.col("metric").replace_strict(units_of, return_dtype=pl.String),
            interval=pl.col("metric").replace_strict(intervals, return_dtype=pl.String),
        )
    )


def with_axes(sweep, rows):
    """Rows with ``combination``, and behind that a column per axis."""
    return combinations(sweep).join(rows, on="combination", maintain_order="right")


def networks(sweep, table, first):
    """A table with a column per axis but the variant's, behind its ``first`` columns, which say what a row is of."""
    known = combinations(sweep)
    names = [name for name in known.columns if name not in ("combination", "variant")]
    rows = table.join(known.select("combination", *names), on="combination", how="left", maintain_order="left")
    return rows.select(*table.columns[:first], *names, *table.columns[first:])


def flows(measures):
    """The metrics of each run's flows.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``digest``, ``cell``, ``flow``, ``direction``, ``flow_variant``,
        and a column per metric of scope "flow" that any has. Flows that were not there in the time that counts are not.
    """
    of_flows = measures.filter(pl.col("flow").is_not_null()).rename({"variant": "flow_variant"})
    return of_flows.pivot("metric", index=FLOW_COLUMNS, values="value", maintain_order=True)


def wide(sweep, summary):
    """The summary with a row per combination and variant, and per metric its mean and the interval's ends.

    A metric of the whole network stands in each of its combination's rows; one that nothing has is left out.
    """
    found = set(summary["metric"].unique())
    rows = (
        summary.filter(pl.col("flow_variant").is_not_null())
        .group_by("combination", "flow_variant", maintain_order=True)
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
    return with_axes(sweep, rows).drop("combination")


def silent(summary):
    """The combinations in which no flow carried any data, in any run."""
    nothing = (pl.col("metric") == "flows_with_data") & (pl.col("mean") == 0)
    return set(summary.filter(nothing)["combination"])


def for_people(sweep, table):
    """The wide table's headline metrics as texts: its heads, its rows, and how many columns come before the numbers."""
    axes = [column(sweep, name) for name in sweep.axes]
    heads = [*axes, "flow_variant", "runs"]
    words = len(heads)
    shown_metrics = metrics.headline(table.columns, sweep.headline)
    for metric in shown_metrics.values():
        heads.append(f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title)
    rows = []
    for row in table.iter_rows(named=True):
        runs = f"{row['runs']}" if row["distinct_runs"] != 1 or row["runs"] == 1 else f"{row['runs']} (deterministic)"
        cells = [*(units.text(row[axis]) if row[axis] is not None else "" for axis in axes), row["flow_variant"], runs]
        for name, metric in shown_metrics.items():
            value = row[name], row[f"{name}_low"], row[f"{name}_high"]
            nothing = value[0] is None and row.get("flows_with_data") == 0
            cells.append(rounding.NO_TRAFFIC if nothing else rounding.shown(*value, metric.scale, metric.interval))
        rows.append(cells)
    return heads, rows, words


def of_runs(sweep):
    """All that is made of finished runs alone, block by block: no more than a block's own tables are read at a time.

    Returns
    -------
    dict of str to DataFrame
        ``values`` as `by_run` gives them, ``summary``, ``flows`` and ``audit`` as `summarise`, `flows` and `audit`,
        ``flow_monitor`` and ``nodes`` as `of_cells`, and ``measures`` as `measure`, of a sweep that reproduces a study;
        of others it has no row. What is in addition to the sweep's own combinations is in the audit, in ``values`` and
        in ``measures`` alone.
    """
    runs, parts = sweep.finished(), {}
    firsts = set(first_uses(runs))
    own = pl.col("combination") < sweep.swept
    for block in blocks(runs):
        cells = [run for run in block if run in firsts]
        swept = [run for run in cells if run[1] < sweep.swept]
        measures = measure(sweep, block)
        values = by_run(measures)
        made = {
            "values": values,
            "summary": summarise(values.filter(own)),
            "flows": flows(measures.filter(own)),
            "audit": audit(sweep, cells),
            "flow_monitor": of_cells(sweep, swept, "flow_monitor"),
            "nodes": of_cells(sweep, swept, "nodes"),
            "measures": measures if sweep.study else measures.clear(),
        }
        for name, frame in made.items():
            parts.setdefault(name, []).append(frame)
    return {name: pl.concat(frames, how="diagonal") for name, frames in parts.items()}


def _study(sweep, measures):
    """The tables of the study that a sweep reproduces, by name."""
    return reproduction.tables(sweep, measures) | {"published_claims": claim_findings.judged(sweep, measures)}


def write(folder):
    """Make the tables of the sweep in ``folder``: `TABLES`, and last ``covered.json``, the runs they are made of.

    What `harm` and `published` add to the sweep is in tables of their own and in the audit alone. Each table is written
    and given up before the next is made.
    """
    folder = Path(folder)
    whole = sweep_record.read(folder)
    sweep = whole.up_to(whole.swept)
    made = of_runs(whole)
    for name, frame in _study(whole, made.pop("measures")).items():
        _write(folder, name, with_axes(sweep, frame))
    values = made.pop("values")
    first = whole.published.first
    harms = harm.harms(whole.up_to(first), values)
    _write(folder, "harm", networks(sweep, harms, 1))
    _write(folder, "audit", with_axes(whole, made.pop("audit")))
    for name in ("flow_monitor", "nodes"):
        _write(folder, name, with_axes(sweep, made.pop(name)))
    per_flow = made.pop("flows")
    ordered = [*FLOW_COLUMNS, *(name for name in metrics.METRICS if name in per_flow.columns)]
    _write_parquet(folder, "flows", with_axes(sweep, per_flow.select(ordered)))
    del per_flow
    values = values.filter(pl.col("combination") < whole.swept)
    _write_parquet(folder, "runs", values)
    summary = made.pop("summary")
    _write(folder, "expectations", with_axes(sweep, judged.table(sweep, summary, values)))
    _write_parquet(folder, "summary", with_axes(sweep, summary))
    table = wide(sweep, summary)
    del summary
    _write_csv(folder, "summary", table)
    heads, rows, words = for_people(sweep, table)
    write_whole(folder / "summary.md", markup.markdown(heads, rows))
    write_whole(folder / "summary.tex", markup.latex(heads, rows, words))
    effect = effects.effects(sweep, values)
    del values
    _write_csv(folder, "verdicts", effects.verdicts(effect, effects.pairs(sweep)))
    _write(folder, "effects", networks(sweep, effect, 2))
    write_whole(folder / "covered.json", json.dumps(whole.finished()))


def _write(folder, name, frame):
    _write_parquet(folder, name, frame)
    _write_csv(folder, name, frame)


def _write_parquet(folder, name, frame):
    with whole_files.written_whole(folder / f"{name}.parquet") as file:
        frame.write_parquet(file)


def _write_csv(folder, name, frame):
    with whole_files.written_whole(folder / f"{name}.csv") as file:
        frame.write_csv(file)

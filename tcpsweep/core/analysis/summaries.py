# SPDX-License-Identifier: MIT
"""Metrics over runs: the value of each run, the summary of each combination, and the rows of each flow."""

from collections.abc import Iterable, Sequence

import polars as pl

from tcpsweep.core.analysis import axis_columns, reference_links, stationarity
from tcpsweep.core.statistics import bootstrap, means, rotation_blocks
from tcpsweep.core.sweep import axes, network_graph
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, rounding, units

# The columns that identify the flow of a row in the table of flows.
_FLOW = ("combination", "run", "digest", "cell", "flow", "bottleneck", "direction", "flow_variant")
_GROUPS = {"combination": pl.Int64, "flow": pl.Int32, "group": pl.String}
FLOW_COLUMNS = ("combination", "run", "digest", "cell", "flow", "group", "bottleneck", "direction", "flow_variant")


def by_run(measures: pl.DataFrame, lengths: Sequence[int] = (), sides: int | None = None) -> pl.DataFrame:
    """The replicates: a row for each run, variant and metric, never for each flow.

    ``measures`` are from `cell_tables.measure`, and ``lengths`` from `rotations.lengths`, as for `summarise`.
    ``sides`` is the number of the sweep's sides, as for `stationarity.sides`.

    Returns
    -------
    DataFrame
        A row for each replicate, without metrics that only single flows have. Columns:

        - ``combination``, ``metric``, ``run``, ``digest``, and ``flow_variant``, null for a metric of the whole network
        - ``link``: as from `reference_links.at_reference`
        - ``value``: for a variant, the mean over its forward flows that share the network's bottleneck
        - ``counts``: whether verdicts use it. All runs of the variant, or of the network, are then stationary together,
          and the metric does not drift; or the metric does not need that.
        - ``steady_shown``: whether steady state is shown, as from `stationarity.with_counts`
    """
    averaged = (
        reference_links.at_reference(measures)
        .filter(
            pl.col("flow").is_null() | (pl.col("direction") == "forward"),
            pl.col("metric").cast(pl.String).is_in(metrics.averaged()),
        )
        .rename({"variant": "flow_variant"})
    )
    steady_sides = stationarity.counted(averaged, lengths, sides)
    return (
        averaged.group_by("combination", "flow_variant", "metric", "link", "run")
        .agg(pl.col("digest").first(), pl.col("value").mean())
        .join(steady_sides, on=["combination", "flow_variant"], how="left", nulls_equal=True)
        .pipe(stationarity.with_counts)
        .with_columns(metric=pl.col("metric").cast(pl.Enum(list(metrics.METRICS))))
        .sort("combination", "flow_variant", "metric", "link", "run", nulls_last=True)
    )


def of_links(measures: pl.DataFrame, lengths: Sequence[int] = ()) -> pl.DataFrame:
    """The metrics of each link and direction over runs, of described networks and others of several links.

    ``measures`` are from `cell_tables.measure`, and ``lengths`` are as for `summarise`.

    Returns
    -------
    DataFrame
        ``combination``, ``link``, ``direction``, and the other columns of `summarise`, without ``flow_variant``.
    """
    key = ("combination", "link", "direction", "metric")
    return summarise(measures.filter(pl.col("link").is_not_null()), key, lengths)


def of_traffic(measures: pl.DataFrame, lengths: Sequence[int] = ()) -> pl.DataFrame:
    """The metrics of each group of traffic over runs.

    ``measures`` are from `cell_tables.measure`, and ``lengths`` are as for `summarise`.

    Returns
    -------
    DataFrame
        ``combination``, ``traffic``, ``flow_variant`` (the group's), and the other columns of `summarise`, with
        ``infinite_runs`` after ``distinct_runs``: the number of ``runs`` whose value is infinite, because it belongs to
        an unfinished transfer. If there are any, mean, spread and interval are null, because the other runs' numbers
        would be too small.
    """
    key = ["combination", "traffic", "flow_variant", "metric"]
    rows = measures.filter(pl.col("traffic").is_not_null()).rename({"variant": "flow_variant"})
    rows = rotation_blocks.of_combinations(rows, lengths, key)
    is_infinite = pl.col("value").is_infinite()
    counts = rows.group_by(key).agg(infinite_runs=is_infinite.sum().cast(pl.Int64))
    summary = summarise(rows.with_columns(pl.when(~is_infinite).then("value").alias("value")), key)
    counts = counts.with_columns(pl.col("metric").cast(pl.String))
    is_finite = pl.col("infinite_runs") == 0
    first = [*key, "runs", "distinct_runs"]
    return (
        summary.join(counts, on=key, how="left", maintain_order="left")
        .with_columns(pl.when(is_finite).then(name).alias(name) for name in ("mean", "sd", "low", "high"))
        .select(*first, "infinite_runs", *(name for name in summary.columns if name not in first))
        .sort("combination", "traffic", maintain_order=True)
    )


def summarise(
    values: pl.DataFrame,
    by: Sequence[str] = ("combination", "flow_variant", "metric", "link"),
    lengths: Sequence[int] = (),
) -> pl.DataFrame:
    """Each metric of each combination, over its runs, or its whole rotations where variants change places.

    ``values`` are from `by_run`, and ``by`` are the columns that identify a row of the result. ``lengths`` are from
    `rotations.lengths`; without them, all rotations have one run.

    Returns
    -------
    DataFrame
        ``combination``, ``flow_variant`` (null for a metric of the whole network), ``metric``, ``link``, the columns of
        `means.summarise`, ``unit``, and ``interval``, "t" or "bootstrap". Mean, spread and interval are null for a
        metric if a finished run lacks it because it lasts too long: the other runs' mean would be too small.
    """
    key = [*by]
    values = rotation_blocks.of_combinations(values, lengths, key)
    units_of = {name: metric.unit for name, metric in metrics.METRICS.items()}
    intervals = {name: metric.interval for name, metric in metrics.METRICS.items()}
    skewed = [name for name, kind in intervals.items() if kind == "bootstrap"]
    bootstrap_intervals = bootstrap.bootstrapped(values.filter(pl.col("metric").is_in(skewed)), key)
    summary = means.summarise(values, key).join(
        bootstrap_intervals, on=key, how="left", nulls_equal=True, maintain_order="left", suffix="_bootstrap"
    )
    censored = [name for name, metric in metrics.METRICS.items() if metric.censored]
    finished_runs = values.group_by("combination").agg(finished=pl.col("run").n_unique())
    lacking = pl.col("metric").is_in(censored) & (pl.col("runs") < pl.col("finished"))
    return (
        summary.with_columns(
            pl.col("metric").cast(pl.String), *(pl.coalesce(f"{n}_bootstrap", n).alias(n) for n in ("low", "high"))
        )
        .drop("low_bootstrap", "high_bootstrap")
        .join(finished_runs, on="combination", how="left", maintain_order="left")
        .with_columns(pl.when(~lacking).then(name) for name in ("mean", "sd", "low", "high"))
        .drop("finished")
        .with_columns(
            unit=pl.col("metric").replace_strict(units_of, return_dtype=pl.String),
            interval=pl.col("metric").replace_strict(intervals, return_dtype=pl.String),
        )
    )


def flows(measures: pl.DataFrame, groups: pl.DataFrame) -> pl.DataFrame:
    """The metrics of each run's flows.

    ``measures`` are from `cell_tables.measure`, and ``groups`` from `flow_groups`.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``digest``, ``cell``, ``flow``, ``group`` (null unless the network is described),
        ``bottleneck``, the link that limits it, ``direction``, ``flow_variant``, and a column per metric of scope
        "flow" that any flow has. Flows absent from the time that counts are left out.
    """
    of_flows = measures.filter(pl.col("flow").is_not_null()).rename({"variant": "flow_variant"})
    rows_of_flows = of_flows.pivot("metric", index=_FLOW, values="value", maintain_order=True)
    with_groups = rows_of_flows.join(groups, on=["combination", "flow"], how="left", maintain_order="left")
    return with_groups.select(*FLOW_COLUMNS, pl.exclude(FLOW_COLUMNS))


def variants(summary: pl.DataFrame, wholes: Sequence[str]) -> pl.DataFrame:
    """The variants of each combination, with the most runs that a metric has.

    ``summary`` is from `summarise`. ``wholes`` has each combination's variant, or mix of variants, which names the row
    of a combination with traffic but no flows.

    Returns
    -------
    DataFrame
        ``combination``, ``flow_variant``, ``runs``, ``distinct_runs``.
    """
    has_flows = pl.col("flow_variant").is_not_null().any().over("combination")
    variant_or_mix = pl.col("combination").replace_strict(dict(enumerate(wholes)), default=None, return_dtype=pl.String)
    return (
        summary.filter(pl.col("flow_variant").is_not_null() | ~has_flows)
        .group_by("combination", "flow_variant", maintain_order=True)
        .agg(pl.col("runs").max(), pl.col("distinct_runs").max())
        .with_columns(pl.coalesce("flow_variant", variant_or_mix).alias("flow_variant"))
    )


def wide(
    axes_table: pl.DataFrame, summary: pl.DataFrame, headline: Iterable[str], wholes: Sequence[str] = ()
) -> pl.DataFrame:
    """The summary's headline metrics with a row per combination and variant, and three columns each: mean, low, high.

    The columns of ``axes_table``, from `axis_columns.combinations`, come first. A metric of the whole network is
    repeated in each row of its combination. ``wholes`` are as for `variants`.
    """
    rows = variants(summary, wholes)
    for name in headline:
        of_metric = summary.filter(pl.col("metric") == name)
        key = ["combination", "flow_variant"] if metrics.METRICS[name].by_variant else ["combination"]
        mean_and_interval = of_metric.select(
            *key, pl.col("mean").alias(name), pl.col("low").alias(f"{name}_low"), pl.col("high").alias(f"{name}_high")
        )
        rows = rows.join(mean_and_interval, on=key, how="left", maintain_order="left")
    return axis_columns.with_axes(axes_table, rows)


def silent(summary: pl.DataFrame) -> set[int]:
    """The combinations in which no flow carried data in any run."""
    has_no_data = (pl.col("metric") == "flows_with_data") & (pl.col("mean") == 0)
    return set(summary.filter(has_no_data)["combination"])


def flow_groups(sweep: PlannedSweep) -> pl.DataFrame:
    """The name of each flow's group.

    Flows are numbered as the simulator numbers them: group by group in the file's order.

    Returns
    -------
    DataFrame
        ``combination``, ``flow``, ``group``; no rows for combinations whose network is not described.
    """
    rows = [
        (combination, flow, group)
        for combination, row in enumerate(sweep.combinations)
        for flow, group in enumerate(
            name for name in network_graph.things(row, "flows") for _ in range(network_graph.count(row, "flows", name))
        )
    ]
    return pl.DataFrame(rows, schema=_GROUPS, orient="row")


def texts_for_print(
    sweep: PlannedSweep, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[list[str], list[list[str]]]:
    """The heads and rows of `texts_for_people` with words in place of columns' names, and variants' names for print."""
    names, unit_of = axes.names_for_print(sweep), {"_bps": " [bit/s]", "_s": " [s]"}
    heading_of_column = {"flow_variant": "flows of"}
    for name in sweep.axes:
        column = axis_columns.column(sweep, name)
        unit = next(
            (unit for ending, unit in unit_of.items() if column.endswith(ending) and not name.endswith(ending)),
            "",
        )
        heading_of_column[column] = f"{axes.title(name, sweep.axes)}{unit}"
    are_variants = [head in ("variant", "flow_variant") for head in heads]
    printed = [
        [names.get(text, text) if is_variant else text for text, is_variant in zip(row, are_variants, strict=True)]
        for row in rows
    ]
    return [heading_of_column.get(head, head) for head in heads], printed


def texts_for_people(
    sweep: PlannedSweep, table: pl.DataFrame, silent: set[int]
) -> tuple[list[str], list[list[str]], int]:
    """The wide table as texts: its heads, its rows, and how many columns come before the numbers.

    ``silent`` are the combinations in which no flow carried data.
    """
    columns = [axis_columns.column(sweep, name) for name in sweep.axes]
    places = [name for name in ("group", "link") if name in table.columns]
    heads = [*columns, "flow_variant", *places, "runs"]
    text_columns = len(heads)
    shown_metrics = metrics.headline(table.columns, sweep.headline)
    for metric in shown_metrics.values():
        heads.append(f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title)
    rows = []
    for row in table.iter_rows(named=True):
        runs = f"{row['runs']}" if row["distinct_runs"] != 1 or row["runs"] == 1 else f"{row['runs']} (deterministic)"
        cells = [
            *(units.value_text(row[axis]) if row[axis] is not None else "" for axis in columns),
            row["flow_variant"],
            *(row[name] or "" for name in places),
            runs,
        ]
        for name, metric in shown_metrics.items():
            interval = row[name], row[f"{name}_low"], row[f"{name}_high"]
            is_silent = interval[0] is None and row["combination"] in silent
            cells.append(
                rounding.NO_TRAFFIC if is_silent else rounding.mean_text(*interval, metric.scale, metric.interval)
            )
        rows.append(cells)
    return heads, rows, text_columns

# SPDX-License-Identifier: MIT
"""The numbers of groups of flows, in networks where groups take different paths."""

from collections.abc import Collection, Iterable, Sequence

import polars as pl

from tcpsweep.core.analysis import stationarity, summaries
from tcpsweep.core.sweep import combination_parts, flow_groups, network_graph, network_part, rotations
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import link_words, metrics

_RUN = ["combination", "group", "run"]
KEY = ("combination", "group", "flow_variant", "link", "metric")
OF_LINKS = (*network_part.link_metrics(), network_part.JAIN)


def sides(sweep: PlannedSweep, flows: pl.DataFrame) -> pl.DataFrame:
    """Whether the forward flows whose numbers are shown are stationary, as from `stationarity.sides`.

    Where groups of flows differ, each group is a side. Its ``flow_variant`` is then the variant and the group, such as
    "TcpCubic, upload".

    ``flows`` is the sweep's table, or some of its columns.
    """
    forward = flows.filter(pl.col("direction") == "forward")
    if "group" in forward.columns:
        differ = pl.col("combination").is_in(list(combinations(sweep)))
        variants = pl.col("flow_variant").unique(maintain_order=True).str.join("+").over("combination", "group")
        side_name = pl.when(differ).then(pl.concat_str(variants, pl.lit(", "), "group")).otherwise("flow_variant")
        forward = forward.with_columns(flow_variant=side_name)
    return stationarity.sides(forward, rotations.lengths(sweep.combinations), number(sweep))


def number(sweep: PlannedSweep) -> int:
    """The number of the sweep's own sides: its combinations' variants, or their groups of flows where these differ."""
    return sum(
        len(network_graph.things(row, "flows"))
        if flow_groups.differ(row)
        else len(combination_parts.variants_of_flows(row))
        for row in sweep.own
    )


def combinations(sweep: PlannedSweep) -> set[int]:
    """The numbers of the combinations whose groups of flows differ."""
    return {number for number, row in enumerate(sweep.combinations) if flow_groups.differ(row)}


def by_run(
    measures: pl.DataFrame,
    groups: pl.DataFrame,
    grouped: Collection[int],
    lengths: Sequence[int] = (),
    sides: int | None = None,
) -> pl.DataFrame:
    """The replicates: a row for each run, group of flows, variant and metric.

    Parameters
    ----------
    measures : DataFrame
        From `cell_tables.measure`.
    groups : DataFrame
        From `summaries.flow_groups`.
    grouped : set of int
        From `combinations`; others have no rows.
    lengths : list of int, optional
        From `rotations.lengths`.
    sides : int, optional
        From `number`.

    Returns
    -------
    DataFrame
        `KEY`, ``run``, ``digest``, ``value``, ``counts`` and ``steady_shown``, as in `summaries.by_run`. ``link`` is
        the one that limits the group's flows, if it is the same for all, or any of a group of links. Metrics of this
        link have no ``flow_variant``.
    """
    metric = pl.col("metric").cast(pl.String)
    of_grouped = measures.filter(pl.col("combination").is_in(list(grouped)), pl.col("traffic").is_null())
    of_flows = of_grouped.filter(pl.col("flow").is_not_null(), pl.col("direction") == "forward")
    flows = of_flows.drop("link").join(groups, on=["combination", "flow"]).rename({"variant": "flow_variant"})
    flows = flows.with_columns(link=_link())
    of_groups = (
        flows.filter(metric.is_in(metrics.averaged()))
        .group_by(*KEY, "run")
        .agg(pl.col("digest").first(), pl.col("value").mean())
    )
    links = of_grouped.filter(pl.col("link").is_not_null(), metric.is_in(OF_LINKS))
    back = pl.when(pl.col("direction") == "reverse").then(pl.lit(f" {link_words.BACK}")).otherwise(pl.lit(""))
    links = links.with_columns(link=pl.concat_str("link", back))
    key_of_link = ["combination", "run", "link"]
    of_links = (
        flows.select(*_RUN, "link")
        .unique()
        .join(links.select(*key_of_link, "metric", "digest", "value"), on=key_of_link)
        .with_columns(flow_variant=pl.lit(None, pl.String))
    )
    steady = stationarity.counted(flows.with_columns(flow_variant=pl.col("group")), lengths, sides)
    columns = [*KEY, "run", "digest", "value"]
    return (
        pl.concat([of_groups.select(columns), of_links.select(columns)])
        .join(steady.rename({"flow_variant": "group"}), on=["combination", "group"], how="left")
        .pipe(stationarity.with_counts)
        .sort(*KEY, "run", nulls_last=True)
    )


def _link() -> pl.Expr:
    """The bottleneck of a group's flows: one link, or several links of one group, such as "any of hop-*"; else null."""
    alike = pl.col("bottleneck").str.replace(r"-\d+( back)?$", "-*$1")
    several = pl.when(alike.str.contains("-*", literal=True)).then(link_words.ANY_OF + alike)
    same, same_group = (column.n_unique().over(_RUN) == 1 for column in (pl.col("bottleneck"), alike))
    return pl.when(same).then("bottleneck").when(same_group).then(several)


def summary(values: pl.DataFrame, lengths: Sequence[int] = ()) -> pl.DataFrame:
    """The table of groups: means over runs, with `KEY` and the other columns of `summaries.summarise`."""
    return summaries.summarise(values, KEY, lengths)


def wide(groups: pl.DataFrame, summary: pl.DataFrame, headline: Iterable[str]) -> pl.DataFrame:
    """The headline metrics with a row per combination, group and variant, each with three columns: mean, low, high.

    ``groups`` is from this module's `summary`. ``summary`` is from `summaries.summarise`, for metrics that only the
    whole network has. The other columns are ``combination``, ``flow_variant``, ``group``, ``link``, ``runs`` and
    ``distinct_runs``.
    """
    key_of_row = ["combination", "group", "flow_variant"]
    of_flows = groups.filter(pl.col("flow_variant").is_not_null())
    counts = (pl.col(name).max() for name in ("runs", "distinct_runs"))
    rows = of_flows.group_by(key_of_row, maintain_order=True).agg(pl.col("link").first(), *counts)
    for name in headline:
        source, key = summary, key_of_row[:1]
        if metrics.METRICS[name].by_variant:
            source, key = of_flows, key_of_row
        elif name in OF_LINKS:
            source, key = groups, key_of_row[:2]
        source_of_column = {name: "mean", f"{name}_low": "low", f"{name}_high": "high"}
        of_metric = source.filter(pl.col("metric") == name)
        columns = (pl.col(end).alias(column) for column, end in source_of_column.items())
        rows = rows.join(of_metric.select(*key, *columns), on=key, how="left", maintain_order="left")
    return rows


def in_place(table: pl.DataFrame, of_groups: pl.DataFrame) -> pl.DataFrame:
    """The table of `summaries.wide`, where the rows of groups replace their combinations' rows, in order."""
    other_rows = table.join(
        of_groups.select("combination").unique(), on="combination", how="anti", maintain_order="left"
    )
    all_rows = pl.concat([other_rows, of_groups], how="diagonal").sort("combination", maintain_order=True)
    return all_rows.select(of_groups.columns)


def of_whole_groups(values: pl.DataFrame) -> pl.DataFrame:
    """Values from `by_run` without variants, to compare a group with the same group in another combination."""
    key = [column for column in KEY if column != "flow_variant"]
    return (
        values.group_by(*key, "run", maintain_order=True)
        .agg(pl.col("digest").first(), pl.col("value").mean(), pl.col("counts", "steady_shown").all())
        .with_columns(flow_variant=pl.lit(None, pl.String))
    )

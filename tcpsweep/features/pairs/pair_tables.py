# SPDX-License-Identifier: MIT
"""Two competing variants: the share of the goodput that each gets, and the harm that it does to the other."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.analysis import findings
from tcpsweep.core.statistics import replicates, rotation_blocks
from tcpsweep.core.sweep import assignment, axes, combination_parts, flow_groups, rotations
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics
from tcpsweep.core.words.mixes import NOBODY
from tcpsweep.features.pairs import harm, pair_record

SHARE = "share"
HARM = {"goodput_bps": "harm_goodput", "owd_mean_s": "harm_delay", "congestion_loss": "harm_loss"}
MEASURES = (SHARE, *HARM.values())
_PLACE = {"network": pl.Int64, "combination": pl.Int64, "variant": pl.String, "beside": pl.String}
_RUN = _PLACE | {"measure": pl.String, "run": pl.Int64, "digest": pl.String, "value": pl.Float64, "steady": pl.Boolean}
COLUMNS = {
    **{"combination": pl.Int64, "variant": pl.String, "beside": pl.String, "measure": pl.String},
    **{"runs": pl.Int64, "steady_runs": pl.Int64, "distinct_runs": pl.Int64},
    **{"mean": pl.Float64, "low": pl.Float64, "high": pl.Float64},
}


def places(sweep: PlannedSweep) -> pl.DataFrame:
    """The combinations in which two variants, or the flows of one variant, compete.

    Returns
    -------
    DataFrame
        ``network``, numbered from 0; ``combination``; ``variant`` and ``beside``, which are the same where a variant
        has all flows. The rows cover only networks with a mix of two variants of the sweep's ``pairs``.
    """
    pair_variants = set(pair_record.of(sweep))
    networks: dict[str, int] = {}
    alone: dict[tuple[str, str], tuple[str, int, str, str]] = {}
    mixed: list[tuple[str, int, str, str]] = []
    network_keys = axes.network_keys(sweep) if pair_variants else []
    for number, network in enumerate(network_keys[: sweep.published.first]):
        row = sweep.combinations[number]
        mix = row.mix
        variants = list(combination_parts.flows_of(row))
        if NOBODY in mix.turns or not pair_variants.issuperset(variants) or not flow_groups.share_a_link(row):
            continue
        if len(variants) == 1 and not mix.is_mixed:
            alone.setdefault((network, variants[0]), (network, number, variants[0], variants[0]))
        elif len(variants) == 2:
            networks.setdefault(network, len(networks))
            one, other = variants
            mixed += [(network, number, one, other), (network, number, other, one)]
    rows = [(networks[place[0]], *place[1:]) for place in [*alone.values(), *mixed] if place[0] in networks]
    return pl.DataFrame(sorted(rows), schema=_PLACE, orient="row")


def by_run(sweep: PlannedSweep, values: pl.LazyFrame, flows: pl.LazyFrame) -> pl.DataFrame:
    """The share and the harm in each run, or as means over whole rotations where variants change places.

    Parameters
    ----------
    sweep : PlannedSweep
        The sweep with the combinations that pairs and harm add.
    values : LazyFrame
        From `summaries.by_run`, with the values of the added combinations.
    flows : LazyFrame
        From `summaries.flows`.

    Returns
    -------
    DataFrame
        ``network``, ``combination``, ``variant``, ``beside``; ``measure``, one of `MEASURES`; ``run``, ``digest``,
        ``value``; ``steady``, whether all of its inputs are stationary.
    """
    pairs = places(sweep)
    if pairs.is_empty() or "goodput_bps" not in flows.collect_schema().names():  # no flow has a result
        return pl.DataFrame(schema=_RUN)
    tables = [_shares(pairs, values), _own_shares(sweep, pairs, values, flows), *_harms(sweep, pairs, values)]
    rows = pl.concat([table.select(pl.col(name).cast(kind) for name, kind in _RUN.items()) for table in tables])
    lengths = rotations.lengths(sweep.combinations)
    if max(lengths, default=1) == 1:
        return rows
    lengths_of = {
        network: math.lcm(*(lengths[number] for number in numbers))
        for network, numbers in pairs.group_by("network").agg("combination").iter_rows()
    }
    rotation = pl.col("network").replace_strict(lengths_of, return_dtype=pl.Int64).alias(rotation_blocks.ROTATION)
    key = ["network", "combination", "variant", "beside", "measure"]
    return rotation_blocks.blocked(rows.with_columns(rotation), key, flags=["steady"])


def _goodputs(values: pl.LazyFrame) -> pl.LazyFrame:
    """The goodput of each variant of a combination in each run; the variant's column is ``beside``, for joins."""
    return values.filter(pl.col("metric") == "goodput_bps").select(
        "combination", "run", "digest", "counts", beside="flow_variant", value="value"
    )


def _shares(pairs: pl.DataFrame, values: pl.LazyFrame) -> pl.DataFrame:
    """The share that each variant of a mix gets, from the means, because both have the same number of flows."""
    goodputs = _goodputs(values)
    own_goodputs = goodputs.rename({"beside": "variant", "value": "own", "counts": "own_counts"}).drop("digest")
    rows = pairs.lazy().filter(pl.col("variant") != pl.col("beside"))
    rows = rows.join(own_goodputs, on=["combination", "variant"]).join(goodputs, on=["combination", "beside", "run"])
    total = pl.col("own") + pl.col("value")
    return rows.with_columns(
        value=pl.when(total > 0).then(pl.col("own") / total),
        measure=pl.lit(SHARE),
        steady=pl.col("own_counts") & pl.col("counts"),
    ).collect()


def _own_shares(sweep: PlannedSweep, pairs: pl.DataFrame, values: pl.LazyFrame, flows: pl.LazyFrame) -> pl.DataFrame:
    """The share of half of a variant's flows in all of its flows: the half at the variant's positions in a mix."""
    alone = pairs.filter(pl.col("variant") == pl.col("beside"))
    first_mixes = pairs.filter(pl.col("variant") != pl.col("beside")).unique(["network", "variant"], keep="first")
    first_mix_of = {(network, variant): number for network, number, variant, _ in first_mixes.rows()}
    rows = [
        (number, run, flow)
        for network, number, variant, _ in alone.rows()
        if (network, variant) in first_mix_of
        for run in sweep.runs
        for flow, other in enumerate(assignment.flow_variants(sweep.combinations[first_mix_of[network, variant]], run))
        if other == variant
    ]
    in_half = pl.LazyFrame(rows, schema={"combination": pl.Int64, "run": pl.Int64, "flow": pl.Int64}, orient="row")
    of_flows = flows.filter(
        pl.col("combination").is_in(alone["combination"].to_list()), pl.col("direction") == "forward"
    ).select("combination", pl.col("run").cast(pl.Int64), pl.col("flow").cast(pl.Int64), goodput="goodput_bps")
    of_half = of_flows.join(in_half, on=["combination", "run", "flow"]).group_by(
        "combination", "run", maintain_order=True
    )
    total = pl.col("total")
    shares = (
        of_half.agg(own=pl.col("goodput").sum())
        .join(
            of_flows.group_by("combination", "run", maintain_order=True).agg(total=pl.col("goodput").sum()),
            on=["combination", "run"],
        )
        .with_columns(value=pl.when(total > 0).then(pl.col("own") / total))
    )
    return (
        alone.lazy()
        .join(shares, on="combination")
        .join(_goodputs(values).drop("value"), on=["combination", "beside", "run"])
        .with_columns(measure=pl.lit(SHARE), steady="counts")
        .collect()
    )


def _harms(sweep: PlannedSweep, pairs: pl.DataFrame, values: pl.LazyFrame) -> list[pl.DataFrame]:
    """The harm that each variant of a mix does to the other, and each variant to itself; two frames per metric."""
    swapped = pairs.rename({"variant": "beside", "beside": "victim"})  # the variant that does the harm comes first
    alone = pairs.filter(pl.col("variant") == pl.col("beside"))
    tables = []
    for name, rows in harm.by_run(sweep, values):
        better = metrics.METRICS[name].better
        alone_value, mixed_value, own_value = (pl.col(f"{side}_value") for side in ("alone", "mixed", "own"))
        digest = pl.concat_str("alone_digest", pl.lit(" "), "mixed_digest")
        measure = pl.lit(HARM[name])
        to_other = rows.with_columns(
            digest=digest,
            measure=measure,
            value=harm.harm_done(alone_value, mixed_value, better),
            steady=pl.col("alone_counts") & pl.col("mixed_counts"),
        )
        tables.append(
            swapped.join(to_other, on=["combination", "victim", "beside"]).select(
                *("network", "combination", "measure", "run", "digest", "value", "steady"),
                variant="beside",
                beside="victim",
            )
        )
        # A variant's solo flows may have a mix's first or second positions. The first mix's positions count.
        first_mix = rows.group_by("among_itself", "victim", maintain_order=True).agg(pl.col("combination").first())
        to_itself = rows.join(first_mix, on=["among_itself", "victim", "combination"]).select(
            "run",
            "combination",
            variant="victim",
            digest=pl.concat_str("alone_digest", pl.lit(" "), "own_digest"),
            value=harm.harm_done(alone_value, own_value, better),
            steady=pl.col("alone_counts") & pl.col("own_counts"),
            measure=measure,
        )
        of_network = to_itself.join(swapped.select("combination", "network").unique(), on="combination").drop(
            "combination"
        )
        tables.append(alone.join(of_network, on=["network", "variant"]))
    return tables


def pair_means(runs: pl.DataFrame) -> pl.DataFrame:
    """The means over runs.

    ``runs`` are from `by_run`.

    Returns
    -------
    DataFrame
        - ``combination`` of the mix or of the homogeneous flows
        - ``variant`` and ``beside``
        - ``measure``, one of `MEASURES`
        - ``runs``, ``steady_runs``, ``distinct_runs``
        - ``mean`` over the distinct runs, steady or not, as in ``summary``
        - ``low`` and ``high``, its 95 % bootstrap interval, null below `findings.LEAST_RUNS`
    """
    key = ["network", "combination", "variant", "beside", "measure"]
    counts = runs.group_by(key, maintain_order=True).agg(
        runs=pl.len().cast(pl.Int64), steady_runs=pl.col("steady").sum().cast(pl.Int64)
    )
    ordered = runs.sort(*key, "run")  # joins keep no order, and the last digit of a mean depends on it
    distinct = replicates.counted(ordered.drop_nulls("value"), key)
    rank = pl.col("measure").replace_strict({name: at for at, name in enumerate(MEASURES)}, return_dtype=pl.Int64)
    return (
        counts.join(findings.bootstrapped_means(distinct, key), on=key, how="left")
        .with_columns(pl.col("distinct_runs").fill_null(0))
        .sort("network", "combination", "variant", rank)
        .select(pl.col(name).cast(kind) for name, kind in COLUMNS.items())
    )


def whole_runs(values_by_run: Mapping[int, npt.NDArray[np.float64]]) -> list[npt.NDArray[np.float64]]:
    """The values of the runs that miss no value, in their order; only the first if all are equal."""
    complete = [values_by_run[run] for run in sorted(values_by_run) if not np.isnan(values_by_run[run]).any()]
    return complete if len({tuple(run.ravel()) for run in complete}) > 1 else complete[:1]


def by_network(sweep: PlannedSweep, rows: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The rows of a table of pairs, of ranks or of frontiers by network in words, without those over all networks."""
    if rows.is_empty():
        return {}
    places = axes.network_texts(sweep)
    rows = rows.filter(pl.col("combination").is_not_null())
    words = {number: axes.axes_in_words(places[number]) for number in rows["combination"].unique()}
    with_where = rows.with_columns(where=pl.col("combination").replace_strict(words, return_dtype=pl.String))
    rows_by_network = with_where.partition_by("where", as_dict=True, maintain_order=True, include_key=False)
    return {where: rows for (where,), rows in rows_by_network.items()}


def over_networks(table: pl.DataFrame) -> pl.DataFrame:
    """The table of pairs as means over networks, without intervals."""
    return table.group_by("variant", "beside", "measure", maintain_order=True).agg(
        pl.col("mean").mean(),
        *(pl.lit(None, pl.Float64).alias(end) for end in ("low", "high")),
        *(pl.col(name).sum() for name in ("runs", "steady_runs", "distinct_runs")),
    )

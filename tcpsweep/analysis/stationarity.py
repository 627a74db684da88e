# SPDX-License-Identifier: MIT
"""Whether the runs of a combination are stationary, decided for all runs together.

Leaving out single runs that are not steady would choose runs by their outcome: which those are depends on the variant.
So either all runs of a side count in a comparison, or none does. The mean over runs of stationary flows is that of the
steady state even if single runs hold few epochs; a trend that all runs share shows that they are not stationary.

Law: Simulation Modeling and Analysis, 5th edition, 2015, section 9.5: replications, and how to see their trend.
"""

import polars as pl

from tcpsweep.statistics import means
from tcpsweep.words.thresholds import LEVEL

LEAST_STEADY = 0.9  # share of a side's flows, over all runs, that must be steady
_SIDE = ["combination", "flow_variant"]


def sides(forward: pl.DataFrame) -> pl.DataFrame:
    """Whether each variant of a combination, and the whole network, is stationary over all of its runs.

    It is if at least `LEAST_STEADY` of its flows, in all runs, are steady, and if no trend of its goodput is shown. A
    network that has traffic and no flows has nothing that would deny it. ``forward`` are measures of forward flows:
    ``combination``, ``flow_variant``, ``run``, ``digest``, ``flow``, ``metric``, ``value``.

    Returns
    -------
    DataFrame
        ``combination``, ``flow_variant`` (null for the whole network), ``steady``.
    """
    of_flows = forward.filter(pl.col("flow").is_not_null())
    name = pl.col("metric").cast(pl.String)
    flows = of_flows.group_by(*_SIDE, "run", "flow").agg(steady=((name == "steady") & (pl.col("value") == 1)).any())
    trending = trends(of_flows.filter(name == "goodput_trend").rename({"value": "trend"})).filter("trending")
    known = flows.join(trending.select(*_SIDE, "trending"), on=_SIDE, how="left").with_columns(
        pl.col("trending").fill_null(False)
    )
    parts = [known, known.with_columns(flow_variant=pl.lit(None, pl.String))]
    found = (
        pl.concat(parts)
        .group_by(_SIDE)
        .agg(steady=(pl.col("steady").mean() >= LEAST_STEADY) & ~pl.col("trending").any())
    )
    # What only flows have, wherever there are any.
    with_flows = forward.filter(pl.col("flow").is_not_null() | (name == "flows_with_data"))
    without = forward.select("combination").unique().join(with_flows, on="combination", how="anti")
    return pl.concat([found, without.select("combination", flow_variant=pl.lit(None, pl.String), steady=True)])


def trends(flows: pl.DataFrame) -> pl.DataFrame:
    """Whether a variant's goodput rises or falls in all runs of a combination.

    A run's trend is the mean of its flows'. It is shown if its 95 % interval over runs leaves out 0, and counts if the
    mean is more than `LEVEL`: one in twenty of noisy sides is called trending by chance. ``flows`` has ``combination``,
    ``flow_variant``, ``run``, ``digest``, ``trend``, of forward flows.

    Returns
    -------
    DataFrame
        ``combination``, ``flow_variant``, ``mean``, ``low``, ``high``, ``trending``; no interval of a single run.
    """
    runs = (
        flows.drop_nulls("trend")
        .group_by(*_SIDE, "run", "digest", maintain_order=True)
        .agg(value=pl.col("trend").mean())
    )
    shown = (pl.col("low") > 0) | (pl.col("high") < 0)
    return means.summarise(runs, _SIDE).select(
        *_SIDE, "mean", "low", "high", trending=(shown & (pl.col("mean").abs() > LEVEL)).fill_null(False)
    )

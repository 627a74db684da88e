# SPDX-License-Identifier: MIT
"""The measures for the numbers of whole networks, each with its link."""

import polars as pl

from tcpsweep.core.sweep import network_part
from tcpsweep.core.words import link_words

_RUN = ["combination", "run"]
_SHARED = ("jain", "jain_windows", "convergence_s", "rtt_ratio", "rtt_exponent", "share")


def at_reference(measures: pl.DataFrame) -> pl.DataFrame:
    """The measures of networks and of the flows that share their bottleneck, without measures of single links.

    ``measures`` are from `cell_tables.measure`, without traffic's.

    Returns
    -------
    DataFrame
        The columns of ``measures``. ``link`` is the link that a metric of the network is about, if links have names. If
        flows have several bottlenecks, or any of several links as theirs, it is also the link of the row's flows.
        Reverse flows stay.
    """
    is_of_link = pl.col("link").is_not_null()
    network_rows = measures.filter(~is_of_link)
    back_suffix = pl.when(pl.col("direction") == "reverse").then(pl.lit(f" {link_words.BACK}")).otherwise(pl.lit(""))
    binding = measures.filter(is_of_link & (pl.col("metric") == "binds") & (pl.col("value") == 1))
    if binding.is_empty():
        return network_rows
    reference_of_run = binding.select(*_RUN, _reference=pl.concat_str("link", back_suffix))
    metric = pl.col("metric").cast(pl.String)
    link: pl.Expr = pl.when(metric.is_in(network_part.link_metrics())).then("_reference")
    linked = network_rows.join(reference_of_run, on=_RUN, how="left", maintain_order="left")
    if network_rows["bottleneck"].null_count() < network_rows.height:
        is_of_network = pl.col("flow").is_null() & pl.col("variant").is_null()
        bottlenecks = network_rows.filter(is_of_network).select(*_RUN, _own="bottleneck").unique()
        linked = linked.join(bottlenecks, on=_RUN, how="left", maintain_order="left")
        is_elsewhere = (pl.col("direction") == "forward") & (pl.col("bottleneck") != pl.col("_own"))
        has_several = is_elsewhere.any().over(_RUN) | pl.col("_own").str.starts_with(link_words.ANY_OF)
        is_of_flows = pl.col("flow").is_not_null() | pl.col("variant").is_not_null() | metric.is_in(_SHARED)
        link = pl.coalesce(link, pl.when(has_several & is_of_flows).then("_own"))
        linked = linked.with_columns(link=link).filter(~is_elsewhere.fill_null(False)).drop("_own")
    else:
        linked = linked.with_columns(link=link)
    return linked.drop("_reference")

# SPDX-License-Identifier: MIT
"""How flows that differ share the bottleneck: by variant, and by round-trip time."""

import math

import polars as pl


def shares(flows):
    """What each forward flow of a mix got, against an equal share of what all got: xᵢ · n / Σ x.

    The mean over a variant's flows is the variant's part of the whole, divided by its part of the flows.

    Parameters
    ----------
    flows : DataFrame
        ``flow``, ``direction``, ``variant``, ``goodput_bps`` (null for a flow that was not there).

    Returns
    -------
    DataFrame
        ``flow`` and ``share``; no rows where the forward flows have one variant, or nothing was received.
    """
    there = flows.filter(pl.col("direction") == "forward", pl.col("goodput_bps").is_not_null())
    goodput = pl.col("goodput_bps")
    mixed = (pl.col("variant").n_unique() > 1) & (goodput.sum() > 0)
    return there.filter(mixed).select("flow", share=goodput * pl.len() / goodput.sum())


def between_rtts(flows):
    """How goodput depends on the round trip, between the flows with the shortest and those with the longest.

    Parameters
    ----------
    flows : DataFrame
        The forward flows' ``goodput_bps``, in bit/s, and ``base_rtt_s``, in s, their round trips without queues.

    Returns
    -------
    dict
        ``rtt_ratio``, the mean goodput of those with the shortest over that of those with the longest, and
        ``rtt_exponent``, the a of a goodput that falls as RTT^−a; empty where all round trips are equal, or one of the
        groups received nothing.

    Lakshman and Madhow: The Performance of TCP/IP for Networks with High Bandwidth-Delay Products and Random Loss.
    IEEE/ACM Transactions on Networking 5(3), 1997.
    """
    groups = flows.drop_nulls("goodput_bps").group_by("base_rtt_s").agg(pl.col("goodput_bps").mean()).sort("base_rtt_s")
    if groups.height < 2:
        return {}
    (near_s, near_bps), (far_s, far_bps) = groups.row(0), groups.row(-1)
    if not (near_bps > 0 and far_bps > 0):
        return {}
    ratio = near_bps / far_bps
    return {"rtt_ratio": ratio, "rtt_exponent": math.log(ratio) / math.log(far_s / near_s)}

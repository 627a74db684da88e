# SPDX-License-Identifier: MIT
"""What each node sent, received and dropped, and Little's law for its device queues, from the table `events`."""

import polars as pl

from tcpsweep import tables

_COUNTED = {"sent": ["dequeue"], "received": ["receive"], "dropped": ["drop", "loss"]}


def nodes(events, to_s):
    """The nodes of a network over the whole simulation.

    Queued is what waits in the queues of a node's devices, without the packet in transmission and without a queue disc,
    which ns-3's ascii trace does not show. Device queues are first in, first out, so that the k-th packet to leave one
    is the k-th that came.

    Parameters
    ----------
    events : DataFrame
        The table `events`, in order of time.
    to_s : float
        When the simulation ended, in s.

    Returns
    -------
    DataFrame
        A row per node, as `tables` describes "nodes". By Little's law ``mean_packets`` is ``arrivals_pps`` times
        ``mean_time_s``, but for packets that are still queued at the end, which have no time yet.

    Little: A Proof for the Queuing Formula L = λW. Operations Research 9(3), 1961.
    """
    sums = []
    for name, kinds in _COUNTED.items():
        there = _is(*kinds)
        sums += [
            there.sum().cast(pl.Int64).alias(f"{name}_packets"),
            pl.col("ip_bytes").filter(there).sum().alias(f"{name}_ip_bytes"),
        ]
    return (
        events.group_by("node")
        .agg(sums)
        .join(_queued(events, to_s), on="node", how="left")
        .join(_waits(events), on="node", how="left")
        .with_columns(pl.col("arrivals_pps", "mean_packets").fill_null(0.0))
        .sort("node")
        .select(list(tables.schema("nodes")))
    )


def write(events, to_s, out):
    """Write the table `nodes` of the Parquet file of ``events`` to ``out``; see `nodes`."""
    columns = ["time_s", "event", "node", "device", "ip_bytes"]
    tables.write(nodes(pl.read_parquet(events, columns=columns), to_s), "nodes", out)


def _is(*events):
    return pl.col("event").is_in(pl.Series(events, dtype=tables.DEVICE_EVENT).implode())


def _queued(events, to_s):
    """Arrivals, and the mean number of queued packets as the integral of their number over time."""
    steps = events.filter(_is("enqueue", "dequeue")).select("node", "time_s", came=_is("enqueue"))
    held_s = pl.col("time_s").shift(-1, fill_value=to_s) - pl.col("time_s")
    packets = pl.when("came").then(1).otherwise(-1).cum_sum()
    return steps.group_by("node", maintain_order=True).agg(
        arrivals_pps=pl.col("came").sum() / to_s, mean_packets=(packets * held_s).sum() / to_s
    )


def _waits(events):
    """The mean time in the queue of the packets that left it."""
    place = ["node", "device"]

    def numbered(what):
        rows = events.filter(_is(what)).select(*place, "time_s")
        return rows.with_columns(number=pl.int_range(pl.len()).over(place))

    both = numbered("enqueue").join(numbered("dequeue"), on=[*place, "number"], suffix="_left")
    return both.group_by("node").agg(mean_time_s=(pl.col("time_s_left") - pl.col("time_s")).mean())

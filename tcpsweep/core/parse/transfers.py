# SPDX-License-Identifier: MIT
"""Make the table `transfers` of applications' traffic, from `transfers.columns` and the simulator's record."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.parse import column_files
from tcpsweep.core.parse.simulator_files import Damaged, SimulatorFiles
from tcpsweep.core.words import table_columns

_NAME = "transfers.columns"
_COLUMNS = {
    **dict.fromkeys(("start", "finish", "bytes", "received", "value", "extra", "alone"), "<i8"),
    **dict.fromkeys(("traffic", "number"), "<u4"),
    **dict.fromkeys(("from", "to"), "<i4"),
}


def table(files: SimulatorFiles, run: Mapping[str, Any]) -> pl.DataFrame | None:
    """The table `transfers`, sorted by start within each group of traffic; None if there is no traffic.

    ``run`` is the simulator's record.

    Raises `Damaged`.
    """
    groups = run.get("traffic") or []
    if not groups:
        return None
    path = files.folder / _NAME
    columns = column_files.read(path, files.read(_NAME), {"transfers": run.get("transfers", 0)}, _COLUMNS)
    rows = pl.DataFrame(columns).sort("traffic", "number")
    nodes = run.get("node_names") or []
    group_numbers, end_nodes = rows["traffic"].to_numpy(), [rows[end].to_numpy() for end in ("from", "to")]
    if rows.height and (group_numbers.max() >= len(groups) or max(end.max() for end in end_nodes) >= len(nodes)):
        raise Damaged(f"{path}: a transfer with a group of traffic or a node that the simulator's record lacks")
    kinds = np.array([table_columns.TRAFFIC_KIND.categories.to_list().index(group["kind"]) for group in groups])
    senders = pl.Series([group.get("senders") for group in groups], dtype=pl.Int64)

    def only_of(column: str, *names: str) -> pl.Expr:
        """A column for only these kinds of traffic."""
        return pl.when(pl.col("kind").is_in(pl.Series(names, dtype=table_columns.TRAFFIC_KIND).implode())).then(column)

    is_incast = pl.col("kind") == "incast"
    return (
        rows.with_columns(
            traffic=_names_of([group["name"] for group in groups], group_numbers),
            kind=pl.Series(kinds[group_numbers].astype(np.uint8)).cat.to(table_columns.TRAFFIC_KIND),
            senders=senders.gather(group_numbers),
            source=_names_of(nodes, end_nodes[0]),
            target=_names_of(nodes, end_nodes[1]),
        )
        .with_columns(pl.when(pl.col(name) >= 0).then(name) for name in ("finish", "alone"))
        .select(
            "traffic",
            "kind",
            pl.col("number").cast(pl.Int64).alias("transfer"),
            pl.col("source").alias("from"),
            pl.col("target").alias("to"),
            start_s=column_files.seconds("start"),
            finish_s=column_files.seconds("finish"),
            bytes="bytes",
            received_bytes="received",
            alone_s=column_files.seconds("alone"),
            slowdown=pl.when(pl.col("alone") > 0).then((pl.col("finish") - pl.col("start")) / pl.col("alone")),
            handshake_s=column_files.seconds(_null_if_negative(only_of("value", "arrivals"))),
            parts=pl.when(is_incast).then("senders").otherwise(only_of("value", "web")),
            finished_parts=pl.when(is_incast).then("value").otherwise(only_of("extra", "web")),
            first_part_s=column_files.seconds(_null_if_negative(only_of("extra", "incast"))),
            backlog_bytes=only_of("value", "on-off"),
            bitrate_bps=only_of("value", "video"),
            stalled_s=column_files.seconds(pl.when(pl.col("finish").is_not_null()).then(only_of("extra", "video"))),
        )
    )


def _names_of(names: list[str], numbers: npt.NDArray[Any]) -> pl.Series:
    """The names with these numbers; null for -1."""
    names_and_null = pl.Series([*names, None], dtype=table_columns.NAME)
    return names_and_null.gather(np.where(numbers < 0, len(names), numbers))


def _null_if_negative(value: pl.Expr) -> pl.Expr:
    """A value, null where it is -1."""
    return pl.when(value >= 0).then(value)

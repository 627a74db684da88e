# SPDX-License-Identifier: MIT
"""The tables `flow_monitor` and `nodes` on a page, with the numbers of flowmon-parse-results.py and TraceMetrics."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

MOST_ROWS = 1000
PROTOCOLS = {6: "TCP", 17: "UDP"}
# Title, unit, the table's column, the scale, the format (the script's, or six digits).
_Column = tuple[str, str, str, float, str]
FLOW_COLUMNS: tuple[_Column, ...] = (
    ("TX bitrate", "kbit/s", "tx_bitrate_bps", 1e-3, ".2f"),
    ("RX bitrate", "kbit/s", "rx_bitrate_bps", 1e-3, ".2f"),
    ("mean delay", "ms", "mean_delay_s", 1e3, ".2f"),
    ("packet loss ratio", "%", "packet_loss_ratio", 100, ".2f"),
)
NODE_COLUMNS: tuple[_Column, ...] = (
    ("sent", "packets", "sent_packets", 1, "d"),
    ("received", "packets", "received_packets", 1, "d"),
    ("dropped", "packets", "dropped_packets", 1, "d"),
    ("data sent", "B", "sent_wire_bytes", 1, "d"),
    ("data received", "B", "received_wire_bytes", 1, "d"),
    ("data dropped", "B", "dropped_wire_bytes", 1, "d"),
    ("throughput", "B/s", "tracemetrics_throughput_bytes_per_s", 1, ".6g"),
    ("goodput", "B/s", "tracemetrics_goodput_bytes_per_s", 1, ".6g"),
    ("λ", "1/s", "tracemetrics_lambda_pps", 1, ".6g"),
    ("E[N]", "packets", "tracemetrics_en_packets", 1, ".6g"),
    ("E[W]", "ms", "tracemetrics_ew_s", 1e3, ".6g"),
    ("λ E[W]", "packets", "tracemetrics_little_packets", 1, ".6g"),
    ("average sent", "B", "tracemetrics_sent_mean_bytes", 1, "d"),
    ("average received", "B", "tracemetrics_received_mean_bytes", 1, "d"),
    ("arrivals", "1/s", "arrivals_pps", 1, ".6g"),
    ("mean queue", "packets", "mean_packets", 1, ".6g"),
    ("mean time", "ms", "mean_time_s", 1e3, ".6g"),
)


@dataclass(frozen=True)
class Totals:
    """A table of flows or nodes."""

    heads: list[tuple[str, str]]  # titles and units
    rows: list[tuple[str | None, str, list[str]]]  # the cell, on a page of several; a name, and numbers as texts
    more: int  # rows that are left out


def flows(table: pl.DataFrame | pl.LazyFrame, where: Callable[[dict[str, Any]], str] | None = None) -> Totals:
    """The table `flow_monitor` for a page, with its first `MOST_ROWS` rows; ``where`` returns a row's cell."""

    def name(row: dict[str, Any]) -> str:
        ends = (f"{row[end]}/{row[f'{end}_port']}" for end in ("source", "destination"))
        return f"{PROTOCOLS.get(row['protocol'], row['protocol'])} {' → '.join(ends)}"

    return _page_table(table, FLOW_COLUMNS, name, where)


def nodes(table: pl.DataFrame | pl.LazyFrame, where: Callable[[dict[str, Any]], str] | None = None) -> Totals:
    """The table `nodes` for a page; parameters and result are the same as for `flows`."""
    return _page_table(table, NODE_COLUMNS, lambda row: str(row["node"]), where)


def _page_table(
    table: pl.DataFrame | pl.LazyFrame,
    columns: tuple[_Column, ...],
    name: Callable[[dict[str, Any]], str],
    where: Callable[[dict[str, Any]], str] | None,
) -> Totals:
    if isinstance(table, pl.LazyFrame):
        count, first_rows = table.select(pl.len()).collect().item(), table.head(MOST_ROWS).collect()
    else:
        count, first_rows = table.height, table.head(MOST_ROWS)
    rows = [
        (
            where and where(row),
            name(row),
            [
                "–" if row[column] is None else format(row[column] * scale, format_spec)
                for _, _, column, scale, format_spec in columns
            ],
        )
        for row in first_rows.iter_rows(named=True)
    ]
    return Totals([column[:2] for column in columns], rows, max(0, count - MOST_ROWS))

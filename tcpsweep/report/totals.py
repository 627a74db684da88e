# SPDX-License-Identifier: MIT
"""The numbers of flowmon-parse-results.py and of TraceMetrics as tables of a page, from `flow_monitor` and `nodes`."""

MOST_ROWS = 1000
PROTOCOLS = {6: "TCP", 17: "UDP"}
# Title, unit, the column that it shows, its scale, and how the number is written: as the script, or with six digits.
FLOW_COLUMNS = (
    ("TX bitrate", "kbit/s", "tx_bitrate_bps", 1e-3, ".2f"),
    ("RX bitrate", "kbit/s", "rx_bitrate_bps", 1e-3, ".2f"),
    ("mean delay", "ms", "mean_delay_s", 1e3, ".2f"),
    ("packet loss ratio", "%", "packet_loss_ratio", 100, ".2f"),
)
NODE_COLUMNS = (
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


def flows(table, where=None):
    """The table `flow_monitor` for a page.

    Parameters
    ----------
    table : DataFrame
    where : callable, optional
        What to say of a row of which cell it is; unless given, nothing.

    Returns
    -------
    dict
        ``heads``, titles and units; ``rows``, each with ``where``, ``name`` and ``values`` as texts; ``more``, how many
        rows are left out behind the first `MOST_ROWS`.
    """

    def name(row):
        ends = (f"{row[end]}/{row[f'{end}_port']}" for end in ("source", "destination"))
        return f"{PROTOCOLS.get(row['protocol'], row['protocol'])} {' → '.join(ends)}"

    return _shown(table, FLOW_COLUMNS, name, where)


def nodes(table, where=None):
    """The table `nodes` for a page, likewise."""
    return _shown(table, NODE_COLUMNS, lambda row: str(row["node"]), where)


def _shown(table, columns, name, where):
    rows = [
        {
            "where": where and where(row),
            "name": name(row),
            "values": [
                "–" if row[column] is None else format(row[column] * scale, form)
                for _, _, column, scale, form in columns
            ],
        }
        for row in table.head(MOST_ROWS).iter_rows(named=True)
    ]
    return {"heads": [column[:2] for column in columns], "rows": rows, "more": max(0, table.height - MOST_ROWS)}

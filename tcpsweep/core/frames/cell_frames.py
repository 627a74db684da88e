# SPDX-License-Identifier: MIT
"""The tables of many cells as lazy frames, with columns that no axis shares, and the measured time of each trace.

In all frames, ``combination``, ``run`` and ``cell`` identify the run of a row.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tcpsweep.core.analysis import cell_tables
from tcpsweep.core.measure import lives, warmup_search
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run

RUN = ["combination", "run", "cell"]
# New names for columns whose names are also axes' columns, or have another meaning elsewhere.
RENAMED = {
    "flows": {"variant": "flow_variant", "bytes": "bytes_to_send", "start_s": "opened_s", "stop_s": "left_s"},
    "queue": {"delay_s": "queueing_delay_s"},
    "transfers": {"bytes": "bytes_to_send", "start_s": "began_s"},
    "packets": {"ecn": "ip_ecn"},
    "measures": {"variant": "flow_variant"},
    "fairness": {"flows": "flows_there"},
}
_OPTIONAL = ("packets", "events", "nodes", "transfers")


def scan(sweep: PlannedSweep, runs: Sequence[Run], table: str, root: Path) -> pl.LazyFrame:
    """A table of the cells of finished runs, with columns renamed as in `RENAMED`."""
    frame = cell_tables.scan(sweep, runs, table, root, optional=table in _OPTIONAL, checked=True)
    return frame.rename(RENAMED.get(table, {}))


def of_flows(sweep: PlannedSweep, runs: Sequence[Run], table: str, root: Path) -> pl.LazyFrame:
    """A table with a column ``flow``, plus ``flow_variant``, which is null for packets without a flow."""
    flows = scan(sweep, runs, "flows", root).select(*RUN, "flow", "flow_variant")
    return scan(sweep, runs, table, root).join(flows, on=[*RUN, "flow"], how="left", maintain_order="left")


def held(sweep: PlannedSweep, runs: Sequence[Run], metric: str, warmups: pl.LazyFrame, root: Path) -> pl.LazyFrame:
    """How long a trace had each value, within the measured time of its flow.

    ``warmups`` has ``combination``, ``run`` and ``found_s``, the end of the warm-up in runs where it was found. Adds
    ``flow``, ``flow_variant``, ``value``, ``since_s`` and ``held_s``.
    """
    flow_key = [*RUN, "flow"]
    values = scan(sweep, runs, "traces", root).filter(pl.col("metric") == metric).select(*flow_key, "time_s", "value")
    return lives.held(values, _measured_times(sweep, runs, warmups, root), flow_key)


def _measured_times(sweep: PlannedSweep, runs: Sequence[Run], warmups: pl.LazyFrame, root: Path) -> pl.LazyFrame:
    """The measured time of each flow, ``from_s`` to ``to_s``, with ``flow_variant`` and columns that identify it.

    It begins at the given end of the warm-up, else at the one found in the run, else after a share of its duration.
    """
    times_of_combination = pl.LazyFrame(
        [(number, span.from_s, span.to_s, lives.flow_warmup_s(span)) for number, span in enumerate(sweep.spans)],
        schema={"combination": pl.Int64, "given_s": pl.Float64, "end_s": pl.Float64, "own_s": pl.Float64},
        orient="row",
    )
    from_s = pl.coalesce("given_s", "found_s", warmup_search.UNFOUND * pl.col("end_s"))
    ends = lives.ends(from_s, pl.col("end_s"), pl.col("own_s"))
    return (
        cell_tables.scan(sweep, runs, "flows", root, checked=True)
        .join(times_of_combination, on="combination")
        .join(warmups, on=["combination", "run"], how="left")
        .select(*RUN, "flow", pl.col("variant").alias("flow_variant"), *ends)
    )

# SPDX-License-Identifier: MIT
"""The tables of many cells as lazy frames, under names that no axis has, and the time that counts in each.

In all of them, ``combination``, ``run`` and ``cell`` say which run a row is of.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tcpsweep.analysis import cell_tables
from tcpsweep.measure import lives, warmup_search
from tcpsweep.sweep.sweep_record import PlannedSweep, Run

RUN = ["combination", "run", "cell"]
# Columns of cells' tables that have the name of an axis' column, or of another sense elsewhere, to their names here.
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
    """A table of the cells of finished runs, with the names of `RENAMED`."""
    rows = cell_tables.scan(sweep, runs, table, root, optional=table in _OPTIONAL, checked=True)
    return rows.rename(RENAMED.get(table, {}))


def of_flows(sweep: PlannedSweep, runs: Sequence[Run], table: str, root: Path) -> pl.LazyFrame:
    """A table that has ``flow``, with ``flow_variant``, null for packets of no flow."""
    flows = scan(sweep, runs, "flows", root).select(*RUN, "flow", "flow_variant")
    return scan(sweep, runs, table, root).join(flows, on=[*RUN, "flow"], how="left", maintain_order="left")


def held(sweep: PlannedSweep, runs: Sequence[Run], metric: str, warmups: pl.LazyFrame, root: Path) -> pl.LazyFrame:
    """How long a trace held each value within its flow's part of the time that counts.

    ``warmups`` has ``combination``, ``run`` and ``found_s``, the end of the warm-up in the runs in which it was found.
    Adds ``flow``, ``flow_variant``, ``value``, ``since_s`` and ``held_s``.
    """
    flow = [*RUN, "flow"]
    rows = scan(sweep, runs, "traces", root).filter(pl.col("metric") == metric).select(*flow, "time_s", "value")
    return lives.held(rows, _lives(sweep, runs, warmups, root), flow)


def _lives(sweep: PlannedSweep, runs: Sequence[Run], warmups: pl.LazyFrame, root: Path) -> pl.LazyFrame:
    """Each flow's part of the time that counts, as `measure.cell` has it: what names it, ``from_s``, ``to_s``."""
    counted = pl.LazyFrame(
        [(number, span.from_s, span.to_s, lives.flow_warmup_s(span)) for number, span in enumerate(sweep.spans)],
        schema={"combination": pl.Int64, "given_s": pl.Float64, "end_s": pl.Float64, "own_s": pl.Float64},
        orient="row",
    )
    from_s = pl.coalesce("given_s", "found_s", warmup_search.UNFOUND * pl.col("end_s"))
    ends = lives.ends(from_s, pl.col("end_s"), pl.col("own_s"))
    return (
        cell_tables.scan(sweep, runs, "flows", root, checked=True)
        .join(counted, on="combination")
        .join(warmups, on=["combination", "run"], how="left")
        .select(*RUN, "flow", pl.col("variant").alias("flow_variant"), *ends)
    )

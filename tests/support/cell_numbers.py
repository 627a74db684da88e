# SPDX-License-Identifier: MIT
"""Numbers of a sweep's simulations, computed from their Parquet without tcpsweep's measures."""

from types import SimpleNamespace

import numpy as np
import polars as pl

from tcpsweep.core.analysis import sweep_results
from tcpsweep.core.report.answers import first_screen
from tcpsweep.core.sweep import sweep_record
from tcpsweep.registry import report


def said(folder, findings=()):
    """The sentence of the first screen of the sweep in a folder, with these findings."""
    parts = SimpleNamespace(ANSWERS=report.ANSWERS, FINDINGS=[lambda results: list(findings)])
    sentence = first_screen.answer(sweep_results.read(folder), parts).sentence
    return "".join(words for _, words in sentence)


def cells(project, name, **wanted):
    """The folders of a sweep's simulations with these values, by run number; of all repetitions."""
    sweep = sweep_record.read(project / "results" / "sweeps" / name)
    found = {}
    for run in sweep.cells:
        row = sweep.combinations[run.combination]
        if all(row.get(key) == value for key, value in wanted.items()):
            found[run.run] = project.folder / sweep.parquet(run.cell)
    return found


def trace(cell, metric, flow=0):
    """The times and values of a flow's trace."""
    rows = pl.read_parquet(cell / "traces.parquet").filter(pl.col("metric") == metric, pl.col("flow") == flow)
    return rows["time_s"].cast(pl.Float64).to_numpy(), rows["value"].to_numpy()


def goodput_bps(cell, from_s, to_s, flow=0):
    """The payload that a flow's receiver got between two times."""
    time_s, received = trace(cell, "received_bytes", flow)
    before, until = (received[time_s <= at_s].max(initial=0) for at_s in (from_s, to_s))
    return (until - before) * 8 / (to_s - from_s)


def sent(cell, from_s, to_s, link=None):
    """The packets that a queue sent between two times: wire bytes, and waits in s."""
    rows = pl.read_parquet(cell / "queue.parquet")
    if link is not None:
        rows = rows.filter(pl.col("link").cast(pl.String) == link)
    rows = rows.filter(
        pl.col("event") == "transmit",
        pl.col("direction") == "forward",
        pl.col("time_s").cast(pl.Float64).is_between(from_s, to_s, closed="right"),
    )
    return rows["wire_bytes"].to_numpy(), rows["delay_s"].cast(pl.Float64).to_numpy()


def smallest_that(share, values):
    """The smallest value that at least a share of all values do not exceed."""
    return float(np.quantile(values, share, method="inverted_cdf"))


def written(value):
    """A number as the report prints a band's edge: up to four digits."""
    return f"{value:.4g}"


def about(text, value):
    """Whether a printed number of two digits is this value."""
    printed = float(text.replace("−", "-"))
    return abs(printed - value) <= 0.5 * 10 ** (np.floor(np.log10(abs(value))) - 1) * 1.01

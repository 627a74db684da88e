# SPDX-License-Identifier: MIT
"""The lag of simulations in real time, compared with the bounds beyond which they are refused."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from tcpsweep.analysis import stacks
from tcpsweep.report import strips
from tcpsweep.store import cell_files
from tcpsweep.sweep import assignment, axes
from tcpsweep.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.words import rounding

MOST_RECORDS = 5000  # runs whose records are read
# The bounded lags, as `run.json` names them after "lag_" and "bound_".
_BOUNDED = ("mean", "p999", "max")


def lag_by_network(sweep: PlannedSweep, finished: Sequence[Run]) -> dict[str, Any] | None:
    """The lag of the runs in which flows have Linux' TCP, all or some, network by network; None if there are none.

    Runs of combinations beyond the sweep's own, which were added for comparison, are left out.

    - ``runs``, how many
    - ``again``, how many of them were refused at first, and ``refused``, how many simulations were
    - ``axis``, of shares of a bound
    - ``rows`` with ``where``, ``runs``, ``refused``, and ``lags``, for the mean lag, the 99.9th percentile over events,
      and the largest lag: ``strip``, from the run with the least to the run with the most, and ``said``, the median
      run's lag and the largest one in ms, with the bound
    """
    real_time = [assignment.is_kernel_asked(row) for row in sweep.combinations]
    wanted = [run for run in finished if run.combination < len(real_time) and real_time[run.combination]]
    places = axes.network_texts(sweep)
    networks: dict[str, list[dict[str, Any]]] = {}
    for run in wanted[:MOST_RECORDS]:
        where = {name: text for name, text in places[run.combination].items() if name != stacks.STACK}
        record = cell_files.record(sweep.parquet(run.cell)).get("real_time")
        if record is None:  # in virtual time
            continue
        networks.setdefault(axes.axes_in_words(where), []).append(record)
    if not networks:
        return None
    axis = strips.of_differences([1.0])
    records = [record for own in networks.values() for record in own]
    return {
        "runs": len(records),
        "again": sum(bool(record.get("refused")) for record in records),
        "refused": sum(len(record.get("refused", ())) for record in records),
        "axis": _in_percent(axis),
        "rows": [_row(where, own, axis) for where, own in networks.items()],
    }


def _in_percent(axis: strips.Axis) -> strips.Axis:
    ticks = [(axis.x(share), f"{share:.0%}") for share in (0.0, 0.5, 1.0)]
    return strips.Axis(axis.low, axis.high, axis.logarithmic, 1.0, ticks)


def _row(where: str, records: Sequence[dict[str, Any]], axis: strips.Axis) -> dict[str, Any]:
    lags = []
    for name in _BOUNDED:
        shares = [record[f"lag_{name}_s"] / record[f"bound_{name}_s"] for record in records]
        middle, most = (1e3 * each(record[f"lag_{name}_s"] for record in records) for each in (statistics.median, max))
        bound = 1e3 * min(record[f"bound_{name}_s"] for record in records)
        lags.append(
            {
                "strip": strips.strip(axis, statistics.median(shares), whisker=(min(shares), max(shares))),
                "said": f"{_ms(middle)}, at most {_ms(most)} of {_ms(bound)} ms",
            }
        )
    refused = sum(len(record.get("refused", ())) for record in records)
    return {"where": where, "runs": len(records), "refused": refused, "lags": lags}


def _ms(value: float) -> str:
    return rounding.significant(value, 2)

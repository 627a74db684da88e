# SPDX-License-Identifier: MIT
"""A cell's audit: the counts of its sinks, FlowMonitor, its links and its captures must agree.

`audit_checks` describes each check.
"""

from collections.abc import Sequence

import polars as pl

from tcpsweep.core.measure.checks import asked_for, capacity, captures, links, sinks_and_traces, traced_queue, untraced
from tcpsweep.core.measure.checks.audited_cell import AuditedCell, Events
from tcpsweep.core.parse.parsed import Parsed
from tcpsweep.core.words import table_columns


def audit_table(parsed: Parsed, packets: pl.LazyFrame | None = None, arguments: Sequence[str] = ()) -> pl.DataFrame:
    """Audit a cell.

    ``packets`` is the table `packets`, if there are captures. ``arguments`` are the scenario's arguments in the plan of
    the cell.

    Returns
    -------
    DataFrame
        The table `audit`.
    """
    cell = AuditedCell.from_parsed(parsed)
    asked = asked_for.AskedFor.from_arguments(cell, arguments)
    rows: list[asked_for.Row] = [
        *asked_for.record(cell, asked),
        *sinks_and_traces.traces(parsed),
        *sinks_and_traces.sinks(cell),
        *sinks_and_traces.delay_floor(cell),
        *sinks_and_traces.jain(cell),
    ]
    captured = packets if captures.hold_headers(cell.network, cell.network.parameters["snaplen"]) else None
    no_rows = cell.queue.clear()
    queues = {
        way.key: traced_queue.Queue.from_events(way, Events.from_rows(cell.queues.get(way.key, no_rows)))
        for way in cell.traced
    }
    arrivals = {key: untraced.arrivals(cell, queue) for key, queue in queues.items()}
    for key, queue in queues.items():
        checks = [
            *links.counters(queue),
            *links.before(cell, arrivals, queue),
            *links.between(cell, arrivals, queue),
            *capacity.capacity(queue.events, queue.way, cell.network),
            *capacity.queueing(queue.events, queue.way, cell.network),
        ]
        if captured is not None:
            checks += captures.at_the_link(cell, queue, captured)
        rows += [(cell.check_name(key, check), flow, low, value, high) for check, flow, low, value, high in checks]
    rows += sinks_and_traces.goodput(cell, queues)
    rows += links.delivered(cell, arrivals)
    if captured is not None:
        rows += captures.at_the_hosts(cell, captured)
    rows += asked_for.missing(cell, asked, rows)
    audited = [(*row, row[3] is not None and row[2] <= row[3] <= row[4]) for row in rows]
    return pl.DataFrame(audited, schema=table_columns.schema("audit"), orient="row")

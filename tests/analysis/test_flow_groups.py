# SPDX-License-Identifier: MIT
"""The groups of flows in the sweep's table of flows, numbered as the simulator numbers flows."""

import polars as pl

from tcpsweep.analysis import group_values, stationarity, summaries
from tcpsweep.words import metrics, table_columns
from tests.support import synthetic
from tests.support.networks import commands, read

TEXT = """\
sweep: s
scenario: network
network:
  links:
    mid: {between: [a, b]}
  flows:
    upload: {from: a, to: b, count: 2}
    backup: {from: b, to: a}
grid: {network.flows.upload.count: [2, 1]}
"""


def test_flows_are_numbered_group_by_group_in_each_combination():
    found = summaries.flow_groups(read(TEXT))
    assert found.rows() == [(0, 0, "upload"), (0, 1, "upload"), (0, 2, "backup"), (1, 0, "upload"), (1, 1, "backup")]


def test_the_simulator_numbers_them_alike(program, simulated):
    sweep = read(TEXT.replace("[2, 1]", "[2]") + "fixed: {duration: 1s, warmup: 0s}\nruns: [1]\n")
    (command,) = commands(sweep)
    cell = simulated(program("network"), *command.arguments)
    assert [flow["group"] for flow in cell.record["flows"]] == ["upload", "upload", "backup"]


def test_the_table_of_flows_has_their_groups_and_null_without_them():
    schema = {"combination": pl.Int64, "run": pl.Int64, "digest": pl.String} | table_columns.schema("measures")
    empty = dict.fromkeys(schema) | {"combination": 1, "run": 1, "digest": "d", "cell": "c", "variant": "TcpCubic"}
    empty |= {"direction": "forward", "metric": "goodput_bps"}
    rows = [empty | {"flow": flow, "value": 1e6 * (flow + 1)} for flow in (1, 0)]
    measures = pl.DataFrame(rows, schema=schema).with_columns(pl.col("metric").cast(pl.Enum(list(metrics.METRICS))))
    found = summaries.flows(measures, summaries.flow_groups(read(TEXT)))
    assert found.columns == [*summaries.FLOW_COLUMNS, "goodput_bps"]
    assert found.select("flow", "group", "goodput_bps").rows() == [(1, "backup", 2e6), (0, "upload", 1e6)]
    plain = summaries.flows(measures, summaries.flow_groups(synthetic.record(combinations=[{"flows": 2}] * 2)))
    assert plain.schema == found.schema
    assert plain["group"].to_list() == [None, None]


def test_each_group_is_judged_by_itself_for_steady_state_where_groups_differ():
    rows = [
        {"combination": number, "run": run, "digest": f"{run}", "direction": "forward", "flow_variant": "TcpCubic"}
        | {"flow": flow, "group": group, "steady": steady, "congestion_epochs": 10.0 * steady}
        | {"goodput_bps": 1e6, "goodput_trend": trend + 0.001 * run, "goodput_bend": 0.001 * run}
        for number in (0, 1)
        for run in range(1, 6)
        for flow, (group, steady, trend) in enumerate((("upload", 1.0, 0.0), ("backup", 0.0, 0.5)))
    ]
    flows = pl.DataFrame(rows)
    found = group_values.sides(read(TEXT), flows)
    of_first = dict(found.filter(combination=0).select("flow_variant", "why").iter_rows())
    assert of_first == {"TcpCubic, upload": None, "TcpCubic, backup": stationarity.DRIFTING}
    # Groups over the same path count together, as their numbers do.
    together = group_values.sides(read(TEXT.replace("from: b, to: a", "from: a, to: b")), flows)
    assert together.filter(combination=0).select("flow_variant", "steady").rows() == [("TcpCubic", False)]

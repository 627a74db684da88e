# SPDX-License-Identifier: MIT
import pytest

from tcpsweep.sweepfile.asked import asked_metrics
from tcpsweep.sweepfile.combinations import grid
from tcpsweep.sweepfile.document import yaml_document
from tcpsweep.sweepfile.keys import schema, schema_check


def headline(text, scenario="dumbbell"):
    document = yaml_document.parse(f"sweep: s\nscenario: {scenario}\n{text}", "f")
    assert schema_check.problems(document.data) == []
    sweep, problems = grid.expand(document.data)
    assert problems == []
    return sweep.headline


@pytest.mark.parametrize("length", ["100000", "[100000, 2000000]"])
def test_where_all_flows_end_completion_times_lead(length):
    found = headline(f"fixed: {{flows: 2, bytes: {length}}}\ngrid: {{variant: [TcpCubic, TcpBbr]}}")
    assert found == ["completion_mean_s", "completion_p95_s", "finished_share"]


@pytest.mark.parametrize("fixed", ["bytes: 0", "bytes: [100000, 0]"])
def test_where_some_flow_lasts_the_usual_metrics_lead(fixed):
    assert headline(f"fixed: {{flows: 2, {fixed}}}\ngrid: {{variant: [TcpCubic, TcpBbr]}}") is None


def test_where_some_combinations_flows_last_the_usual_metrics_lead():
    assert headline("grid: {variant: [TcpCubic, TcpBbr], bytes: [0, 100000]}") is None


def test_a_scenarios_own_metrics_that_need_no_steady_state_follow():
    found = headline("fixed: {bytes: 100000}\ngrid: {variant: [TcpCubic, TcpBbr]}", "wifi-dumbbell")
    own = [name for name in schema.headline("wifi-dumbbell") if name not in ("goodput_bps", "jain")]
    assert found == [*asked_metrics.OF_COMPLETION, *own]

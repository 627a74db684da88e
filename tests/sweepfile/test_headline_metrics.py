# SPDX-License-Identifier: MIT
import pytest

from tcpsweep.sweepfile import grid, headline_metrics, schema, schema_check, yaml_document
from tcpsweep.words import metrics


def headline(text, scenario="dumbbell"):
    document = yaml_document.parse(f"sweep: s\nscenario: {scenario}\n{text}", "f")
    assert schema_check.problems(document.data) == []
    sweep, problems = grid.expand(document.data)
    assert problems == []
    return sweep.headline


@pytest.mark.parametrize("length", ["100000", "[100000, 2000000]"])
def test_where_all_flows_end_completion_times_lead(length):
    found = headline(f"fixed: {{flows: 2, bytes: {length}}}\ngrid: {{variant: [TcpCubic, TcpBbr]}}")
    assert found[:3] == ["completion_mean_s", "completion_p95_s", "finished_share"]
    assert found[3:] == list(metrics.headline(metrics.METRICS))


@pytest.mark.parametrize("fixed", ["bytes: 0", "bytes: [100000, 0]"])
def test_where_some_flow_lasts_the_usual_metrics_lead(fixed):
    assert headline(f"fixed: {{flows: 2, {fixed}}}\ngrid: {{variant: [TcpCubic, TcpBbr]}}") is None


def test_where_some_combinations_flows_last_the_usual_metrics_lead():
    assert headline("grid: {variant: [TcpCubic, TcpBbr], bytes: [0, 100000]}") is None


def test_a_scenarios_own_metrics_follow_those_of_completion():
    found = headline("fixed: {bytes: 100000}\ngrid: {variant: [TcpCubic, TcpBbr]}", "wifi-dumbbell")
    assert found == [*headline_metrics.OF_COMPLETION, *schema.headline("wifi-dumbbell")]

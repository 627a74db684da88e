# SPDX-License-Identifier: MIT
import pytest

from tcpsweep.core.sweepfile.asked import asked_metrics
from tcpsweep.core.sweepfile.keys import schema
from tests.support.sweep_texts import sweep_of


@pytest.mark.parametrize("length", ["100000", "[100000, 2000000]"])
def test_where_all_flows_end_completion_times_lead(length):
    found = sweep_of(f"fixed: {{flows: 2, bytes: {length}}}\ngrid: {{variant: [TcpCubic, TcpBbr]}}").headline
    assert found == ["completion_mean_s", "completion_p95_s", "finished_share"]


@pytest.mark.parametrize("text", ["fixed: {bytes: 0}", "fixed: {bytes: [100000, 0]}", "grid: {bytes: [0, 100000]}"])
def test_where_some_flow_lasts_the_usual_metrics_lead(text):
    assert sweep_of(text).headline is None


def test_a_scenarios_own_metrics_that_need_no_steady_state_follow():
    found = sweep_of("fixed: {bytes: 100000}\ngrid: {variant: [TcpCubic, TcpBbr]}", "wifi-dumbbell").headline
    own = [name for name in schema.headline("wifi-dumbbell") if name not in ("goodput_bps", "jain")]
    assert found == [*asked_metrics.OF_COMPLETION, *own]

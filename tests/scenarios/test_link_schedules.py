# SPDX-License-Identifier: MIT
"""Links whose rate, delay and losses change at times that a file gives."""

import pytest

from tests.support.printed import refusal, refused
from tests.support.tools import ROOT

S = 1_000_000_000  # in ns
WIRE = 1502


@pytest.fixture
def schedule(tmp_path):
    """Writes a schedule; returns its path."""

    def schedule(text):
        path = tmp_path / "link.csv"
        path.write_text(text)
        return path

    return schedule


def in_force(changes, time, first):
    """The value that holds at a time in ns, of (time in s, value) in order."""
    return [first, *(value for at, value in changes if at * S <= time)][-1]


def assert_at_rates(ran, until_s, rate_at):
    """Each packet takes what the rate at its begin allows; some begin after a time."""
    end = ran.times("e")
    begin = {packet: time for packet, time in ran.times("b").items() if packet in end}
    assert max(begin.values()) > until_s * S
    for packet, time in begin.items():
        assert end[packet] - time == pytest.approx(WIRE * 8 / rate_at(time) * S, abs=1)


def test_rates_change_at_their_times(changing_link, schedule):
    path = schedule("time_s,bandwidth_bps\n0.1,1e6\n0.25,3000000\n0.5,12.5e6\n")
    ran = changing_link(schedule=path, bandwidth="2Mbps", packets=300)
    assert_at_rates(ran, 0.5, lambda time: in_force([(0.1, 1e6), (0.25, 3e6), (0.5, 12.5e6)], time, 2e6))


def test_units_may_stand_in_the_values_or_in_the_names_of_columns(link_parts, schedule):
    path = schedule("# by hand\n\ntime, bandwidth ,delay,loss\r\n0s,10Mbps,20ms,\n 1.5s ,,5us,0.25\n1min,1kbps,,0\n")
    assert link_parts(("schedule", path)) == [f"0 10000000 20000000 -1 {3 * S // 2} - 5000 0.25 {60 * S} 1000 - 0 "]
    path = schedule("loss,delay_s,time_s,bandwidth_bps\n1e-3,0.04,0,1e6\n,1,2.5,\n")
    assert link_parts(("schedule", path)) == [f"0 1000000 40000000 0.001 {5 * S // 2} - {S} -1 "]


def test_delays_change_and_packets_stay_in_order(changing_link, schedule):
    # 10 ms between packets; the delay falls by 45 ms, so that four packets would overtake.
    path = schedule("time_s,delay_s\n0.095,0.05\n0.195,0.005\n")
    ran = changing_link(schedule=path, delay="20ms", packets=50, gap="10ms", bandwidth="1Gbps")
    end, received = ran.times("e"), ran.times("r")
    assert ran.order("r") == ran.order("e")
    last = 0
    for packet, time in ran.times("b").items():
        delay = in_force([(0.095, 0.05), (0.195, 0.005)], time, 0.02)
        last = max(last, end[packet] + round(delay * S))
        assert received[packet] == last
    held = [packet for packet in end if received[packet] > end[packet] + 0.005 * S and end[packet] > 0.195 * S]
    assert len(held) == 4


def test_losses_change(changing_link, schedule):
    path = schedule("time_s,loss\n0,0\n0.2,1\n0.3,0\n1,0.5\n")
    ran = changing_link(schedule=path, packets=20000, gap="1ms", bandwidth="1Gbps")
    lost = {packet for packet in ran.order("l")}
    begin = ran.times("b")
    # Lost as they arrive, 10 ms later.
    arrives = {packet: time + 10_012_016 for packet, time in begin.items()}
    assert {packet for packet, time in arrives.items() if 0.2 * S <= time < 0.3 * S} == {
        packet for packet in lost if arrives[packet] < S
    }
    late = [packet in lost for packet, time in arrives.items() if time >= S]
    assert sum(late) == pytest.approx(len(late) / 2, abs=5 * (len(late) / 4) ** 0.5)


def test_a_schedule_repeats(changing_link, schedule):
    path = schedule("time_s,bandwidth_bps\n0,1e6\n0.1,10e6\n")
    ran = changing_link(schedule=path, schedule_repeat="150ms", packets=600, bandwidth="5Mbps", duration="1s")
    assert_at_rates(ran, 0.9, lambda time: 1e6 if time % (0.15 * S) < 0.1 * S else 10e6)


@pytest.mark.parametrize("channel", ["plain", "own"])
def test_a_step_is_a_schedule_of_one_row(changing_link, schedule, channel):
    path = schedule("time,bandwidth,delay\n50ms,3Mbps,40ms\n")
    options = {"packets": 100, "gap": "1ms", "channel": channel}
    step = changing_link(step_time="50ms", step_bandwidth="3Mbps", step_delay="40ms", **options)
    rows = changing_link(schedule=path, **options)
    assert step.rows == rows.rows
    assert step.end == rows.end
    assert step.rows != changing_link(**options).rows


@pytest.mark.parametrize("case", refused("schedule"))
def test_a_bad_line_is_told_with_file_and_number(link_parts, schedule, case):
    text, (line, problem) = case
    path = schedule(text)
    (said,) = link_parts(("schedule", path))
    assert said.startswith(f"{path}:{line}: {problem}")


def test_a_schedule_without_rows(link_parts, schedule):
    for text in ("", "# nothing\n", "time_s,loss\n"):
        path = schedule(text)
        told = "a schedule has a line of columns' names and at least one row"
        assert link_parts(("schedule", path)) == [f"{path}: {told}"]


@pytest.mark.parametrize("option", refused("with a schedule"))
def test_options_that_a_schedule_excludes(variant_program, schedule, option):
    arguments, problem = option
    path = schedule("time_s,loss,bandwidth_bps\n1,0.5,1e6\n")
    options = [f"--schedule={path}", *arguments.replace("ROOT", str(ROOT)).split()]
    assert problem in refusal(variant_program("changing-link"), *options)

# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (messages stand on one line, as they are told)
"""Networks as data: a sweep file's traces, schedules and distributions, and messages about them."""

import pytest

from tests.support.networks import LINE, mistakes, read


def test_a_load_of_a_link_that_follows_a_trace_is_told(tmp_path):
    (tmp_path / "t").write_text("1\n2\n")
    traffic = "  traffic: {t: {kind: arrivals, from: a, to: c, load: 0.5, link: second}}\n"
    assert mistakes(LINE.replace("delay: 20ms", "trace: t") + traffic, tmp_path) == [
        "10:55: network.traffic.t.load: second follows a `trace` and has no rate of its own; write `rate`, in flows per second"
    ]


def test_an_axis_of_a_bandwidth_that_a_trace_replaces_is_told(tmp_path):
    (tmp_path / "t").write_text("1\n2\n")
    axis = "grid: {network.links.second.bandwidth: [4Mbps, 8Mbps]}\n"
    assert mistakes(LINE.replace("delay: 20ms", "trace: t") + axis, tmp_path) == [
        "10:8: grid.network.links.second.bandwidth: second follows a `trace`, which replaces the bandwidth; "
        "remove this axis or the trace"
    ]
    assert len(read(LINE.replace("delay: 20ms", "trace: t, back: {trace: none}") + axis, tmp_path).own) == 2
    (tmp_path / "u").write_text("2\n4\n")
    zipped = axis.replace("grid", "zip").replace("}", ", network.links.second.trace: [t, u]}")
    assert len(read(LINE + zipped, tmp_path).own) == 2, "networks that differ by their traces"


TRACES = {
    "empty": ("", "trace: t is empty"),
    "words": ("1\n2\nten\n", "trace: t:3: expected a time in whole milliseconds, got 'ten'"),
    "gap": ("1\n\n3\n", "trace: t:2: expected a time in whole milliseconds, got an empty line"),
    "unordered": ("1\n30\n4\n", "trace: t:3: 4 ms follows 30 ms; sort the lines by time"),
    "still": ("0\n0\n", "trace: t: its last time is 0 ms, so the trace has no length; add later times"),
    "late": ("0\n4294967296\n", "trace: t:2: expected at most 4294967295 ms, got 4294967296"),
}


@pytest.mark.parametrize(("held", "told"), TRACES.values(), ids=TRACES)
def test_a_trace_that_is_wrong_is_told_at_its_place_with_its_line(held, told, tmp_path):
    (tmp_path / "t").write_text(held)
    text = LINE.replace("delay: 20ms", "trace: t")
    assert mistakes(text, tmp_path) == [f"6:56: network.links.second.{told}"]


def test_a_missing_trace_is_told_with_the_nearest_name(tmp_path):
    (tmp_path / "lte.down").write_text("1\n2\n")
    text = LINE + "grid: {network.links.second.trace: [lte.down, lte.donw]}"
    assert mistakes(text, tmp_path) == [
        "10:47: grid.network.links.second.trace[1]: lte.donw: cannot be read: No such file or directory; "
        "did you mean 'lte.down'?"
    ]


SCHEDULES = {
    "heads": ("when,delay_s\n1,2\n", "f:1: unknown column 'when'; expected the columns time_s"),
    "order": (
        "time_s,delay_s\n1,0.1\n1,0.2\n",
        "f:3: 1s is not later than the line before; sort the lines by time",
    ),
    "loss": ("time_s,loss\n0,1.5\n", "f:2: loss: expected a share from 0 to 1, such as 0.01 or 1%, got 1.5"),
    "rate": ("time,bandwidth\n0s,10\n", "f:2: bandwidth: expected a data rate, such as 10Mbps, got '10'"),
    "short": ("# none\ntime_s,loss\n0\n", "f:3: expected a value for each of the 2 columns, got 1"),
    "bare": ("time_s,loss\n", "f has no line below its column names"),
}


@pytest.mark.parametrize(("held", "told"), SCHEDULES.values(), ids=SCHEDULES)
def test_a_schedule_that_is_wrong_is_told_with_its_line(held, told, tmp_path):
    (tmp_path / "f").write_text(held)
    (found,) = mistakes(LINE.replace("delay: 20ms", "schedule: f"), tmp_path)
    assert found.startswith(f"6:59: network.links.second.schedule: {told}")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            "schedule_repeat: 9s",
            "6:79: network.links.second.schedule_repeat: expected more than the schedule's last time, 10s; got 9s",
        ),
        (
            "trace: t",
            "6:59: network.links.second.schedule: the schedule changes the rate, but a link with a `trace` has none; "
            "remove one of them",
        ),
        (
            "loss_in_good: 1%",
            "6:59: network.links.second.schedule: the schedule changes the losses, and so does `loss_good_to_bad` or "
            "`loss_in_good`; remove one of them",
        ),
        (
            "step_time: 1s, step_delay: 1ms",
            "6:73: network.links.second.step_time: the link already follows a `schedule`; remove it or the step",
        ),
    ],
)
def test_what_does_not_go_with_a_schedule_is_told(more, told, tmp_path):
    (tmp_path / "f").write_text("time_s,bandwidth_bps,loss\n0,1000000,\n10,2000000,0.5\n")
    (tmp_path / "t").write_text("1\n2\n")
    assert mistakes(LINE.replace("delay: 20ms", f"schedule: f, {more}"), tmp_path) == [told]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("trace: t", "the schedule changes the rate, but a link with a `trace` has none; remove one of them"),
        (
            "loss_good_to_bad: 1%",
            "the schedule changes the losses, and so does `loss_good_to_bad` or `loss_in_good`; remove one of them",
        ),
        ("schedule: none, trace: t", None),
        ("delay: 3ms", None),
    ],
)
def test_a_direction_back_follows_the_schedule_forth_unless_it_has_its_own(more, told, tmp_path):
    (tmp_path / "f").write_text("time_s,bandwidth_bps,loss\n0,1000000,\n10,2000000,0.5\n")
    (tmp_path / "t").write_text("1\n2\n")
    at = "6:59: network.links.second.schedule"
    said = [f"{at}: in the reverse direction, {told}"] if told else []
    assert mistakes(LINE.replace("delay: 20ms", f"schedule: f, back: {{{more}}}"), tmp_path) == said
    both = [f"{at}: {told}"] if more == "trace: t" else []
    if both:  # once, where it is so forth too
        assert mistakes(LINE.replace("delay: 20ms", "schedule: f, trace: t, back: {delay: 3ms}"), tmp_path) == both


SIZES = {
    "end": ("0 0\n1000 50\n2000 90\n", "f:3: the distribution ends at 90; expected 1, or 100 for percentages"),
    "order": ("0 0\n2000 50\n1000 100\n", "f:3: 1000 bytes follow 2000; sort the lines by size"),
    "falls": ("0 0\n1000 50\n2000 40\n", "f:3: the share 40 follows 50; shares must rise"),
    "words": ("size share\n", "f:1: expected a size in bytes and the share of flows up to it"),
}


@pytest.mark.parametrize(("held", "told"), SIZES.values(), ids=SIZES)
def test_a_distribution_that_is_wrong_is_told_with_its_line(held, told, tmp_path):
    (tmp_path / "f").write_text(held)
    traffic = "  traffic: {t: {kind: arrivals, from: a, to: c, load: 0.5, link: second, sizes: f}}"
    (found,) = mistakes(LINE + traffic, tmp_path)
    assert found.startswith(f"10:81: network.traffic.t.sizes: {told}")


@pytest.mark.parametrize("end", ["1", "100", "1.0"])
def test_a_distribution_ends_at_1_or_100(end, tmp_path):
    (tmp_path / "f").write_text(f"# bytes, share\n0 0\n1000 {end}\n")
    traffic = "  traffic: {t: {kind: arrivals, from: a, to: c, load: 0.5, link: second, sizes: f}}"
    assert read(LINE + traffic, tmp_path).inputs["f"].path == str(tmp_path / "f")

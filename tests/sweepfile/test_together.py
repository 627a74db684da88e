# SPDX-License-Identifier: MIT
"""Mistakes of several kinds in one file are reported together."""

from tests.support.sweep_texts import mistakes

WRONG = """\
tables:
  - {columns: [variant, fct]}
  - {title: t, columns: [variant, godput_bps]}
figures:
  - {title: a, show: [windw]}
  - {metric: jian, axis: delay}
  - {title: b, metric: jani, axis: delay, show: [cwnd]}
expect: [fairness > 0.9, jain > 0.9 where delay == 35, 5]
"""
TOLD = [
    ("tables[0]:", "the key 'title' is missing"),
    ("tables[0].columns[1]:", "did you mean 'completion_mean_s'?"),
    ("tables[1].columns[1]:", "did you mean 'goodput_bps'?"),
    ("figures[0].show[0]:", "did you mean 'window'?"),
    ("figures[1].metric:", "did you mean 'jain'?"),
    ("expect[0]:", "did you mean 'jain'?"),
    ("expect[1]:", "did you mean '35ms'?"),
    ("expect[2]:", "expected text, got 5"),
]


def check(told, wanted):
    for place, words in wanted:
        assert any(f": {place}" in line and words in line for line in told), (place, told)


def test_a_table_without_a_title_hides_no_other_mistake():
    told = mistakes(f"grid: {{delay: [10ms, 20ms]}}\n{WRONG}")
    check(told, TOLD)
    check(told, [("figures[2]:", "not both")])


def test_wrong_parameters_hide_no_wrong_metrics():
    told = mistakes(f"fixed: {{flow_size: 1MB, bandwidth: 5}}\n{WRONG}")
    check(told, [*TOLD, ("fixed.flow_size:", "write `bytes`"), ("fixed.bandwidth:", "did you mean '5Mbps'?")])


def test_axes_that_clash_hide_no_wrong_metrics():
    told = mistakes(
        "grid: {delay: [10ms, 20ms]}\nfixed: {delay: 5ms}\nexpect: fct < 2s\ntables: [{title: t, columns: [fct]}]"
    )
    check(told, [("expect:", "completion_mean_s"), ("tables[0].columns[0]:", "completion_mean_s")])
    assert any("is set twice" in line for line in told)


def test_what_follows_from_another_mistake_is_not_told():
    """No cell has 35ms because the axis is broken, and not because the expectation is wrong."""
    told = mistakes("grid: {dealy: [35ms, 70ms]}\nexpect: jain > 0.9 where delay == 35ms")
    assert len(told) == 1
    told = mistakes("grid: {delay: [35ms]}\nruns: 3\nfigures: [{title: t, show: [cwnd], run: 11}]")
    assert len(told) == 1

# SPDX-License-Identifier: MIT
"""Other tools' words for parameters, keys and metrics, and words for unsupported features."""

import pytest

from tcpsweep.ns3 import engine
from tcpsweep.plan import checked_sweep
from tcpsweep.sweepfile.checks import ns3_check
from tcpsweep.sweepfile.document import yaml_document
from tcpsweep.words import metric_names, metrics, not_for, spelling
from tests.support.sweep_texts import document_of, in_ns3, mistakes
from tests.support.tools import ROOT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fixed: {flow_size: 1MB}", "write `bytes`"),
        ("fixed: {jitter: 1ms}", "write `packet_jitter`, which delays each packet, or `start_jitter`"),
        ("name: x", "write `sweep`"),
        ("topology: dumbbell", "write `scenario`"),
        ("variants: [cubic]", "under `grid`, write `variant`"),
        ("rtt: 40ms", "under `fixed` or `grid`, write `delay`"),
        ("runs: 3", "for 3 runs write `repetitions: 3`"),
        ("repetitions: many", "expected a whole number, got 'many'; write `repetitions: 10`"),
        ("expect: fct < 2s", "did you mean 'completion_mean_s'?"),
        ("tables: [{title: t, columns: [variant, fct]}]", "did you mean 'completion_mean_s'?"),
        ("grid: {delay: [1ms, 2ms]}\nfigures: [{metric: fct, axis: delay}]", "did you mean 'completion_mean_s'?"),
        ("smallest_effect: {fct: 2%}", "did you mean 'completion_mean_s'?"),
        ("fixed: {ecn: yes}", "expected true or false, got 'yes'; did you mean true?"),
        ('repetitions: "10"', "expected a whole number, got '10'; write it without quotes"),
        ("capture: true", "expected a mapping (key: value), got true"),
        ("fixed: {start: 0}", "a unit is missing: did you mean '0s'?"),
        ("search: {worst: jain, over: {delay: 1ms - 9ms}, cells: 100}", "did you mean '1ms to 9ms'?"),
        ("search: {worst: jain, over: {delay: 1ms to 9ms}}", "the key 'cells' is missing; write `cells: 200`"),
        (
            "grid: {variant: [cubic, bbr]}\n"
            "refine: {axis: bandwidth, between: 1Mbps and 9Mbps, where: goodput_bps of bbr - cubic}",
            "did you mean 'goodput_bps of bbr - cubic changes sign'?",
        ),
    ],
)
def test_other_tools_words_are_answered_with_ours(text, words):
    (told,) = mistakes(text)
    assert words in told


def test_a_parameter_of_other_scenarios_is_told_as_such():
    (told,) = mistakes("fixed: {flows: 4}", "chain")
    assert "the scenario chain does not take `flows`, where it is always 1; dumbbell, " in told


def test_every_metric_that_is_suggested_is_one():
    meant = {metric_names.did_you_mean(name, metrics.METRICS) for name in metric_names._MEANT}
    assert all(words.split("'")[1] in metrics.averaged() for words in meant)


@pytest.mark.parametrize("key", ["transport", "hosts", "mobility", "routing"])
@pytest.mark.parametrize("section", ["fixed: {%s: 1}", "grid: {%s: [1]}"])
def test_what_tcpsweep_does_not_do_is_said_with_the_page_that_says_so(section, key):
    (told,) = mistakes(section % key)
    assert "tcpsweep has no " in told
    assert told.endswith(f": see {not_for.PAGE}")
    assert (ROOT / not_for.PAGE).is_file()


@pytest.mark.parametrize("key", ["bandwidth_trace", "trace", "arrival", "bottlenecks"])
@pytest.mark.parametrize("section", ["fixed: {%s: 1}", "grid: {%s: [1]}"])
def test_what_described_networks_have_is_answered_with_their_scenario(section, key):
    (told,) = mistakes(section % key)
    assert "write `scenario: network`, whose `network` has " in told


@pytest.mark.parametrize("key", ["testbed: x", "mobility: {a: 1}"])
def test_so_are_keys_of_the_file(key):
    (told,) = mistakes(key)
    assert told.endswith(f": see {not_for.PAGE}")


@pytest.mark.parametrize("name", ["mptcp", "cubic+mptcp", "SCTP", "TcpMptcp"])
def test_so_are_transports_in_any_letters(name):
    told = mistakes(f"grid: {{variant: [{name}]}}") if name.islower() else in_ns3(f"grid: {{variant: [{name}]}}")
    assert len(told) == 1
    assert told[0].endswith(f": see {not_for.PAGE}")


@pytest.mark.parametrize("name", ["quic", "cubic+quic", "QUIC", "TcpQuic"])
def test_quic_needs_a_stack_and_a_control(name):
    told = mistakes(f"grid: {{variant: [{name}]}}") if name.islower() else in_ns3(f"grid: {{variant: [{name}]}}")
    assert len(told) == 1
    assert "write quic:noq/cubic" in told[0]


def test_a_name_is_suggested_only_where_it_is_near():
    variants = ["TcpLp", "TcpCubic", "TcpVegas", "TcpHtcp"]
    assert ns3_check._nearest("mptcp", variants) == ""
    assert ns3_check._nearest("TcpFoo", variants) == ""
    assert ns3_check._nearest("TcpCubik", variants) == "; did you mean 'TcpCubic'?"
    assert ns3_check._nearest("tcpcubic", variants) == "; did you mean 'TcpCubic'?"
    assert spelling.did_you_mean("cwnd", ["cwnd_bytes", "rtt_s"]) == "; did you mean 'cwnd_bytes'?"
    assert spelling.did_you_mean("ndwidth", ["bandwidth"]) == "; did you mean 'bandwidth'?"


def test_one_suggestion_takes_the_place_of_a_list():
    (told,) = mistakes("fixed: {bandwith: 5Mbps}")
    assert "unknown key; did you mean 'bandwidth'?" in told
    (told,) = mistakes("capture: {traces: [cwnd]}")
    assert "'cwnd' is unknown here; did you mean 'cwnd_bytes'?" in told
    (told,) = in_ns3("grid: {variant: [TcpCubik]}")
    assert "'TcpCubik'; did you mean 'TcpCubic'?" in told


def test_why_a_variant_cannot_be_used_is_said_once(monkeypatch):
    broken = ({}, [], {"TcpMine": "TcpMine.cc: error"})
    monkeypatch.setattr(ns3_check, "_with_variants", lambda *_: broken)
    monkeypatch.setattr(ns3_check.variants, "names", lambda: {"TcpMine"})
    monkeypatch.setattr(ns3_check.variants, "mentioned", lambda named: {"TcpMine"} if "Mine" in str(named) else set())
    text = "grid: {variant: [TcpMine, TcpMine+TcpMine, TcpMine]}"
    found = ns3_check.problems(document_of(text).data, engine.find())
    assert [problem.message for problem in found] == ["TcpMine.cc: error"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sweep: a b\nscenario: dumbbell", "got 'a b'; did you mean 'a-b'?"),
        ("scenario: dumbbell", "the key 'sweep' is missing; write `sweep: NAME`"),
        ("sweep: s\nscenario: dumbell", "'dumbell' is unknown here; did you mean 'dumbbell'?"),
        ("- sweep: s", "write the keys without hyphens"),
    ],
)
def test_a_file_whose_first_keys_are_wrong_is_told_what_to_write(text, words):
    document = yaml_document.parse(text, "my.yaml")
    assert words in str(document.mistakes(checked_sweep.expanded(document)[1]))

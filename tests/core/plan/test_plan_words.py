# SPDX-License-Identifier: MIT
"""What a plan tells before a sweep runs: warm-ups, epochs, the cells to run, the expected time."""

import itertools
import json
import os
import time

import pytest

from tcpsweep.core.plan import congestion_epochs, other_programs, plan_words, step_costs
from tcpsweep.core.sweepfile.checks import start_times
from tcpsweep.core.sweepfile.keys import schema
from tests.support.project import SMALL, step
from tests.support.sweep_texts import sweep_of


@pytest.mark.parametrize(("duration", "warmup"), [("20s", "5s"), ("90s", "15s"), ("60s", "15s"), ("2s", "500ms")])
def test_the_default_warmup_is_at_most_a_quarter_of_the_duration(duration, warmup):
    (row,) = sweep_of(f"fixed: {{duration: {duration}}}").combinations
    assert row["warmup"] == warmup
    longest = row.with_values({"warmup": schema.parameters("dumbbell")["warmup"]["default"]})
    assert start_times.default_warmup(longest) == warmup


def test_a_warmup_that_is_given_stands():
    rows = sweep_of("grid: {warmup: [15s, auto]}\nfixed: {duration: 20s}").combinations
    assert {row["warmup"] for row in rows} == {"15s", "auto"}


def test_an_epoch_of_newreno_is_that_of_the_sawtooth():
    # 9,600 packets/s of 1250 bytes without access delays: 96 in flight in 10 ms, and as many queued, for one flow. The
    # window grows from 96 to 192 by half a segment a round trip, of 10 to 20 ms: 192 round trips of 15 ms.
    fixed = "bandwidth: 96Mbps, delay: 5ms, access_delay: 0ms, queue: 96p, flows: 1, segment_size: 1196"
    row = sweep_of(f"fixed: {{{fixed}}}").combinations[0]
    assert congestion_epochs.epoch_s(row, "TcpNewReno") == pytest.approx(192 * 0.015, rel=0.01)
    assert congestion_epochs.epoch_s(row, "TcpLinuxReno") == pytest.approx(96 * 0.015, rel=0.01)
    # K of RFC 9438, 4.2, with W = 192, if that is less.
    longer = sweep_of(f"fixed: {{{fixed.replace('delay: 5ms, acc', 'delay: 100ms, acc')}}}").combinations[0]
    window = 9600 * 0.2 + 96
    epoch_s = congestion_epochs.epoch_s(longer, "TcpCubic")
    assert epoch_s == pytest.approx((0.75 * window) ** (1 / 3), rel=0.01)


@pytest.mark.long
@pytest.mark.parametrize(
    ("variant", "delay", "count"), [("TcpNewReno", "20ms", 1), ("TcpLinuxReno", "10ms", 1), ("TcpCubic", "40ms", 2)]
)
def test_real_flows_go_through_about_as_many_epochs(run, variant, delay, count):
    """Within 0.5 and 1.3 times the estimate, in the 30 s after a warm-up of 10 s."""
    fixed = {"variant": variant, "delay": delay, "bandwidth": "8Mbps", "flows": count, "duration": "40s"}
    row = sweep_of(f"fixed: {json.dumps(fixed | {'warmup': '10s'})}").combinations[0]
    out = run(*(f"--{name}={value}" for name, value in fixed.items()), "--RngRun=3")
    begun = 0  # epochs: cuts of the window while no earlier one is answered
    for flow in range(count):
        states = [(time, state) for time, state in out.trace("congestion_state", flow) if time >= 10]
        begun += sum(before < 2 <= state for (_, before), (_, state) in itertools.pairwise(states))
    assert 0.5 < begun / count / (30 / congestion_epochs.epoch_s(row, variant)) < 1.3


def test_a_busy_machine_takes_longer_and_that_is_said():
    assert plan_words.estimate(200, 5e6, 2) == "about 3 min on 2 cores, 5 MB of disk"
    said = plan_words.estimate(400, 5e6, 2, is_shared=True)
    assert said == "about 7 min on 2 cores, which other programs use too, 5 MB of disk"


@pytest.mark.parametrize(
    ("all_s", "cores", "factor"), [(2, 2, 1), (2.4, 2, 1), (3, 2, 1.25), (3, 1, 1), (4, 2, 1.5), (4, 1, 1)]
)
def test_other_programs_take_their_share_of_the_cores(monkeypatch, all_s, cores, factor):
    """Within two seconds on two cores, of which this process ran all the time."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(other_programs, "reading", lambda: other_programs.Reading(12, 100 + all_s, 52))
    assert other_programs.Reading(10, 100, 50).slow_down(cores) == factor


def test_the_cpu_time_of_others_is_not_that_of_this_process(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2})
    second = os.sysconf("SC_CLK_TCK")
    counted = f"{second} {second} {second} {9 * second} {9 * second} 0 {second} 0 0 0"
    text = "cpu  0 0 0 0 0 0 0 0 0 0\n" + "".join(f"cpu{number} {counted}\n" for number in range(3)) + "intr 1 2\n"
    assert other_programs._busy_s(text) == 8
    begin = other_programs.reading()
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass
    assert begin.at_s < other_programs.reading().at_s


def test_runs_are_said_in_few_words():
    assert plan_words.ranges([1, 2, 3, 4, 7, 9, 10]) == "1 to 4, 7, 9, 10"


@pytest.mark.long
def test_a_dry_run_names_the_cells_with_their_parameters_and_no_jobs(copy_of_finished):
    (copy_of_finished / "sweep.yaml").write_text(SMALL.replace("repetitions: 2", "repetitions: 3"))
    done = step(copy_of_finished, "sweep", "sweep.yaml", "-n")
    assert done.returncode == 0, done.stderr
    assert "12 simulations, 4 left: about " in done.stderr
    assert "then tables, figures, a page for each simulation and the report\n" in done.stderr
    said = done.stderr.partition("would run:\n")[2].splitlines()
    assert said == [
        "  variant     delay  runs",
        "  TcpNewReno  5ms    3",
        "  TcpNewReno  10ms   3",
        "  TcpCubic    5ms    3",
        "  TcpCubic    10ms   3",
        "  all with bandwidth 2Mbps, flows 2, queue 1bdp, start_jitter 100ms, duration 3s, warmup 1s",
    ]
    assert "jobid" not in done.stderr + done.stdout
    assert "would be measured" not in done.stderr
    quiet = step(copy_of_finished, "sweep", "sweep.yaml", "-n", "-q")
    assert "would run" not in quiet.stderr
    jobs = step(copy_of_finished, "sweep", "sweep.yaml", "-n", "-p")
    assert ": simulate 4 of 12 simulations: " in jobs.stderr + jobs.stdout


@pytest.mark.long
def test_cells_that_are_only_measured_are_not_said_to_run(copy_of_finished):
    """Another warm-up simulates nothing."""
    other = SMALL.replace("warmup: 1s", "warmup: 1500ms")
    (copy_of_finished / "sweep.yaml").write_text(other)
    done = step(copy_of_finished, "sweep", "sweep.yaml", "-n")
    assert done.returncode == 0, done.stderr
    assert "would be measured again (nothing is simulated):\n  variant     delay  runs\n" in done.stderr
    assert "would run:" not in done.stderr
    (copy_of_finished / "sweep.yaml").write_text(other.replace("repetitions: 2", "repetitions: 3"))
    done = step(copy_of_finished, "sweep", "sweep.yaml", "-n")
    again, _, run = done.stderr.partition("would be measured again")
    assert "would run:\n" in again
    assert "TcpNewReno  5ms    3\n" in again
    assert "TcpNewReno  5ms    1, 2\n" in run


def test_the_steps_after_the_cells_are_estimated_and_corrected_by_what_they_took(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sweep = sweep_of("grid: {variant: [TcpCubic, TcpBbr], delay: [10ms, 20ms]}\nrepetitions: 5")
    mere = step_costs.estimate(sweep, 20, 0, 2)
    begin_s = step_costs.JOB_S * len(mere)
    one_core_s, two_cores_s = (step_costs.together_s(mere, 20, cores) for cores in (1, 2))
    assert one_core_s == pytest.approx(sum(mere.values()) + begin_s)
    assert two_cores_s == pytest.approx(one_core_s - mere["pages"])  # which are made next to tables and report
    logs = tmp_path / "results/sweeps/earlier/logs"
    step_costs.note(logs.parent, mere)
    (logs / "pages.tsv").write_text(f"s\th:m:s\n{3 * mere['pages']}\t0:00:01\n")
    assert step_costs.together_s(mere, 20, 1) == pytest.approx(3 * sum(mere.values()) + begin_s)


@pytest.mark.long
def test_a_finished_sweep_leaves_what_its_steps_were_expected_to_take(finished):
    logs = finished / "results/sweeps/small/logs"
    expected = json.loads((logs / step_costs.EXPECTED).read_text())
    assert set(expected) == {"aggregate", "report", "pages", "finish"}
    for name in expected:
        assert step_costs._benchmark_s(logs / f"{name}.tsv") > 0

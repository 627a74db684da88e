# SPDX-License-Identifier: MIT
"""The gate: its verdict and exit status for known numbers, with real versions of a variant, and for wrong arguments."""

import contextlib
import dataclasses
import random
import re
from pathlib import Path

import polars as pl
import pytest
import scipy.stats

from tcpsweep.__main__ import run as run_command
from tcpsweep.core.campaigns import comparison_page, comparison_words, differences, two_sweeps
from tcpsweep.core.command_line.commands import new_sweep
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import locks
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.gate import gate_answer, gate_sweeps, gated_versions, overall_change
from tcpsweep.features.gate import gate_run as gate_command
from tcpsweep.features.gate.gate_answer import Gate
from tcpsweep.features.gate.gated_versions import Version
from tests.support import synthetic
from tests.support.project import edit, step

SWEEP = Path(__file__).parent.joinpath("sweeps", "gate.yaml").read_text()
# Packets are lost at random, so goodput falls with the share of the window that a loss leaves.
SHORT = Path(__file__).parent.joinpath("sweeps", "short.yaml").read_text()


# Goodput as a factor of the base's, its own noise, and a queue, so that simulations have other ids.
HEADS = {"lower": (0.97, 0.001, "2bdp"), "higher": (1.03, 0.001, "3bdp")}
HEADS |= {"same": (1.0, 0.001, "4bdp"), "noisy": (0.98, 0.05, "5bdp")}
GOODPUT = pl.col("metric") == "goodput_bps"


def made(name, factor=1.0, noise=0.0, queue="1bdp", duration="40s"):
    """A sweep with goodputs that differ from run to run, times ``factor`` and with more ``noise``, a share."""

    def goodput(row, run):
        of_run, own = (random.Random(f"{row['bandwidth']} {run} {each}") for each in ("", name))
        return [1e6 * factor * of_run.gauss(1, 0.02) * own.gauss(1, noise) for _ in range(row["flows"])]

    text = SWEEP.replace("sweep: base", f"sweep: {name}").replace("40s", duration)
    synthetic.sweep(text.replace("warmup: 10s", f"warmup: 10s, queue: {queue}"), goodput)


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A folder with the base and the heads."""
    with contextlib.chdir(tmp_path_factory.mktemp("gate")):
        made("base")
        for name, how in HEADS.items():
            made(name, *how)
        return Path.cwd()


@pytest.fixture
def heads(swept, monkeypatch):
    """Work next to the sweeps of the base and the heads."""
    monkeypatch.chdir(swept)


def gate(head):
    """The results of a gate between the base and another sweep."""
    a, b = (two_sweeps.read_side(name, whole=True) for name in ("base", head))
    matched = two_sweeps.match(a, b)
    overall = overall_change.overall(*two_sweeps.placed(a, b, matched), b.sweep.smallest_effects)
    versions = [Version("BASE", "linux-6.1"), Version("HEAD", "linux-6.12")]
    return Gate(versions, *two_sweeps.identical(a, b, matched), overall, differences.differences(a, b, matched))


@pytest.mark.usefixtures("heads")
def test_the_overall_change_is_the_paired_t_test_of_the_means_over_conditions():
    found = gate("noisy").overall
    values = []
    for name in ("base", "noisy"):
        kept = pl.read_parquet(f"results/sweeps/{name}/runs.parquet").filter(GOODPUT).sort("combination", "run")
        values.append(kept["value"].to_numpy().reshape(3, 14))
    base, head = (each / values[0].mean(axis=1, keepdims=True) for each in values)
    test = scipy.stats.ttest_rel(head.mean(axis=0), base.mean(axis=0))
    assert found["effect"] == pytest.approx((head - base).mean())
    assert found["p"] == pytest.approx(test.pvalue)
    assert (found["low"], found["high"]) == pytest.approx(tuple(test.confidence_interval(0.95)))


@pytest.mark.long
def test_flows_that_are_not_in_steady_state_count(here):
    made("base", duration="12s")
    made("head", *HEADS["lower"], duration="12s")
    compared = comparison_page.write("base", "head")[1].filter(GOODPUT)
    assert set(compared["finding"]) == {"not steady"}
    assert set(gate("head").cases.filter(GOODPUT)["finding"]) == {"lower"}
    page, *_ = comparison_page.write("base", "head", whole=True)
    assert "Flows that are not in steady state count, too." in page.read_text()


@pytest.mark.usefixtures("heads")
def test_a_condition_without_a_goodput_in_every_run_does_not_count():
    a, b = two_sweeps.read_side("base"), two_sweeps.read_side("lower")
    base, head = two_sweeps.placed(a, b, two_sweeps.match(a, b))
    first = pl.col("place") == base["place"].min()
    lacking = base.filter(~(first & GOODPUT & (pl.col("run") > 1)))  # a row for the first run only, as of transfers
    smallest = b.sweep.smallest_effects
    others = [side.filter(~first) for side in (base, head)]
    assert overall_change.overall(lacking, head, smallest) == overall_change.overall(*others, smallest)
    with pytest.raises(UserError, match="no network condition has a goodput in every run"):
        overall_change.overall(base.filter(GOODPUT & (pl.col("run") > 1)), head.filter(pl.col("run") < 2), smallest)


ANSWERS = {
    "lower": (4, "Changed: goodput −3"),
    "higher": (4, "Changed: goodput +3"),
    "same": (0, "Nothing changed: goodput"),
    "noisy": (3, "Not decided: goodput"),
    "base": (0, "Nothing changed: all 42 simulations are identical, byte for byte."),
}


@pytest.mark.usefixtures("heads")
@pytest.mark.parametrize("head", ANSWERS)
def test_the_exit_status_says_whether_goodput_changed(head):
    found, (status, begins) = gate(head), ANSWERS[head]
    assert (found.status, gate_answer.answer(found)[: len(begins)]) == (status, begins)


@pytest.mark.usefixtures("heads")
def test_a_change_of_another_metric_is_told_with_the_goodput_that_is_not_decided():
    found = gate("noisy")
    delay = (pl.col("metric") == "queueing_delay_mean_s") & (pl.col("combination_a") == 0)
    changed = pl.when(delay).then(pl.lit("higher")).otherwise("finding").alias("finding")
    found = dataclasses.replace(found, cases=found.cases.with_columns(changed))
    assert found.status == gate_answer.CHANGED
    words = r"Changed: mean queueing delay in 1 of 3 network conditions; goodput .*\), inconclusive\."
    assert re.fullmatch(words, gate_answer.answer(found))


@pytest.mark.usefixtures("heads")
def test_the_answer_is_a_table_of_markdown_with_a_row_for_each_condition():
    found = gate("lower")
    labels = [f"bandwidth | {number}" for number in range(found.cases.filter(GOODPUT).height)]
    lines = gate_answer.markdown(found, labels, comparison_words.verdicts(found.cases), "page.html").splitlines()
    assert lines[0] == "### tcpsweep gate: linux-6.1 to linux-6.12"
    assert lines[2].startswith("**Changed: goodput −3")
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + 3
    assert {line.replace("\\|", "").count("|") for line in table} == {6}


def test_only_the_version_differs_between_both_sweeps(here):
    for folder in ("base", "."):
        (here / folder).mkdir(exist_ok=True)
        new_sweep._write_variant(here / folder / "TcpMine.cc")
    versions = gated_versions.read("base/TcpMine.cc", "TcpMine.cc")
    document = checked_sweep.opened(gate_sweeps.DEFAULT)
    one, other = (checked_sweep.without_ns3(gate_sweeps.write(document, version)) for version in versions)
    assert one.combinations == other.combinations
    assert (one.runs, one.seed, one.smallest_effects) == (other.runs, other.seed, other.smallest_effects)
    assert {row["variant"] for row in one.combinations} == {"TcpMine"}
    assert one.variant_files != other.variant_files


REFUSED = {
    "TcpNone.cc TcpMine.cc": "BASE 'TcpNone.cc': there is no file ",
    "TcpMine.cc lower.cc": "HEAD 'lower.cc': lower.cc: expected a file named as its class",
    "TcpMine.cc TcpOther.cc": "BASE is TcpMine and HEAD is TcpOther: expected two versions of one class",
    "no-kernel TcpMine.cc": "BASE 'no-kernel': expected a C++ file, such as ./TcpMine.cc, or a kernel: ",
    ". .": "BASE '",
    "ngtcp2 noq": "BASE is the QUIC stack ngtcp2 and HEAD is noq: expected two versions of one stack",
    "ngtcp2 TcpMine.cc": "BASE 'ngtcp2' and HEAD 'TcpMine.cc': expected two C++ files, two QUIC stacks or",
    "TcpMine.cc TcpMine.cc --sweep adaptive.yaml": "--sweep adaptive.yaml: a gate cannot use",
    "TcpMine.cc TcpMine.cc --sweep none.yaml": "none.yaml: ",
}


def test_a_wrong_argument_is_named(here):
    for name in ("TcpMine", "TcpOther"):
        new_sweep._write_variant(here / f"{name}.cc")
    for name in ("ngtcp2", "noq"):
        (here / name / "src").mkdir(parents=True)
    (here / "adaptive.yaml").write_text(SWEEP.replace("repetitions: 14", "precision: {goodput_bps: 5%}"))
    for arguments, says in REFUSED.items():
        with pytest.raises(SystemExit) as ended:
            run_command(["gate", *arguments.split()])
        assert str(ended.value).startswith(says)


@pytest.mark.long
def test_a_version_that_reacts_more_to_loss_is_found_and_an_edited_comment_is_not(project):
    for folder in ("base", "head"):
        (project / folder).mkdir()
        new_sweep._write_variant(project / folder / "TcpMine.cc")
    (project / "short.yaml").write_text(SHORT)
    asked = ("gate", "base/TcpMine.cc", "head/TcpMine.cc", "--sweep", "short.yaml")
    edit(project / "head" / "TcpMine.cc", "// After a loss:", "// After a lost segment:")
    same = step(project, *asked)
    assert same.returncode == 0, same.stderr
    assert "Nothing changed: all 16 simulations are identical, byte for byte." in same.stdout
    edit(project / "head" / "TcpMine.cc", "DoubleValue(0.5)", "DoubleValue(0.25)")
    other = step(project, *asked)
    assert other.returncode == 4, other.stdout + other.stderr
    assert "**Changed: goodput −" in other.stdout
    edit(project / "head" / "TcpMine.cc", "m_rest -= whole;", "m_rest -= whole")
    broken = step(project, *asked)
    assert broken.returncode == 1
    assert "HEAD 'head/TcpMine.cc': " in broken.stderr


def test_a_second_gate_at_the_same_time_changes_no_file_and_names_the_first(here):
    for side in ("base", "head"):
        (here / side).mkdir()
        (here / side / "TcpMine.cc").write_text("")
    (here / "sweep.yaml").write_text(SHORT)
    folder = here / "results" / "gates" / "short-TcpMine"
    with locks.derived(Path("results/gates/short-TcpMine"), "a gate"):
        with pytest.raises(locks.Busy, match=r"^results/gates/short-TcpMine is in use by a gate, process [0-9]+ on"):
            gate_command.run("base/TcpMine.cc", "head/TcpMine.cc", Path("sweep.yaml"))
        assert [path.name for path in folder.iterdir()] == [".lock"]


def test_a_gates_sweep_has_a_name_that_leads_nowhere(here):
    (here / "TcpMine.cc").write_text("")
    (here / "sweep.yaml").write_text(SHORT.replace("sweep: short", "sweep: ../../../elsewhere"))
    with pytest.raises(UserError, match=r"sweep\.yaml:2:8: sweep"):
        gate_command.run("TcpMine.cc", "TcpMine.cc", Path("sweep.yaml"))

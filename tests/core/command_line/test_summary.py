# SPDX-License-Identifier: MIT
"""The summary at the end of a run: means, cells without a result, steps that did not finish, and the report's path."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from tcpsweep.core.command_line.terminal import summary
from tcpsweep.core.plan import cell_commands, plan_record, result_ids
from tcpsweep.core.store import completion_record, layout
from tcpsweep.core.sweep import sweep_tables
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tests.support import synthetic

SWEEP = Path(__file__).parent.joinpath("sweeps", "summary.yaml").read_text()
FOLDER = Path("results/sweeps/small")

pytestmark = pytest.mark.usefixtures("here")


def made(**how):
    """A finished sweep, whose goodputs have a mean over runs 1 to 3 of 2 Mbit/s."""
    synthetic.sweep(SWEEP, lambda row, run: [run * 1e6] * row["flows"], **how)
    (FOLDER / "figures.json").write_text("[]")
    Path("reports").mkdir()
    Path("reports/small.html").write_text("")


def planned(jobs=None, compiles=None):
    """The plan that Snakemake had for the sweep."""
    document = yaml_document.read("sweep.yaml")
    sweep, _ = grid.expand(SweepFile(document.data))
    made = cell_commands.cells(sweep, "code", synthetic.NS3, dict)
    binary = Path("build/ns3/dumbbell-1/dumbbell")
    return plan_record.Plan(
        sweep, made, *result_ids.parser_and_decoder(sweep.capture), binary, jobs or {}, compiles or {}
    )


def shown(capsys, the_plan, *logs):
    summary.show(the_plan, logs)
    return capsys.readouterr().err


def test_the_summary_ends_with_the_reports_path(capsys):
    made()
    text = shown(capsys, planned())
    assert text.rstrip().endswith("report: reports/small.html")
    lines = [line.split() for line in text.splitlines()]
    assert ["CUBIC", "2Mbps", "2.0", "[0.0,", "4.5]"] in [line[:5] for line in lines]
    assert "\x1b" not in text


def test_the_summary_of_a_finished_sweep_is_the_one_on_record_unless_its_plan_or_tables_changed(capsys):
    made()
    steps = {step: [FOLDER / "sweep.json"] for step in completion_record.STEPS} | {
        "aggregate": [FOLDER / "summary.parquet"]
    }
    completion_record.write(FOLDER, steps, ["a table on record"])
    assert "a table on record" in shown(capsys, planned())
    (FOLDER / "sweep.json").write_text((FOLDER / "sweep.json").read_text() + "\n")
    text = shown(capsys, planned())
    assert "on record" not in text and "CUBIC" in text


def test_many_combinations_give_a_line_per_variant(capsys):
    bandwidths = ", ".join(f"{i}Mbps" for i in range(1, 8))
    synthetic.sweep(
        SWEEP.replace("2Mbps, 4Mbps", bandwidths).replace("repetitions: 3", "runs: [1]"),
        lambda row, run: [float(row["bandwidth"].removesuffix("Mbps")) * 1e6] * 2,
    )
    text = shown(capsys, planned())
    rows = [line for line in text.splitlines() if re.search(r"\d to \d", line)]
    assert len(rows) == 3
    assert rows[0].split()[:4] == ["CUBIC", "1", "to", "7"]


def test_the_summary_counts_finished_simulations_that_a_forced_rule_made_again(capsys):
    made()
    the_plan = planned()
    assert "tcpsweep: small: 12 kept" in shown(capsys, the_plan)
    run = the_plan.finished()[0]
    (layout.measured(run.cell, the_plan.parser, the_plan.measures[run.combination]) / layout.SUMS).touch()
    assert "tcpsweep: small: 1 simulated, 11 kept" in shown(capsys, the_plan)


def test_the_summary_names_at_most_five_failed_cells(capsys):
    made(fails=lambda row, run: run > 1)
    text = shown(capsys, planned())
    assert "8 of 12 simulations have no result" in text
    assert text.count(" failed:\n") == 5
    assert "and 3 more" in text
    assert "line 30 <of the log>" in text


def test_a_failed_compilation_is_what_the_summary_shows(capsys):
    synthetic.sweep(SWEEP)
    (FOLDER / "covered.json").unlink()
    log = FOLDER / "jobs/compile/dumbbell.log"
    log.parent.mkdir(parents=True)
    log.write_text("dumbbell does not compile\n    error: expected ';'\n")
    the_plan = planned({"simulate": ["abc"], "parse": []})
    the_plan = replace(the_plan, compiles={("compile", "dumbbell"): the_plan.binary})
    text = shown(capsys, the_plan, "snakemake.log")
    assert f"compile did not finish; {log} ends with" in text
    assert "error: expected ';'" in text
    assert "report:" not in text


def test_a_failed_step_is_shown_beside_the_tables_that_were_made(capsys):
    made()
    (FOLDER / "figures.json").unlink()
    (FOLDER / "logs").mkdir()
    (FOLDER / "logs" / "report.log").write_text("OSError: no space left\n")
    assert "did not finish" not in shown(capsys, planned())  # of a run that was asked only for the tables
    text = shown(capsys, planned(), "snakemake.log")
    assert "report did not finish; results/sweeps/small/logs/report.log ends with" in text
    assert "OSError: no space left" in text
    assert "2.0 [0.0, 4.5]" in text
    assert "reports/small.html (of an earlier run)" in text


def test_tables_that_lack_simulations_of_another_run_are_remade_by_the_next(capsys):
    made()
    (FOLDER / "covered.json").write_text("[]")
    text = shown(capsys, planned(), "snakemake.log")
    assert sweep_tables.STALE in text
    assert "CUBIC" not in text


def test_the_summary_never_raises(capsys):
    broken = SimpleNamespace(sweep=SimpleNamespace(name="small"))
    assert "no summary" in shown(capsys, broken)
    synthetic.sweep(SWEEP)
    (FOLDER / "summary.parquet").write_bytes(b"not Parquet")
    assert "no summary" in shown(capsys, planned())

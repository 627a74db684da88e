# SPDX-License-Identifier: MIT
"""What a terminal shows of a folder from others: escapes are shown and not obeyed, and forged words are not said."""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tcpsweep.command_line.commands import compared, prune
from tcpsweep.command_line.terminal import finished_sweep
from tcpsweep.command_line.terminal.say import say
from tcpsweep.plan import plan
from tcpsweep.store import completion, layout
from tcpsweep.sweep import sweep_record
from tcpsweep.workflow import stop
from tests.support.project import CELL
from tests.support.tools import ROOT

# It clears the screen and prints other words itself: a line of `watch` is escaped there, and a run's end has "?".
OWN = {"commands/watch_sweep.py", "terminal/say.py", "terminal/summary.py"}


def test_escapes_are_shown(here, capsys):
    say("red \x1b[31m\n\ttext \u202e")
    stop.tell("red \x1b[31m")
    (layout.CELLS / "c\x1b]0;title\x07").mkdir(parents=True)
    assert prune.remove(prune.unwanted, "no") is False
    done = capsys.readouterr()
    assert done.out.startswith("red \\x1b[31m\n\ttext \\u202e\n")
    assert "results/cells/c\\x1b]0;title\\x07" in done.out
    assert done.err == "red \\x1b[31m\n"


def test_all_commands_print_with_escapes():
    folder = ROOT / "tcpsweep" / "command_line"
    found = {path for path in folder.rglob("*.py") if re.search(r"(?<![\w.`])print\(", path.read_text())}
    assert {str(path.relative_to(folder)) for path in found} == OWN


@pytest.fixture
def folder(here):
    """The folder of a planned sweep."""
    Path("sweep.yaml").write_text(CELL)
    return plan.prepare("sweep.yaml").folder


def test_a_sweeps_name_has_no_escapes(folder):
    record = sweep_record.read(folder)
    (folder / sweep_record.FILE).write_text(sweep_record.record_text(replace(record, name="small\x1b[31m")))
    with pytest.raises(sweep_record.Unreadable, match="a name has a control character"):
        sweep_record.read(folder)


def record_of(made, tables):
    digest = hashlib.sha256(json.dumps([made, tables], sort_keys=True).encode()).hexdigest()
    return json.dumps({"made": made, "tables": tables, "digest": digest})


@pytest.mark.parametrize("made", [{}, {"plan": {}}, {step: {} for step in completion.STEPS}])
def test_closing_words_of_a_run_that_made_nothing_are_not_said(folder, made):
    (folder / layout.COMPLETE).write_text(record_of(made, {"table": "WRONG", "bars": "WRONG"}))
    assert completion.read(folder) is None
    assert finished_sweep.table(folder) is None


@pytest.mark.parametrize("path", ["/dev/zero", "results/../../../../../../dev/zero", "sweep.yaml"])
def test_a_run_made_no_files_elsewhere(folder, path):
    assert not completion.are_there({path: "0" * 64})


def test_an_archive_whose_sweep_has_another_name_than_its_file_differs(folder, here):
    record, home = sweep_record.read(folder), here / "home"
    (home / layout.SWEEPS / "small").mkdir(parents=True)
    for run in record.cells:
        for place in (record.parquet(run.cell), record.measured(run)):
            (home / place).mkdir(parents=True, exist_ok=True)
    renamed = replace(record, name="other", cells=[])
    *_, tables = compared.parts(renamed, folder, here, home)
    assert tables.different == ["sweep.json: its sweep has the name other, but the archive's is small"]

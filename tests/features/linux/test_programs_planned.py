# SPDX-License-Identifier: MIT
"""Sweeps with programs as flows: what is refused, what belongs to a simulation's id, and who must agree."""

import pytest

from tcpsweep.core.command_line.commands import one_cell
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import cell_commands, checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.document.yaml_document import Mistakes
from tcpsweep.core.words.user_error import UserError
from tests.features.linux.conftest import changed, messages, sweep_text
from tests.support.tools import ROOT

SWEEP = sweep_text("programs")


@pytest.fixture
def planned(read_plan, tmp_path):
    """Plans a sweep file where a kernel was built: its sweep, and its problems' places and messages."""
    (tmp_path / "send.sh").touch()

    def planned(text):
        sweep, problems = read_plan(text)
        return sweep, [(".".join(map(str, each.path)), each.message) for each in problems]

    return planned


@pytest.mark.parametrize("case", messages("programs"), ids=str)
def test_a_refusal_names_the_key_and_says_what_to_write(planned, case):
    _, problems = planned(changed(case))
    if told := case.get("told"):
        assert (case["place"], told) in [(at, message[: len(told)]) for at, message in problems], problems
    else:
        assert problems == []


def ids(sweep):
    return [cell.id.rpartition("-")[2] for cell in cell_commands.cells(sweep, "code", Engine(ROOT, "3.44", "0"), dict)]


def test_the_id_covers_the_files_that_a_command_names_but_not_their_folder(planned, tmp_path, monkeypatch):
    (tmp_path / "send.sh").write_text("sleep 1\n")
    sweep, _ = planned(SWEEP)
    (cell, *_) = cell_commands.cells(sweep, "code", Engine(ROOT, "3.44", "0"), dict)
    assert {f"--program_folder={tmp_path}", "--sender_program=sh ./send.sh {receiver} {seconds}"} <= {*cell.arguments}
    first = ids(sweep)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "send.sh").write_text("sleep 1\n")
    (tmp_path / "elsewhere" / "sweep.yaml").write_text(SWEEP)
    moved, _ = checked_sweep.expanded(yaml_document.read(tmp_path / "elsewhere" / "sweep.yaml"))
    assert ids(moved) == first
    (tmp_path / "send.sh").write_text("sleep 2\n")
    assert not {*ids(planned(SWEEP)[0])} & {*first}


def test_a_strangers_file_runs_no_program_unasked(planned, monkeypatch):
    command = ["dumbbell", "--stack=linux", "--sender_program=rm -r x", "--receiver_program=none"]
    with pytest.raises(UserError, match="this simulation runs `rm -r x` as you; to allow this, add --run-code"):
        one_cell.check_consent(command, runs_code=False)
    one_cell.check_consent(command, runs_code=True)
    one_cell.check_consent(["dumbbell", "--sender_program=none"], runs_code=False)
    monkeypatch.setenv(checked_sweep.IGNORE_NS3, "1")  # as `tcpsweep verify ARCHIVE.zip` does, without --run-code
    with pytest.raises(
        Mistakes, match=r"`sh ./send.sh .*`, `sleep 10` would run programs as you, which needs --run-code"
    ):
        planned(SWEEP)

# SPDX-License-Identifier: MIT
"""The command of a single simulation: it follows from the sweep's plan and the code here, whatever a folder says."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tcpsweep.command_line.commands import one_cell
from tcpsweep.ns3 import engine
from tcpsweep.plan import plan
from tcpsweep.quic import stack_build
from tcpsweep.sweep import sweep_record
from tcpsweep.words.user_error import UserError
from tests.support.project import CELL


@pytest.fixture
def folder(here):
    """The folder of a planned sweep with one simulation."""
    Path("sweep.yaml").write_text(CELL)
    return plan.prepare("sweep.yaml").folder


def changed(folder, **changes):
    """Change the sweep's record, as one does who hands the folder on."""
    record = sweep_record.read(folder)
    (folder / sweep_record.FILE).write_text(sweep_record.record_text(replace(record, **changes)))


def test_words_in_commands_have_no_effect(folder):
    cell, command, _ = one_cell.find("dumbbell")
    table = folder / "commands.json"
    commands = json.loads(table.read_text())
    assert commands[cell].endswith(f"{' '.join(command[1:])} --out=by-hand/{cell}")
    added = " --quic=noq=results/evil.so --load=results/libTcpEvil.so --kernel=../../results/evil --out="
    table.write_text(json.dumps({cell: commands[cell].replace(" --out=", added)}))
    assert one_cell.find(cell)[1] == command
    table.write_text("[]")
    assert one_cell.find(cell)[1] == command


def test_a_simulation_with_other_parameters_than_its_id_says_is_refused(folder):
    (row,) = sweep_record.read(folder).combinations
    changed(folder, combinations=[row | {"bandwidth": "3Mbps"}])
    with pytest.raises(UserError, match="its parameters have changed since it was planned; plan the sweep again"):
        one_cell.find("dumbbell")
    changed(folder, combinations=[{"variant": 3}])
    with pytest.raises(UserError, match=r"sweep\.json is damaged; plan the sweep again"):
        one_cell.find("dumbbell")


def test_a_quic_stack_is_one_of_ours():
    with pytest.raises(ValueError, match="tcpsweep has no QUIC stack"):
        stack_build.used({"variant": "quic:noq=results.so,x/cubic"})


def test_an_ns3_that_nothing_was_compiled_for_is_used_only_when_asked(folder, here):
    """A folder may contain an ns-3 whose libraries have the identity that the record states."""
    for file, text in {
        "include/ns3/core-config.h": "",
        "include/ns3/version-defines.h": "#define NS3_VERSION_MAJOR 3\n#define NS3_VERSION_MINOR 44\n",
        "lib/libns3.44-core.so": "evil",
    }.items():
        path = here / "results" / "engine" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    theirs = engine.find("results/engine")
    changed(folder, ns3_prefix="results/engine", ns3_libraries=theirs.libraries_id)
    with pytest.raises(UserError, match=r"uses the ns-3 in .*results/engine, .* to allow this, add --run-code"):
        one_cell.find("dumbbell")
    with pytest.raises(UserError, match="its parameters have changed"):  # its id names another ns-3
        one_cell.find("dumbbell", runs_code=True)

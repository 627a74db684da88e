# SPDX-License-Identifier: MIT
"""A folder of results from others: its escapes are not obeyed, and it forges no words, commands or files to pack."""

import hashlib
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tcpsweep.core.command_line.commands import one_cell, prune
from tcpsweep.core.command_line.terminal import finished_sweep
from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.ns3 import engine
from tcpsweep.core.plan import plan
from tcpsweep.core.store import completion_record, layout
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.sweep.sweep_parts import InputFile
from tcpsweep.core.words.user_error import UserError
from tcpsweep.core.workflow import planning
from tcpsweep.features.archive import compared_with_archive, contents
from tcpsweep.features.dossier import dossier_page
from tcpsweep.features.quic import stack_build
from tests.support.project import CELL
from tests.support.tools import ROOT

FOLDER = layout.SWEEPS / "small"


@pytest.fixture
def planned(here):
    """The record of a planned sweep with one simulation."""
    Path("sweep.yaml").write_text(CELL)
    plan.prepare("sweep.yaml")
    return sweep_record.read(FOLDER)


def changed(record, **changes):
    """Change the sweep's record, as one does who hands the folder on."""
    (FOLDER / sweep_record.FILE).write_text(sweep_record.record_text(replace(record, **changes)))


# --- what a terminal shows ---


def test_escapes_are_shown(here, capsys, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(here / "build"))  # which no other sweep uses
    say("red \x1b[31m\n\ttext \u202e")
    planning.tell("red \x1b[31m")
    (layout.CELLS / "c\x1b]0;title\x07").mkdir(parents=True)
    assert prune.remove(prune.unwanted, "no") is False
    done = capsys.readouterr()
    assert done.out.startswith("red \\x1b[31m\n\ttext \\u202e\n")
    assert "results/cells/c\\x1b]0;title\\x07" in done.out
    assert done.err == "red \\x1b[31m\n"


def test_all_commands_print_with_escapes():
    folder = ROOT / "tcpsweep"
    places = [*folder.glob("core/command_line/**/*.py"), *folder.glob("features/*/*.py")]  # but for what compiles
    places = [path for path in places if path.parent.name not in ("linux", "quic")]
    found = {path for path in places if re.search(r"(?<![\w.`])print\(", path.read_text())}
    # A run's end has "?" instead.
    terminal = "core/command_line/terminal"
    own = {f"{terminal}/say.py", f"{terminal}/summary.py"}
    assert {str(path.relative_to(folder)) for path in found} == own


def test_a_sweeps_name_has_no_escapes(planned):
    changed(planned, name="small\x1b[31m")
    with pytest.raises(sweep_record.Unreadable, match="a name has a control character"):
        sweep_record.read(FOLDER)


@pytest.mark.parametrize("made", [{}, {"plan": {}}, {step: {} for step in completion_record.STEPS}])
def test_closing_words_of_a_run_that_made_nothing_are_not_said(planned, made):
    tables = ["WRONG"]
    digest = hashlib.sha256(json.dumps([made, tables], sort_keys=True).encode()).hexdigest()
    (FOLDER / layout.COMPLETE).write_text(json.dumps({"made": made, "tables": tables, "digest": digest}))
    assert completion_record.read(FOLDER) is None
    assert not finished_sweep.closing_table(FOLDER)


@pytest.mark.parametrize("path", ["/dev/zero", "results/../../../../../../dev/zero", "sweep.yaml"])
def test_a_run_made_no_files_elsewhere(planned, path):
    assert not completion_record.are_there({path: "0" * 64})


def test_an_archive_whose_sweep_has_another_name_than_its_file_differs(planned, here):
    home = here / "home"
    (home / FOLDER).mkdir(parents=True)
    for run in planned.cells:
        for place in (planned.parquet(run.cell), planned.measured(run)):
            (home / place).mkdir(parents=True, exist_ok=True)
    *_, tables = compared_with_archive.parts(replace(planned, name="other", cells=[]), FOLDER, here, home)
    assert tables.different == ["sweep.json: its sweep has the name other, but the archive's is small"]


# --- the command of a simulation, which follows from the sweep's plan and the code here ---


def test_words_in_commands_have_no_effect(planned):
    cell, command, _ = one_cell.find("dumbbell")
    table = FOLDER / "commands.json"
    commands = json.loads(table.read_text())
    assert commands[cell].endswith(f"{' '.join(command[1:])} --out=by-hand/{cell}")
    added = " --quic=noq=results/evil.so --load=results/libTcpEvil.so --kernel=../../results/evil --out="
    for text in (json.dumps({cell: commands[cell].replace(" --out=", added)}), "[]"):
        table.write_text(text)
        assert one_cell.find(cell)[1] == command


def test_a_simulation_with_other_parameters_than_its_id_says_is_refused(planned):
    (row,) = planned.combinations
    for changes, told in (
        (
            row.with_values({"bandwidth": "3Mbps"}),
            "its parameters have changed since it was planned; plan the sweep again",
        ),
        ({"variant": 3}, r"sweep\.json is damaged; plan the sweep again"),
    ):
        changed(planned, combinations=[changes])
        with pytest.raises(UserError, match=told):
            one_cell.find("dumbbell")


def test_a_quic_stack_is_one_of_ours():
    with pytest.raises(ValueError, match="tcpsweep has no QUIC stack"):
        stack_build.used({"variant": "quic:noq=results.so,x/cubic"})


def test_an_ns3_that_nothing_was_compiled_for_is_used_only_when_asked(here):
    """A folder may contain an ns-3 whose libraries have the identity that the record states."""
    Path("sweep.yaml").write_text(f"{CELL}tcp: ns-3\n")  # without attributes, which it would be asked for
    plan.prepare("sweep.yaml")
    planned = sweep_record.read(FOLDER)
    for file, text in {
        "include/ns3/core-config.h": "",
        "include/ns3/version-defines.h": "#define NS3_VERSION_MAJOR 3\n#define NS3_VERSION_MINOR 44\n",
        "lib/libns3.44-core.so": "evil",
    }.items():
        path = here / "results" / "engine" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    theirs = engine.find("results/engine")
    changed(planned, ns3_prefix="results/engine", ns3_libraries=theirs.libraries_id)
    with pytest.raises(UserError, match=r"uses the ns-3 in .*results/engine, .* to allow this, add --run-code"):
        one_cell.find("dumbbell")
    with pytest.raises(UserError, match="its parameters have changed"):  # its id names another ns-3
        one_cell.find("dumbbell", runs_code=True)


# --- the files of an archive and of a dossier ---


@pytest.fixture
def secret(planned, tmp_path_factory):
    """A file elsewhere, next to a planned sweep whose simulation seems to have results."""
    file = tmp_path_factory.mktemp("elsewhere") / "secret"
    file.write_text("secret")
    for run in planned.cells:
        planned.measured(run).mkdir(parents=True)
    (FOLDER / "figures").mkdir()
    return file


def packed(sweep, file=None):
    return contents.archive_contents(sweep, FOLDER.absolute(), file).files


def places(sweep):
    cell = sweep.parquet(sweep.cells[0].cell)
    yield from (FOLDER / "figures" / "notes.txt", FOLDER / "more", cell / "more.parquet", Path("reports/small.html"))
    yield from (Path("reports/small_files"), cell.parent)


@pytest.mark.parametrize("number", range(6))
def test_a_link_is_not_packed(planned, secret, number):
    assert packed(planned)
    place = list(places(planned))[number]
    place.parent.mkdir(exist_ok=True)
    if place.is_dir():
        place.rename("moved")
    place.symlink_to(Path("moved").absolute() if Path("moved").exists() else secret if place.suffix else secret.parent)
    with pytest.raises(UserError, match=rf"{re.escape(str(place))} is a link, which may lead anywhere"):
        packed(planned)


def test_files_are_packed_from_where_the_sweep_file_names_them(planned, secret, here):
    trace, link, file = here / "trace.csv", here / "link.csv", Path("sweep.yaml")
    trace.write_text("0,1Mbps\n")
    link.symlink_to(secret)
    own = replace(planned, inputs={"trace.csv": InputFile(str(trace), "0")})
    assert packed(own)["study/trace.csv"] == packed(own, file)["study/trace.csv"] == trace
    for path in (secret, link):
        forged = replace(planned, inputs={"trace.csv": InputFile(str(path), "0")})
        with pytest.raises(UserError, match=rf"{path} is not where the sweep file names trace\.csv"):
            packed(forged, file)
        with pytest.raises(UserError, match="give the sweep file itself"):
            packed(forged)
    link.rename(trace)
    with pytest.raises(UserError, match=r"trace\.csv is not where the sweep file names trace\.csv: put a copy there"):
        packed(own, file)


@pytest.mark.parametrize("is_link", [True, False])
def test_a_variants_file_includes_no_files_from_elsewhere(secret, here, is_link):
    (here / "code").mkdir()
    code = here / "code" / "TcpMine.cc"
    code.write_text('#include "share.h"\n')
    share = here / "code" / "share.h"
    share.touch()
    sweep = replace(sweep_record.read(FOLDER), inputs={"./code/TcpMine.cc": InputFile(str(code), "0")})
    assert packed(sweep, Path("sweep.yaml"))["study/code/share.h"] == share
    if is_link:
        share.unlink()
        share.symlink_to(secret)
    else:
        code.write_text(f'#include "{os.path.relpath(secret, here / "code")}"\n')
    with pytest.raises(UserError, match=r"a variant's file includes .*/secret, which is not below this folder"):
        packed(sweep, Path("sweep.yaml"))


def test_a_dossier_shows_no_files_from_elsewhere(secret):
    own = FOLDER / "figures" / "figure-1-rate.svg"
    own.write_text('<svg viewBox="0 0 1 1"></svg>')
    figure = {"name": "figure-1-rate", "title": "", "caption": "", "files": {"svg": str(secret)}}
    (FOLDER / "figures.json").write_text(json.dumps([figure]))
    (shown,) = dossier_page.figures(FOLDER)
    assert "secret" not in shown["svg"]
    assert shown["path"] == own
    own.unlink()
    own.symlink_to(secret)
    with pytest.raises(UserError, match=r"figure-1-rate\.svg is a link"):
        dossier_page.figures(FOLDER)

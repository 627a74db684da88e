# SPDX-License-Identifier: MIT
"""An archive contains no files from elsewhere, whatever links or paths a folder of results from others contains."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tcpsweep.applications.archive import contents
from tcpsweep.applications.dossier import dossier_page
from tcpsweep.plan import plan
from tcpsweep.sweep import sweep_record
from tcpsweep.sweep.sweep_parts import InputFile
from tcpsweep.words.user_error import UserError
from tests.support.project import CELL

FOLDER = Path("results/sweeps/small")


@pytest.fixture
def secret(here, tmp_path_factory):
    """A file elsewhere, next to a planned sweep whose simulation seems to have results."""
    file = tmp_path_factory.mktemp("elsewhere") / "secret"
    file.write_text("secret")
    Path("sweep.yaml").write_text(CELL)
    plan.prepare("sweep.yaml")
    sweep = sweep_record.read(FOLDER)
    for run in sweep.cells:
        sweep.measured(run).mkdir(parents=True)
    (FOLDER / "figures").mkdir()
    return file


def packed(sweep=None, file=None):
    return contents.archive_contents(sweep or sweep_record.read(FOLDER), FOLDER.absolute(), file).files


def places():
    run = sweep_record.read(FOLDER).cells[0]
    cell = sweep_record.read(FOLDER).parquet(run.cell)
    yield from (FOLDER / "figures" / "notes.txt", FOLDER / "more", cell / "more.parquet", Path("reports/small.html"))
    yield from (Path("reports/small_files"), cell.parent)


@pytest.mark.parametrize("number", range(6))
def test_a_link_is_not_packed(secret, number):
    assert packed()
    place = list(places())[number]
    place.parent.mkdir(exist_ok=True)
    if place.is_dir():
        place.rename("moved")
    place.symlink_to(Path("moved").absolute() if Path("moved").exists() else secret if place.suffix else secret.parent)
    with pytest.raises(UserError, match=rf"{re.escape(str(place))} is a link, which may lead anywhere"):
        packed()


def test_files_are_packed_from_where_the_sweep_file_names_them(secret, here):
    planned = sweep_record.read(FOLDER)
    trace = here / "trace.csv"
    trace.write_text("0,1Mbps\n")
    own = replace(planned, inputs={"trace.csv": InputFile(str(trace), "0")})
    for file in (None, Path("sweep.yaml")):
        assert packed(own, file)["study/trace.csv"] == trace
    for path in (secret, here / "link.csv"):
        forged = replace(planned, inputs={"trace.csv": InputFile(str(path), "0")})
        if path != secret:
            path.symlink_to(secret)
        with pytest.raises(UserError, match=rf"{path} is not where the sweep file names trace\.csv"):
            packed(forged, Path("sweep.yaml"))
        with pytest.raises(UserError, match="give the sweep file itself"):
            packed(forged)
    trace.unlink()
    trace.symlink_to(secret)
    with pytest.raises(UserError, match=r"trace\.csv is not where the sweep file names trace\.csv: put a copy there"):
        packed(own, Path("sweep.yaml"))


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

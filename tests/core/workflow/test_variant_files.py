# SPDX-License-Identifier: MIT
"""Variants that a sweep file names by their C++ files: messages about mistakes, reruns, and archives."""

import re
import shutil
import zipfile
from pathlib import Path

import pytest

from tcpsweep.core.command_line.commands import new_sweep
from tcpsweep.core.identity import cpp_code
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.words.user_error import UserError
from tests.support import cell_numbers
from tests.support.project import step
from tests.support.recipes import blocks

SWEEP = Path(__file__).parent.joinpath("sweeps", "mine.yaml").read_text()


@pytest.fixture
def mine(tmp_path):
    """A sweep file next to a folder with a variant that includes a header."""
    (tmp_path / "code").mkdir()
    write_variant(tmp_path / "code")
    file = tmp_path / "mine.yaml"
    file.write_text(SWEEP)
    return file


def write_variant(folder):
    new_sweep.write(folder / "TcpMine.cc", None, ())
    code = (folder / "TcpMine.cc").read_text()
    (folder / "TcpMine.cc").write_text(
        code.replace("#include <algorithm>", '#include "share.h"\n\n#include <algorithm>')
    )
    (folder / "share.h").write_text("// SPDX-License-Identifier: GPL-2.0-only\n#pragma once\n")


def test_a_file_stands_for_its_variant_everywhere(mine):
    sweep = checked_sweep.without_ns3(mine)
    assert [row["variant"] for row in sweep.own] == ["TcpMine", "TcpCubic", "TcpMine+TcpCubic"]
    assert sweep.baseline == "TcpMine"
    assert sweep.variant_files == {"TcpMine": str(mine.parent / "code" / "TcpMine")}


def test_the_sweep_on_the_page_is_right(tmp_path):
    new_sweep.write(tmp_path / "TcpMine.cc", None, ())
    (tmp_path / "mine.yaml").write_text(blocks("yaml", "variants")[0])
    assert checked_sweep.without_ns3(tmp_path / "mine.yaml").variant_files == {"TcpMine": str(tmp_path / "TcpMine")}


@pytest.fixture
def said(mine):
    """The message about a sweep file that names another file instead of one."""

    def said(file, instead_of="./code/TcpMine.cc, ", **options):
        mine.write_text(SWEEP.replace(instead_of, file))
        with pytest.raises(yaml_document.Mistakes) as error:
            checked_sweep.read(mine, **options)
        return str(error.value)

    return said


def test_files_that_are_missing_misnamed_or_of_one_name_are_said(mine, said):
    missing = said("./code/TcpMin.cc, ")
    assert "mine.yaml:5:13: grid.variant[0]: there is no file" in missing
    assert "`tcpsweep new TcpMin.cc` writes one" in missing
    assert "did you mean ./" not in missing
    assert "expected a file named as its class" in said("./code/mine.cc, ")
    shutil.copy(mine.parent / "code" / "TcpMine.cc", mine.parent)
    assert "are two files of one name" in said("./TcpMine.cc, ")


@pytest.mark.long
def test_files_that_do_not_compile_or_register_another_class_are_said(mine, said):
    code = (mine.parent / "code" / "TcpMine.cc").read_text()
    (mine.parent / "code" / "TcpOther.cc").write_text(code)
    other = said("/TcpOther.cc", "/TcpMine.cc", ask_ns3=True)
    assert "TcpOther.cc registers ns3::TcpMine; expected ns3::TcpOther, the name of the file" in other
    (mine.parent / "code" / "TcpThird.cc").write_text(code.replace("TcpMine", "TcpThird") + "int wrong = nothing;\n")
    broken = said("/TcpThird.cc", "/TcpMine.cc", ask_ns3=True)
    assert "does not compile" in broken
    assert "nothing" in broken


def test_new_writes_no_file_that_is_no_class(tmp_path):
    with pytest.raises(UserError, match="a C\\+\\+ class with a capital letter"):
        new_sweep.write(tmp_path / "mine.cc", None, ())


def test_the_identity_is_that_of_the_code_wherever_it_lies(mine, tmp_path):
    here, there = mine.parent / "code", tmp_path / "elsewhere"
    shutil.copytree(here, there)

    def identity(folder):
        return cpp_code.cpp_id.__wrapped__(str(folder / "TcpMine"))

    first = identity(here)
    assert identity(there) == first
    with (there / "TcpMine.cc").open("a") as file:
        file.write("// a comment\n")
    assert identity(there) == first
    with (there / "share.h").open("a") as file:
        file.write("const int more = 1;\n")
    assert identity(there) != first


@pytest.mark.long
def test_a_sweep_runs_its_file_and_an_archive_brings_it(project, verified, tmp_path):
    (project / "code").mkdir()
    write_variant(project / "code")
    ran = project.run(sweep=SWEEP)
    assert (ran.status, len(ran.simulated)) == (0, 3)
    said = cell_numbers.said(project / "results/sweeps/mine")
    (cell,) = cell_numbers.cells(project, "mine", variant="TcpMine+TcpCubic").values()
    goodputs = [cell_numbers.goodput_bps(cell, 1, 3, flow) for flow in (0, 1)]
    (told,) = re.findall("TcpCubic gets ([0-9.]+) % of the goodput", said)
    assert float(told) == pytest.approx(100 * goodputs[1] / sum(goodputs), abs=0.51)
    code = project / "code" / "TcpMine.cc"
    code.write_text(code.read_text().replace("DoubleValue(0.5)", "DoubleValue(0.8)"))
    again = project.run()
    assert {cell.split("-")[1] for cell in again.simulated} == {"TcpMine", "TcpMine+TcpCubic"}

    file = tmp_path / "mine.zip"
    refused = step(project, "archive", "mine", "--to", str(file))
    assert "names variants by their files: give the sweep file itself" in refused.stderr
    done = step(project, "archive", "sweep.yaml", "--to", str(file))
    assert done.returncode == 0, done.stderr
    names = set(zipfile.ZipFile(file).namelist())
    assert {"study/sweep.yaml", "study/code/TcpMine.cc", "study/code/share.h"} <= names
    readme = zipfile.ZipFile(file).read("README.md").decode()
    assert "so read it first: `study/code/TcpMine.cc`, `study/code/share.h`.\n" in readme
    assert "\ntcpsweep verify mine.zip --run-code\n" in readme
    build = tmp_path / "of-verify"
    guarded = verified(file, build=build)
    assert guarded.returncode != 0
    assert "is code of the sweep file's author and would run as you, which needs --run-code" in guarded.stderr
    assert not list(build.glob("**/libTcpMine.so"))
    run = verified(file, "--run-code", build=build)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "3 of 3 simulations run again are equal, byte for byte" in run.stdout

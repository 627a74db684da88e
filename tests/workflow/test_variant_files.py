# SPDX-License-Identifier: MIT
"""Variants that a sweep file names by their C++ files: messages about mistakes, reruns, and archives."""

import os
import re
import shutil
import subprocess
import zipfile

import pytest

from tcpsweep.command_line.commands import new_sweep
from tcpsweep.identity import cpp_code
from tcpsweep.plan import checked_sweep
from tcpsweep.sweepfile.document import yaml_document
from tcpsweep.words.user_error import UserError
from tests.support import cell_numbers
from tests.support.project import TCPSWEEP, step
from tests.support.recipes import blocks

SWEEP = """\
sweep: mine
scenario: dumbbell
grid:
  variant: [./code/TcpMine.cc, TcpCubic, ./code/TcpMine.cc+TcpCubic]
repetitions: 1
baseline: ./code/TcpMine.cc
fixed: {bandwidth: 2Mbps, flows: 2, duration: 3s, warmup: 1s, start_jitter: 100ms}
"""


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


def test_what_is_wrong_with_a_file_is_said(mine):
    def said(old, new, **options):
        mine.write_text(SWEEP.replace(old, new))
        with pytest.raises(yaml_document.Mistakes) as error:
            checked_sweep.read(mine, **options)
        return str(error.value)

    assert "mine.yaml:4:13: grid.variant[0]: there is no file" in said("./code/TcpMine.cc, ", "./code/TcpMin.cc, ")
    assert "`tcpsweep new TcpMin.cc` writes one" in said("./code/TcpMine.cc, ", "./code/TcpMin.cc, ")
    assert "did you mean ./" not in said("./code/TcpMine.cc, ", "./code/TcpMin.cc, ")
    assert "expected a file named as its class" in said("./code/TcpMine.cc, ", "./code/mine.cc, ")
    shutil.copy(mine.parent / "code" / "TcpMine.cc", mine.parent)
    assert "are two files of one name" in said("./code/TcpMine.cc, ", "./TcpMine.cc, ")
    code = (mine.parent / "code" / "TcpMine.cc").read_text()
    (mine.parent / "code" / "TcpOther.cc").write_text(code)
    other = said("/TcpMine.cc", "/TcpOther.cc", ask_ns3=True)
    assert "TcpOther.cc registers ns3::TcpMine; expected ns3::TcpOther, the name of the file" in other
    (mine.parent / "code" / "TcpThird.cc").write_text(code.replace("TcpMine", "TcpThird") + "int wrong = nothing;\n")
    broken = said("/TcpMine.cc", "/TcpThird.cc", ask_ns3=True)
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
def test_a_sweep_runs_its_file_and_an_archive_brings_it(project, tmp_path):
    (project / "code").mkdir()
    write_variant(project / "code")
    ran = project.run(sweep=SWEEP)
    assert (ran.status, len(ran.simulated)) == (0, 3)
    said = cell_numbers.said(project / "results/sweeps/mine")
    for variant in ("TcpMine", "TcpCubic"):
        (cell,) = cell_numbers.cells(project, "mine", variant=variant).values()
        goodputs = [cell_numbers.goodput_bps(cell, 1, 3, flow) for flow in (0, 1)]
        (told,) = re.findall(rf"([0-9.]+) Mbit/s with {variant}\b", said)
        assert float(told) == pytest.approx(sum(goodputs) / 2 / 1e6, abs=0.00051)
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
    environment = os.environ | {"TCPSWEEP_BUILD": str(tmp_path / "of-verify")}

    def verified(*options):
        command = [TCPSWEEP, "verify", file.name, *options]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    guarded = verified()
    assert guarded.returncode != 0
    assert "is code of the sweep file's author, which is not run here" in guarded.stdout + guarded.stderr
    assert not list(tmp_path.glob("of-verify/**/libTcpMine.so"))
    run = verified("--run-code")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "3 of 3 simulations run again are equal, byte for byte" in run.stdout

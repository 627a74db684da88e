# SPDX-License-Identifier: MIT
"""A sweep of programs, from the file to its results: their output is kept, checked, compared, and run only if asked."""

import shutil
from pathlib import Path

import pytest

from tcpsweep.features.linux import kernel_build
from tests.features.linux.conftest import sweep_text
from tests.support.processes import ran
from tests.support.project import TCPSWEEP

pytestmark = [pytest.mark.kernel, pytest.mark.long]


def tcpsweep(folder, *command):
    return ran(TCPSWEEP, *command, cwd=folder)


def written(folder, end):
    (file,) = folder.glob(f"results/cells/*/*/program-0-{end}.out")
    return file.read_text()


def test_a_sweep_keeps_what_programs_wrote_and_runs_them_for_others_only_if_asked(with_kernel, tmp_path):
    first, again = tmp_path / "first", tmp_path / "in" / "another"
    for folder in (first, again):
        folder.mkdir(parents=True)
        (folder / "sweep.yaml").write_text(sweep_text("sockets"))
        shutil.copy(Path(__file__).with_name("sockets.py"), folder)
        done = tcpsweep(folder, "sweep", "sweep.yaml")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "the simulations run these programs as you: python3 sockets.py send" in done.stdout + done.stderr
    assert int(written(first, "sender")) == int(written(first, "receiver")) == int(written(again, "receiver"))
    results = "results/sweeps/sockets"
    compared = tcpsweep(first, "compare", results, f"{again}/{results}", "--fail", "bytes")
    assert compared.returncode == 0, compared.stdout + compared.stderr
    page = (first / "reports" / "sockets.html").read_text()
    assert "the flows are programs, whose sockets only the programs can read" in page

    (cell,) = (first / "results" / "cells").iterdir()
    (output,) = cell.glob("*/program-0-sender.out")
    refused = tcpsweep(first, "cell", cell.name, "--ascii")
    assert refused.returncode == 1
    assert "to allow this, add --run-code" in refused.stderr
    allowed = tcpsweep(first, "cell", cell.name, "--ascii", "--run-code")
    assert "its numbers equal the sweep's" in allowed.stdout, allowed.stdout + allowed.stderr

    archived = tcpsweep(first, "archive", "sweep.yaml", "--to", "sockets.zip")
    assert archived.returncode == 0, archived.stderr
    guarded = tcpsweep(first, "verify", "sockets.zip")
    assert guarded.returncode != 0
    assert "would run programs as you, which needs --run-code" in guarded.stdout + guarded.stderr
    verified = tcpsweep(first, "verify", "sockets.zip", "--run-code")
    assert verified.returncode == 0, verified.stdout + verified.stderr

    output.write_text("1000000000\n")
    damaged = tcpsweep(first, "verify", results)
    assert damaged.returncode == 1
    assert "program-0-sender.out" in damaged.stdout


def test_kernels_are_lent_with_their_names(kernel, tmp_path, monkeypatch):
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir(mode=0o700)
    (own / kernel.folder.name).symlink_to(kernel.folder)
    (own / "kernel-mine").symlink_to(kernel.folder.name)
    monkeypatch.setenv("TCPSWEEP_BUILD", str(own))
    kernel_build.lend(other)
    monkeypatch.setenv("TCPSWEEP_BUILD", str(other))
    (found,) = kernel_build.all_built()
    assert (found.built, found.names) == (kernel.built, ("mine",))

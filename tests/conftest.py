# SPDX-License-Identifier: MIT
"""What the tests share: a copy of the project in a folder of its own, in which Snakemake runs real ns-3 cells."""

import subprocess

import hypothesis
import pytest

from tcpsweep.ns3 import engine, programs
from tcpsweep.store.compiled_programs import build
from tests.support.cell import Cell
from tests.support.programs import compiled, found_ns3
from tests.support.project import SMALL, Project
from tests.support.tools import ROOT

# A busy machine is no failure.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def build_folder(tmp_path_factory):
    """Programs compiled once for all copies of the project, and none in the user's cache."""
    folder = tmp_path_factory.mktemp("build")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TCPSWEEP_BUILD", str(folder))
        yield folder


@pytest.fixture(scope="session")
def program(build_folder):
    """The compiled program of a scenario, by its name."""
    return lambda name: compiled(build_folder, name=name)


@pytest.fixture(scope="session")
def dumbbell(program):
    """The compiled program."""
    return program("dumbbell")


@pytest.fixture(scope="session")
def variant_program(build_folder):
    """Compiles `tests/programs/<name>.cc`, which drives a variant of ours; returns the program."""

    def variant_program(name):
        ns3 = found_ns3(build_folder)
        options = [f"-DNS3_CORE={ns3.core}", f"-DNS3_VERSION={ns3.version}", f"-DPROGRAM=../tests/programs/{name}"]
        return build(ROOT / "ns3-scenarios", build_folder / "variants" / name / name, options)

    return variant_program


@pytest.fixture(scope="session")
def library_of(build_folder):
    """Compiles a variant of ours; returns the arguments that load it."""

    def library_of(variant):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TCPSWEEP_BUILD", str(build_folder))
            return programs.load([programs.compile_program(engine.find(), f"variants/{variant}").resolve()])

    return library_of


@pytest.fixture(scope="session")
def drive(variant_program, library_of):
    """Drives a variant of ours through steps, as `tests/programs/drive.cc` takes them.

    Returns what it says after each: cwnd and ssthresh in bytes, and its trace sources.
    """

    def drive(variant, *attributes, steps):
        command = [variant_program("drive"), *library_of(variant), f"ns3::{variant}", *attributes]
        lines = "".join(" ".join(map(str, step)) + "\n" for step in steps)
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        said = [dict(pair.split("=") for pair in line.split()) for line in done.stdout.splitlines()]
        assert len(said) == len(steps)
        return [{name: float(value) for name, value in row.items()} for row in said]

    return drive


@pytest.fixture
def simulated(tmp_path):
    """Run a cell of a program by hand; returns what it left."""

    def simulated(program, *arguments, name=None):
        out = tmp_path / (name or f"out-{len(list(tmp_path.iterdir()))}")
        out.mkdir()
        done = subprocess.run([program, *arguments, f"--out={out}"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return Cell(out)

    return simulated


@pytest.fixture
def run(dumbbell, simulated):
    """Run a cell of the dumbbell by hand; returns its folder, its record and its queue's rows."""
    return lambda *arguments, name="out": simulated(dumbbell, *arguments, name=name)


@pytest.fixture
def project(tmp_path, build_folder):
    """A copy of the project, its programs shared with the other tests'."""
    return Project(tmp_path, build_folder)


@pytest.fixture(scope="session")
def finished(tmp_path_factory, build_folder):
    """A project in which the small sweep has run to its report. Tests only read it."""
    made = Project(tmp_path_factory.mktemp("finished"), build_folder)
    ran = made.run(sweep=SMALL.replace("fixed:", "capture: {keep_raw: true}\nfixed:"))
    assert ran.status == 0, ran.text
    return made


@pytest.fixture
def copy_of_finished(finished, tmp_path):
    """A finished project to change."""
    return finished.copy(tmp_path / "project")

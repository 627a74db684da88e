# SPDX-License-Identifier: MIT
"""Shared fixtures: a copy of the project in a separate folder, in which Snakemake runs real ns-3 cells."""

import functools
import os
import shutil
import subprocess
from pathlib import Path

import hypothesis
import pytest

from tcpsweep.core.command_line.commands import prune
from tcpsweep.core.identity import cpp_code
from tcpsweep.core.ns3 import engine, programs, simulator_environment
from tcpsweep.core.store.compiled_programs import build
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.features.linux import kernel
from tcpsweep.features.linux.kernel import Kernel
from tcpsweep.registry import connect
from tests.support.cell import Cell
from tests.support.chromium import chromium
from tests.support.programs import compiled, found_ns3
from tests.support.project import KEPT, Project
from tests.support.recipes import blocks
from tests.support.tools import ROOT, not_run
from tests.support.workers import made_once, shared_folder

# A busy machine is no failure.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")
connect.connect()


def pytest_xdist_auto_num_workers():
    """Use one more worker than cores, because tests also wait: for SLURM, a browser, the end of a process."""
    return len(os.sched_getaffinity(0)) + 1


LEFT_OUT = pytest.StashKey[int]()


# Marks of tests that need more than the README's packages, so that `make test` leaves them out.
NEEDS = ("slurm", "browser", "latex", "tshark", "kernel", "quic")


def pytest_itemcollected(item):
    """Mark tests as long that need more than the README's packages."""
    if any(item.get_closest_marker(name) for name in NEEDS):
        item.add_marker(pytest.mark.long)


def pytest_collection_modifyitems(items):
    """Begin with the long files, SLURM's first, so that none of them runs last."""
    files = {mark: {item.path for item in items if item.get_closest_marker(mark)} for mark in ("slurm", "long")}
    items.sort(key=lambda item: [item.path not in paths for paths in files.values()])


def pytest_deselected(items):
    """Count the long tests that do not run; each worker of xdist collects all tests, and reports the number."""
    config = items[0].config
    if "not long" not in config.option.markexpr:  # but a name that was asked for
        return
    config.stash[LEFT_OUT] = sum(item.get_closest_marker("long") is not None for item in items)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = config.stash[LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Take over a worker's number of long tests that did not run."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter):
    """Say at the end, before the closing line, which tests did not run, and how to have them run."""
    yield
    if left_out := terminalreporter.config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"{left_out} long tests did not run: `make test-all` runs all tests")
    skipped = terminalreporter.stats.get("skipped", [])
    for line in not_run([report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple)]):
        terminalreporter.write_line(line)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, in which the test works."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def once(request, tmp_path_factory):
    """Makes a folder with ``make(folder)``, once for all workers. Tests only read its files."""
    return lambda name, make: made_once(shared_folder(request.config, tmp_path_factory) / name, make)


@pytest.fixture(scope="session", autouse=True)
def build_folder(once):
    """Programs compiled once for all workers and copies of the project, and none in the user's cache.

    They stay in ``.venv`` for the next time, or in the folder that ``TCPSWEEP_TESTS_BUILD`` names.
    """
    folder = Path(os.environ.get("TCPSWEEP_TESTS_BUILD") or ROOT / ".venv" / "tests-build").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TCPSWEEP_BUILD", str(folder))
        # Programs of code that has changed since, and those that copies of the project compiled, which are gone.
        once("pruned", lambda _: [shutil.rmtree(path) for path in prune.compiled(folder)["programs"]])
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
    """Compiles `tests/programs/<name>.cc`, linked to the scenarios' shared code; returns the program.

    Programs of ns-3 alone, with names that begin with ns3-, are not linked to it.
    """

    def variant_program(name):
        ns3 = found_ns3(build_folder)
        source = ROOT / "tests" / "programs" / name
        options = [f"-DNS3_CORE={ns3.core}", f"-DNS3_VERSION={ns3.version}", f"-DPROGRAM=../tests/programs/{name}"]
        if not name.startswith("ns3-"):
            options.append(f"-DSHARED={compiled(build_folder, name=programs.SHARED)}")
        place = build_folder / ns3.name / f"{name}-{cpp_code.cpp_id(str(source))}" / name
        # The source is needed, so that `prune` removes the program of an earlier one.
        return build(ROOT / "ns3-scenarios", place, options, [ns3.core, Path(f"{source}.cc")])

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
    """Drives one of our variants through steps in the format of `tests/programs/drive.cc`.

    Returns its output after each step: cwnd and ssthresh in bytes, and its trace sources.
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
    """Run a cell of a program by hand; returns its files."""

    def simulated(program, *arguments, name=None):
        out = tmp_path / (name or f"out-{len(list(tmp_path.iterdir()))}")
        out.mkdir()
        command, environment = [program, *arguments, f"--out={out}"], simulator_environment.environment()
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return Cell(out)

    return simulated


@pytest.fixture
def run(dumbbell, simulated):
    """Run a cell of the dumbbell by hand; returns its folder, its record and its queue's rows."""
    return lambda *arguments, name="out": simulated(dumbbell, *arguments, name=name)


@pytest.fixture
def refused_by(tmp_path):
    """The message of a program that refuses arguments: one line, and no file is written."""

    def refused_by(program, *arguments):
        out = tmp_path / "refused"
        out.mkdir(exist_ok=True)
        command = [program, *arguments, f"--out={out}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert not list(out.iterdir())
        return done.stderr

    return refused_by


@pytest.fixture
def refused(dumbbell, refused_by):
    """The message of the dumbbell that refuses arguments."""
    return functools.partial(refused_by, dumbbell)


@pytest.fixture(scope="module")
def browser():
    """A browser for a file's tests."""
    with chromium() as running:
        yield running


@pytest.fixture
def project(tmp_path, build_folder):
    """A copy of the project, its programs shared with the other tests'."""
    return Project(tmp_path, build_folder)


@pytest.fixture(scope="session")
def finished(once, build_folder, dumbbell):
    """A project in which the small sweep has run to its report. Tests only read it."""

    def make(folder):
        ran = Project(folder, build_folder).run(sweep=KEPT)
        assert ran.status == 0, ran.text

    return Project.at(once("finished", make))


@pytest.fixture(scope="session")
def recipes(once, build_folder, dumbbell):
    """A project in which the sweep of docs/recipes.md has run to its tables. Tests only read it."""

    def make(folder):
        project = Project(folder, build_folder)
        ran = project.run(project.tables("recipes"), sweep=blocks("yaml")[0])
        assert ran.status == 0, ran.text

    return Project.at(once("recipes", make))


@pytest.fixture
def any_kernel(monkeypatch):
    """Read sweep files as if all kernels had been built, with all congestion controls."""
    names = list(schema.raw()["kernel_variants"].values())
    monkeypatch.setattr(kernel, "find", lambda _="": Kernel("6.18", names, {}))


@pytest.fixture
def copy_of_finished(finished, tmp_path):
    """A finished project to change."""
    return finished.copy(tmp_path / "project")

# SPDX-License-Identifier: MIT
"""Sweep files that name an ns-3, and the source of a tiny ns-3."""

import shutil
import tarfile
from pathlib import Path

import pytest
import yaml

from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import ns3_source, programs
from tcpsweep.core.store import compiled_programs
from tests.support.tools import ROOT

FILES = yaml.safe_load(Path(__file__).with_name("tiny_ns3.yaml").read_text())  # from path to content


def messages(name):
    """Parts of sweep files, and what planning says of them."""
    return yaml.safe_load(Path(__file__).with_name("messages.yaml").read_text())[name]


def packed(tree, tarball, above="ns-3.44"):
    """Pack a folder into a tarball; returns its path."""
    compression = tarball.suffix[1:] if tarball.suffix != ".tar" else ""
    with tarfile.open(tarball, f"w:{compression}") as tar:
        tar.add(tree, above)
    return tarball


@pytest.fixture
def sweep_file(tmp_path, monkeypatch):
    """Writes a sweep file with an ``ns3`` into a folder that is not the working folder; returns its path."""
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))

    def write(ns3):
        path = tmp_path / "sweeps" / "sweep.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"sweep: s\nscenario: dumbbell\nns3: {ns3}\n")
        return path

    return write


@pytest.fixture
def tree(tmp_path):
    """The source of an ns-3 with one function."""
    folder = tmp_path / "ns-3.44"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for module in ns3_source.modules():
        (folder / "src" / module).mkdir(exist_ok=True)
        if not (folder / "src" / module / "CMakeLists.txt").is_file():
            (folder / "src" / module / "CMakeLists.txt").write_text(f"build_lib(LIBNAME {module})\n")
    return folder


@pytest.fixture
def tiny(tree, tmp_path, monkeypatch):
    """The tree, with a scenario and an empty build folder to suit it."""
    scenarios = tmp_path / "scenarios"
    scenarios.mkdir()
    shutil.copy(ROOT / "ns3-scenarios" / "CMakeLists.txt", scenarios)
    program = '#include <ns3/answer.h>\n#include <cstdio>\nint main() { std::printf("%d\\n", Answer()); }\n'
    for name in ("dumbbell", "cellular"):
        (scenarios / f"{name}.cc").write_text(program)
        (scenarios / f"{name}.training").write_text(f"# why\n--flows=1 --of={name}\n")
    (scenarios / "cellular.modules").write_text("lte\n")
    monkeypatch.setattr(source_folders, "SCENARIOS", scenarios)
    monkeypatch.setattr(programs, "uses_shared", lambda name: False)
    monkeypatch.setattr(programs, "place", lambda ns3, name: compiled_programs.folder() / ns3.name / name / name)
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    return tree

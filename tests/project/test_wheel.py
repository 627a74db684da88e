# SPDX-License-Identifier: MIT
"""The wheel: without a clone, in an empty folder, it installs ns-3, runs the demo and checks new sweep files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tcpsweep.core.plan import plan
from tcpsweep.core.sweep import sweep_record

ROOT = Path(__file__).parents[2]
PATIENCE_S = 900


def run(folder: Path, *words: str | Path) -> str:
    environment = {name: text for name, text in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE_S, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The `bin` of an environment that has the wheel, made from a copy of the sources, and no ns-3."""
    place = tmp_path_factory.mktemp("wheel")
    files = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, files.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("tests/", "docs/")):
            (place / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / "source" / name)
    pip = [sys.executable, "-I", "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    run(place, *pip, place, place / "source")
    run(place, sys.executable, "-I", "-m", "venv", place / "environment")
    (wheel,) = place.glob("tcpsweep-*.whl")
    run(place, place / "environment" / "bin" / "pip", "install", "--quiet", "--no-compile", wheel)
    return place / "environment" / "bin"


@pytest.mark.long
def test_the_demo_runs_in_an_empty_folder_and_its_simulations_are_those_of_a_clone(installed, tmp_path):
    tcpsweep = installed / "tcpsweep"
    printed = run(tmp_path, tcpsweep, "demo")
    assert "tcpsweep sweep demo.yaml" in printed
    assert (tmp_path / "reports" / "demo.html").is_file()
    assert {path.name for path in tmp_path.iterdir()} - {".snakemake"} == {"demo.yaml", "results", "reports"}
    found = sweep_record.read(tmp_path / "results" / "sweeps" / "demo")
    assert {cell for cell, *_ in found.cells} == {
        cell.id for cell in plan.with_cells(ROOT / "config/demo.yaml")[2].cells
    }
    run(tmp_path, tcpsweep, "new", "mine.yaml")
    assert "simulations" in run(tmp_path, tcpsweep, "check", "mine.yaml")
    assert "TcpBbr" in run(tmp_path, tcpsweep, "list", "variants")

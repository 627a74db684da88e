# SPDX-License-Identifier: MIT
"""On simulated machines without an ns-3 wheel, the ns-3 that the set-up chooses, and a sweep with it."""

import json
import os
import site
import sys
import venv
from pathlib import Path

import pytest

from tcpsweep.ns3 import engine
from tests.support.processes import ran
from tests.support.programs import compiled
from tests.support.project import SMALL
from tests.support.tools import ROOT, lacking

DEBIAN = Path("/usr")
CELL = SMALL.replace("[TcpNewReno, TcpCubic]", "[TcpCubic]").replace("[5ms, 10ms]", "[5ms]")
CELL = CELL.replace("repetitions: 2", "runs: [1]")
# What setup.sh gives the part that chooses an ns-3.
CHOOSE = """\
set -eu
say() { printf 'setup: %s\\n' "$@"; }
die() { say "$@" >&2; exit 1; }
lacking() { package=$1; shift; die "$@" "apt-get install $package"; }
install() { say "pip install $*"; }
. "$envs/ns3.sh"
find_ns3
install_ns3
"""


@pytest.fixture
def choose(tmp_path):
    """Let the set-up choose an ns-3 for a .venv; returns the status, the output, and the noted path."""
    (tmp_path / ".venv").mkdir()

    def choose(has_wheel="", **environment):
        given = {"envs": ROOT / "envs", "venv": tmp_path / ".venv", "system": "Linux aarch64", "has_wheel": has_wheel}
        done = ran("sh", "-c", CHOOSE, env=os.environ | given | environment)
        note = tmp_path / ".venv" / "ns3.path"
        return done.returncode, done.stdout + done.stderr, note.read_text() if note.is_file() else ""

    return choose


@pytest.fixture
def debian(tmp_path):
    """A prefix with ns-3's headers, and the environment in which it is Debian's."""
    header = tmp_path / "usr" / "include" / "ns3" / "core-config.h"
    header.parent.mkdir(parents=True)
    header.touch()
    return {"DEBIAN_PREFIX": str(tmp_path / "usr")}


def test_a_wheel_is_taken_where_there_is_one_else_debians_ns3_else_its_package_is_named(choose, debian, tmp_path):
    status, told, note = choose("yes", **debian)
    assert (status, note) == (0, "")
    assert "pip install" in told and "ns3.txt" in told
    status, told, note = choose(**debian)
    assert (status, note) == (0, debian["DEBIAN_PREFIX"] + "\n")
    assert "there is no wheel for Linux aarch64, so sweeps use the ns-3 in " in told
    assert "pip install" not in told
    (tmp_path / ".venv" / "ns3.path").unlink()
    status, told, note = choose(DEBIAN_PREFIX=str(tmp_path))
    assert (status, note) == (1, "")
    for words in ("no ns-3 wheel for Linux aarch64", "NS3=... names another", "apt-get install libns3-dev"):
        assert words in told


def test_a_source_that_is_given_is_taken_before_debians_stays_and_gives_way_to_the_wheel(choose, debian, tmp_path):
    source = tmp_path / "ns-3.44.tar.bz2"
    source.touch()
    status, told, note = choose(**debian, NS3=f"{tmp_path}/./ns-3.44.tar.bz2")
    assert (status, note) == (0, f"{source}\n")
    assert "a source, which the first sweep builds" in told
    assert choose("yes", **debian)[2] == f"{source}\n"
    assert choose(**debian, NS3="~/ns-3.44.tar.bz2", HOME=str(tmp_path))[2] == f"{source}\n"  # as make has it
    (tmp_path / ".venv" / "ns3.path").unlink()  # with the rest of .venv, which is made again
    assert choose("yes", **debian, NS3="wheel")[2] == ""


def test_a_note_of_a_source_is_no_prefix(monkeypatch, tmp_path, debian):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert engine.chosen() == {}
    (tmp_path / "ns3.path").write_text("/somewhere/ns-3.44\n")
    assert engine.chosen() == {"source": "/somewhere/ns-3.44"}
    (tmp_path / "ns3.path").write_text(debian["DEBIAN_PREFIX"] + "\n")
    assert engine.chosen() == {"prefix": debian["DEBIAN_PREFIX"]}


@pytest.fixture
def without_wheel(tmp_path):
    """The command of a Python environment that has what .venv has, and a note of Debian's ns-3."""
    folder = tmp_path / "venv"
    venv.create(folder, symlinks=True)
    packages = [path for path in site.getsitepackages() if Path(path).is_relative_to(sys.prefix)]
    (own,) = folder.glob("lib/python*/site-packages")
    (own / "more.pth").write_text("".join(f"import site; site.addsitedir({path!r})\n" for path in packages))
    command = folder / "bin" / "tcpsweep"
    command.write_text(f"#!{folder}/bin/python\nfrom tcpsweep.command_line.main import main\n\nmain()\n")
    command.chmod(0o755)
    (folder / "bin" / "snakemake").write_text(f"#!{folder}/bin/python\nfrom snakemake.cli import main\n\nmain()\n")
    (folder / "bin" / "snakemake").chmod(0o755)
    (folder / "ns3.path").write_text(f"{DEBIAN}\n")
    return command


@pytest.mark.long
def test_a_sweep_that_names_no_ns3_runs_in_the_chosen_one(without_wheel, build_folder, tmp_path):
    if not (DEBIAN / "include" / "ns3" / "core-config.h").exists():
        lacking("libns3-dev")
    for name in ("dumbbell", "inspect"):
        compiled(build_folder, DEBIAN, name)
    (tmp_path / "my.yaml").write_text(CELL)
    command = [without_wheel, "sweep", "my.yaml", "--cores", "2", "results/sweeps/small/summary.csv"]
    done = ran(*command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stdout + done.stderr
    (record,) = tmp_path.glob("results/cells/*/*/run.json")
    assert json.loads(record.read_text())["ns3_version"] == engine.find(DEBIAN).version

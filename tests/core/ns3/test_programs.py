# SPDX-License-Identifier: MIT
"""The files from which a program is compiled, and the compiler's cache, which works for any clone."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tcpsweep.core.ns3 import engine, programs
from tcpsweep.core.store import compiled_programs
from tests.support.project import edit
from tests.support.tools import ROOT, tool


def test_a_second_scenario_compiles_only_what_is_its_own(build_folder, program):
    ns3 = engine.find()
    archive = programs.place(ns3, programs.SHARED)
    assert program("dumbbell").is_file()
    assert archive.is_file()
    before = archive.stat().st_mtime_ns
    program("single-link")
    assert archive.stat().st_mtime_ns == before
    assert programs.missing(ns3, "single-link") == []


def test_what_will_be_compiled_is_known(monkeypatch, tmp_path):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path))
    ns3 = engine.find()
    assert [path.name for path in programs.missing(ns3, "chain")] == ["libshared.a", "chain"]
    assert [path.name for path in programs.missing(ns3, "inspect")] == ["inspect"]
    assert [path.name for path in programs.missing(ns3, "variants/TcpWestwood")] == ["libTcpWestwood.so"]


CMAKE = """\
#!/bin/sh
test "$1" = --build || exit 0
echo library > "$2/libTcpMine.so"
echo '{line}' >> {source}
"""


@pytest.mark.parametrize(("line", "is_kept"), [("int more;", False), ("// why", True)])
def test_a_variant_that_is_edited_while_it_compiles_is_not_kept_as_the_old_code(monkeypatch, tmp_path, line, is_kept):
    source, cmake = tmp_path / "TcpMine.cc", tmp_path / "bin" / "cmake"
    source.write_text("int one;\n")
    cmake.parent.mkdir()
    cmake.write_text(CMAKE.format(line=line, source=source))  # edits the source in place of compiling it
    cmake.chmod(0o755)
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("PATH", f"{cmake.parent}:{os.environ['PATH']}")
    ns3, name = engine.Engine(Path(), "3.44", "0123456789ab"), str(tmp_path / "TcpMine")
    if is_kept:
        assert programs.compile_program(ns3, name).is_file()
        return
    with pytest.raises(compiled_programs.BuildError, match=r"^libTcpMine.so: its source has changed while it was comp"):
        programs.compile_program(ns3, name)
    assert not programs.place(ns3, name).parent.exists()


@pytest.fixture
def misses(tmp_path, monkeypatch):
    """Compiles a file of the code that scenarios share, and returns how often the cache had no result so far."""
    tool("ccache")
    for name in [name for name in os.environ if name.startswith("CCACHE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CCACHE_DIR", str(tmp_path / "cache"))
    ns3 = engine.find()

    def misses(source, build):
        given = (f"-DNS3_CORE={ns3.core}", f"-DNS3_VERSION={ns3.version}", "-DPROGRAM=lib/network/salt")
        made = ("ninja", "-C", build, "CMakeFiles/salt.dir/lib_network.cc.o")
        for command in (("cmake", "-S", source, "-B", build, "-G", "Ninja", *given), made):
            subprocess.run(command, check=True, capture_output=True)
        counts = subprocess.run(["ccache", "--print-stats"], check=True, capture_output=True, text=True).stdout
        return int(dict(line.split("\t") for line in counts.splitlines())["cache_miss"])

    return misses


@pytest.mark.long
def test_another_clone_needs_no_compiling(misses, tmp_path):
    source = ROOT / "ns3-scenarios"
    assert misses(source, tmp_path / "build") == 1
    other = tmp_path / "below" / "another" / "clone"
    shutil.copytree(source, other)
    assert misses(other, tmp_path / "elsewhere" / "build") == 1
    edit(other / "lib" / "network" / "salt.cc", "GetSeed(),", "GetSeed() + 1,")
    assert misses(other, tmp_path / "third") == 2

# SPDX-License-Identifier: MIT
"""The compiler cache: code that was compiled for one clone is not compiled again for another."""

import os
import shutil
import subprocess

import pytest

from tcpsweep.ns3 import engine
from tests.support.tools import ROOT, tool

OBJECT = "CMakeFiles/salt.dir/lib_network.cc.o"


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
        for command in (("cmake", "-S", source, "-B", build, "-G", "Ninja", *given), ("ninja", "-C", build, OBJECT)):
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
    changed = other / "lib" / "network" / "salt.cc"
    changed.write_text(changed.read_text().replace("GetSeed(),", "GetSeed() + 1,"))
    assert misses(other, tmp_path / "third") == 2

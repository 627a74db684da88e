# SPDX-License-Identifier: MIT
"""If a sweep file names its own ns-3, a message says so before that code is compiled and run."""

import pytest

from tcpsweep.ns3 import engine
from tests.support.processes import ran
from tests.support.project import SMALL, TCPSWEEP

pytestmark = pytest.mark.long


def test_an_ns3_that_a_sweep_file_names_is_told_before_it_is_compiled_for_the_first_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    prefix = engine.find().prefix
    (tmp_path / "own.yaml").write_text(f"{SMALL}ns3: {{prefix: {prefix}}}\n")
    said = f"tcpsweep: own.yaml names its own ns-3: code in {prefix} is compiled and run as you"
    first, second = (ran(TCPSWEEP, "check", "own.yaml") for _ in range(2))
    assert first.returncode == second.returncode == 0, first.stderr
    lines = first.stderr.splitlines()
    assert lines[0] == said
    assert "compiling" in lines[1]
    assert said not in second.stderr

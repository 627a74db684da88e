# SPDX-License-Identifier: MIT
"""The files from which a program is compiled."""

from tcpsweep.ns3 import engine, programs


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

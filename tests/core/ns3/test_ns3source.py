# SPDX-License-Identifier: MIT
"""ns-3 from its source: accepted and refused paths, its identity, and a real build of a tiny tree."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys

import pytest

from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import engine, ns3_build, ns3_source, programs, simulator_environment
from tcpsweep.core.ns3.installation import EngineError
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store.compiled_programs import BuildError
from tcpsweep.core.sweepfile.document.yaml_document import Mistakes
from tests.core.ns3.conftest import FILES, packed
from tests.support.processes import ends_soon
from tests.support.tools import PATIENCE_S, ROOT

TRAINED = sorted(source_folders.SCENARIOS.glob("*.training"))


def found(path, tmp_path):
    return ns3_source.find(path, tmp_path / "unpacked")


# --- What is found ---


def test_a_source_consists_of_the_files_of_the_scenarios_modules(tree, tmp_path):
    source = found(tree, tmp_path)
    assert (source.folder, source.version) == (tree, "3.44")
    names = {f"src/{name}" for name in ("core/model/answer.cc", "core/model/answer.h", "stats/model/stats.cc")}
    names |= {"VERSION", "build-support/macros.cmake", "src/core/test/answer-test.h"}
    assert {file for file in source.files if not file.endswith("CMakeLists.txt")} == names
    own = ns3_source.find(tree, tmp_path, ("lte",))  # a scenario's own module
    assert set(own.files) - set(source.files) == {"src/lte/CMakeLists.txt", "src/lte/model/lte.cc"}
    assert own.modules == (*source.modules, "lte")
    assert own.id != source.id


def test_a_source_that_was_edited_after_it_was_read_is_not_built_as_the_old_one(tree, tmp_path):
    source = found(tree, tmp_path)
    ns3_source.copy(source, tmp_path / "copy")
    with (tree / "src/core/model/answer.cc").open("a") as file:
        file.write("int more;\n")
    with pytest.raises(EngineError, match=r"ns-3.44 has changed since it was read; run the command again"):
        ns3_source.copy(source, tmp_path / "other")


RELEVANT = ("src/core/model/answer.cc", "src/stats/model/stats.cc", "CMakeLists.txt")
OTHER = ("scratch/mine.cc", "src/lte/model/lte.cc", "src/core/doc/answer.rst", "src/core/test/answer-test.cc")
OTHER += (".git/index", "src/core/model/.answer.cc.swp", "src/core/model/answer.cc~")


def test_a_source_is_identified_by_its_relevant_files(tree, tmp_path):
    for file in (*OTHER, *RELEVANT):
        before = found(tree, tmp_path).id
        (tree / file).parent.mkdir(exist_ok=True)
        (tree / file).write_text("// something else\n")
        assert (found(tree, tmp_path).id != before) == (file in RELEVANT), file


@pytest.mark.parametrize(("ending", "above"), [("bz2", "ns-3.44"), ("gz", "ns-allinone-3.44/ns-3.44"), ("xz", "ns-3")])
def test_a_tarball_is_the_source_that_is_in_it(tree, tmp_path, above, ending):
    tarball = packed(tree, tmp_path / f"release.tar.{ending}", above)
    of_tarball = found(tarball, tmp_path)
    assert (of_tarball.id, of_tarball.version) == (found(tree, tmp_path).id, "3.44")
    assert of_tarball.folder.is_relative_to(tmp_path / "unpacked")
    assert not list((tmp_path / "unpacked").rglob("*.rst"))
    when = of_tarball.folder.stat().st_ctime_ns
    assert found(tarball, tmp_path).folder.stat().st_ctime_ns == when  # unpacked once


def test_a_damaged_tarball_is_told_and_leaves_nothing(tree, tmp_path):
    (tree / "src" / "core" / "noise.cc").write_bytes(random.Random(1).randbytes(200_000))
    tarball = packed(tree, tmp_path / "release.tar.xz")
    whole = bytearray(tarball.read_bytes())
    middle = len(whole) // 2
    whole[middle : middle + 1000] = bytes(1000)
    tarball.write_bytes(whole)
    with pytest.raises(EngineError, match=r"release\.tar\.\w+ (is damaged: [A-Z]|cannot be unpacked: file)"):
        found(tarball, tmp_path)
    assert not list((tmp_path / "unpacked").glob("*"))


def test_a_tarball_that_cannot_be_used_is_told(tree, tmp_path):
    release = packed(tree, tmp_path / "release.tar")
    with pytest.raises(EngineError, match=r"release\.tar is no git repository, so it has no commit 'v1'; expected"):
        ns3_source.find(release, tmp_path / "unpacked", commit="v1")
    (tmp_path / "file").touch()
    with pytest.raises(EngineError, match=r"/file\S* cannot be written: (File exists|Not a directory)$"):
        ns3_source.find(release, tmp_path / "file")


def test_the_folder_for_an_unpacked_tarball_is_the_users_own(tree, tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "cache" / "build"))
    release = packed(tree, tmp_path / "release.tar")
    before = os.umask(0o002)
    try:
        engine.find_source(release)
    finally:
        os.umask(before)
    assert (tmp_path / "cache" / "build").stat().st_mode & 0o777 == 0o700
    engine.find_source(release)


def test_a_build_folder_that_cannot_be_made_is_named(tiny, tmp_path, monkeypatch):
    ns3 = engine.find_source(tiny)
    monkeypatch.setenv("TCPSWEEP_BUILD", "/proc/nope")
    told = r"^/proc/nope cannot be written: .*; set TCPSWEEP_BUILD to another folder"
    with pytest.raises(BuildError, match=told):
        engine.find_source(tiny)
    with pytest.raises(BuildError, match=told):
        ns3_build.make(ns3.source, "native", ns3.prefix)


def test_a_tree_between_two_releases_counts_as_the_next(tree, tmp_path):
    assert found(tmp_path, tmp_path).folder == tree  # which allinone has in a folder
    (tree / "VERSION").write_text("3-dev\n")
    with pytest.raises(EngineError, match=r"VERSION: expected a version such as 3\.44, got '3-dev'"):
        found(tree, tmp_path)
    changes = "# ns-3\n\n## Changes from ns-3.44 to ns-3-dev\n\n## Changes from ns-3.43 to ns-3.44\n"
    (tree / "CHANGES.md").write_text(changes)
    source = found(tree, tmp_path)
    assert (source.version, source.name) == ("3.45", "3-dev")
    shutil.rmtree(tree / "src" / "flow-monitor")
    with pytest.raises(EngineError, match=r"has no module flow-monitor$"):
        found(tree, tmp_path)


# --- What a sweep file may say ---


def test_planning_builds_nothing_and_takes_the_files_folder(tree, sweep_file, tmp_path, monkeypatch):
    monkeypatch.setattr(ns3_build, "make", lambda *arguments: pytest.fail("it builds ns-3 first"))
    ns3 = checked_sweep.read(sweep_file("{source: ../ns-3.44}"))[2]
    assert (ns3.version, ns3.march) == ("3.44", "native")
    assert ns3.prefix.parent == tmp_path / "build"
    assert not ns3.prefix.exists()
    with pytest.raises(Mistakes, match="did you mean 'bandwidth'"):
        checked_sweep.read(sweep_file("{source: ../ns-3.44}\nfixed: {bandwith: 1Mbps}"))


def test_a_compiler_that_does_not_serve_is_named(tree, tmp_path, monkeypatch):
    compiler = tmp_path / "no-such-compiler"
    monkeypatch.setenv("CXX", str(compiler))
    missing = r"no-such-compiler is not installed; to install it: `apt-get install g\+\+`"
    with pytest.raises(EngineError, match=missing):
        engine.find_source(tree)
    compiler.write_text("#!/bin/sh\nexit 127\n")
    compiler.chmod(0o755)
    with pytest.raises(EngineError, match="is not GCC"):
        engine.find_source(tree)


# --- Its identity and the build ---


def test_a_build_is_identified_by_source_and_flags_and_placed_by_compiler_and_processor(tree, tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    here, old = engine.find_source(tree), engine.find_source(tree, "x86-64-v2")
    assert here.libraries_id == old.libraries_id
    assert here.prefix != old.prefix
    monkeypatch.setattr(ns3_build, "FLAGS", ("-O2",))
    assert engine.find_source(tree).libraries_id != here.libraries_id
    monkeypatch.undo()
    assert "-ffp-contract=off" in ns3_build.FLAGS  # and no flag lets results differ
    flags = {*ns3_build.FLAGS, *ns3_build.LINK_FLAGS, *ns3_build.LINK_TIME, *ns3_build.PROFILED}
    assert not {flag for flag in flags if re.search(r"fast|unsafe|reciprocal|associative", flag)}


@pytest.mark.long
def test_a_source_is_built_once_trained_and_kept_whole(tiny, tmp_path, capfd):
    before = {path: path.read_bytes() for path in tiny.rglob("*") if path.is_file()}
    ns3 = engine.find_source(tiny)
    program = programs.compile_program(ns3, "dumbbell")
    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout == "42\n"
    said = capfd.readouterr().err
    assert "building ns-3 3.44 for this machine, once; 10 to 20 min on 2 cores; log: " in said
    assert re.findall(r"ns-3 3\.44: ([0-9]+) % built", said)[-1] == "99"
    log = ns3.prefix.with_name(f"{ns3.prefix.name}.log").read_text()
    for flag in ("-march=native", "-ffp-contract=off", "-flto=auto", "-fprofile-generate", "-fprofile-use"):
        assert f"{flag}" in log
    for option in ("NS3_ASSERT=OFF", "NS3_LOG=OFF", "NS3_ENABLED_MODULES=core;network;internet;"):
        assert option in log
    # The header itself, because the source in ns-3's stub was a copy that has been removed.
    assert (ns3.prefix / "include" / "ns3" / "answer.h").read_text() == FILES["src/core/model/answer.h"]
    assert json.loads((ns3.prefix / ns3_build.RECORD).read_text())["libraries_id"] == ns3.libraries_id
    assert [path.name for path in (tmp_path / "build").glob("native-*/")] == [ns3.prefix.name]
    assert not [path for path in (tmp_path / "build").glob(".native-*") if path.is_dir()]
    assert {path: path.read_bytes() for path in tiny.rglob("*") if path.is_file()} == before
    # By its place it is found as any other ns-3 is, and it is not built again.
    again = engine.find(ns3.prefix)
    assert (again.name, again.version, again.march) == (ns3.name, "3.44", "native")
    programs.compile_program(engine.find_source(tiny), "dumbbell")
    assert "building" not in capfd.readouterr().err


@pytest.mark.long
def test_the_training_cells_are_those_of_scenarios_that_need_no_other_modules(tiny, tmp_path):
    here, cellular = engine.find_source(tiny), engine.find_source(tiny, own_modules=("lte",))
    at_dumbbell = ("dumbbell", ["--flows=1", "--of=dumbbell"])
    assert ns3_build.training(here.source) == [at_dumbbell]
    assert ns3_build.training(cellular.source) == [("cellular", ["--flows=1", "--of=cellular"]), at_dumbbell]
    programs.compile_program(cellular, "cellular")
    log = cellular.prefix.with_name(f"{cellular.prefix.name}.log").read_text()
    for name in ("cellular", "dumbbell"):
        assert f"/training/{name}/{name} --flows=1 --of={name} --out=" in log
    (tmp_path / "scenarios" / "cellular.training").write_text("--flows=2\n")
    assert engine.find_source(tiny, own_modules=("lte",)).libraries_id != cellular.libraries_id
    assert engine.find_source(tiny).libraries_id == here.libraries_id


@pytest.mark.long
@pytest.mark.parametrize("file", TRAINED, ids=lambda file: file.stem)
def test_training_cells_are_cells(file, tmp_path):
    program = programs.compile_program(engine.find(), file.stem)
    for number, line in enumerate(line for line in file.read_text().splitlines() if not line.startswith("#")):
        arguments = re.sub(r"--duration=\d+s", "--duration=2s", line).split()
        out = tmp_path / str(number)
        out.mkdir()
        subprocess.run([program, *arguments, f"--out={out}"], check=True)
        assert json.loads((out / "run.json").read_text())["events"]


@pytest.mark.long
def test_a_source_that_does_not_compile_is_told_with_the_compilers_words(tiny, tmp_path):
    (tiny / "src/core/model/answer.cc").write_text("int Answer() { return forty_two; }\n")
    ns3 = engine.find_source(tiny)
    with pytest.raises(BuildError, match=r"ns-3 3\.44 cannot be built; \S+\.log ends with\n(.*\n)*.*forty_two"):
        programs.compile_program(ns3, "dumbbell")
    assert not ns3.prefix.exists()
    assert not [path for path in (tmp_path / "build").glob(".native-*") if path.is_dir()]


@pytest.mark.long
def test_an_interrupted_build_leaves_nothing_and_is_made_anew(tiny, tmp_path):
    slow = FILES["CMakeLists.txt"] + "add_custom_command(TARGET ns3.44-monolib PRE_BUILD COMMAND sleep 60)\n"
    (tiny / "CMakeLists.txt").write_text(slow)
    code = "from tcpsweep.core.ns3 import engine, programs;"
    code += f"programs.compile_program(engine.find_source({str(tiny)!r}), 'inspect')"
    environment, null = os.environ | {"PYTHONPATH": str(ROOT)}, subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=environment, stdout=null, stderr=null)
    ends_soon(lambda: not list(tmp_path.glob("build/.native-*/build/build.ninja")))
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=PATIENCE_S) != 0
    assert not [path for path in (tmp_path / "build").iterdir() if path.is_dir()]


def test_a_faster_allocator_is_taken_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("NS_LOG", "*")
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    look = simulator_environment._allocator
    monkeypatch.setattr(simulator_environment, "_allocator", lambda: look(tmp_path / "without"))
    assert not {"NS_LOG", "LD_PRELOAD"} & set(simulator_environment.environment())
    library = tmp_path / "lib" / "x86_64-linux-gnu" / "libtcmalloc_minimal.so.4"
    library.parent.mkdir(parents=True)
    library.touch()
    monkeypatch.setattr(simulator_environment, "_allocator", lambda: look(tmp_path))
    assert simulator_environment.environment()["LD_PRELOAD"] == str(library)
    monkeypatch.setenv("LD_PRELOAD", "libother.so")
    assert simulator_environment.environment()["LD_PRELOAD"] == f"{library} libother.so"

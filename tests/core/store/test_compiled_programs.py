# SPDX-License-Identifier: MIT
"""Compiled programs: their folder, sharing between processes, and programs that no sweep can use."""

import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tcpsweep.core.command_line.commands import prune
from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import engine, ns3_build
from tcpsweep.core.ns3.installation import EngineError
from tcpsweep.core.parse import packet_decoder
from tcpsweep.core.plan import build_users
from tcpsweep.core.store import compiled_programs, layout, locks, whole_files
from tcpsweep.core.sweep import sweep_record
from tcpsweep.features.linux import guest_programs
from tcpsweep.features.quic import recipes, stack_build
from tests.support import synthetic
from tests.support.damage import turn_a_bit
from tests.support.tools import PATIENCE_S

# Says how often it was compiled, slowly enough for two to meet.
CMAKE = """\
cmake_minimum_required(VERSION 3.20)
project(tiny NONE)
add_custom_target(tiny ALL COMMAND sleep 0.5 COMMAND echo once >> {count} COMMAND echo made > tiny)
"""


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TCPSWEEP_BUILD": "/elsewhere", "XDG_CACHE_HOME": "/cache"}, "/elsewhere"),
        ({"TCPSWEEP_BUILD": "~/elsewhere"}, "/me/elsewhere"),
        ({"XDG_CACHE_HOME": "/cache"}, "/cache/tcpsweep/build"),
        ({"XDG_CACHE_HOME": "not/absolute"}, "/me/.cache/tcpsweep/build"),
        ({}, "/me/.cache/tcpsweep/build"),
    ],
)
def test_programs_lie_in_the_users_cache_or_where_it_is_said(monkeypatch, environment, expected):
    for name in ("TCPSWEEP_BUILD", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in (environment | {"HOME": "/me"}).items():
        monkeypatch.setenv(name, value)
    assert compiled_programs.folder() == Path(expected)


@pytest.fixture
def build(here, monkeypatch):
    """The folder of programs, in an otherwise empty folder, in which the test works."""
    monkeypatch.setenv("TCPSWEEP_BUILD", str(here / "build"))
    return here / "build"


@pytest.fixture
def tiny(tmp_path):
    """A project that CMake makes a file of, which counts how often it does."""
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "CMakeLists.txt").write_text(CMAKE.format(count=tmp_path / "count"))
    return tmp_path / "source"


def test_of_processes_that_want_the_same_file_one_compiles_it_and_all_get_it(tiny, tmp_path):
    made = tmp_path / "build" / "tiny-1" / "tiny"
    code = "import sys; from pathlib import Path; from tcpsweep.core.store import compiled_programs;"
    code += "print(compiled_programs.build(*map(Path, sys.argv[1:])))"
    command = [sys.executable, "-c", code, tiny, made]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=PATIENCE_S)[0] for process in processes] == [f"{made}\n"] * 3
    assert made.read_text() == "made\n"
    assert (tmp_path / "count").read_text() == "once\n"
    assert {path.name for path in made.parent.parent.iterdir()} == {"tiny-1", "tiny-1.log"}
    record = compiled_programs.record(made.parent)
    assert record.source == str(tiny)
    assert 0 < record.seconds < 60


def test_flags_in_the_environment_which_no_id_has_do_not_reach_the_compiler(tmp_path, monkeypatch):
    for name in ("CXXFLAGS", "CFLAGS", "CPPFLAGS", "LDFLAGS"):
        monkeypatch.setenv(name, "-DFROM_THE_ENVIRONMENT")
    monkeypatch.setenv("CXX", "g++-from-the-environment")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(tiny NONE)\n"
        f"add_custom_target(tiny ALL COMMAND {shutil.which('env')} > tiny)\n"
    )
    said = compiled_programs.build(tmp_path, tmp_path / "build" / "tiny-1" / "tiny").read_text()
    assert "-DFROM_THE_ENVIRONMENT" not in said
    assert "CXX=g++-from-the-environment\n" in said
    assert f"PATH={os.environ['PATH']}\n" in said


def test_a_program_or_record_that_was_damaged_is_made_again_if_a_compiler_is_installed(tiny, tmp_path, monkeypatch):
    made = compiled_programs.build(tiny, tmp_path / "build" / "tiny-1" / "tiny")
    kept, right = made.parent / compiled_programs.RECORD, made.read_bytes()
    recorded = kept.read_text()
    for record, content in [
        *((recorded, damaged) for damaged in (right[:-1], b"", right.replace(b"a", b"b", 1))),
        *((record, damaged) for record in ("", "{") for damaged in (b"", b"half of it")),
        (None, b""),
    ]:
        kept.unlink() if record is None else kept.write_text(record)
        made.write_bytes(content)
        assert not compiled_programs.is_there(made)
        compiled_programs.build(tiny, made)
        assert made.read_bytes() == right
        assert compiled_programs.record(made.parent)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(compiled_programs.BuildError, match=r"^cmake is not installed; run `make setup`"):
        compiled_programs.build(tiny, tmp_path / "build" / "tiny-2" / "tiny")


NATIVE = json.dumps(vars(ns3_build.Built("3.44", "3.44", "0", "native")))


def native(folder):
    """Make up what building an ns-3 leaves: its record, a library, a header, and their digests."""
    header = folder / "include" / "ns3" / "core-config.h"
    for path in (folder / "lib", header.parent):
        path.mkdir(parents=True)
    (folder / ns3_build.RECORD).write_text(NATIVE)
    ns3_build.library("3.44", folder).write_text("library")
    header.write_text("#define NS3_INT64X64 1")
    compiled_programs.write_record(folder, "source", [], 1.0)
    return folder


@pytest.mark.parametrize("file", [ns3_build.RECORD, "lib/libns3.44-monolib.so", "include/ns3/core-config.h"])
@pytest.mark.parametrize("damage", [Path.unlink, turn_a_bit])
def test_a_damaged_build_of_ns3_is_built_again_and_never_used(tmp_path, file, damage):
    made = native(tmp_path / "native")
    assert ns3_build.is_made(made)
    assert engine.find(made).march == "native"
    damage(made / file)
    assert not ns3_build.is_made(made)
    if (made / ns3_build.RECORD).exists():
        told = rf"^{made / file} is (not as it was compiled|damaged); remove {made} and name the source"
        with pytest.raises(EngineError, match=told):
            engine.find(made)


def test_a_damaged_program_is_said_before_it_is_compiled_again(tiny, tmp_path, capfd):
    made = compiled_programs.build(tiny, tmp_path / "build" / "tiny-1" / "tiny")
    assert capfd.readouterr().err == ""
    compiled_programs.build(tiny, made)
    turn_a_bit(made)
    compiled_programs.build(tiny, made)
    assert capfd.readouterr().err == f"tcpsweep: {made} is not as it was compiled; compiling it again\n"


def test_a_folder_of_programs_is_refused_that_others_may_have_written(build, monkeypatch):
    before = os.umask(0)
    try:
        compiled_programs.made_folder()
    finally:
        os.umask(before)
    assert build.stat().st_mode & 0o777 == 0o700
    for mode in (0o770, 0o702):
        build.chmod(mode)
        with pytest.raises(compiled_programs.BuildError, match=r"by others \(`chmod -R go-w .*SHARED_BUILD=1"):
            compiled_programs.folder()
    monkeypatch.setenv("TCPSWEEP_SHARED_BUILD", "1")
    assert compiled_programs.folder() == build
    monkeypatch.delenv("TCPSWEEP_SHARED_BUILD")
    build.chmod(0o755)
    assert compiled_programs.folder() == build
    if os.geteuid():
        pytest.skip("only root can give a folder to another user")
    os.chown(build, 12345, -1)
    with pytest.raises(compiled_programs.BuildError, match=r"belongs to another user \(id 12345\)"):
        compiled_programs.folder()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("{}/a,b/build", "a,b/build has ',' in its path: set TCPSWEEP_BUILD"),
        ("{}/a;b/build", "a;b/build has ';' in its path: set TCPSWEEP_BUILD"),
        ("{}/source/CMakeLists.txt", "cannot be written: .*; set TCPSWEEP_BUILD to another"),
        ("/proc/nope", "/proc/nope cannot be written"),
        ("~no-such/x", "no home"),
    ],
)
def test_a_folder_that_cannot_be_made_or_whose_path_would_be_split_is_named(tiny, tmp_path, monkeypatch, name, told):
    monkeypatch.setenv("TCPSWEEP_BUILD", name.format(tmp_path))
    with pytest.raises(compiled_programs.BuildError, match=told):
        compiled_programs.build(tiny, compiled_programs.folder() / "tiny-1" / "tiny")
    with pytest.raises(compiled_programs.BuildError, match=told):
        guest_programs.folder()


def test_a_folder_where_no_program_can_run_is_refused(build, monkeypatch):
    monkeypatch.setattr(os, "statvfs", lambda place: SimpleNamespace(f_flag=os.ST_NOEXEC))
    with pytest.raises(compiled_programs.BuildError, match=r"build is on a file system .*\(noexec\): set TCPSWEEP_"):
        compiled_programs.folder()


def test_programs_that_a_run_uses_are_not_removed(build):
    with locks.programs(), locks.programs():
        with pytest.raises(locks.Busy, match="in use by a sweep that runs, perhaps in another folder"):
            prune.clean("build", answer="y")
        assert compiled_programs.folder().is_dir()
    assert prune.clean("build", answer="y")
    assert not compiled_programs.folder().exists()


def compiled(folder, source, needs=(), seconds=1.0):
    """Make up what compiling leaves."""
    folder.mkdir(parents=True)
    record = {"source": str(source), "needs": list(map(str, needs)), "seconds": seconds}
    (folder / compiled_programs.RECORD).write_text(json.dumps(record))
    return folder


def test_only_shared_programs_that_no_sweep_can_use_are_removed(build, tmp_path):
    core, other = tmp_path / "core.so", tmp_path / "other-clone"
    core.touch()
    other.mkdir()
    ours = compiled(build / "ns3.44-a-b" / "dumbbell-000000000000", source_folders.SCENARIOS, [core])
    decoder = compiled(build / "packets-000000000000", packet_decoder.NATIVE)
    gone = compiled(build / "ns3.44-c-d" / "chain-000000000000", other, [tmp_path / "removed" / "core.so"])
    orphan = compiled(build / "ns3.44-a-b" / "chain-111111111111", tmp_path / "removed-clone", [core])
    compiled(build / "ns3.44-a-b" / "dumbbell-222222222222", other, [core])
    (build / "ns3.44-a-b" / "dumbbell-333333333333").mkdir()  # of an earlier version, which nothing is known of
    failed = build / "ns3.44-a-b" / "dumbbell-444444444444.log"
    failed.touch()
    (build / "ns3.44-a-b" / "dumbbell-222222222222.log").touch()
    found = prune.unwanted()
    assert found == {"programs": sorted([ours, decoder, gone, orphan]), "logs of compiling": [failed]}


def test_what_a_killed_compilation_left_is_removed_but_not_what_one_that_runs_has(build):
    dead = subprocess.Popen(["true"])
    dead.wait()
    code, here = "000000000000", socket.gethostname()
    left = [f"ns3.44-a-b/.chain-{code}.{here}.{dead.pid}", f".quic-noq-{code}.{dead.pid}", f".linux-6.1.1-{code}"]
    runs = [f"ns3.44-a-b/.chain-{code}.{here}.{os.getpid()}", f".packets-{code}.elsewhere.{dead.pid}", ".plain"]
    for name in (*left, *runs):
        (build / name).mkdir(parents=True)
    with (build / ".plain.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = {"left by compilations that were killed": sorted(build / name for name in left)}
        assert prune.unwanted() == found
    assert build / ".plain" in prune.unwanted()["left by compilations that were killed"]


def test_a_quic_stack_is_removed_if_its_code_or_compiler_has_changed(build, monkeypatch):
    monkeypatch.setattr(recipes, "versions", lambda stack, folder: ["1.0"])
    stack_build._identity.cache_clear()
    current = stack_build.library("noq").parent
    for folder in (current, old := build / "quic-noq-000000000000"):
        compiled(folder, source_folders.quic_stacks() / "noq")
    compiled(build / "quic-noq-111111111111", build)  # of another clone
    assert prune.unwanted() == {"programs": [old]}
    stack_build._identity.cache_clear()


def test_a_build_of_ns3_stays_while_a_sweep_in_any_folder_asks_for_it(build, tmp_path):
    made, elsewhere = native(build / "native-ns3.44-000000000000"), tmp_path / "elsewhere" / layout.SWEEPS / "one"
    build_users.note(made, elsewhere)
    assert prune.unwanted() == {"ns-3 built from source": [made]}  # it was never written, or is gone
    record = synthetic.record(ns3_prefix=str(made))
    whole_files.write_whole(elsewhere / sweep_record.FILE, sweep_record.record_text(record))
    assert prune.unwanted() == {}
    assert build_users.sweeps_of_ns3(made) == [elsewhere]


def test_compiling_is_expected_to_take_what_it_took_before(build):
    new = build / "ns3.44-a-b" / "wifi-dumbbell-000000000000" / "wifi-dumbbell"
    from_none = pytest.approx(30 / min(3, len(os.sched_getaffinity(0))))
    assert compiled_programs.expected_seconds(new) == from_none
    for seconds, place, expected in (
        (1.0, "ns3.44-a-b/dumbbell-111111111111", from_none),
        (40.0, "ns3.37-c-d/wifi-dumbbell-111111111111", 40),
        (20.0, "ns3.44-a-b/wifi-dumbbell-222222222222", 20),
        (5.0, "ns3.44-a-b/wifi-dumbbell-333333333333", 20),  # a compiler's cache may have had the other one
    ):
        compiled(build / place, "source", seconds=seconds)
        assert compiled_programs.expected_seconds(new) == expected


def test_the_compilers_messages_are_found_in_a_builds_log(tmp_path):
    log = tmp_path / "dumbbell.log"
    log.write_text(
        "-- Detecting CXX compile features - done\n-- Configuring done (1.4s)\n"
        "[1/2] Building CXX object CMakeFiles/dumbbell.dir/dumbbell.cc.o\n"
        "FAILED: [code=1] CMakeFiles/dumbbell.dir/dumbbell.cc.o \n"
        "/x/cmake -E env CCACHE_BASEDIR=/x /usr/bin/ccache /usr/bin/c++ -O3 -o x.o -c /x/dumbbell.cc\n"
        "/x/dumbbell.cc: In function 'int broken()':\n/x/dumbbell.cc:162:23: error: invalid conversion\n"
        "  162 | int broken() { return 'x'; }\n      |                       ^~~\n"
        "ninja: build stopped: subcommand failed.\n"
    )
    begins = "    /x/dumbbell.cc: In function 'int broken()':\n    /x/dumbbell.cc:162:23: error: invalid conversion\n"
    assert compiled_programs.errors(log).startswith(begins)
    assert len(compiled_programs.errors(log).splitlines()) == 4
    log.write_text("\n".join(f"a.cc:{line}: error: no" for line in range(40)))
    assert compiled_programs.errors(log).splitlines()[-1] == "    and 28 lines more"
    log.write_text("-- Configuring done\n")
    assert compiled_programs.errors(log) == "    -- Configuring done"

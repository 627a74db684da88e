# SPDX-License-Identifier: MIT
"""Finding the ns-3 of a sweep, in made-up installation folders."""

import base64
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import catalogue, engine, installation, programs
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store.compiled_programs import BuildError
from tcpsweep.core.sweepfile.document.yaml_document import Mistakes
from tests.core.ns3.conftest import messages
from tests.support.damage import turn_a_bit

MODULES = ("core", "network", "internet", "point-to-point", "applications", "flow-monitor", "traffic-control")


def installed(prefix, *cores, package=None, header=None, headers=True, content=b""):
    """Make up an installation with modules next to each of these paths of the library ``core``.

    ``package`` is the version in its pkg-config file, ``header`` is the version in its headers, if it has them;
    ``content`` is the content of the library ``internet``.
    """
    for core in cores:
        for module in MODULES:
            library = prefix / core.replace("-core", f"-{module}")
            library.parent.mkdir(parents=True, exist_ok=True)
            library.write_bytes(content if module == "internet" else core.encode())
    if package:
        (prefix / cores[0]).with_name("pkgconfig").mkdir()
        ((prefix / cores[0]).parent / "pkgconfig" / "ns3-core.pc").write_text(f"Name: ns3-core\nVersion: {package}\n")
    if headers:
        (prefix / "include" / "ns3").mkdir(parents=True)
        (prefix / "include" / "ns3" / "core-config.h").touch()
    if header:
        major, minor = header.split(".")
        text = f"#define NS3_VERSION_MAJOR {major}\n#define NS3_VERSION_MINOR {minor}\n"
        (prefix / "include" / "ns3" / "version-defines.h").write_text(text)
    return prefix


@pytest.mark.parametrize(
    ("core", "said", "version"),
    [
        ("lib64/libns3.44-core.so", {}, "3.44"),
        ("lib/libns3.40-core-optimized.so", {}, "3.40"),
        ("lib/libns3.36.1-core-default.so", {"package": "3.36.1", "header": "3.36"}, "3.36.1"),
        ("lib/x86_64-linux-gnu/libns3-core.so", {"package": "3.37"}, "3.37"),
        ("lib/x86_64-linux-gnu/libns3-core.so", {"header": "3.37"}, "3.37"),
        ("lib/libns3-dev-core-debug.so", {"package": "3-dev", "header": "3.45"}, "3.45"),
    ],
)
def test_an_installation_says_its_version_wherever_it_has_it(tmp_path, core, said, version):
    found = installation.find(installed(tmp_path, core, **said))
    assert (found.prefix, found.version, found.core) == (tmp_path, version, tmp_path / core)
    assert {path.name for path in found.libraries} == {
        Path(core).name.replace("-core", f"-{module}") for module in MODULES
    }


@pytest.mark.parametrize(
    ("profiles", "fastest"),
    [(["-debug", "-default"], "-default"), (["-debug", "-optimized"], "-optimized"), (["", "-debug"], "")],
)
def test_of_several_builds_of_one_version_the_fastest_is_taken_alone(tmp_path, profiles, fastest):
    found = installation.find(installed(tmp_path, *(f"lib/libns3.40-core{profile}.so" for profile in profiles)))
    assert found.core.name == f"libns3.40-core{fastest}.so"
    assert len(found.libraries) == len(MODULES)


TWO = ["lib/libns3.40-core.so", "lib/libns3.41-core.so"]


@pytest.mark.parametrize(
    ("cores", "said", "told"),
    [
        (TWO, {}, r"several versions of ns-3 .*3\.40, 3\.41.*its own prefix"),
        (["lib/libns3.40-core.so"], {"header": "3.41"}, r"headers under .* belong to ns-3 3\.41, but .* to 3\.40"),
        (["lib/libns3.40-core.so"], {"headers": False}, r"no ns-3 headers \(include/ns3/core-config\.h\)"),
        (["lib/libns3-core.so"], {}, "unknown version"),
        (["lib/libns3.40-corelib.so"], {}, r"no ns-3 libraries \(libns3\*-core\.so in lib64 or lib or"),
    ],
)
def test_an_installation_that_cannot_be_used_is_refused(tmp_path, cores, said, told):
    with pytest.raises(installation.EngineError, match=told):
        installation.find(installed(tmp_path, *cores, **said))


@pytest.mark.parametrize(
    ("given", "near"), [(".", "build"), ("build/lib", "build"), ("build/include/ns3", "build"), ("build/lost", "build")]
)
def test_a_prefix_near_an_installation_is_told_where_that_is(tmp_path, given, near):
    installed(tmp_path / "build", "lib/libns3.40-core-default.so")
    with pytest.raises(installation.EngineError, match=rf"; did you mean '{tmp_path / near}'\?$"):
        installation.find(tmp_path / given)


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "programs"))
    return installed(tmp_path / "ns-3", "lib/libns3.40-core.so")


def test_the_headers_behind_those_of_ns3s_build_folder_are_part_of_what_identifies_it(made, tmp_path):
    real, header = tmp_path / "answer.h", made / "include" / "ns3" / "answer.h"
    real.write_text("inline int Answer() { return 41; }\n")
    header.write_text(f'#include "{real}"\n')
    before = engine.find(made).libraries_id
    moved = real.rename(tmp_path / "moved.h")  # the place is no part of it
    header.write_text(f'#include "{moved}"\n')
    assert engine.find(made).libraries_id == before
    moved.write_text("inline int Answer() { return 42; }\n")
    assert engine.find(made).libraries_id != before


def test_the_place_of_an_ns3_is_no_part_of_what_identifies_it(made, tmp_path):
    one, other = (engine.find(prefix) for prefix in (made, shutil.copytree(made, tmp_path / "other")))
    assert (one.version, one.libraries_id) == (other.version, other.libraries_id)
    assert one.name != other.name  # programs find their libraries by their place
    (tmp_path / "other" / "lib" / "libns3.40-internet.so").write_bytes(b"something else")
    assert engine.find(tmp_path / "other").libraries_id != one.libraries_id


def test_only_libraries_that_programs_load_identify_an_ns3_and_not_where_they_were_built(made, tmp_path):
    lib = made / "lib"
    core, internet = lib / "libns3.40-core.so", lib / "libns3.40-internet.so"
    core.write_bytes(b"code\0/builds/cpython-311/lib:$ORIGIN/\0$ORIGIN/../lib\0")
    internet.write_bytes(b"code\0libns3.40-stats.so\0")
    for name in ("stats", "lte"):
        (lib / f"libns3.40-{name}.so").write_bytes(b"code")
    before = engine.find(made).libraries_id
    core.write_bytes(b"code\0/builds/cpython-3131/lib:$ORIGIN/\0$ORIGIN/../lib64\0")
    (lib / "libns3.40-lte.so").write_bytes(b"other code")
    assert engine.find(made).libraries_id == before
    (lib / "libns3.40-stats.so").write_bytes(b"other code")  # which `internet` needs
    assert engine.find(made).libraries_id != before


def recorded(prefix):
    """The list of a wheel's files that pip keeps next to them."""
    record = prefix.parent / "ns3-3.40.dist-info" / "RECORD"
    record.parent.mkdir()
    files = [path for path in sorted(prefix.rglob("*")) if path.is_file()]
    digests = (base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).decode() for path in files)
    names = (path.relative_to(prefix.parent) for path in files)
    lines = [f"{name},sha256={digest.rstrip('=')},7" for name, digest in zip(names, digests, strict=True)]
    record.write_text("\n".join([*lines, "ns3-3.40.dist-info/RECORD,,"]))


@pytest.mark.parametrize("file", ["lib/libns3.40-internet.so", "include/ns3/core-config.h"])
def test_a_damaged_wheel_is_named_with_what_installs_it_again(made, file):
    (made / file).write_bytes(b"some content")
    recorded(made)
    found = engine.find(made)
    turn_a_bit(made / file)
    told = rf"{made / file} differs from the file of ns3==3\.40, .*--force-reinstall ns3==3\.40`$"
    with pytest.raises(installation.EngineError, match=told):  # of headers, when a program is compiled with them
        engine.is_unchanged(found)
    if file.endswith(".so"):
        with pytest.raises(installation.EngineError, match=told):
            engine.find(made)


# By version, what the library `internet` contains, and the definitions and the standard that follow.
FLAGS = {
    "3.44": (b'\0NS_ASSERT failed, cond="\0_ZN3ns312LogComponentC1ERKS\0', {"NS3_ASSERT_ENABLE", "NS3_LOG_ENABLE"}, 20),
    "3.41": (b'\0assert failed. cond="\0_ZN3ns312LogComponentD1Ev\0', {"NS3_ASSERT_ENABLE"}, 20),
    "3.46": (b"\0nothing of that\0", set(), 23),
}


@pytest.mark.parametrize("version", FLAGS)
def test_programs_are_compiled_as_the_libraries_were(tmp_path, version):
    content, definitions, standard = FLAGS[version]
    prefix = installed(tmp_path / "a-core", f"lib/libns{version}-core-default.so", content=b"\x7fELF\2\1" + content)
    core = installation.find(prefix).core
    options = [f"-DNS3_CORE={core}", f"-DNS3_VERSION={version}", "-DPROGRAM=inspect"]
    command = ["cmake", "-S", source_folders.SCENARIOS, "-B", tmp_path / "made", "-G", "Ninja", *options]
    subprocess.run(command, check=True, capture_output=True)
    ninja = (tmp_path / "made" / "build.ninja").read_text()
    assert set(re.findall(r"-D(NS3_[A-Z]+_ENABLE)\b", ninja)) == definitions
    assert set(re.findall(r"-std=c\+\+(\d+)", ninja)) == {str(standard)}
    assert f"-isystem {tmp_path}/made/ns-3\n" in ninja
    assert (tmp_path / "made" / "ns-3").resolve() == prefix / "include"


@pytest.mark.parametrize(("file", "target"), [("lib/libns3.44-wifi.so", "no"), ("include/ns3/loop.h", "loop.h")])
def test_a_file_that_cannot_be_read_is_named(tmp_path, file, target):
    prefix = installed(tmp_path, "lib/libns3.44-core.so")
    (prefix / file).symlink_to(target)
    with pytest.raises(installation.EngineError, match=rf"^{prefix / file} cannot be read: (No such|Too many)"):
        engine.find(prefix)


def test_a_missing_module_is_named(made):
    ns3 = engine.find(made)
    (made / "include" / "ns3" / "mobility-module.h").touch()
    assert catalogue.libraries_of(ns3, ("mobility",)) == [made / "lib" / "libns3.40-mobility.so"]
    with pytest.raises(installation.EngineError, match="ns-3 lacks wifi, which the scenario needs"):
        catalogue.libraries_of(ns3, ("mobility", "wifi"))
    (made / "lib" / "libns3.40-flow-monitor.so").unlink()
    with pytest.raises(BuildError, match="this ns-3 has no module flow-monitor"):
        programs.compile_program(engine.find(made), "inspect")


@pytest.mark.usefixtures("build_folder")
def test_a_library_that_prints_is_refused_each_time(tmp_path):
    code, library = tmp_path / "TcpLoud.cc", tmp_path / "libTcpLoud.so"
    code.write_text('#include <cstdio>\nstatic int loud = std::puts("hello");\n')
    subprocess.run(["g++", "-shared", "-fPIC", "-o", library, code], check=True)
    for _ in range(2):
        with pytest.raises(installation.EngineError, match=r"^libTcpLoud\.so prints to the standard output .*'hello"):
            catalogue.kept_types(tmp_path / "catalogue.kept", engine.find(), [library])
    with pytest.raises(installation.EngineError, match=r"print to std::cerr instead$"):
        catalogue.try_attributes(engine.find(), [("ns3::TcpSocket::DelAckCount", "2")], [library])
    assert not (tmp_path / "catalogue.kept").exists()


def test_a_prefix_is_absolute_or_from_home_or_from_the_sweep_files_folder(tmp_path, monkeypatch, sweep_file):
    monkeypatch.setenv("HOME", str(tmp_path))
    installed(tmp_path / "ns-3.40" / "build", "lib/libns3.40-core-default.so")
    for prefix in (tmp_path / "ns-3.40/build", "~/ns-3.40/build", "../ns-3.40/build"):
        _, _, found = checked_sweep.read(sweep_file(f"{{prefix: {prefix}}}"))
        assert (found.prefix, found.version) == (tmp_path / "ns-3.40" / "build", "3.40")


def test_without_a_prefix_it_is_that_of_python_or_of_the_set_up(made, tmp_path, sweep_file, build_folder, monkeypatch):
    path = sweep_file("{}")
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    assert checked_sweep.read(path)[2] == engine.find()
    path.write_text("sweep: s\nscenario: dumbbell\n")
    assert checked_sweep.read(path)[2] == engine.find()
    # Or the one that the set-up chose.
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "ns3.path").write_text(f"{made}\n")
    assert engine.find().prefix == checked_sweep.read(sweep_file("{}"))[2].prefix == made


BAD = [tuple(case.values()) for case in messages("bad")]
BAD.append(("{prefix: " + "x" * 300 + "}", r"ns3\.prefix: \S+ cannot be read: File name too long$"))


@pytest.mark.parametrize(("ns3", "told"), BAD)
def test_a_bad_prefix_or_source_is_one_message_with_its_place(sweep_file, tree, tmp_path, ns3, told):
    (tmp_path / "waf" / "src" / "core").mkdir(parents=True)
    (tmp_path / "waf" / "VERSION").write_text("3.30\n")
    with pytest.raises(Mistakes) as mistakes:
        checked_sweep.read(sweep_file(ns3))
    assert re.search(told, str(mistakes.value)), mistakes.value
    assert "\n" not in str(mistakes.value)

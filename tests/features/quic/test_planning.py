# SPDX-License-Identifier: MIT
"""Sweep files with QUIC: names, ids of simulations, and a machine without compilers or a library."""

import os
import shutil

import pytest

from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import engine
from tcpsweep.core.plan import cell_commands, checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.features.quic import quic_check, quic_names, recipes, stack_build, stack_sources
from tests.support.tools import lacking

SWEEP = """\
sweep: beside
scenario: dumbbell
grid: {variant: [TcpCubic, TcpCubic+quic:noq/bbr3]}
"""


def messages(tmp_path, text):
    (tmp_path / "sweep.yaml").write_text(text)
    document = yaml_document.read(tmp_path / "sweep.yaml")
    sweep, problems = checked_sweep.expanded(document)
    found = problems or quic_check.problems(SweepFile(document.data), sweep)
    return document, sweep, [problem.message for problem in found]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("noq/bbr3", "noq/brr3"), "the QUIC stack noq has no congestion control 'brr3'; did you mean 'bbr3'?"),
        (("noq/bbr3", "quiche/cubic"), "tcpsweep has no QUIC stack 'quiche'; it has ngtcp2, noq"),
        (("noq/bbr3", "noq"), "expected quic:STACK/CONTROL, such as quic:noq/cubic, got 'quic:noq'"),
        (("grid", "fixed: {segment_size: 1000}\ngrid"), "QUIC's packets have at least the size of TCP's with 1176 B"),
    ],
)
def test_a_wrong_name_or_size_has_one_message(tmp_path, change, told):
    (message,) = messages(tmp_path, SWEEP.replace(*change))[2]
    assert message.startswith(told)


def test_only_simulations_with_quic_depend_on_the_stack(tmp_path, monkeypatch):
    _, sweep, found = messages(tmp_path, SWEEP)
    assert found == []
    ns3 = engine.Engine(tmp_path, "3.44", "libraries")
    before = [cell for cell in cell_commands.cells(sweep, "code", ns3, dict) if cell.run == 1]
    monkeypatch.setattr(stack_build, "identity", lambda stack: "other")
    after = [cell for cell in cell_commands.cells(sweep, "code", ns3, dict) if cell.run == 1]
    assert [old.id == new.id for old, new in zip(before, after, strict=True)] == [True, False]
    assert not any("--quic" in each for each in before[0].arguments)
    assert any(each.startswith("--quic=noq=") for each in before[1].arguments)


def test_a_stacks_identity_follows_all_that_it_is_compiled_from(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_QUIC_STACKS", str(tmp_path / "stacks"))
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "home"))
    files = {
        "stacks/mine/Cargo.toml": '[dependencies]\ninner = {path = "../../inner"}',
        "inner/Cargo.toml": '[target."cfg(unix)".dependencies]\ndeepest = {path = "deepest"}',
        "inner/deepest/Cargo.toml": "[package]",
    }
    for file, text in files.items():
        write(tmp_path / file, text)
    before = identity()
    for file in (
        *("stacks/mine/build.rs", "stacks/mine/src/control/mod.rs", "stacks/mine/src/window.h"),
        *("stacks/mine/data/table.bin", "inner/src/lib.rs", "inner/deepest/src/lib.rs", "inner/deepest/build.rs"),
        *("stacks/mine/.cargo/config.toml", ".cargo/config", "home/config.toml", "Cargo.lock", "rust-toolchain"),
    ):
        write(tmp_path / file, "opt-level = 1")
        assert before != (before := identity()), file
    for file in ("home/config.toml", "stacks/mine/target/release/x.d", "stacks/mine/src/.lib.rs.swp", "other/x.rs"):
        write(tmp_path / file, "opt-level = 1\n[net]\noffline = true\n")
        assert before == identity(), file
    write(tmp_path / "bin" / "cargo", "")
    write(tmp_path / "bin" / "rustc", "#!/bin/sh\necho rustc 1.89.0 of another commit\n")
    for name in ("cargo", "rustc"):
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert before != identity()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def identity():
    stack_build._identity.cache_clear()
    return stack_build.identity("mine")


def test_a_file_that_the_compiler_read_elsewhere_is_found(tmp_path):
    stack = tmp_path / "a stack"
    write(stack / "src" / "lib.rs", "")
    write(tmp_path / "table.bin", "")
    rules = tmp_path / "libtcpsweep.d"
    inside = str(stack / "src" / "lib.rs").replace(" ", "\\ ")
    outside = str(stack / "src" / "../../table.bin").replace(" ", "\\ ")
    rules.write_text(f"out/libtcpsweep.so: {inside} {stack_sources.INTERFACE}\n")
    assert stack_sources.foreign(stack, [rules]) == []
    rules.write_text(f"out/libtcpsweep.so: {inside} \\\n {outside}\n\n{inside}:\n")
    assert stack_sources.foreign(stack, [rules]) == [tmp_path / "table.bin"]


@pytest.mark.long
@pytest.mark.quic
def test_a_stack_that_reads_a_file_of_elsewhere_is_refused_and_not_kept(tmp_path, monkeypatch):
    """As tcpsweep has it, a stack compiles, and variables with flags do not reach its compiler."""
    try:
        recipes.recipe("ngtcp2")
    except recipes.NoStack:
        lacking("libngtcp2-dev")
    shutil.copytree(source_folders.quic_stacks() / "ngtcp2", tmp_path / "stacks" / "ngtcp2")
    for name, value in (("QUIC_STACKS", "stacks"), ("BUILD", "build")):
        monkeypatch.setenv(f"TCPSWEEP_{name}", str(tmp_path / value))
    monkeypatch.setenv("CFLAGS", "--no-such-option")
    assert stack_build.make("ngtcp2").is_file()
    write(tmp_path / "constants.h", "#define WINDOW 1\n")
    source = tmp_path / "stacks" / "ngtcp2" / "src" / "end.h"
    source.write_text(f'#include "../../../constants.h"\n{source.read_text()}')
    stack_build._identity.cache_clear()
    with pytest.raises(recipes.NoStack, match=rf"is compiled with {tmp_path / 'constants.h'}, which .* move it below"):
        stack_build.make("ngtcp2")
    assert not stack_build.library("ngtcp2").exists()
    stack_build._identity.cache_clear()


def test_without_rust_one_message_says_what_to_install(tmp_path, monkeypatch):
    document, sweep, _ = messages(tmp_path, SWEEP)
    for name, value in (("PATH", ""), ("HOME", str(tmp_path)), ("TCPSWEEP_BUILD", str(tmp_path / "build"))):
        monkeypatch.setenv(name, value)
    told = "needs Rust: install Rust 1.88 or later"
    assert [told in problem.message for problem in quic_check.build_problems(SweepFile(document.data), sweep)] == [True]
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 2)  # of no user
    assert [told in problem.message for problem in quic_check.build_problems(SweepFile(document.data), sweep)] == [True]


def test_without_its_library_one_message_names_the_packages_of_a_stack_in_c(tmp_path, monkeypatch):
    document, sweep, _ = messages(tmp_path, SWEEP.replace("noq/bbr3", "ngtcp2/bbr"))
    (tmp_path / "cc").write_text("#!/bin/sh\nexit 1\n")  # as without the library's headers
    (tmp_path / "cc").chmod(0o755)
    for path in (tmp_path, tmp_path / "empty"):
        stack_build._identity.cache_clear()
        monkeypatch.setenv("PATH", str(path))
        monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
        (problem,) = quic_check.build_problems(SweepFile(document.data), sweep)
        assert "install the packages libngtcp2-dev (0.12) and gcc" in problem.message
    stack_build._identity.cache_clear()


@pytest.mark.parametrize(
    ("stack", "source", "line"), [("noq", "lib.rs", "controls: c{}"), ("ngtcp2", "stack.c", ".controls = {}")]
)
def test_the_stacks_controls_are_those_of_its_library(stack, source, line):
    text = (source_folders.quic_stacks() / stack / "src" / source).read_text()
    assert line.format('"' + " ".join(quic_names.STACKS[stack]) + '"') in text

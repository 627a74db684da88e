# SPDX-License-Identifier: MIT
"""Sweep files with QUIC: names, ids of simulations, and a machine without compilers or a library."""

import os

import pytest

from tcpsweep.identity import source_folders
from tcpsweep.ns3 import engine
from tcpsweep.plan import cell_commands, checked_sweep
from tcpsweep.quic import stack_build
from tcpsweep.sweepfile.checks import quic_check
from tcpsweep.sweepfile.document import yaml_document
from tcpsweep.words import quic_names

SWEEP = """\
sweep: beside
scenario: dumbbell
grid: {variant: [TcpCubic, TcpCubic+quic:noq/bbr3]}
"""


def messages(tmp_path, text):
    (tmp_path / "sweep.yaml").write_text(text)
    document = yaml_document.read(tmp_path / "sweep.yaml")
    sweep, problems = checked_sweep.expanded(document)
    found = problems or quic_check.problems(document.data, sweep)
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
    monkeypatch.setenv("TCPSWEEP_QUIC_STACKS", str(tmp_path))
    (tmp_path / "mine" / "src").mkdir(parents=True)
    for file in ("build.rs", "src/control/mod.rs", "src/control/inner/window.h"):
        before = stack_build.identity("mine")
        (tmp_path / "mine" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / file).write_text("one")
        stack_build._identity.cache_clear()
        assert stack_build.identity("mine") != before, file


def test_without_rust_one_message_says_what_to_install(tmp_path, monkeypatch):
    document, sweep, _ = messages(tmp_path, SWEEP)
    for name, value in (("PATH", ""), ("HOME", str(tmp_path)), ("TCPSWEEP_BUILD", str(tmp_path / "build"))):
        monkeypatch.setenv(name, value)
    told = "needs Rust: install Rust 1.88 or later"
    assert [told in problem.message for problem in quic_check.build_problems(document.data, sweep)] == [True]
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 2)  # of no user
    assert [told in problem.message for problem in quic_check.build_problems(document.data, sweep)] == [True]


def test_without_its_library_one_message_names_the_packages_of_a_stack_in_c(tmp_path, monkeypatch):
    document, sweep, _ = messages(tmp_path, SWEEP.replace("noq/bbr3", "ngtcp2/bbr"))
    (tmp_path / "cc").write_text("#!/bin/sh\nexit 1\n")  # as without the library's headers
    (tmp_path / "cc").chmod(0o755)
    for path in (tmp_path, tmp_path / "empty"):
        stack_build._identity.cache_clear()
        monkeypatch.setenv("PATH", str(path))
        monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
        (problem,) = quic_check.build_problems(document.data, sweep)
        assert "install the packages libngtcp2-dev (0.12) and gcc" in problem.message
    stack_build._identity.cache_clear()


@pytest.mark.parametrize(
    ("stack", "source", "line"), [("noq", "lib.rs", "controls: c{}"), ("ngtcp2", "stack.c", ".controls = {}")]
)
def test_the_stacks_controls_are_those_of_its_library(stack, source, line):
    text = (source_folders.quic_stacks() / stack / "src" / source).read_text()
    assert line.format('"' + " ".join(quic_names.STACKS[stack]) + '"') in text

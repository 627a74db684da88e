# SPDX-License-Identifier: MIT
"""Sweeps with programs as flows: what is refused, what belongs to a simulation's id, and who must agree."""

import pytest

from tcpsweep.command_line.commands import one_cell
from tcpsweep.linux import kernel
from tcpsweep.linux.kernel import Kernel
from tcpsweep.ns3.engine import Engine
from tcpsweep.plan import cell_commands, checked_sweep
from tcpsweep.sweepfile.checks import kernel_check
from tcpsweep.sweepfile.document import yaml_document
from tcpsweep.sweepfile.document.yaml_document import Mistakes
from tcpsweep.words.user_error import UserError
from tests.support.tools import ROOT

SWEEP = """\
sweep: programs
scenario: dumbbell
grid: {variant: [TcpCubic]}
fixed:
  stack: linux
  time: virtual
  sender_program: sh ./send.sh {receiver} {seconds}
  receiver_program: sleep 10
"""
NETWORK = """\
sweep: clients
scenario: network
network:
  links:
    first: {between: [a, r], bandwidth: 4Mbps}
    second: {between: [b, r], bandwidth: 4Mbps}
    last: {between: [r, server], bandwidth: 4Mbps}
    other: {between: [r, c], bandwidth: 4Mbps}
  flows:
    own: {from: [a, b], to: server, count: 2, sender_program: "sleep 1", receiver_program: "sleep 2"}
    beside: {from: r, to: c}
fixed: {stack: linux, time: virtual}
"""
FOUND = Kernel("6.12.1", ["reno", "cubic"], {"net.ipv4.tcp_sack": "1"})


@pytest.fixture
def planned(tmp_path, monkeypatch):
    """A sweep file's sweep, and its problems' places and messages, where such a kernel was built."""
    monkeypatch.setattr(kernel, "find_virtual", lambda named="newest": FOUND)
    monkeypatch.setattr(kernel, "find", lambda names=(): FOUND)

    def planned(text):
        (tmp_path / "sweep.yaml").write_text(text)
        (tmp_path / "send.sh").touch()
        document = yaml_document.read(tmp_path / "sweep.yaml")
        sweep, problems = checked_sweep.expanded(document)
        assert problems == []
        return sweep, [
            (".".join(map(str, each.path)), each.message) for each in kernel_check.problems(document.data, sweep)
        ]

    return planned


def test_programs_with_all_that_they_need_are_taken(planned):
    assert planned(SWEEP)[1] == []
    assert planned(NETWORK)[1] == []
    assert planned(SWEEP.replace("stack: linux", "stack: ns-3").replace("TcpCubic", "linux:cubic+none"))[1] == []


NEEDS = "programs run only at hosts with Linux' TCP: write `stack: linux` and `time: virtual`"


@pytest.mark.parametrize(
    ("text", "change", "place", "told"),
    [
        (SWEEP, ("stack: linux", "stack: ns-3"), "fixed.sender_program", NEEDS),
        (SWEEP, ("time: virtual", "time: real"), "fixed.sender_program", NEEDS),
        (SWEEP, ("[TcpCubic]", "[linux:cubic+TcpCubic]\n  stack: [ns-3]"), "fixed.sender_program", NEEDS),
        (
            SWEEP,
            ("  sender_program: sh ./send.sh {receiver} {seconds}\n", ""),
            "fixed.receiver_program",
            "write sender",
        ),
        (SWEEP, ("  time", "  bytes: 1000\n  time"), "fixed.bytes", "the program decides what it sends: remove bytes"),
        (SWEEP, ("sh ./send", "iperf33 ./send"), "fixed.sender_program", "this machine has no program 'iperf33'"),
        (SWEEP, ("sleep 10", "echo 'ten"), "fixed.receiver_program", "not a command of the shell: No closing"),
        (SWEEP, ("./send", "./sent"), "fixed.sender_program", "there is no file ./sent.sh next to the sweep file"),
        (SWEEP, ("./send", "../send"), "fixed.sender_program", "programs see the sweep file's folder and those below"),
        (NETWORK, ("from: r, to: c", "from: r, to: server"), "network.flows.own.sender_program", "at server, beside"),
        (NETWORK, ("[a, b]", "a"), "network.flows.own.sender_program", "two flows of programs go from a to server"),
        (NETWORK, ("fixed: {stack", "fixed: {stack: ns-3, kernel"), "network.flows.own.sender_program", NEEDS),
    ],
)
def test_a_refusal_names_the_key_and_says_what_to_write(planned, text, change, place, told):
    text = text.replace(*change)
    if "stack: [ns-3]" in text:
        text = (
            text.replace("grid: {", "grid:\n  ")
            .replace("]\n  stack: [ns-3]}", "]\n  stack: [ns-3]")
            .replace("  stack: linux\n", "")
        )
    _, problems = planned(text)
    assert (place, told) in [(at, message[: len(told)]) for at, message in problems], problems


def ids(sweep):
    return [cell.id.rpartition("-")[2] for cell in cell_commands.cells(sweep, "code", Engine(ROOT, "3.44", "0"))]


def test_the_id_covers_the_files_that_a_command_names_but_not_their_folder(planned, tmp_path, monkeypatch):
    (tmp_path / "send.sh").write_text("sleep 1\n")
    sweep, _ = planned(SWEEP)
    (cell, *_) = cell_commands.cells(sweep, "code", Engine(ROOT, "3.44", "0"))
    assert {f"--program_folder={tmp_path}", "--sender_program=sh ./send.sh {receiver} {seconds}"} <= {*cell.arguments}
    first = ids(sweep)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "send.sh").write_text("sleep 1\n")
    (tmp_path / "elsewhere" / "sweep.yaml").write_text(SWEEP)
    moved, _ = checked_sweep.expanded(yaml_document.read(tmp_path / "elsewhere" / "sweep.yaml"))
    assert ids(moved) == first
    (tmp_path / "send.sh").write_text("sleep 2\n")
    assert not {*ids(planned(SWEEP)[0])} & {*first}


def test_a_strangers_file_runs_no_program_unasked(planned, monkeypatch):
    command = ["dumbbell", "--stack=linux", "--sender_program=rm -r x", "--receiver_program=none"]
    with pytest.raises(UserError, match="this simulation runs `rm -r x` as you; to allow this, add --run-code"):
        one_cell.check_consent(command, runs_code=False)
    one_cell.check_consent(command, runs_code=True)
    one_cell.check_consent(["dumbbell", "--sender_program=none"], runs_code=False)
    monkeypatch.setenv(checked_sweep.IGNORE_NS3, "1")  # as `tcpsweep verify ARCHIVE.zip` does, without --run-code
    with pytest.raises(
        Mistakes, match=r"`sh ./send.sh .*`, `sleep 10` would run programs as you, which needs --run-code"
    ):
        planned(SWEEP)

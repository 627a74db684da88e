# SPDX-License-Identifier: MIT
"""Steps that are forked from a process that has loaded their code: as their commands by themselves, and no longer."""

import os
import signal
import subprocess
import sys

import pytest

from tests.support.processes import ends_soon, is_alive

# A run: says where its process for steps is, and which it is, and waits.
RUN = """
import os, sys, time
from pathlib import Path
from tcpsweep.run import step_process, step_request

def command(arguments):
    kind, *rest = arguments
    if kind == "says":
        print(*rest, Path.cwd().name, os.environ["WHO"], "json" in sys.modules, flush=True)
    elif kind == "waits":
        Path(rest[0]).write_text(str(os.getpid()))
        time.sleep(60)
    else:
        sys.exit(int(kind) if kind.isdecimal() else kind)

step_process.begin(lambda: None, command)
print(os.environ.get(step_request.ADDRESS, ""), flush=True)
print(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text(), flush=True)
sys.stdin.read()
"""
# The command of a step, whose own status is 99 where it would have to do the work itself.
ASK = """
import sys
from tcpsweep.run import step_request

status = step_request.status(sys.argv[1:])
sys.exit(99 if status is None else status)
"""


@pytest.fixture
def run():
    with subprocess.Popen([sys.executable, "-c", RUN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        run.address = run.stdout.readline().strip()
        run.steps = int(run.stdout.readline())
        yield run
        run.kill()


def asked(run, *arguments, **options):
    own = os.environ | {"TCPSWEEP_STEPS": run.address, "WHO": "the command"}
    return subprocess.Popen(
        [sys.executable, "-c", ASK, *arguments],
        env=own,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def waiting(run, note):
    """A step that waits, and its process."""
    command = asked(run, "waits", str(note))
    ends_soon(lambda: not (note.is_file() and note.read_text()))
    return command, int(note.read_text())


def test_a_step_has_its_commands_folder_and_environment_and_says_what_it_says_through_it(run, tmp_path):
    said, nothing = asked(run, "says", "näme", "two words", cwd=tmp_path).communicate()
    assert (said, nothing) == (f"näme two words {tmp_path.name} the command True\n", "")


def test_a_command_ends_as_its_step(run):
    for arguments, status, words in [(["0"], 0, ""), (["3"], 3, ""), (["no such cell"], 1, "no such cell\n")]:
        command = asked(run, *arguments)
        assert (command.communicate()[1], command.returncode) == (words, status)


def test_steps_run_beside_each_other_and_one_ends_with_its_command(run, tmp_path):
    first, its = waiting(run, tmp_path / "first")
    second, other = waiting(run, tmp_path / "second")
    first.kill()
    first.communicate()
    ends_soon(lambda: is_alive(its))
    assert is_alive(other)
    os.kill(other, signal.SIGKILL)
    second.communicate()
    assert second.returncode == 128 + signal.SIGKILL
    assert asked(run, "0").wait() == 0


def test_steps_and_their_process_end_with_the_run(run, tmp_path):
    command, step = waiting(run, tmp_path / "step")
    run.kill()
    ends_soon(lambda: is_alive(step) or is_alive(run.steps))
    command.communicate()
    assert command.returncode == 128 + signal.SIGKILL


def test_a_command_does_its_work_itself_where_that_process_is_gone(run):
    os.kill(run.steps, signal.SIGKILL)
    ends_soon(lambda: is_alive(run.steps))
    assert asked(run, "0").wait() == 99
    run.address = ""
    assert asked(run, "0").wait() == 99

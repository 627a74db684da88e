# SPDX-License-Identifier: MIT
"""The features of Snakemake that the package needs, documented or not: each test fails if one is missing."""

import ast
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from tcpsweep.core.command_line import for_people
from tcpsweep.core.command_line.commands import start_snakemake
from tcpsweep.core.words.user_error import UserError
from tcpsweep.core.workflow import run, snakemake_api
from tests.support.processes import ends_soon, is_alive
from tests.support.project import SNAKEMAKE
from tests.support.tools import PATIENCE_S, ROOT

ASKS = f"""\
from operator import attrgetter
from tcpsweep.core.workflow import snakemake_api

for name in {list(snakemake_api.ATTRIBUTES)}:
    print(name, type(attrgetter(name)(workflow)).__name__)
print(snakemake_api.read_invocation(workflow))

rule all:
    output: "made"
    shell: "touch made"
"""
IMPORTS = r"^ *(from|import) snakemake"
# Stands for Snakemake: prints the signals that it gets, and whether they were blocked when it began.
STANDS_IN = """\
import os, signal, sys, time
from pathlib import Path
from tcpsweep.core.workflow import run
blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
Path("process").write_text(str(os.getpid()))
try:
    while not Path("reads").exists():
        time.sleep(0.01)
    run.receive_signals()
    time.sleep(60)
except KeyboardInterrupt:
    print(sorted(blocked), "interrupted")
    sys.exit(3)
"""
SWEEPS = """\
import sys
from tcpsweep.core.command_line.commands import start_snakemake
sys.exit(start_snakemake.run("my.yaml", ["-n"]))
"""


@pytest.mark.long
def test_snakemake_has_the_attributes_that_the_rules_use(tmp_path):
    (tmp_path / "Snakefile").write_text(ASKS)
    command = [SNAKEMAKE, "--cores", "2", "--logger", "tcpsweep"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    *found, asked = done.stdout.splitlines()[: len(snakemake_api.ATTRIBUTES) + 1]
    assert [line.split()[0] for line in found] == list(snakemake_api.ATTRIBUTES)
    assert asked == (
        "Invocation(is_main=True, runs=True, is_linted=False, lists=False, is_module=True, on_cluster=False, "
        f"cores=2, slots=2, batch_cores=1, started_in={tmp_path!r}, folder={Path()!r})"
    )


@pytest.mark.parametrize(("given", "shown"), [("0", "0"), ("abc", "'abc'"), ("-2", "-2"), ("2.5", "2.5")])
def test_the_cores_of_a_job_on_a_cluster_are_a_whole_number_from_1_on(capsys, given, shown):
    settings = SimpleNamespace(config={"cores_per_job": yaml.safe_load(given)})
    with pytest.raises(SystemExit):
        run._check_cores_per_job(SimpleNamespace(config_settings=settings))
    told = f"tcpsweep: cores_per_job: expected a whole number from 1 on, got {shown}\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize("path", [ROOT / "Snakefile", *sorted(ROOT.glob("rules/*.smk"))], ids=lambda path: path.name)
def test_a_rule_file_has_no_function_of_more_than_three_lines(path):
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        if line.startswith("def "):
            body = "\n".join(lines[number:]).partition("\n\n")[0]
            (function,) = ast.parse(body).body
            assert function.end_lineno <= 3


def test_only_one_folder_of_the_package_imports_snakemake():
    paths = [path for path in ROOT.glob("tcpsweep/**/*.py") if re.search(IMPORTS, path.read_text(), re.MULTILINE)]
    assert {path.parent.name for path in paths} == {"workflow"}


@pytest.mark.parametrize(("number", "in_main_thread"), [(signal.SIGTERM, False), (signal.SIGINT, True)])
def test_snakemakes_handler_of_sigterm_cannot_wait_for_a_lock_of_the_thread_that_it_interrupts(
    tmp_path, number, in_main_thread
):
    """Its handler of SIGINT raises an exception, which the main thread has to get."""
    before, threads = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)}, queue.Queue()
    try:
        for each in before:
            signal.signal(each, lambda number, frame: threads.put(threading.get_ident()))
        plan = SimpleNamespace(stop_files=lambda: [Path("stop")])
        run.Run._stop_when_told(SimpleNamespace(folder=tmp_path, plan=plan))
        signal.raise_signal(number)
        assert (threads.get(timeout=PATIENCE_S) == threading.get_ident()) is in_main_thread
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    assert (tmp_path / "stop").exists()


@pytest.fixture
def started(tmp_path):
    """A `tcpsweep sweep` that has started a stand-in for Snakemake; returns both processes."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    program = python.with_name("snakemake")
    program.write_text(f"#!{sys.executable}\n{STANDS_IN}")
    program.chmod(0o755)
    code = f"import sys; sys.executable = {str(python)!r}; {SWEEPS}"
    command = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    note = tmp_path / "process"
    ends_soon(lambda: not (note.is_file() and note.read_text()))
    yield command, int(note.read_text())
    command.kill()
    command.communicate()


def test_snakemake_gets_an_interrupt_when_it_reads_the_rules_and_its_status_is_that_of_the_sweep(started, tmp_path):
    command, _ = started
    for _ in range(2):
        command.send_signal(signal.SIGINT)
    (tmp_path / "reads").touch()
    said, wrong = command.communicate(timeout=PATIENCE_S)
    assert f"{sorted({signal.SIGINT, signal.SIGTERM, signal.SIGCHLD})} interrupted" in said
    assert "Traceback" not in wrong
    assert command.returncode == 3


def test_snakemake_is_killed_with_the_command_that_started_it(started):
    command, snakemake = started
    command.kill()
    ends_soon(lambda: is_alive(snakemake))


def test_a_sweep_that_snakemake_ends_by_a_signal_has_the_status_of_a_shell(started, tmp_path):
    command, snakemake = started
    os.kill(snakemake, signal.SIGKILL)
    assert command.wait(PATIENCE_S) == 128 + signal.SIGKILL


@pytest.mark.parametrize(
    ("options", "is_whole"), [([], True), (["-p"], True), (["-n"], False), (["--until", "summarise"], False)]
)
def test_what_is_asked_for_in_part_takes_one_round(options, is_whole):
    assert start_snakemake.is_whole_run(options) == is_whole


@pytest.mark.parametrize("option", ["--configfile", "--configfiles=other.yaml", "--configf"])
def test_a_second_sweep_file_is_refused(here, option):
    Path("demo.yaml").write_text("sweep: demo\nscenario: dumbbell\n")
    with pytest.raises(UserError, match=f"^{option} would replace demo.yaml: the sweep file is the argument"):
        for_people._run_sweep(Path("demo.yaml"), ["-n", option, "other.yaml"], ())

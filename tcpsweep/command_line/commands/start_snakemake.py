# SPDX-License-Identifier: MIT
"""Run Snakemake on a sweep file, once for each round that the sweep needs."""

import getpass
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

from tcpsweep.identity import source_folders
from tcpsweep.run import simulator_process
from tcpsweep.store import layout, snakemake_files
from tcpsweep.sweep import rounds, sweep_record
from tcpsweep.words.user_error import UserError

# With these options Snakemake makes something other than the whole sweep, so one round is all.
_ONE_ROUND = ("-n", "--dry", "-U", "--until", "-R", "--force", "-F", "-t", "--touch", "--unlock", "-h", "--help", "-S")
_PASSED_ON = {signal.SIGINT, signal.SIGTERM}
_IMPORTED = Path(".snakemake", "pip-deployments")  # Snakemake imports modules that lie there


class Ended(NamedTuple):
    """How a Snakemake ended: its exit status, and whether a signal told it to end."""

    status: int
    is_told: bool


def run(sweep: Path, options: Sequence[str]) -> int:
    """Run a sweep to its end with options of Snakemake, and return the exit status of the last Snakemake.

    If damaged cells were found, which the next run makes again, that is the next run. Raises `SystemExit` as
    `_in_rounds` does.
    """
    ended = _in_rounds(sweep, options)
    if ended.status and not ended.is_told and is_whole_run(options) and _has_damaged_cells(sweep):
        print("tcpsweep: once more, to make the damaged cells again", file=sys.stderr, flush=True)
        ended = _in_rounds(sweep, options)
    return ended.status


def _has_damaged_cells(sweep: Path) -> bool:
    """Whether somebody noted that results of the sweep's cells are damaged."""
    from tcpsweep.plan import plan

    if not (marks := set(layout.names_in(layout.DAMAGED))):
        return False
    try:
        planned = sweep_record.read(plan.without_work(sweep).folder)
    except UserError:
        return False
    return any(layout.damage_mark(cell, planned.parser) in marks for cell, _, _ in planned.cells)


def _in_rounds(sweep: Path, options: Sequence[str]) -> Ended:
    """Run a sweep to its end, or until something fails; return how the last Snakemake ended.

    A sweep that asks for a precision, or that has open axes, goes in rounds. Each round ends with the tables, which say
    what the next round runs; the last round goes on with the report. Raises `SystemExit` if a round ended and the next
    one is not known.
    """
    if not is_whole_run(options) or not _goes_in_rounds(sweep):
        return _snakemake(sweep, options)
    from tcpsweep.plan import plan

    while True:
        planned = plan.without_work(sweep)
        file = planned.folder / rounds.FILE
        before = file.read_bytes() if file.is_file() else b""
        ended = _snakemake(sweep, options if planned.is_decided else [*options, "--until", "aggregate"])
        has_next_round = file.is_file() and file.read_bytes() != before
        # In the last round, cells that failed before may succeed and show that another round is needed.
        if ended.status or (planned.is_decided and not has_next_round):
            return ended
        if not has_next_round:
            sys.exit(f"{sweep}: a round of runs ended without telling what the next one needs; see the log above")


def is_whole_run(options: Sequence[str]) -> bool:
    """Whether Snakemake makes the whole sweep with these options."""
    return not any(option.startswith(_ONE_ROUND) for option in options)


def _goes_in_rounds(sweep: Path) -> bool:
    """Whether a sweep file asks for rounds. Planning reports the mistakes in a file that cannot be read."""
    from tcpsweep.sweepfile.asked import in_rounds
    from tcpsweep.sweepfile.document import yaml_document

    try:
        return in_rounds.is_asked(yaml_document.read(sweep).data)
    except yaml_document.Mistakes:
        return False


def _snakemake(sweep: Path, options: Sequence[str]) -> Ended:
    """Start Snakemake on a sweep file, wait for its end, and return how it ended.

    Snakemake gets each SIGINT and SIGTERM that this process gets. The two signals are blocked in this process from now
    on, so that a signal between two rounds reaches the Snakemake of the next round, which then ends at once. Snakemake
    inherits that and unblocks them when it reads the rules (`workflow.signals`). If this process is killed, Snakemake
    is killed, too.

    Nothing that lies in the working folder is executed: Snakemake gets our own profile, and would else take one that
    lies there; Python takes no modules from there. Raises `UserError` if there is a folder of modules for Snakemake.
    """
    if os.path.lexists(_IMPORTED):
        raise UserError(
            f"{_IMPORTED.absolute()} is there, and Snakemake would execute modules in it: move it away if you do not "
            "know what it is for"
        )
    # Snakemake takes a name that begins with a hyphen for an option, and a path has no idle "./".
    name = f"./{sweep}" if str(sweep).startswith("-") else str(sweep)
    program = str(Path(sys.executable).with_name("snakemake"))
    snakefile = str(source_folders.ROOT / "Snakefile")
    command = [program, "--snakefile", snakefile, *_profile_options(options), "--cores", "all"]
    command += ["--configfile", name, *options]
    signals = {*_PASSED_ON, signal.SIGCHLD}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    ours, is_told = os.getpid(), False
    environment = os.environ | {"PYTHONSAFEPATH": "1"} | _of_nobody()
    with subprocess.Popen(
        command, env=environment, preexec_fn=lambda: simulator_process.end_with_parent(ours)
    ) as process:
        while process.poll() is None:
            if (number := signal.sigwait(signals)) in _PASSED_ON:
                is_told = True
                process.send_signal(number)
    return Ended(process.returncode if process.returncode >= 0 else 128 - process.returncode, is_told)


def _profile_options(options: Sequence[str]) -> list[str]:
    """The settings of our own profile as options of Snakemake, which prints a line for a profile.

    A profile among ``options`` is joined to ours as a profile, because options would take precedence over it.
    """
    folder = source_folders.ROOT / "profiles" / "default"
    if any(option.startswith(("--profile", "--workflow-profile")) for option in options):
        return ["--workflow-profile", str(folder)]
    settings = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    found = ["--workflow-profile", "none"]
    for name, value in settings.items():
        found += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return found


def _of_nobody() -> dict[str, str]:
    """What Snakemake asks the environment for where this user's id has no name, as in containers; else nothing."""
    found = {}
    try:
        Path.home()
    except RuntimeError:
        found["HOME"] = str(snakemake_files.FOLDER.absolute())
    try:
        getpass.getuser()
    except (KeyError, OSError):  # OSError since Python 3.13
        found["LOGNAME"] = str(os.getuid())
    return found

# SPDX-License-Identifier: MIT
"""Run Snakemake on a sweep file, once for each round of the sweep."""

import getpass
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.identity import source_folders, wheel_files
from tcpsweep.core.processes import forks
from tcpsweep.core.store import layout, snakemake_files
from tcpsweep.core.sweep import rounds, sweep_record
from tcpsweep.core.words.user_error import UserError

# With these options, Snakemake does not make the whole sweep, so there is only one round.
_ONE_ROUND = ("-n", "--dry", "-U", "--until", "-R", "--force", "-F", "-t", "--touch", "--unlock", "-h", "--help", "-S")
_MAKES_NOTHING = ("-n", "--dry", "-t", "--touch", "--unlock", "-h", "--help", "-S")
_OTHER_FILE = "--configf"  # Snakemake's parser completes it to --configfile
_OTHER_PROFILE = "SNAKEMAKE_PROFILE"  # Snakemake's variable, which is for its user's other workflows
_PASSED_ON = {signal.SIGINT, signal.SIGTERM}
_IMPORTED = Path(".snakemake", "pip-deployments")  # Snakemake imports modules from there


class Ended(NamedTuple):
    """How a Snakemake ended: its exit status, and whether a signal ended it."""

    status: int
    is_told: bool


def run(sweep: Path, options: Sequence[str]) -> int:
    """Run a sweep to its end with options of Snakemake, and return the exit status of the last Snakemake.

    It is 1 if all simulations failed, also without the rule that reports failures. If damaged cells were found,
    Snakemake runs a second time to make them again. Raises `SystemExit` as `_in_rounds` does, and `UserError` if files
    of an installed tcpsweep are damaged: without some of them, a sweep would end without warnings.
    """
    _check_own_files(source_folders.PACKAGE)
    ended = _in_rounds(sweep, options)
    if ended.status and not ended.is_told and is_whole_run(options) and _has_damaged_cells(sweep):
        say("tcpsweep: running again, to repeat the damaged simulations", file=sys.stderr, flush=True)
        ended = _in_rounds(sweep, options)
    is_part = not is_whole_run(options) and not any(option.startswith(_MAKES_NOTHING) for option in options)
    return ended.status or int(is_part and _have_all_failed(sweep))


def _check_own_files(package: Path) -> None:
    """Raise `UserError` if a file of an installed tcpsweep differs from the wheel's record."""
    record = wheel_files.record(package, "tcpsweep")  # in a clone, git shows changes
    if record and (path := wheel_files.damaged(record)):
        reinstall = f"`{sys.executable} -m pip install --no-deps --force-reinstall WHEEL`"
        raise UserError(f"{path} is not as it was installed; to install tcpsweep again: {reinstall}")


def _have_all_failed(sweep: Path) -> bool:
    """Whether all simulations of a sweep failed. Without its last rule, which a user may leave out, no rule fails."""
    from tcpsweep.core.plan import plan

    failed = set(layout.names_in(layout.FAILED))
    if not failed:
        return False
    planned = plan.without_work(sweep)
    return not planned.finished() and failed.issuperset(cell.id for cell in planned.cells)


def _has_damaged_cells(sweep: Path) -> bool:
    """Whether a process noted damaged results of the sweep's cells."""
    from tcpsweep.core.plan import plan

    if not (marks := set(layout.names_in(layout.DAMAGED))):
        return False
    try:
        planned = sweep_record.read(plan.without_work(sweep).folder)
    except UserError:
        return False
    return any(layout.damage_mark(cell, planned.parser) in marks for cell, _, _ in planned.cells)


def _in_rounds(sweep: Path, options: Sequence[str]) -> Ended:
    """Run a sweep to its end, or until something fails; return how the last Snakemake ended.

    A sweep with `precision` or open axes runs in rounds. Each round ends with the tables, which determine the next
    round. The last round continues with the report. Raises `SystemExit` if a round ended and the next one is unknown.
    """
    if not is_whole_run(options) or not _goes_in_rounds(sweep):
        return _snakemake(sweep, options)
    from tcpsweep.core.plan import plan

    while True:
        planned = plan.without_work(sweep)
        file = planned.folder / rounds.FILE
        old_round = file.read_bytes() if file.is_file() else b""
        ended = _snakemake(sweep, options if planned.is_decided else [*options, "--until", "summarise"])
        has_next_round = file.is_file() and file.read_bytes() != old_round
        # In the last round, cells that failed before may succeed, and then require another round.
        if ended.status or (planned.is_decided and not has_next_round):
            return ended
        if not has_next_round:
            sys.exit(f"{sweep}: a round ended, but the next round's runs are unknown; see the log above")


def refuse_another_file(sweep: Path, options: Sequence[str]) -> None:
    """Raise `UserError` if options name another sweep file: Snakemake would run only the last one that it gets."""
    if other := next((option for option in options if option.startswith(_OTHER_FILE)), None):
        raise UserError(f"{other} would replace {sweep}: the sweep file is the argument, so leave this option out")


def is_whole_run(options: Sequence[str]) -> bool:
    """Whether Snakemake makes the whole sweep with these options."""
    return not any(option.startswith(_ONE_ROUND) for option in options)


def _goes_in_rounds(sweep: Path) -> bool:
    """Whether a sweep file needs rounds. For an unreadable file, planning reports the mistakes."""
    from tcpsweep.core.sweepfile.asked import in_rounds
    from tcpsweep.core.sweepfile.document import yaml_document

    try:
        return in_rounds.is_asked(yaml_document.read(sweep).data)
    except yaml_document.Mistakes:
        return False


def _snakemake(sweep: Path, options: Sequence[str]) -> Ended:
    """Start Snakemake on a sweep file, wait for its end, and return how it ended.

    Snakemake gets each SIGINT and SIGTERM that this process gets. From now on this process blocks both signals, so a
    signal between two rounds reaches the next round's Snakemake, which then ends at once. Snakemake inherits the
    blocking and unblocks the signals when it reads the rules (`workflow.run`). If this process is killed, Snakemake
    is killed too.

    No file in the working folder is executed. Snakemake gets our own profile, because otherwise it would use a profile
    from there. Python imports no modules from there. Raises `UserError` if there is a folder of modules for Snakemake.
    """
    if os.path.lexists(_IMPORTED):
        raise UserError(
            f"{_IMPORTED.absolute()} is there, and Snakemake would execute modules in it: move it away if you do not "
            "know what it is for"
        )
    # Snakemake would read a name that begins with a hyphen as an option, and Path drops a leading "./".
    name = f"./{sweep}" if str(sweep).startswith("-") else str(sweep)
    program = str(Path(sys.executable).with_name("snakemake"))
    snakefile = str(source_folders.ROOT / "Snakefile")
    command = [program, "--snakefile", snakefile, *_profile_options(options), "--cores", "all"]
    # Snakemake would take a target after `--logger tcpsweep` for a second logger.
    command += ["--configfile", name, "--logger=tcpsweep", *options]
    signals = {*_PASSED_ON, signal.SIGCHLD}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    own_process, is_told = os.getpid(), False
    inherited = {name: value for name, value in os.environ.items() if name != _OTHER_PROFILE}
    environment = inherited | {"PYTHONSAFEPATH": "1", "PYTHONPATH": source_folders.python_path()} | _user_variables()
    with subprocess.Popen(command, env=environment, preexec_fn=lambda: forks.end_with_parent(own_process)) as process:
        while process.poll() is None:
            if (number := signal.sigwait(signals)) in _PASSED_ON:
                is_told = True
                process.send_signal(number)
    # Later child processes inherit the mask, and CMake waits for ever if SIGCHLD is blocked.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    return Ended(process.returncode if process.returncode >= 0 else 128 - process.returncode, is_told)


def _profile_options(options: Sequence[str]) -> list[str]:
    """The settings of our own profile as options of Snakemake, which prints a line for a profile.

    A profile among ``options`` is joined to ours as a profile, because options would take precedence over it.
    """
    folder = source_folders.ROOT / "profiles" / "default"
    if any(option.startswith(("--profile", "--workflow-profile")) for option in options):
        return ["--workflow-profile", str(folder)]
    settings = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    arguments = ["--workflow-profile", "none"]
    for name, value in settings.items():
        arguments += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return arguments


def _user_variables() -> dict[str, str]:
    """Environment variables that Snakemake needs if this user's id has no name, as in containers; else none."""
    variables = {}
    try:
        Path.home()
    except RuntimeError:
        variables["HOME"] = str(snakemake_files.FOLDER.absolute())
    try:
        getpass.getuser()
    except (KeyError, OSError):  # OSError since Python 3.13
        variables["LOGNAME"] = str(os.getuid())
    return variables

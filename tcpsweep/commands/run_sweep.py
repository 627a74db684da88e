# SPDX-License-Identifier: MIT
"""Snakemake on a sweep file, in this process, with what it loads kept to what a run on this machine needs."""

import gc
import itertools
import os
import pkgutil
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, NoReturn

from tcpsweep.commands import lean_snakemake, step_code
from tcpsweep.identity import source_folders
from tcpsweep.run import step_process
from tcpsweep.sweep import rounds

_EXECUTORS = "snakemake_executor_plugin_"
# Options that may name another executor or a reporter, or ask what such a one takes.
_NAME_PLUGINS = ("-e", "--executor", "--profile", "--workflow-profile", "--rep", "-h", "--help")


# Options with which a command does one round at most: it runs other steps, or none.
_ONE_ROUND = ("-n", "--dry", "-U", "--until", "-R", "--force", "-F", "-t", "--touch", "--unlock", "-h", "--help", "-S")
# Set in the environment of a further round.
_GOES_ON = "TCPSWEEP_GOES_ON"


def run(sweep: Path, options: Sequence[str], command: Callable[[Sequence[str]], object]) -> NoReturn:
    """Run a sweep to its end: round after round until nothing that it asks for needs another, and then the other steps.

    A round ends with the tables, which say what runs the next one needs. Then this process begins anew, as whoever
    started it again would.

    Parameters
    ----------
    sweep : path
        The sweep file.
    options : list of str
        Snakemake's.
    command : callable
        Runs a command of tcpsweep, given its arguments.

    Raises
    ------
    SystemExit
        With Snakemake's status.
    """
    end_steps = None
    load = step_code.load if is_whole_run(options) else step_code.load_of_tables if _ends_with_tables(options) else None
    if load and not may_name_plugins(options):  # else there may be no such steps, or this be a cluster's login node
        end_steps = step_process.begin(load, command)
    if not _goes_in_rounds(sweep) or not is_whole_run(options):
        _snakemake(sweep, options)
    from tcpsweep.plan import plan

    interruptions = _noted_interruptions()
    planned = plan.without_work(sweep)
    file = planned.folder / rounds.FILE
    before = file.read_bytes() if file.is_file() else b""
    try:
        _snakemake(sweep, options if planned.is_decided else [*options, "--until", "aggregate"])
    except SystemExit as end:
        is_new = file.is_file() and file.read_bytes() != before
        # Runs that failed before, and did not now, may tell that a round is needed after all.
        if end.code or (planned.is_decided and not is_new):
            raise
    if not is_new:
        sys.exit(f"{sweep}: a round of runs ended without telling what the next one needs; see the log above")
    if interruptions:  # at a moment at which Snakemake had ended all that it would have stopped
        sys.exit("\ninterrupted")
    sys.stdout.flush()
    sys.stderr.flush()
    os.environ[_GOES_ON] = "1"
    if end_steps:
        end_steps()
    os.execv(sys.executable, [sys.executable, "-m", "tcpsweep", "sweep", str(sweep), *options])


def _noted_interruptions() -> list[int]:
    """A list that gets each SIGINT from now on, which interrupts what is at work as before."""
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        signal.default_int_handler(number, frame)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as in a shell's background
        signal.signal(signal.SIGINT, note)
    return noted


def is_whole_run(options: Sequence[str]) -> bool:
    """Whether Snakemake's options let a command run all of a sweep."""
    return not any(option.startswith(_ONE_ROUND) for option in options)


def _ends_with_tables(options: Sequence[str]) -> bool:
    """Whether Snakemake's options let a command run all up to the tables, and nothing after them."""
    for place, (option, value) in enumerate(itertools.pairwise(options)):
        if option in ("--until", "-U") and value == "aggregate":
            others = options[place + 2 :]
            return is_whole_run([*options[:place], *others]) and (not others or others[0].startswith("-"))
    return False


def goes_on() -> bool:
    """Whether this process has done a round of the sweep already."""
    return _GOES_ON in os.environ


def _goes_in_rounds(sweep: Path) -> bool:
    """Whether a sweep file asks for rounds; what is wrong with the file is said where it is planned."""
    from tcpsweep.sweepfile import in_rounds, yaml_document

    try:
        return in_rounds.is_asked(yaml_document.read(sweep).data)
    except yaml_document.Mistakes:
        return False


def _snakemake(sweep: Path, options: Sequence[str]) -> NoReturn:
    """Run Snakemake to its end.

    Parameters
    ----------
    sweep : path
        The sweep file.
    options : list of str
        Snakemake's.

    Raises
    ------
    SystemExit
        With Snakemake's status.
    """
    # Snakemake takes what begins with a hyphen for an option, and a path has no idle "./".
    named = f"./{sweep}" if str(sweep).startswith("-") else str(sweep)
    snakefile = str(source_folders.ROOT / "Snakefile")
    snakemake(["--snakefile", snakefile, "--cores", "all", "--configfile", named, *options])


def snakemake(arguments: Sequence[str]) -> NoReturn:
    """Be Snakemake, with these arguments.

    Raises
    ------
    SystemExit
        With Snakemake's status.
    """
    is_plain = not may_name_plugins(arguments)
    if is_plain:
        leave_out_plugins()
    sys.argv = [str(Path(sys.executable).with_name("snakemake")), *arguments]
    gc.disable()  # what is imported stays: to look through it again and again takes a tenth of the start
    cli = lean_snakemake.cli(has_database=not is_plain or lean_snakemake.asks_for_database(arguments))
    gc.freeze()
    gc.enable()
    cli.main(list(arguments))
    raise AssertionError("Snakemake ends its process")


def may_name_plugins(options: Sequence[str]) -> bool:
    """Whether Snakemake's options, or a profile of the user's, may name an executor elsewhere or ask for its report."""
    return "SNAKEMAKE_PROFILE" in os.environ or any(option.startswith(_NAME_PLUGINS) for option in options)


def leave_out_plugins() -> None:
    """Hide plugins that submit jobs or write Snakemake's own report from it: it imports all, SLURM's imports pandas.

    Snakemake asks ten times which modules there are; look once.
    """
    from snakemake_interface_common import plugin_registry
    from snakemake_interface_report_plugins.registry import ReportPluginRegistry

    there = [found for found in pkgutil.iter_modules() if not found.name.startswith(_EXECUTORS)]
    plugin_registry.pkgutil = SimpleNamespace(iter_modules=lambda: iter(there))  # type: ignore[attr-defined,assignment]
    ReportPluginRegistry.collect_plugins = _collect_none


def _collect_none(registry: Any) -> None:
    registry.plugins = {}

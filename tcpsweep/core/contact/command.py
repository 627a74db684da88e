# SPDX-License-Identifier: MIT
"""A command: what a person, a rule or another command can call by ``tcpsweep NAME``."""

import argparse
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

A_SWEEP = "a sweep: its name, its folder in results/sweeps, or its sweep file"
GROUPS = ("Start", "Run", "Results", "Share", "Clean")  # the help's headings

_Run = Callable[[argparse.Namespace], None]
BeforeRun = Callable[[Path, Sequence[str]], bool]
"""What a feature does before a sweep file runs with options of Snakemake; True if the feature ran the file."""
BeforeCheck = Callable[[Path], bool]
"""What a feature does before a sweep file is checked; True if the feature checked the file."""
_Argument = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Command:
    """A command: its name, a line that describes it, its function, and its arguments, made by `argument`."""

    name: str
    does: str
    run: _Run
    arguments: tuple[_Argument, ...]
    examples: tuple[str, ...]  # command lines at the end of its help
    group: str  # its heading in the help; commands without a group are not listed


def unlisted(
    does: str, *arguments: _Argument, examples: Sequence[str] = (), group: str = ""
) -> Callable[[_Run], Command]:
    """Make a command of a function, which has the command's name after an underscore."""

    def command(run: _Run) -> Command:
        return Command(run.__name__.removeprefix("_"), does, run, arguments, tuple(examples), group)

    return command


start, run, results, share, clean_up = (functools.partial(unlisted, group=group) for group in GROUPS)


def argument(name: str, text: str, **options: Any) -> _Argument:
    """An argument or option of a command: its name, its help, and other options of argparse."""
    return name, {"help": text, **options}


def own_options(args: argparse.Namespace, **options: dict[str, Any]) -> tuple[argparse.Namespace, list[str]]:
    """A command's own options, also where they follow its first argument, and the other options, for Snakemake."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name, settings in options.items():
        parser.add_argument(f"--{name}", default=getattr(args, name), **settings)
    return parser.parse_known_args([option for option in args.options if option != "--"])

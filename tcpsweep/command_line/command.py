# SPDX-License-Identifier: MIT
"""What a command is."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_Run = Callable[[argparse.Namespace], None]
_Argument = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Command:
    """A command: its name, one line on what it does, its function, and its arguments, made by `argument`."""

    name: str
    does: str
    run: _Run
    arguments: tuple[_Argument, ...]


def collect(commands: list[Command], does: str, *arguments: _Argument) -> Callable[[_Run], _Run]:
    """Add a command whose function follows, and has the command's name after an underscore."""

    def add(run: _Run) -> _Run:
        commands.append(Command(run.__name__.removeprefix("_"), does, run, arguments))
        return run

    return add


def argument(name: str, text: str, **options: Any) -> _Argument:
    """An argument of a command: its name, or an option's, its help, and other options of argparse."""
    return name, {"help": text, **options}

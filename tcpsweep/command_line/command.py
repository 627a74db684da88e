# SPDX-License-Identifier: MIT
"""The record of a command, and a decorator that collects commands."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

_Run = Callable[[argparse.Namespace], None]
_Argument = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Command:
    """A command: its name, a line that describes it, its function, and its arguments, made by `argument`."""

    name: str
    does: str
    run: _Run
    arguments: tuple[_Argument, ...]
    examples: tuple[str, ...] = ()  # command lines at the end of its help
    group: str = ""  # its heading in the help; commands without a group are not listed


def collect(
    commands: list[Command],
    does: str,
    *arguments: _Argument,
    examples: Sequence[str] = (),
    group: str = "",
) -> Callable[[_Run], _Run]:
    """Add a command. The decorated function has the command's name after an underscore."""

    def add(run: _Run) -> _Run:
        commands.append(Command(run.__name__.removeprefix("_"), does, run, arguments, tuple(examples), group))
        return run

    return add


def argument(name: str, text: str, **options: Any) -> _Argument:
    """An argument or option of a command: its name, its help, and other options of argparse."""
    return name, {"help": text, **options}

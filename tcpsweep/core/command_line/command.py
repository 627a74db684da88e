# SPDX-License-Identifier: MIT
"""The record of a command, a decorator that collects commands, and types of their arguments."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

A_SWEEP = "a sweep: its name, its folder in results/sweeps, or its sweep file"

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


def snaplen(text: str) -> str | int:
    """The captured part of a packet, in the form of a sweep file's ``snaplen``."""
    if text in ("headers", "full"):
        return text
    if text.isdecimal() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected headers, full or a number of bytes from 1 to 65535, got {text!r}")


def seconds(text: str) -> float:
    """A time of a second or more."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if 1 <= value <= 86400:
        return value
    raise argparse.ArgumentTypeError(f"expected a number of seconds from 1 to 86400, got {text!r}")


def size(text: str) -> int:
    """A number of bytes, with a unit or plain."""
    from tcpsweep.core.words import quantity_forms

    try:
        return quantity_forms.byte_count(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def own_options(args: argparse.Namespace, **options: dict[str, Any]) -> tuple[argparse.Namespace, list[str]]:
    """A command's own options, also where they follow its first argument, and the other options, for Snakemake."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name, settings in options.items():
        parser.add_argument(f"--{name}", default=getattr(args, name), **settings)
    return parser.parse_known_args([option for option in args.options if option != "--"])

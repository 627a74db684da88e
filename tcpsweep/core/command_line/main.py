# SPDX-License-Identifier: MIT
"""``tcpsweep COMMAND …``: read the command line, run the command, and report errors."""

import argparse
import errno
import os
import platform
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NoReturn

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.contact.command import GROUPS, Command
from tcpsweep.core.words import control_characters, spelling
from tcpsweep.core.words.user_error import UserError

_NEEDED_FLAGS = ("avx2", "bmi2", "fma")  # polars' wheel is compiled for them


def own_programs_first() -> None:
    """Let this process and its children prefer the programs next to its Python.

    These are this command, Snakemake, CMake and Ninja, even if .venv is not activated.
    """
    python_folder = str(Path(sys.executable).parent)
    others = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder != python_folder]
    os.environ["PATH"] = os.pathsep.join([python_folder, *others])


_CLOSING_LINES = """\
Begin with `tcpsweep demo`, or write your own sweep file with `tcpsweep new my-sweep.yaml`.
`tcpsweep COMMAND --help` shows the options of a command; `tcpsweep --version` prints the version."""


def _group_lines(group: str, commands: Sequence[Command]) -> str:
    """The commands of a group, below its name."""
    lines = [f"  {command.name:8} {command.does}" for command in commands if command.group == group]
    return "\n".join([f"{group}:", *lines])


class _Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest command or option for a misspelt one."""

    def error(self, message: str) -> NoReturn:
        if match := re.match(r"unrecognized arguments: (--[^ =]+)", message):
            options = [option for action in self._actions for option in action.option_strings]
            message = f"unknown option {match[1]}{spelling.did_you_mean(match[1], options)}"
        self.exit(2, f"{self.prog}: {message}\n`{self.prog} --help` shows its arguments\n")


class _Version(argparse.Action):
    """Print the version, which may ask git, and end."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from tcpsweep.core.identity import release

        say(f"tcpsweep {release.version()}")
        parser.exit()


def _parser(commands: Sequence[Command]) -> argparse.ArgumentParser:
    """The parser of all commands. Its results have the command's ``run``, and its parser for errors."""
    parser = _Parser(
        prog="tcpsweep",
        usage="tcpsweep COMMAND …",
        description="\n\n".join([*(_group_lines(group, commands) for group in GROUPS), _CLOSING_LINES]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    parser.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    parser.add_argument("--version", action=_Version, nargs=0, help=argparse.SUPPRESS)
    parsers = parser.add_subparsers(metavar="COMMAND", help=argparse.SUPPRESS)
    for command in commands:
        command_parser = parsers.add_parser(
            command.name,
            prog=f"tcpsweep {command.name}",
            description=f"{command.does[:1].upper()}{command.does[1:]}.",
            epilog="\n".join(["examples:", *(f"  {line}" for line in command.examples)]) if command.examples else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        for name, options in command.arguments:
            command_parser.add_argument(name, **options)
        command_parser.set_defaults(run=command.run, parser=command_parser)
    return parser


def _arguments(words: Sequence[str], commands: Sequence[Command]) -> argparse.Namespace:
    """The parsed command line. For a wrong one, ends the process with status 2; for an empty one, with the help."""
    parser = _parser(commands)
    names = [command.name for command in commands]
    listed = [command.name for command in commands if command.group]
    if not words:
        parser.print_help()
        parser.exit()
    if words[0] not in names and not words[0].startswith("-"):
        suggestion = spelling.did_you_mean(words[0], listed)
        parser.exit(2, f"tcpsweep: no command {words[0]!r}{suggestion}\n`tcpsweep --help` lists the commands\n")
    args, unknown = parser.parse_known_args(words)
    if unknown:
        getattr(args, "parser", parser).error(f"unrecognized arguments: {' '.join(unknown)}")
    return args


def main(commands: Sequence[Command], arguments: Sequence[str] | None = None, **of_features: Any) -> None:
    """Run one of the commands, which the command line names; its function gets ``of_features`` with its arguments."""
    args = _arguments(sys.argv[1:] if arguments is None else arguments, commands)
    vars(args).update(of_features)
    own_programs_first()
    try:
        check_processor()
        args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit("\ninterrupted")
    except BrokenPipeError:  # `| head` closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except UserError as error:
        sys.exit(control_characters.escaped(str(error)))
    except OSError as error:
        if error.errno is None:  # not of the system
            raise
        sys.exit(control_characters.escaped(_system_error_text(error)))


def _system_error_text(error: OSError) -> str:
    """The message for an error of the system that no command expected."""
    message = ": ".join([*([str(error.filename)] if error.filename else []), error.strerror or str(error)])
    advice = "; free some space (`tcpsweep prune` removes unneeded files), and run the command again"
    return f"{message}{advice if error.errno in (errno.ENOSPC, errno.EDQUOT) else ''}"


def check_processor() -> None:
    """Raises `UserError` if this processor lacks an instruction that polars uses.

    As in polars, ``POLARS_SKIP_CPU_CHECK`` in the environment skips this check: other builds of polars need less.
    """
    if platform.machine() != "x86_64" or os.environ.get("POLARS_SKIP_CPU_CHECK"):
        return
    if missing := _missing_instructions(_processor_flags(Path("/proc/cpuinfo"))):
        raise UserError(
            f"this processor lacks {', '.join(missing)}, which polars needs. A virtual machine may hide them: give it "
            "the host's processor type (`-cpu host` in QEMU). A processor from before 2013 does not have them"
        )


def _processor_flags(cpuinfo: Path) -> Collection[str]:
    """The first processor's features; all needed ones if the file does not tell them."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
    except OSError:
        return _NEEDED_FLAGS
    return next((line.split(":", 1)[1].split() for line in lines if line.startswith("flags")), _NEEDED_FLAGS)


def _missing_instructions(flags: Collection[str]) -> list[str]:
    return [name for name in _NEEDED_FLAGS if name not in flags]

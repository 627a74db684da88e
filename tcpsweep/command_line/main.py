# SPDX-License-Identifier: MIT
"""``tcpsweep COMMAND …``: reads the command line, runs the command, and says what went wrong."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tcpsweep.command_line import for_people, steps
from tcpsweep.command_line.command import Command
from tcpsweep.words import control_characters
from tcpsweep.words.user_error import UserError


def own_programs_first() -> None:
    """Let this process, and those that it starts, find the programs beside its Python before all others.

    These are this command, Snakemake, CMake and Ninja, even if .venv is not activated.
    """
    own = str(Path(sys.executable).parent)
    others = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder != own]
    os.environ["PATH"] = os.pathsep.join([own, *others])


def _listed(heading: str, commands: Sequence[Command]) -> str:
    return "\n".join([f"{heading}:", *(f"  {command.name:10} {command.does}" for command in commands)])


class _Version(argparse.Action):
    """Print the version, which takes a look at git, and end."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from tcpsweep.identity import release

        print(f"tcpsweep {release.version()}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    lists = [
        _listed("commands", for_people.COMMANDS),
        _listed("steps of a sweep, as its rules call them", steps.COMMANDS),
    ]
    parser = argparse.ArgumentParser(
        prog="tcpsweep",
        usage="tcpsweep COMMAND …",
        description="\n\n".join(
            [*lists, "`tcpsweep COMMAND --help` says what a command takes; `tcpsweep --version` says which this is."]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    parser.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    parser.add_argument("--version", action=_Version, nargs=0, help=argparse.SUPPRESS)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, help=argparse.SUPPRESS)
    for command in (*for_people.COMMANDS, *steps.COMMANDS):
        sub = commands.add_parser(command.name, prog=f"tcpsweep {command.name}", description=command.does)
        for name, options in command.arguments:
            sub.add_argument(name, **options)
        sub.set_defaults(run=command.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the command line names."""
    args = _parser().parse_args(arguments)
    own_programs_first()
    try:
        args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit("\ninterrupted")
    except BrokenPipeError:  # `| head` has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except UserError as error:
        sys.exit(control_characters.escaped(str(error)))

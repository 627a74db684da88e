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


def own_programs_first() -> None:
    """Let this process, and those that it starts, find the programs beside its Python before all others.

    These are this command, Snakemake, CMake and Ninja, even if .venv is not activated.
    """
    own = str(Path(sys.executable).parent)
    others = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder != own]
    os.environ["PATH"] = os.pathsep.join([own, *others])


# The steps that a run's process for steps, which has loaded what they need, forks for their commands.
_MAY_BE_FORKED = ("aggregate", "figures", "report", "pages", "finish")


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
        sub.set_defaults(run=command.run, main=main)
    return parser


# The errors whose text says everything, by their modules.
_FOR_PEOPLE = (
    ("tcpsweep.archive.contents", "Unfit"),
    ("tcpsweep.commands.dossier", "Wrong"),
    ("tcpsweep.commands.export_tables", "Refused"),
    ("tcpsweep.commands.listing", "Unknown"),
    ("tcpsweep.commands.new_sweep", "Refused"),
    ("tcpsweep.commands.one_cell", "Unknown"),
    ("tcpsweep.commands.open_report", "NoReport"),
    ("tcpsweep.commands.verify_archive", "NoArchive"),
    ("tcpsweep.commands.watch_sweep", "NotWatched"),
    ("tcpsweep.compare.two_sweeps", "Unable"),
    ("tcpsweep.frames.finding", "NoSweep"),
    ("tcpsweep.identity.cpp_code", "UnknownInclude"),
    ("tcpsweep.ns3.installation", "EngineError"),
    ("tcpsweep.parse.imported_files", "NoImport"),
    ("tcpsweep.plan.plan", "Stop"),
    ("tcpsweep.report.cell_page", "Failed"),
    ("tcpsweep.run.cell_jobs", "CellFailed"),
    ("tcpsweep.store.cell_files", "Damaged"),
    ("tcpsweep.store.compiled_programs", "BuildError"),
    ("tcpsweep.store.digests", "Differs"),
    ("tcpsweep.store.run_lock", "Busy"),
    ("tcpsweep.sweep.sweep_record", "Unreadable"),
    ("tcpsweep.sweepfile.yaml_document", "Mistakes"),
)


def _is_for_people(error: Exception) -> bool:
    """Whether an error's text says everything, so that it needs no traceback. Modules not loaded have raised none."""
    loaded = ((sys.modules[module], name) for module, name in _FOR_PEOPLE if module in sys.modules)
    return isinstance(error, tuple(getattr(module, name) for module, name in loaded))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the command line names."""
    given = sys.argv[1:] if arguments is None else [*arguments]
    if given and given[0] in _MAY_BE_FORKED:
        from tcpsweep.run import step_request

        if (status := step_request.status(given)) is not None:
            sys.exit(status)
    args = _parser().parse_args(given)
    own_programs_first()
    try:
        args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit("\ninterrupted")
    except BrokenPipeError:  # `| head` has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if _is_for_people(error):
            from tcpsweep.words import control_characters

            sys.exit(control_characters.escaped(str(error)))
        raise

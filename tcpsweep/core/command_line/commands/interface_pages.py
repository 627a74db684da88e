# SPDX-License-Identifier: MIT
"""The documentation's pages of the Python interface and of the command line, made from docstrings and commands."""

import inspect
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from types import ModuleType
from typing import Any

from tcpsweep.core.contact.command import GROUPS, Command
from tcpsweep.core.frames.opened_sweep import OpenedSweep
from tcpsweep.core.words import markup

_ABOUT = """\
`tcpsweep` is for users; `make help` lists the commands for people who change tcpsweep. In a clone, the command is
`.venv/bin/tcpsweep`. `tcpsweep COMMAND --help` prints the options below.

Results are written to `results/` and pages to `reports/` in the working folder.
"""
_STATUSES = [
    ("0", "The command did its work. A sweep: every simulation has a result, and every expectation holds."),
    (
        "1",
        "A mistake in a file, a simulation without a result, an expectation that does not hold, damaged files, or a "
        "difference that `compare --fail` finds; or Ctrl-C, after which the same command continues. The message "
        "says which.",
    ),
    ("2", "A wrong command line."),
    (
        "3",
        "Not decided: `gate` shows neither a change nor equivalence, or `verify` could not compare all parts of an "
        "archive.",
    ),
    ("4", "`gate` shows a change."),
]
_VARIABLES = [
    ("`TCPSWEEP_BUILD`", "The folder of compiled programs (default: `~/.cache/tcpsweep/build`)."),
    ("`TCPSWEEP_SHARED_BUILD`", "`1` allows a folder of compiled programs that other users own or may write to."),
    ("`TCPSWEEP_SCENARIOS`", "A folder of scenarios to use instead of `ns3-scenarios/`."),
    ("`TCPSWEEP_IGNORE_NS3`", "`1` ignores the key `ns3` of sweep files, so that they run in the installed ns-3."),
    ("`XDG_CACHE_HOME`", "The folder of caches (default: `~/.cache`)."),
    ("`CXX`", "The C++ compiler (default: `g++`, else `c++`, else `clang++`)."),
    ("`NO_COLOR`", "Print without colours."),
    ("`BROWSER`", "The browser that `tcpsweep open` starts."),
]


def python_page(package: ModuleType) -> list[str]:
    """The page's parts: the functions of the package `tcpsweep`, and the class that `open` returns."""
    parts = [
        "# Reference: Python",
        "`import tcpsweep` works in every program and notebook that runs in `.venv`. Frames are "
        "[polars](https://docs.pola.rs) frames. [Recipes](recipes.md) shows how to use them, and "
        "[Import captures](features/import.md) does for imports.",
    ]
    for name in package.__all__:
        parts += _function_parts(f"tcpsweep.{name}", getattr(package, name))
    return parts + class_parts(OpenedSweep, "tcpsweep.open")


def class_parts(kind: type, made_by: str) -> list[str]:
    """The parts about a class and its members; ``made_by`` is the function that returns it."""
    parts = [f"## {kind.__name__}", f"`{made_by}` returns it.", *_docstring_parts(kind.__doc__)]
    for name, member in vars(kind).items():
        if not name.startswith("_"):
            parts += _member_parts(name, member)
    return parts


def _member_parts(name: str, member: object) -> list[str]:
    if isinstance(member, property | cached_property):
        getter = member.fget if isinstance(member, property) else member.func
        return [f"### `{name}`", *_docstring_parts(getter.__doc__ if getter else "")]
    return _function_parts(name, member, "###") if inspect.isfunction(member) else []


def _function_parts(name: str, function: Callable[..., Any], level: str = "##") -> list[str]:
    return [f"{level} `{name}`", f"`{name}{_signature(function)}`", *_docstring_parts(function.__doc__)]


def _signature(function: Callable[..., Any]) -> str:
    """A function's call: its parameters with their defaults, without types."""
    shown = [parameter for parameter in inspect.signature(function).parameters.values() if parameter.name != "self"]
    return str(inspect.Signature([parameter.replace(annotation=inspect.Parameter.empty) for parameter in shown]))


def _docstring_parts(docstring: str | None) -> list[str]:
    """A docstring as Markdown, with its parameters and errors as lists."""
    text = inspect.cleandoc(docstring or "").replace("``", "`")
    plain, *sections = re.split(r"^(Parameters|Returns|Raises)\n-+\n", text, flags=re.MULTILINE)
    parts = [plain]
    for title, entries in zip(sections[::2], sections[1::2], strict=True):
        rows = re.findall(r"^(\S.*)\n((?: +.*\n?)+)", entries, re.MULTILINE)
        parts += [f"{title}:", "\n".join(f"- {_entry(head)}: {' '.join(about.split())}" for head, about in rows)]
    return parts


def _entry(head: str) -> str:
    """The head of a docstring's entry: a parameter with its type, or an error's name."""
    names, _, kind = head.partition(" : ")
    shown = ", ".join(f"`{name.rpartition('.')[2]}`" for name in names.split(", "))
    return f"{shown} ({kind})" if kind else shown


def command_line_page(commands: Sequence[Command]) -> str:
    """The page as Markdown, with a section for each group of commands."""
    parts = [
        "<!-- SPDX-License-Identifier: MIT -->",
        "# Command line",
        "Made by `tcpsweep commands docs/command-line.md`.",
        _ABOUT,
    ]
    for group in GROUPS:
        parts += [
            f"## {group}",
            *(part for command in commands if command.group == group for part in _command_parts(command)),
        ]
    parts += ["## Exit status", markup.markdown(["status", "meaning"], _STATUSES)]
    parts += ["## Environment variables", markup.markdown(["variable", "meaning"], _VARIABLES)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _command_parts(command: Command) -> list[str]:
    rows = []
    for name, options in command.arguments:
        values = [value for value in options.get("choices", []) if value not in options["help"]]
        shown = f"`{name}`" + (f" {options['metavar']}" if name.startswith("-") and "metavar" in options else "")
        rows.append((shown, options["help"] + (f" ({', '.join(values)})" if values else "")))
    parts = [f"### tcpsweep {command.name}", f"{command.does[:1].upper()}{command.does[1:]}."]
    if rows:
        parts.append(markup.markdown(["argument", "meaning"], rows))
    return [*parts, "```sh\n" + "\n".join(command.examples) + "\n```"]

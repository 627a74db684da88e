# SPDX-License-Identifier: MIT
"""The documentation's page of the command line, made from the table of commands."""

from collections.abc import Iterable, Sequence

from tcpsweep.command_line.command import Command
from tcpsweep.words import markup

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


def page(commands: Sequence[Command], groups: Iterable[str]) -> str:
    """The page as Markdown, with a section for each group of commands."""
    parts = [
        "<!-- SPDX-License-Identifier: MIT -->",
        "# Command line",
        "Made by `tcpsweep commands docs/command-line.md`.",
        _ABOUT,
    ]
    for group in groups:
        parts += [f"## {group}", *(part for each in commands if each.group == group for part in _section(each))]
    parts += ["## Exit status", markup.markdown(["status", "meaning"], _STATUSES)]
    parts += ["## Environment variables", markup.markdown(["variable", "meaning"], _VARIABLES)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _section(command: Command) -> list[str]:
    rows = []
    for name, options in command.arguments:
        values = [value for value in options.get("choices", []) if value not in options["help"]]
        shown = f"`{name}`" + (f" {options['metavar']}" if name.startswith("-") and "metavar" in options else "")
        rows.append((shown, options["help"] + (f" ({', '.join(values)})" if values else "")))
    parts = [f"### tcpsweep {command.name}", f"{command.does[:1].upper()}{command.does[1:]}."]
    if rows:
        parts.append(markup.markdown(["argument", "meaning"], rows))
    return [*parts, "```sh\n" + "\n".join(command.examples) + "\n```"]

# SPDX-License-Identifier: MIT
"""What reproduces a report's numbers: the sweep file, versions, digests, and the commands that run the cells."""

import importlib.metadata
import itertools
import json
import platform
import shlex
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report.sections import table_texts
from tcpsweep.core.sweep import sweep_digests
from tcpsweep.core.sweep.sweep_record import PlannedSweep

PACKAGES = ("snakemake", "polars", "vl-convert-python", "scipy", "jinja2")


def _versions(sweep: PlannedSweep) -> dict[str, str]:
    """The version of each program and package that made the numbers and the page."""
    found = {
        "ns-3": sweep.ns3_version,
        "ns-3's libraries": sweep.ns3_libraries,
        "Python": platform.python_version(),
    }
    return found | {package: importlib.metadata.version(package) for package in PACKAGES}


def _first_commands(folder: Path, most: int) -> list[tuple[str, str]]:
    """The first cells of the sweep in ``folder``, each with the command that runs it by hand."""
    with (folder / "commands.json").open(encoding="utf-8") as file:
        lines = [line.rstrip("\n").rstrip(",") for line in itertools.islice(file, 1, most + 1)]
    return list(json.loads("".join(("{", ",".join(line for line in lines if line != "}"), "}"))).items())


def _compile_command(sweep: PlannedSweep) -> str:
    """The command that makes the sweep's program, for a POSIX shell."""
    options = [f"--prefix={sweep.ns3_prefix}"] if sweep.ns3_prefix else []
    return shlex.join(["tcpsweep", "compile", sweep.program or sweep.scenario, *options])


@dataclass(frozen=True)
class Commands:
    """The first cells with their commands, the link to all, and the command that makes the program."""

    first: list[tuple[str, str]]
    file: str
    compile: str


def _commands(results: SweepResults) -> Commands:
    first = _first_commands(results.folder, table_texts.MOST_ROWS)
    return Commands(first, results.link("commands.json"), _compile_command(results.sweep))


SWEEP_FILE = Section(
    "sweep_file",
    "report/method_sweep_file.html.jinja",
    lambda results: (results.folder / "sweep.yaml").read_text(encoding="utf-8"),
)
VERSIONS = Section("versions", "report/method_versions.html.jinja", lambda results: _versions(results.sweep))
DIGESTS = Section(
    "digests",
    "report/method_digests.html.jinja",
    lambda results: sweep_digests.shown_digests(results.folder) or None,
)
COMMANDS = Section("commands", "report/method_commands.html.jinja", _commands)

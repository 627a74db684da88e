# SPDX-License-Identifier: MIT
"""Instructions to reproduce the page's numbers: the versions that made them, and the commands that run the cells."""

import importlib.metadata
import itertools
import json
import platform
import shlex
from pathlib import Path

from tcpsweep.core.sweep.sweep_record import PlannedSweep

PACKAGES = ("snakemake", "polars", "vl-convert-python", "scipy", "jinja2")


def versions(sweep: PlannedSweep) -> dict[str, str]:
    """The version of each program and package that made the numbers and the page."""
    found = {
        "ns-3": sweep.ns3_version,
        "ns-3's libraries": sweep.ns3_libraries,
        "Python": platform.python_version(),
    }
    return found | {package: importlib.metadata.version(package) for package in PACKAGES}


def commands(folder: Path, most: int) -> list[tuple[str, str]]:
    """The first cells of the sweep in ``folder``, each with the command that runs it by hand."""
    with (folder / "commands.json").open(encoding="utf-8") as file:
        lines = [line.rstrip("\n").rstrip(",") for line in itertools.islice(file, 1, most + 1)]
    return list(json.loads("".join(("{", ",".join(line for line in lines if line != "}"), "}"))).items())


def compile_command(sweep: PlannedSweep) -> str:
    """The command that makes the sweep's program, for a POSIX shell."""
    options = [f"--prefix={sweep.ns3_prefix}"] if sweep.ns3_prefix else []
    return shlex.join(["tcpsweep", "compile", sweep.program or sweep.scenario, *options])

# SPDX-License-Identifier: MIT
"""How to get the page's numbers again: the versions that made them, and the commands that run the cells."""

import importlib.metadata
import json
import platform
import shlex
from pathlib import Path

from tcpsweep.sweep.sweep_record import PlannedSweep

PACKAGES = ("snakemake", "polars", "altair", "vl-convert-python", "scipy", "jinja2")


def versions(sweep: PlannedSweep) -> dict[str, str]:
    """The version of each program and package that made the numbers and the page."""
    found = {
        "ns-3": sweep.ns3_version,
        "ns-3's libraries": sweep.ns3_libraries,
        "Python": platform.python_version(),
    }
    return found | {package: importlib.metadata.version(package) for package in PACKAGES}


def commands(folder: Path) -> list[tuple[str, str]]:
    """Each cell of the sweep in ``folder`` with the command that runs it by hand."""
    return list(json.loads((folder / "commands.json").read_text(encoding="utf-8")).items())


def compile_command(sweep: PlannedSweep) -> str:
    """The command that makes the sweep's program, for a POSIX shell."""
    options = [f"--prefix={sweep.ns3_prefix}"] if sweep.ns3_prefix else []
    return shlex.join(["tcpsweep", "compile", sweep.scenario, *options])

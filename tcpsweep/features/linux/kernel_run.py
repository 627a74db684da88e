# SPDX-License-Identifier: MIT
"""Run a simulator inside the kernel that its command names."""

from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.run import cell_costs
from tcpsweep.features.linux import kernel, virtual_time


def run(command: Sequence[str], out: Path, seconds: float | None) -> int | None:
    """Run a command of the simulator as a `Runner` in `contact.features`. The CPU time that it took goes into a file.

    Raises `NoKernel`, also if this kernel does not exist.
    """
    if not any(argument.startswith(kernel.OPTION) for argument in command):
        return None
    options = dict(argument.removeprefix("--").split("=", 1) for argument in command if "=" in argument)
    seed = virtual_time.seed(options["RngSeed"], options["RngRun"])
    began_cpu_s = cell_costs.children_cpu_s()
    try:
        return virtual_time.run(kernel.folder_of(options["kernel"]), command, out, seed, seconds)
    finally:
        cell_costs.note_cpu_s(out, cell_costs.children_cpu_s() - began_cpu_s)

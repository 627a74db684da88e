# SPDX-License-Identifier: MIT
"""Linux' TCP, and programs at its hosts, as an ingredient of simulations."""

from tcpsweep.core.contact.ingredient import Ingredient, Part, Simulation
from tcpsweep.core.sweep import host_programs
from tcpsweep.features.linux import kernel, kernel_check


def _part(simulation: Simulation) -> Part:
    linux = kernel.used(simulation.row)
    if not linux:
        return Part(idle=("sysctls",))
    commands = [command for _, command in host_programs.commands(simulation.row)]
    identity = {"programs": [host_programs.identity(command, simulation.inputs) for command in commands]}
    return Part(
        identity={"kernel": linux.identity} | (identity if commands else {}),
        arguments=[f"{kernel.OPTION}{linux.release}", *host_programs.folder_argument(commands, simulation.inputs)],
        builds=[linux.folder],
    )


INGREDIENT = Ingredient(problems=kernel_check.problems, part=_part)

# SPDX-License-Identifier: MIT
"""QUIC stacks as an ingredient of simulations."""

from tcpsweep.core.contact.ingredient import Ingredient, Part, Simulation
from tcpsweep.features.quic import quic_check, quic_names, stack_build


def _part(simulation: Simulation) -> Part:
    stacks = stack_build.used(simulation.row)
    if not stacks:
        return Part()
    identity = {quic_names.QUIC: [[stack, stack_build.identity(stack)] for stack in stacks]}
    return Part(identity=identity, arguments=stack_build.argument(stacks))


INGREDIENT = Ingredient(
    forms={"variant": quic_names.checked},
    problems=quic_check.problems,
    compile=quic_check.build_problems,
    part=_part,
)

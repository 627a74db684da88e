# SPDX-License-Identifier: MIT
"""Whether the flows of QUIC in a sweep can be simulated."""

from collections.abc import Iterator
from typing import Any

from tcpsweep.core.sweep import host_programs, network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import dotted_names
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.quic import quic_names, recipes, stack_build

# RFC 9000, 14.1: UDP payloads of 1200 B. TCP's header, its timestamps and UDP's header: a segment's IP packet has the
# size of a datagram's.
_LEAST_SEGMENT = 1200 + 8 - 32
_OF_TCP = ("delayed_acks", "delayed_ack_timeout")


def problems(file: SweepFile, sweep: Sweep) -> list[Problem]:
    """Why combinations of a sweep cannot have their flows of QUIC, each reason once."""
    first_of_each: dict[tuple[Any, ...], Problem] = {}
    for row in sweep.combinations:
        for name, message in _row_problems(row, sweep):
            problem = Problem(_path_of_parameter(file, name), message)
            first_of_each.setdefault((problem.path, problem.message), problem)
    return list(first_of_each.values())


def build_problems(file: SweepFile, sweep: Sweep) -> list[Problem]:
    """Compile the stacks of a sweep, unless that is done, and return why this is impossible."""
    failures = []
    for stack in sorted({name for row in sweep.combinations for name in stack_build.used(row)}):
        try:
            stack_build.make(stack)
        except recipes.NoStack as error:
            failures.append(Problem(_path_of_parameter(file, "variant"), str(error)))
    return failures


def _row_problems(row: Combination, sweep: Sweep) -> Iterator[tuple[str, str]]:
    """The dotted name of a parameter at fault, and the message."""
    for group in network_graph.things(row, "traffic"):
        variant = str(network_graph.value(row, "traffic", group, "variant", ""))
        if quic_names.is_quic(variant):
            name = dotted_names.dotted_name("traffic", group, "variant")
            yield name, f"{group} can only use TCP; flows next to it may use QUIC, as in `variant: {variant}`"
    if not stack_build.used(row):
        return
    if "stack" in schema.constants(sweep.scenario):
        takers = ", ".join(name for name in schema.scenarios() if "stack" not in schema.constants(name))
        yield "variant", f"the scenario {sweep.scenario} has no flows of QUIC; write {takers}"
        return
    if row["segment_size"] < _LEAST_SEGMENT:
        yield (
            "segment_size",
            f"QUIC's packets have at least the size of TCP's with {_LEAST_SEGMENT} B; got {row['segment_size']}",
        )
    for name, _ in host_programs.commands(row):
        yield name, "a flow of QUIC has no programs: write another variant, or remove this"
    for name in _OF_TCP:
        for flows in network_graph.groups(row):
            if flows.prefix + name in row and any(map(quic_names.is_quic, flows.turns)):
                yield flows.prefix + name, "the QUIC stack chooses when to acknowledge"


def _path_of_parameter(file: SweepFile, name: str) -> Any:
    """The path of a parameter; of `variant`, the first value that names one of QUIC."""
    if name == "variant":
        for path, written_name, value in sections.values(file.data):
            is_variant = written_name == name or written_name.endswith(f".{name}")
            if is_variant and isinstance(value, str) and any(map(quic_names.is_quic, Mix.parse(value).turns)):
                return path
    return sections.place(file.data, name)

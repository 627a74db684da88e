# SPDX-License-Identifier: MIT
"""Cells: everything that determines a simulation, its id, and the arguments that run it."""

import functools
import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tcpsweep.core.identity import hashing
from tcpsweep.core.ns3 import default_values, variants
from tcpsweep.core.ns3.catalogue import Types
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.ns3.programs import load
from tcpsweep.core.sweep import assignment, input_files, network_graph
from tcpsweep.core.sweep.base_network import Topology
from tcpsweep.core.sweep.matching import Combination, Settings
from tcpsweep.core.sweep.sweep_parts import InputFile
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.checks import start_times
from tcpsweep.core.sweepfile.keys import schema, sweep_keys
from tcpsweep.core.words import dotted_names, normal_forms, units
from tcpsweep.core.words.field_names import is_attribute
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.corrections import correction_names, corrections_in_force
from tcpsweep.features.linux import host_programs, kernel
from tcpsweep.features.quic import stack_build

_UNSAFE = re.compile(r"[^A-Za-z0-9.+_-]")


class Collision(UserError):
    """Two different cells have the same id."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One simulation of one combination of a sweep."""

    id: str  # names the cell's folders
    combination: int  # the combination's number in the sweep
    run: int
    # The arguments shared by all runs of the combination
    shared: tuple[str, ...] = field(compare=False, repr=False)
    inputs: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # as from `input_files.named`

    @property
    def arguments(self) -> tuple[str, ...]:
        """The scenario's arguments, all but ``--out``."""
        return (*self.shared, f"--RngRun={self.run}")


def cells(sweep: Sweep, code: str, engine: Engine, types: Callable[[], Types]) -> list[Cell]:
    """A sweep's cells, ordered by combination and run; ``code`` is the identity of the scenario's program.

    ``types`` lists the engine's types, for sweeps that set attributes.

    A cell's identity leaves out values that equal their defaults, so a new parameter with a default changes no id. It
    also leaves out attributes of TCP with ns-3's default, which then take precedence over a preset's. A
    changed default does change ids, because it is also in the scenario's code. The identity leaves out parameters that
    do not reach the simulator: these have a stage in the schema. A preset's attributes count like those in the file.
    The identity includes the code of our own variants that the cell uses, and the kernel's release and settings if the
    cell uses the kernel. Combinations that differ only in their measurement share their cells' ids.

    Raises
    ------
    Collision
    """
    defaults = {
        name: normal_forms.normal(parameter["default"], parameter.get("format"))
        for name, parameter in schema.parameters(schema.program(sweep.scenario)).items()
        if "stage" not in parameter
    }
    capture, capture_arguments = _capture_settings(sweep)
    common_identity = [schema.program(sweep.scenario), code, engine.version, engine.libraries_id, sweep.seed, capture]
    slug_names = schema.slug_parameters(sweep.scenario)
    sources = sweep.variant_files
    own_variants = set(variants.used(sweep.combinations, sources))
    is_default = functools.cache(lambda name, value: default_values.is_default(types(), name, value))
    argument = functools.cache(lambda name, value: f"--{name}={value}")  # once for all combinations with this value
    planned_cells: list[Cell] = []
    identities: dict[str, tuple[str, int]] = {}
    for index, planned in enumerate(sweep.combinations):
        row = planned | {"start_jitter": start_times.jitter(sweep.scenario, planned)}
        row = _without_idle_assignment(row, defaults)
        used_kernel = kernel.used(row)
        if not used_kernel and "sysctls" in defaults:  # which change only Linux' TCP
            row |= {"sysctls": defaults["sysctls"]}
        changed = {name: row[name] for name, default in defaults.items() if row[name] != default}
        attributes = {name: row[name] for name in sorted(filter(is_attribute, row))}
        changed |= {name: value for name, value in attributes.items() if not is_default(name, units.value_text(value))}
        network = list(_network_arguments(row, sweep.inputs, schema.topology(sweep.scenario)))
        network_identity = [(name, identity) for name, _, identity in network]
        cell_variants = sorted(own_variants & variants.mentioned(row))
        corrected = corrections_in_force.in_force(row, engine.version, cell_variants)
        program_ids = [host_programs.identity(command, sweep.inputs) for _, command in host_programs.commands(row)]
        quic_stacks = stack_build.used(row)
        slug = _slug(sweep.scenario, row)
        parameters = {name: row[name] for name in row if name in changed or (name in slug_names and name in defaults)}
        load_arguments = load([variants.library(engine, variant, sources) for variant in cell_variants])
        arguments = (
            *load_arguments,
            *(argument(name, units.value_text(value)) for name, value in parameters.items()),
            *(argument(name, text) for name, text, _ in network),
            *([f"--{correction_names.KEY}={','.join(corrected)}"] if corrected else []),
            *capture_arguments,
            *([f"--kernel={used_kernel.release}"] if used_kernel else []),
            *stack_build.argument(quic_stacks),
            *host_programs.folder_argument((command for _, command in host_programs.commands(row)), sweep.inputs),
            f"--RngSeed={sweep.seed}",
        )
        identity = json.dumps(
            [
                *common_identity,
                changed
                | ({"network": network_identity} if network else {})
                | ({correction_names.KEY: corrected} if corrected else {}),
                *([variant, variants.code_id(variant, sources)] for variant in cell_variants),
                *([["kernel", used_kernel.identity]] if used_kernel else []),
                *([["programs", program_ids]] if program_ids else []),
                *([["quic", [[stack, stack_build.identity(stack)] for stack in quic_stacks]]] if quic_stacks else []),
            ],
            sort_keys=True,
        )
        inputs = input_files.named(arguments, sweep.inputs)
        for run in sweep.runs_of(index):
            cell_id = f"{slug}-r{run}-{hashing.short_hash(identity, str(run))}"
            if identities.setdefault(cell_id, (identity, run)) != (identity, run):
                raise Collision(f"two different cells have the id {cell_id}; change `seed` or a parameter of one")
            planned_cells.append(Cell(cell_id, index, run, arguments, inputs))
    return planned_cells


# A link, a flow or traffic exists by having this field; its other fields may be missing.
_DEFINING_FIELDS = ("between", "from", "to", "kind", "variant")
_FILE_FIELDS = ("trace", "schedule", "sizes", "main", "object")


def _network_arguments(
    row: Settings, inputs: Mapping[str, InputFile], topology: Topology
) -> Iterator[tuple[str, str, Any]]:
    """The arguments of a combination's custom topology: name, text, and the part for the cell's identity.

    Values that equal their defaults are left out, so a new field with a default changes no id. Links, flows and traffic
    are in the file's order, which numbers them; their fields are in the schema's order.

    A file is given by its whole path, and its content is part of the identity. Members' values contain no commas and
    are joined by commas.
    """
    if not network_graph.is_described(row):
        return
    for name, value in row.items():
        parts = dotted_names.split(name)
        if parts is None or parts.field == "hosts" or not network_graph.count(row, parts.kind, parts.thing):
            continue
        if parts.kind == "traffic" and parts.field in ("from", "to"):
            number = network_graph.value(row, "traffic", parts.thing, "hosts", 1)
            host_names = ",".join(network_graph.hosts(str(value), number))
            yield dotted_names.option_name(name), host_names, host_names
            continue
        default = topology.defaults[parts.kind].get(parts.field)
        if value == default and parts.field not in _DEFINING_FIELDS:
            continue
        text = units.value_text(value)
        if parts.field.removeprefix(dotted_names.BACK) in _FILE_FIELDS and text in inputs:
            yield dotted_names.option_name(name), inputs[text].path, inputs[text].content
        else:
            yield dotted_names.option_name(name), text, value


def _without_idle_assignment(row: Combination, defaults: Combination) -> Combination:
    """The combination, with the default ``assignment`` if it makes no difference to the cells."""
    if "assignment" not in defaults:
        return row
    with_default = row | {"assignment": defaults["assignment"]}
    is_same = not assignment.matters(row) or assignment.is_rotated(row) == assignment.is_rotated(with_default)
    return with_default if is_same else row


def by_hand(binary: Path, cell: Cell) -> str:
    """The command that runs a cell in a POSIX shell, without changing results/."""
    out = f"by-hand/{cell.id}"
    return f"mkdir -p {out} && {shlex.join([str(binary), *cell.arguments, f'--out={out}'])}"


def all_by_hand(binary: Path, cells: Iterable[Cell]) -> Iterator[str]:
    """The text of a JSON object: each cell's id and its command from `by_hand`, a line each."""
    seen: set[str] = set()
    for cell in cells:
        if cell.id not in seen:
            yield f"{',' if seen else '{'}\n{json.dumps(cell.id)}: {json.dumps(by_hand(binary, cell))}"
            seen.add(cell.id)
    yield "\n}" if seen else "{}"


# Key under `capture` to the scenario's option.
_CAPTURE_OPTIONS = {
    "queue": "queue_trace",
    "flow_monitor": "flow_monitor",
    "pcap": "pcap",
    "snaplen": "snaplen",
    "ascii": "ascii",
    "anim": "anim",
}


def _capture_settings(sweep: Sweep) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The settings of ``capture`` that differ from their defaults, and their arguments."""
    trace_names = sorted(sweep.capture.traces)
    identity: dict[str, Any] = {}
    arguments: list[str] = []
    if trace_names != sorted(sweep_keys.default("capture", "traces")):
        identity["traces"] = trace_names
        arguments.append(f"--traces={','.join(trace_names) or 'none'}")
    for key, option in _CAPTURE_OPTIONS.items():
        value = getattr(sweep.capture, key)
        if key == "snaplen" and sweep.capture.pcap == "none":
            continue
        if value != sweep_keys.default("capture", key):
            identity[key] = value
            arguments.append(f"--{option}={units.value_text(value)}")
    if sweep.capture.text:  # no result depends on it
        arguments.append("--text=true")
    return identity, tuple(arguments)


def _slug(scenario: str, row: Settings) -> str:
    """The readable half of an id. Values with a unit appear without their parameter's name, plain numbers with it."""
    parts = [schema.slug_name(scenario)]
    for name in schema.slug_parameters(scenario):
        value = row[name]
        parts.append(units.value_text(value) if isinstance(value, str) else f"{name}{units.value_text(value)}")
    return _UNSAFE.sub("_", "-".join(parts))[:150]

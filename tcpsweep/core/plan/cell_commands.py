# SPDX-License-Identifier: MIT
"""Cells: everything that determines a simulation, its id, and the arguments that run it."""

import functools
import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tcpsweep.core.contact import features
from tcpsweep.core.contact.ingredient import Part, Simulation
from tcpsweep.core.identity import hashing
from tcpsweep.core.ns3 import default_values, variants
from tcpsweep.core.ns3.catalogue import Types
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.ns3.programs import load
from tcpsweep.core.sweep import assignment, input_files, network_graph
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.sweep.sweep_parts import InputFile
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.checks import start_times
from tcpsweep.core.sweepfile.keys import network_fields, schema
from tcpsweep.core.sweepfile.keys.sweep_fields import CaptureFields
from tcpsweep.core.words import dotted_names, normal_forms
from tcpsweep.core.words.field_names import is_attribute
from tcpsweep.core.words.units import value_text
from tcpsweep.core.words.user_error import UserError

_UNSAFE = re.compile(r"[^A-Za-z0-9.+_-]")


class Collision(UserError):
    """Two different cells have the same id."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What the runs of a combination share."""

    arguments: tuple[str, ...]  # the scenario's, without the run number
    inputs: Mapping[str, str]  # as from `input_files.named`
    builds: tuple[Path, ...] = ()  # the folders of builds that they use, as in `Part`


@dataclass(frozen=True, slots=True)
class Cell:
    """One simulation of one combination of a sweep."""

    id: str  # names the cell's folders
    combination: int  # the combination's number in the sweep
    run: int
    shared: Shared = field(compare=False, repr=False)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The scenario's arguments, all but ``--out``."""
        return (*self.shared.arguments, f"--RngRun={self.run}")


def cells(sweep: Sweep, code: str, engine: Engine, types: Callable[[], Types]) -> list[Cell]:
    """A sweep's cells, ordered by combination and run; ``code`` is the identity of the scenario's program.

    ``types`` lists the engine's types, for sweeps that set attributes.

    A cell's identity leaves out values that equal their defaults, so a new parameter with a default changes no id. It
    also leaves out attributes of TCP with ns-3's default, which then take precedence over a preset's. A
    changed default does change ids, because it is also in the scenario's code. The identity leaves out parameters that
    do not reach the simulator: these have a stage in the schema. A preset's attributes count like those in the file.
    The identity includes the code of our own variants that the cell uses, and what its ingredients add, such as the
    kernel's release and settings. Combinations that differ only in their measurement share their cells' ids.

    Raises
    ------
    Collision
    """
    common = _common(sweep, code, engine, types)
    planned_cells: list[Cell] = []
    identities: dict[str, tuple[str, int]] = {}
    for index, planned in enumerate(sweep.combinations):
        slug, identity, shared = _simulations(planned, common)
        for run in sweep.runs_of(index):
            cell_id = f"{slug}-r{run}-{hashing.short_hash(identity, str(run))}"
            if identities.setdefault(cell_id, (identity, run)) != (identity, run):
                raise Collision(f"two different cells have the id {cell_id}; change `seed` or a parameter of one")
            planned_cells.append(Cell(cell_id, index, run, shared))
    return planned_cells


@dataclass(frozen=True)
class _Common:
    """What the simulations of all combinations of a sweep have in common."""

    sweep: Sweep
    engine: Engine
    defaults: dict[str, Value]  # of the parameters that reach the simulator
    identity: list[Any]  # the first parts of the identity
    capture_arguments: tuple[str, ...]
    own_variants: Set[str]  # the variants and queue discs with their own code
    is_default: Callable[[str, str], bool]  # whether an attribute's value, as text, is ns-3's default


def _common(sweep: Sweep, code: str, engine: Engine, types: Callable[[], Types]) -> _Common:
    defaults = {
        name: normal_forms.normal(parameter["default"], parameter.get("format"))
        for name, parameter in schema.parameters(schema.program(sweep.scenario)).items()
        if "stage" not in parameter
    }
    capture, capture_arguments = _capture_settings(sweep)
    identity = [schema.program(sweep.scenario), code, engine.version, engine.libraries_id, sweep.seed, capture]
    own_variants = set(variants.used(sweep.combinations, sweep.variant_files))
    is_default = functools.cache(lambda name, value: default_values.is_default(types(), name, value))
    return _Common(sweep, engine, defaults, identity, capture_arguments, own_variants, is_default)


def _simulations(planned: Combination, common: _Common) -> tuple[str, str, Shared]:
    """The readable half of the ids of a combination's simulations, their identity, and what they share."""
    sweep, defaults = common.sweep, common.defaults
    row = planned.with_values({"start_jitter": start_times.jitter(planned)})
    row = _without_idle_assignment(row, defaults)
    parts = _parts(row, common)
    row = row.with_values({name: defaults[name] for part in parts for name in part.idle if name in defaults})
    changed = {name: value for name, value in row.items() if name in defaults and value != defaults[name]}
    attributes = {name: row[name] for name in sorted(filter(is_attribute, row))}
    changed |= {name: value for name, value in attributes.items() if not common.is_default(name, value_text(value))}
    slug_names = schema.slug_parameters(sweep.scenario)
    shown = changed.keys() | slug_names & defaults.keys()
    parameters = {name: value for name, value in row.items() if name in shown}
    network = list(_network_arguments(row, sweep.inputs))
    settings = {name: value for part in parts for name, value in part.settings.items()}
    arguments = (
        *load([library for part in parts for library in part.libraries]),
        *(_argument(name, value_text(value)) for name, value in parameters.items()),
        *(_argument(name, text) for name, text, _ in network),
        *(_argument(name, value_text(value)) for name, value in settings.items()),
        *common.capture_arguments,
        *sorted(text for part in parts for text in part.arguments),
        f"--RngSeed={sweep.seed}",
    )
    changed |= settings | ({"network": [(name, value) for name, _, value in network]} if network else {})
    of_parts = sorted(item for part in parts for item in part.identity.items())
    identity = json.dumps([*common.identity, changed, *of_parts], sort_keys=True)
    builds = tuple(build for part in parts for build in part.builds)
    shared = Shared(arguments, input_files.named(arguments, sweep.inputs), builds)
    return _slug(row), identity, shared


def _parts(row: Combination, common: _Common) -> list[Part]:
    """What our own variants and each ingredient add to a combination's simulations."""
    sweep = common.sweep
    names = sorted(common.own_variants & variants.mentioned(row))
    own_code = Part(
        identity={name: variants.code_id(name, sweep.variant_files) for name in names},
        libraries=[variants.library(common.engine, name, sweep.variant_files) for name in names],
    )
    simulation = Simulation(row, common.engine.version, names, sweep.inputs)
    return [own_code, *(ingredient.part(simulation) for ingredient in features.ingredients())]


@functools.cache  # once for all combinations with this value
def _argument(name: str, text: str) -> str:
    return f"--{name}={text}"


# A link, a flow or traffic exists by having this field; its other fields may be missing.
_DEFINING_FIELDS = ("between", "from", "to", "kind", "variant")
_FILE_FIELDS = ("trace", "schedule", "sizes", "main", "object")


def _network_arguments(row: Combination, inputs: Mapping[str, InputFile]) -> Iterator[tuple[str, str, Any]]:
    """The arguments of a combination's custom topology: name, text, and the part for the cell's identity.

    Values that equal their defaults are left out, so a new field with a default changes no id. Links, flows and traffic
    are in the file's order, which numbers them; their fields are in the schema's order.

    A file is given by its whole path, and its content is part of the identity. Members' values contain no commas and
    are joined by commas.
    """
    if not network_graph.has_named_parts(row):
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
        default = network_fields.defaults(parts.kind).get(parts.field)
        if value == default and parts.field not in _DEFINING_FIELDS:
            continue
        text = value_text(value)
        if parts.field.removeprefix(dotted_names.BACK) in _FILE_FIELDS and text in inputs:
            yield dotted_names.option_name(name), inputs[text].path, inputs[text].content
        else:
            yield dotted_names.option_name(name), text, value


def _without_idle_assignment(row: Combination, defaults: dict[str, Value]) -> Combination:
    """The combination, with the default ``assignment`` if it makes no difference to the cells."""
    if "assignment" not in defaults:
        return row
    with_default = row.with_values({"assignment": defaults["assignment"]})
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
    trace_names, default = sorted(sweep.capture.traces), CaptureFields()
    identity: dict[str, Any] = {}
    arguments: list[str] = []
    if trace_names != sorted(default.traces):
        identity["traces"] = trace_names
        arguments.append(f"--traces={','.join(trace_names) or 'none'}")
    for key, option in _CAPTURE_OPTIONS.items():
        value = getattr(sweep.capture, key)
        if key == "snaplen" and sweep.capture.pcap == "none":
            continue
        if value != getattr(default, key):
            identity[key] = value
            arguments.append(f"--{option}={value_text(value)}")
    if sweep.capture.text:  # no result depends on it
        arguments.append("--text=true")
    return identity, tuple(arguments)


def _slug(row: Combination) -> str:
    """The readable half of an id. Values with a unit appear without their parameter's name, plain numbers with it."""
    parts = [schema.slug_name(row.scenario)]
    for name in schema.slug_parameters(row.scenario):
        value = row[name]
        parts.append(value_text(value) if isinstance(value, str) else f"{name}{value_text(value)}")
    return _UNSAFE.sub("_", "-".join(parts))[:150]

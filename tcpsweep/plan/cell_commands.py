# SPDX-License-Identifier: MIT
"""A cell: everything that determines one simulation, its name, and the arguments that run it."""

import json
import re
from dataclasses import dataclass

from tcpsweep.identity import hashing
from tcpsweep.ns3 import variants
from tcpsweep.ns3.engine import load
from tcpsweep.sweepfile import schema
from tcpsweep.words import units
from tcpsweep.words.type_names import is_attribute

_UNSAFE = re.compile(r"[^A-Za-z0-9.+_-]")


class Collision(Exception):
    """Two different cells have the same id."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One simulation of one combination of a sweep.

    ``id`` names its folders, ``combination`` is the index of its combination in the sweep, ``arguments`` are the
    scenario's, all but ``--out``.
    """

    id: str
    combination: int
    run: int
    arguments: tuple


def of(sweep, code, engine):
    """The cells of a sweep, combination by combination, run by run.

    A value equal to its default is no part of a cell's identity: a parameter that is added with a default changes no
    id. (A default that changes does, as it stands in the scenario's code too.) What does not reach the simulator, the
    schema's stage "measure", is no part either. The code of a variant of our own is part of
    those cells alone that use it.

    Parameters
    ----------
    sweep : grid.Sweep
    code : str
        The identity of the scenario's program.
    engine : engine.Engine

    Returns
    -------
    list of Cell
        Combinations that differ only in how they are measured share their cells' ids.

    Raises
    ------
    Collision
    """
    defaults = {
        name: units.normal(parameter["default"], parameter.get("format"))
        for name, parameter in schema.parameters(sweep.scenario).items()
        if parameter.get("stage") != "measure"
    }
    capture, capture_arguments = _capture(sweep)
    common = [sweep.scenario, code, engine.version, engine.libraries_id, sweep.seed, capture]
    always = schema.slug_parameters(sweep.scenario)
    used = set(variants.used(sweep.combinations))
    cells, identities = [], {}
    for index, row in enumerate(sweep.combinations):
        given = {name: row[name] for name, default in defaults.items() if row[name] != default}
        given |= {name: row[name] for name in sorted(row) if is_attribute(name)}
        own = sorted(used & variants.mentioned(row))
        slug = _slug(sweep.scenario, row)
        said = {name: row[name] for name in row if name in given or name in always}
        loaded = load([variants.library(engine, variant) for variant in own])
        arguments = (*loaded, *(f"--{name}={units.text(value)}" for name, value in said.items()), *capture_arguments)
        identity = json.dumps(
            [*common, given, *([variant, variants.code_id(variant)] for variant in own)], sort_keys=True
        )
        for run in sweep.runs_of(index):
            cell_id = f"{slug}-r{run}-{hashing.short_hash(identity, str(run))}"
            if identities.setdefault(cell_id, (identity, run)) != (identity, run):
                raise Collision(f"two different cells have the id {cell_id}; change `seed` or a parameter of one")
            cells.append(Cell(cell_id, index, run, (*arguments, f"--RngSeed={sweep.seed}", f"--RngRun={run}")))
    return cells


# Key of `capture` to the scenario's option.
_CAPTURE_OPTIONS = {
    "queue": "queue_trace",
    "pcap": "pcap",
    "snaplen": "snaplen",
    "ascii": "ascii",
    "anim": "anim",
}


def _capture(sweep):
    """What is traced, as far as it differs from the default, and the arguments that say so."""
    traces = sorted(sweep.capture.traces)
    identity, arguments = {}, []
    if traces != sorted(schema.default("capture", "traces")):
        identity["traces"] = traces
        arguments.append(f"--traces={','.join(traces) or 'none'}")
    for key, option in _CAPTURE_OPTIONS.items():
        value = getattr(sweep.capture, key)
        if key == "snaplen" and sweep.capture.pcap == "none":
            continue
        if value != schema.default("capture", key):
            identity[key] = value
            arguments.append(f"--{option}={units.text(value)}")
    return identity, tuple(arguments)


def _slug(scenario, row):
    """The readable half of an id: units speak for themselves, bare numbers carry their name."""
    parts = [scenario]
    for name in schema.slug_parameters(scenario):
        value = row[name]
        parts.append(units.text(value) if isinstance(value, str) else f"{name}{units.text(value)}")
    return _UNSAFE.sub("_", "-".join(parts))[:150]

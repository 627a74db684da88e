# SPDX-License-Identifier: MIT
"""What the simulator is told of a described network: an argument for each thing that is said of it.

Only what differs from its default is said, so that a new field with a default changes no id. Links, flows and traffic
stand in the order of the file, which numbers them, and their fields in the schema's; those of which there are none are
left out.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.base_network import Topology
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.sweep_record import InputFile
from tcpsweep.words import dotted_names, quantities

# What says that a thing is there, whatever else is said of it.
_ALWAYS = ("between", "from", "to", "kind", "variant")
_FILES = ("trace", "schedule", "sizes", "main", "object")


class Given(NamedTuple):
    """The value of an argument: its text, and what of it belongs to a cell's identity."""

    text: str
    identity: Any


def given(row: Settings, inputs: Mapping[str, InputFile], topology: Topology) -> Iterator[tuple[str, Given]]:
    """The arguments of a combination's network, by their names; none for another combination.

    A file is given by its whole path, and its content is part of the identity. Members' values are joined by commas,
    which none of them holds.
    """
    if not network_graph.is_described(row):
        return
    for name, value in row.items():
        parts = dotted_names.split(name)
        if parts is None or parts.field == "hosts" or not network_graph.count(row, parts.kind, parts.thing):
            continue
        if parts.kind == "traffic" and parts.field in ("from", "to"):
            number = network_graph.value(row, "traffic", parts.thing, "hosts", 1)
            listed = ",".join(network_graph.hosts(str(value), number))
            yield dotted_names.argument(name), Given(listed, listed)
            continue
        default = topology.defaults[parts.kind].get(parts.field)
        if value == default and parts.field not in _ALWAYS:
            continue
        text = quantities.text(value)
        if parts.field.removeprefix(dotted_names.BACK) in _FILES and text in inputs:
            yield dotted_names.argument(name), Given(inputs[text].path, inputs[text].content)
        else:
            yield dotted_names.argument(name), Given(text, value)

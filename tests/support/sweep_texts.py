# SPDX-License-Identifier: MIT
"""Sweep files as texts: their sweeps, their cells, and the messages about them."""

from tcpsweep.core.ns3 import catalogue, engine
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import cell_commands, checked_sweep
from tcpsweep.core.sweepfile.checks import ns3_check
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys import schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile

NS3 = Engine(None, "3.44", "0123456789ab")


def document_of(text, scenario="dumbbell"):
    return yaml_document.parse(f"sweep: s\nscenario: {scenario}\n{text}", "my.yaml")


def expanded(text, scenario="dumbbell"):
    """The sweep of a text that is valid by the schema, and its other mistakes."""
    data = document_of(text, scenario).data
    assert schema_check.problems(data) == []
    return grid.expand(SweepFile(data))


def sweep_of(text, scenario="dumbbell"):
    sweep, problems = expanded(text, scenario)
    assert problems == []
    return sweep


def cells(text, code="code", ns3=NS3):
    return cell_commands.cells(sweep_of(text), code, ns3, lambda: catalogue.types(engine.find()))


def ids(text, code="code", ns3=NS3):
    return [cell.id for cell in cells(text, code, ns3)]


def mistakes(text, scenario="dumbbell"):
    """The messages about a sweep file before there is an ns-3, a line each."""
    document = document_of(text, scenario)
    return str(document.mistakes(checked_sweep.expanded(document)[1])).splitlines()


def in_ns3(text):
    """The messages about a sweep file from its ns-3, a line each."""
    document = document_of(text)
    return str(document.mistakes(ns3_check.problems(document.data, engine.find()))).splitlines()

# SPDX-License-Identifier: MIT
"""Networks as sweep files, read without ns-3, and as command lines."""

from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import cell_commands, checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document

LINE = """\
sweep: s
scenario: network
network:
  links:
    first: {between: [a, b], bandwidth: 10Mbps, delay: 10ms}
    second: {between: [b, c], bandwidth: 8Mbps, delay: 20ms}
  flows:
    long: {from: a, to: c, count: 2}
    cross: {from: b, to: c, variant: cubic, start: 20s}
"""


def read(text, folder="."):
    document = yaml_document.parse(text, f"{folder}/my.yaml")
    sweep, problems = checked_sweep.expanded(document)
    assert not problems, str(document.mistakes(problems))
    return sweep


def commands(sweep):
    """The cells of a sweep, planned without ns-3."""
    return cell_commands.cells(sweep, "code", Engine(None, "3.44", "0123456789ab"), dict)


def mistakes(text, folder="."):
    document = yaml_document.parse(text, f"{folder}/my.yaml")
    told = str(document.mistakes(checked_sweep.expanded(document)[1]))
    return [line.removeprefix(f"{folder}/my.yaml:") for line in told.splitlines()]


def network(links, flows="long: {from: a, to: b}", more=""):
    return f"sweep: s\nscenario: network\nnetwork:\n  links:\n    {links}\n  flows:\n    {flows}\n{more}"


def described_options(**things):
    """The command line of links, flows and groups of traffic, each by its name with its fields."""
    return [
        f"--{kind}.{name}.{field}={value}"
        for kind, named in things.items()
        for name, fields in named.items()
        for field, value in fields.items()
    ]


# A network preset of a user.
PRESET = """\
description: Two routers
slug: [variant, rate]
parameters:
  rate: {like: bandwidth, default: 4Mbps}
  many: {description: Number of flows, type: integer, minimum: 1, maximum: 9, default: 2}
network:
  links:
    mid: {between: [r0, r1], bandwidth: $rate}
    begin: {between: ["s{i}", r0], count: $many, bandwidth: "${many} * ${rate} / 3"}
  flows:
    f: {from: "s{i}", to: r1, count: "${many}"}
"""

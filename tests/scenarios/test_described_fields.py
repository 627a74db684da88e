# SPDX-License-Identifier: MIT
"""The fields of links, flows and traffic: the simulator and the schema have the same, with the same defaults."""

from collections import defaultdict

import pytest

from tcpsweep.core.sweepfile.keys import network_fields
from tcpsweep.core.words import normal_forms, units
from tests.support.printed import printed

KINDS = tuple(network_fields.fields("traffic")["kind"]["enum"])
# Fields that only one of the two has. The file names nodes by a template. The run decides how a mix is assigned to
# flows. The program gives all traffic a variant, which calls over UDP ignore.
OF_THE_FILE = {"hosts"}
OF_THE_PROGRAM = {"realtime": {"assignment", "variant"}}


@pytest.fixture(scope="module")
def declared(variant_program):
    """What the simulator's fields are: kind and name to unit and default."""
    found = defaultdict(dict)
    for line in printed(variant_program("fields")).splitlines():
        kind, name, unit, default = line.split("\t")
        found[kind][name] = unit, default
    return found


def text(value, about):
    """A value in its normal form; a plain number, which a command line writes as any text, as one."""
    plain = isinstance(value, str) and value.isdigit()
    return units.value_text(normal_forms.normal(int(value) if plain else value, about.get("format")))


def in_the_schema(kind):
    """The same from the schema; fields without a default have none."""
    if kind not in KINDS:
        abouts = {name: about for name, about in network_fields.fields(kind).items() if "." not in name}
        return {name: (about, about.get("default")) for name, about in abouts.items()}
    names = network_fields.taken("traffic", {"kind": kind})
    abouts = {name: network_fields.fields("traffic")[name] for name in names}
    return {
        name: (about, about["kinds"].get(kind) if isinstance(about.get("kinds"), dict) else about.get("default"))
        for name, about in abouts.items()
    }


@pytest.mark.parametrize("kind", ["links", "flows", *KINDS])
def test_the_simulators_fields_and_defaults_are_the_schemas(declared, kind):
    assert set(declared) == {"links", "flows", *KINDS}
    expected = in_the_schema(kind)
    assert set(declared[kind]) - OF_THE_PROGRAM.get(kind, {"assignment"}) == set(expected) - OF_THE_FILE
    for name, (about, default) in expected.items():
        if name not in OF_THE_FILE:
            _, found = declared[kind][name]
            assert (found and text(found, about)) == ("" if default is None else text(default, about)), name

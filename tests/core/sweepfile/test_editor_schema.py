# SPDX-License-Identifier: MIT
"""The files generated from the schema: the schema for editors, and the scenarios' header."""

import json
import re

import jsonschema
import pytest

from tcpsweep.core.command_line.commands import listing, new_sweep
from tcpsweep.core.identity.source_folders import ROOT
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys import editor_schema, scenario_parameters
from tcpsweep.core.words import normal_forms

FILE = ROOT / "config" / "sweep.schema.json"
SWEEPS = sorted(
    path
    for path in [*(ROOT / "config").rglob("*.yaml"), *(ROOT / "tests" / "sweeps").glob("*.yaml")]
    if path.stem not in ("schema", "known-defects", "certificate-shares", "weights")
    and path.parent.name not in ("networks", "dossier")  # parts of sweep files
)
SAID = """\
sweep: said
scenario: dumbbell
grid: {variant: [TcpCubic, bbr+cubic], delay: [5ms]}
"""


@pytest.fixture(scope="module")
def validator():
    described = json.loads(FILE.read_text())
    jsonschema.Draft7Validator.check_schema(described)
    return jsonschema.Draft7Validator(described)


def wrong(validator, text, path="said.yaml"):
    return [list(error.absolute_path) for error in validator.iter_errors(yaml_document.parse(text, path).data)]


def test_the_schema_is_what_the_code_goes_by():
    assert FILE.read_text() == listing.schema_text(), "run `tcpsweep schema config/sweep.schema.json`"


def test_the_scenarios_header_has_the_units_and_defaults_of_the_schema():
    made = scenario_parameters.header_text()
    assert scenario_parameters.HEADER.read_text() == made, f"run `tcpsweep parameters {scenario_parameters.HEADER}`"


@pytest.mark.parametrize("path", SWEEPS, ids=lambda path: path.stem)
def test_every_shipped_sweep_file_is_right(path, validator):
    assert wrong(validator, path.read_text()) == []


@pytest.mark.parametrize("path", [path for path in SWEEPS if "config" in path.parts], ids=lambda path: path.stem)
def test_every_shipped_sweep_file_names_the_schema(path):
    assert new_sweep.schema_line(path) in path.read_text().splitlines()


@pytest.mark.parametrize(
    "text, place",
    [
        ("repetition: 3", []),
        ("fixed: {queue: 100}", ["fixed", "queue"]),
        ("fixed: {bandwith: 5Mbps}", ["fixed"]),
        ("fixed: {bandwidth: 5mbps}", ["fixed", "bandwidth"]),
        ("fixed: {stations: 3}", ["fixed"]),
        ("fixed: {loss: 2}", ["fixed", "loss"]),
        ("attributes: {TcpSocket: 3}", ["attributes"]),
        ("network: {links: {a: {between: [x, y]}}}", ["network"]),
    ],
)
def test_a_mistake_is_found_at_its_place(text, place, validator):
    assert wrong(validator, SAID + text) == [place]


def test_names_and_explanations_are_offered(validator):
    assert {"TcpBbr", "TcpWestwood"} <= set(validator.schema["definitions"]["baseline-2"]["enum"])
    about = validator.schema["properties"]["attributes"]["properties"]["ns3::TcpSocket::InitialCwnd"]
    assert re.search(r"initial congestion window.*Default in ns-3: 10\.", about["description"])


@pytest.mark.parametrize(
    "name, texts",
    {
        "rate": ["10Mbps", "1.5e3kb/s", ".5GiB/s", "8bps"],
        "time": ["0s", "1.5ms", "2min", "1e-3s"],
        "none-or-queue-size": ["none", "64kB", "0.5bdp", "10p"],
        "ecn-threshold": ["none", "1ms", "20p", "0.2bdp"],
        "auto-or-bytes": ["auto", "4MiB"],
        "share": ["1%", "0.5 %", "1e-3"],
        "times": ["exponential:1s", "2ms", "constant:1s"],
        "flows-or-rate": ["max", "5Mbps"],
    }.items(),
)
def test_what_is_right_matches_its_pattern(name, texts):
    for text in texts:
        normal_forms.formats()[name](text)
        assert re.search(f"^({editor_schema.PATTERNS[name]})$", text)

# SPDX-License-Identifier: MIT
"""Which corrections are in force: the plan, the record of a simulation, and the report say so."""

import html
import json
import re

import pytest

from tcpsweep.core.sweep import ns3_tcp, sweep_record
from tcpsweep.features.corrections.correction_names import CORRECTIONS
from tcpsweep.features.corrections.ingredient import INGREDIENT
from tests.support.sweep_texts import sweep_of

# Those that make a difference to each variant of the small sweep.
OF_NEWRENO = {*CORRECTIONS} - {"bbr", "cubic", "rate_sample", "reno", "window_after_recovery"}
OF_CUBIC = OF_NEWRENO | {"cubic"}
TODAY = "TCP as it runs today (`tcp: corrected`): ns-3 3.44 with all 15 corrections and Linux' settings"


@pytest.mark.long
def test_a_finished_sweep_says_which_corrections_are_in_force(finished):
    folder = finished / "results" / "sweeps" / "small"
    assert sweep_record.read(folder).corrections == {"all": [*CORRECTIONS]}
    cells = (finished / "results" / "cells").glob("*/*/run.json")
    of_each = {",".join(sorted(names)) for names in (OF_NEWRENO, OF_CUBIC)}
    assert {json.loads(path.read_text())["parameters"]["corrections"] for path in cells} == of_each
    told = json.loads((folder / "attributes.json").read_text())
    assert {each["attributes"]["tcpsweep::Corrections"] for each in told} == of_each
    page = html.unescape(re.sub("<[^>]+>", " ", (finished / "reports" / "small.html").read_text()))
    assert re.search(r"TCP as it runs today \(\s*tcp: corrected\s*\): ns-3 3.44 with all 15 corrections", page)
    assert "prr : Proportional rate reduction follows RFC 9937" in page


@pytest.mark.long
def test_a_plan_says_which_corrections_are_in_force(copy_of_finished):
    told = copy_of_finished.run("-n").text
    assert f"tcpsweep: {TODAY}" in told.splitlines()


def test_an_axis_is_said_value_by_value():
    said = {"none": [], "all": ["prr", "rate_sample", "window_after_recovery"], "prr": ["prr"]}
    assert ns3_tcp.corrections_in_words(said) == "none; all: prr, rate_sample, window_after_recovery; prr"
    assert ns3_tcp.corrections_in_words({"none": []}) == "none"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", [TODAY]),
        ("tcp: ns-3", ["ns-3's own TCP (`tcp: ns-3`): ns-3 3.44 with no corrections and its own settings"]),
        ("tcp: ns-3\nfixed: {preset: linux}", ["ns-3 3.44 with no corrections and Linux' settings"]),
        ("fixed: {preset: datacentre}", ["ns-3 3.44 with all 15 corrections and the settings of a data centre"]),
        ("corrections: [prr]\nfixed: {preset: none}", ["ns-3 3.44 with the correction prr and its own settings"]),
        (
            "grid: {preset: [linux, none], corrections: [prr+reno]}",
            [f"ns-3 3.44 with the corrections prr, reno and {settings} settings" for settings in ("Linux'", "its own")],
        ),
        ("fixed: {stack: linux}", []),
    ],
)
def test_which_tcp_runs_is_said(text, said):
    rows = sweep_of(text).combinations
    assert ns3_tcp.in_words(rows, INGREDIENT.selected(rows, "3.44"), "3.44") == "; ".join(said)

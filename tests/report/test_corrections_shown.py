# SPDX-License-Identifier: MIT
"""Which corrections are in force: the plan, the record of a simulation, and the report say so."""

import html
import json
import re

import pytest

from tcpsweep.sweep import corrections_in_force, sweep_record


@pytest.mark.long
def test_a_finished_sweep_says_which_corrections_are_in_force(finished):
    folder = finished / "results" / "sweeps" / "small"
    assert sweep_record.read(folder).corrections == {"default": ["prr", "rate_sample", "window_after_recovery"]}
    cells = (finished / "results" / "cells").glob("*/*/run.json")
    assert {json.loads(path.read_text())["parameters"]["corrections"] for path in cells} == {"prr"}  # none has BBR
    told = json.loads((folder / "attributes.json").read_text())
    assert {each["attributes"]["tcpsweep::Corrections"] for each in told} == {"prr"}
    page = html.unescape(re.sub("<[^>]+>", " ", (finished / "reports" / "small.html").read_text()))
    assert re.search(r"Corrections of ns-3\s+prr, rate_sample, window_after_recovery", page)
    assert "prr : Proportional rate reduction follows RFC 9937" in page


@pytest.mark.long
def test_a_plan_says_which_corrections_are_in_force(copy_of_finished):
    told = copy_of_finished.run("-n").text
    assert "tcpsweep: ns-3 3.44, corrections: prr, rate_sample, window_after_recovery" in told


def test_an_axis_is_said_value_by_value():
    said = {"none": [], "default": ["prr", "rate_sample", "window_after_recovery"], "prr": ["prr"]}
    assert corrections_in_force.in_words(said) == "none; default: prr, rate_sample, window_after_recovery; prr"
    assert corrections_in_force.in_words({"none": []}) == "none"

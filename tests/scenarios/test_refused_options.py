# SPDX-License-Identifier: MIT
"""Options that cannot be, by the table in `refused.yaml`."""

from pathlib import Path

import pytest
import yaml

CASES = [
    (rows["program"], f"{rows.get('always', '')} {options}", words)
    for rows in yaml.safe_load((Path(__file__).parent / "refused.yaml").read_text())
    for options, words in rows["refused"].items()
]


@pytest.mark.parametrize(("scenario", "options", "words"), CASES)
def test_options_that_cannot_be_are_one_message_and_no_file(program, refused_by, scenario, options, words):
    named = dict(option.split("=", 1) for option in options.split())  # the last one holds
    message = refused_by(program(scenario), *(f"{name}={value}" for name, value in named.items()))
    assert [word for word in words if word not in message] == [], message

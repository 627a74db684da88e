# SPDX-License-Identifier: MIT
"""The messages about figures and tables that a sweep file asks for in a wrong way."""

from pathlib import Path

import pytest

from tcpsweep.core.sweepfile.asked import figures_and_tables
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys import schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile

HERE = Path(__file__).parent
SWEEP = (HERE / "mistakes.txt").read_text().partition("\n\n")[0] + "\n"


def told(text):
    """The messages about the figures and tables of a sweep file, a line each."""
    document = yaml_document.parse(text, "my.yaml")
    found = schema_check.problems(document.data)
    if not found:
        sweep, found = grid.expand(SweepFile(document.data))
        found = found + figures_and_tables.problems(SweepFile(document.data), sweep)
    return str(document.mistakes(found)).splitlines()


def cases(name):
    """A file's sweep file with each of the requests at its end, and the messages about it."""
    sweep, *requests = (HERE / name).read_text().strip().split("\n\n")
    for request in requests:
        lines = request.splitlines()
        yield (
            "\n".join([sweep, *(line for line in lines if not line.startswith("  "))]),
            [f"my.yaml:{line.strip()}" for line in lines if line.startswith("  ")],
        )


@pytest.mark.parametrize("name", ["mistakes.txt", "mistakes_of_parts.txt"])
def test_each_mistake_is_told_with_its_place_and_what_to_write_instead(name):
    found = [(text, told(text)) for text, _ in cases(name)]
    assert found == list(cases(name))
    assert len(found) > 6


def test_more_than_sixty_figures_are_too_many():
    every = "{title: t, show: [cwnd], each: [variant, delay, flows]}"
    assert told(f"{SWEEP}figures: [{', '.join([every] * 7)}]") == []
    (line,) = told(f"{SWEEP}figures: [{', '.join([every] * 8)}]")
    assert "figures: expected at most 60 figures in all, these make 64" in line

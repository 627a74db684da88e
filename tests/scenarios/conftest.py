# SPDX-License-Identifier: MIT
"""The programs that test links and recovery: those in `tests/programs/`."""

import functools
from dataclasses import dataclass

import pytest

from tcpsweep.core.measure import cell_metrics
from tcpsweep.core.parse import raw_files
from tcpsweep.core.sweep.span import Span
from tests.support import transfers
from tests.support.cell import Cell
from tests.support.networks import described_options
from tests.support.printed import called, printed, refusal, written


def pytest_itemcollected(item):
    """Mark tests as long that compile a program of `tests/programs/`, or a variant of ours."""
    if {"variant_program", "library_of"} & set(item.fixturenames):
        item.add_marker(pytest.mark.long)


@dataclass
class LinkRun:
    """The events and counts of a link."""

    rows: list[tuple]  # (event, time in ns, packet, bytes)
    end: dict[str, int]

    def times(self, *events):
        """The time of each packet's event, in ns, by packet."""
        return {packet: time for event, time, packet, _ in self.rows if event in events}

    def order(self, event):
        """The packets in the order of an event."""
        return [packet for what, _, packet, _ in self.rows if what == event]


@pytest.fixture(scope="session")
def changing_link(variant_program):
    """Runs packets over a link with these options; returns its events and counts."""

    def changing_link(**options):
        lines = printed(variant_program("changing-link"), *written(options)).splitlines()
        *rows, end = (line.split() for line in lines)
        counts = {name: int(value) for name, value in (pair.split("=") for pair in end)}
        return LinkRun([(row[0], *map(int, row[1:])) for row in rows], counts)

    return changing_link


@pytest.fixture(scope="session")
def refused_link(variant_program):
    """The program's message about options that exclude each other, or about an unreadable file."""
    return lambda **options: refusal(variant_program("changing-link"), *written(options))


@pytest.fixture(scope="session")
def link_parts(variant_program):
    """Calls parts of links, one call per line in the program's format; returns each call's line of output."""
    return lambda *calls: called(variant_program("link-parts"), calls)


@pytest.fixture(scope="session")
def transfer(variant_program):
    """Sends one flow over a link that loses, holds or delays chosen segments; see `transfers.run`."""
    return functools.partial(transfers.run, variant_program("recovery"))


@pytest.fixture(scope="session")
def window(variant_program):
    """Runs one flow of `tests/programs/window.cc`; returns what changed: (what, time in s, value)."""

    def window(*arguments, **options):
        lines = printed(variant_program("window"), *arguments, *written(options)).splitlines()
        return [(what, float(time), float(value)) for what, time, value in map(str.split, lines)]

    return window


@pytest.fixture(scope="module")
def kept(program, tmp_path_factory):
    """Run a cell of a program for several tests of a file, which only read it."""

    def kept(scenario, *arguments):
        out = tmp_path_factory.mktemp("cell")
        printed(program(scenario), *arguments, f"--out={out}")
        return Cell(out)

    return kept


@pytest.fixture
def measured(tmp_path):
    """Parse and measure a cell; returns its tables, and its metrics by their place and name.

    The place is a link with its direction, a group of traffic, a flow, or None for the whole network.
    """

    def measured(cell, from_s, to_s):
        out = tmp_path / "parsed"
        out.mkdir(exist_ok=True)
        parsed = raw_files.cell(cell.folder, out)
        found = cell_metrics.tables(parsed, "c", Span(from_s, to_s))["measures"]
        rows = found.select("link", "direction", "traffic", "flow", "metric", "value").rows()
        return parsed, {
            ((link, way) if link else traffic or flow, metric): value
            for link, way, traffic, flow, metric, value in rows
        }

    return measured


@pytest.fixture
def described(program, simulated):
    """Run a cell of a network by hand, of links, flows and groups of traffic by their names."""

    def described(links, flows, *others, traffic=None, name="out"):
        things = described_options(links=links, flows=flows, traffic=traffic or {})
        return simulated(program("network"), *things, *others, name=name)

    return described

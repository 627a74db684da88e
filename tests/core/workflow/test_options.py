# SPDX-License-Identifier: MIT
"""Common options of Snakemake on a finished sweep: its graph, forced rules, and one simulation by its name."""

import itertools
import re
import shutil

import pytest

from tests.support.project import KEPT
from tests.support.recipes import blocks


def cells_times(project):
    return {cell.parent.name: cell.stat().st_mtime_ns for cell in project.cells()}


def tables(project):
    return {
        path.parent.parent.name + path.name: path.read_bytes()
        for path in project.folder.glob("results/cells/*/*/*.parquet")
    }


@pytest.mark.long
def test_the_graph_of_a_finished_sweep_shows_all_its_rules(copy_of_finished):
    text = copy_of_finished.run("--rulegraph", sweep=KEPT).text
    labels = dict(re.findall(r'(\d+)\[label = "(\w+)"', text))
    edges = {(labels[before], labels[after]) for before, after in re.findall(r"(\d+) -> (\d+)", text)}
    (graph,) = blocks("mermaid", "snakemake")
    lines = [line.strip().split(" --> ") for line in graph.splitlines()[1:]]
    assert {*labels.values()} == {rule for line in lines for rule in line}
    assert {pair for line in lines for pair in itertools.pairwise(line)} <= edges


@pytest.mark.long
def test_a_forced_rule_simulates_finished_simulations_again_and_the_next_run_has_nothing_to_do(copy_of_finished):
    times, before = cells_times(copy_of_finished), tables(copy_of_finished)
    ran = copy_of_finished.run(copy_of_finished.tables(), "-R", "simulate", sweep=KEPT)
    assert ran.status == 0, ran.text
    assert ran.simulated == times.keys()
    assert set(ran.jobs) == {"simulate", "summarise"}
    assert all(time > times[cell] for cell, time in cells_times(copy_of_finished).items())
    assert tables(copy_of_finished) == before
    assert copy_of_finished.run(copy_of_finished.tables(), sweep=KEPT).jobs == {}


@pytest.mark.long
def test_one_simulation_is_made_by_the_name_of_its_file(copy_of_finished):
    gone, *others = copy_of_finished.cells()
    target = (gone / "flows.parquet").relative_to(copy_of_finished.folder)
    before = (copy_of_finished / target).read_bytes()
    shutil.rmtree(gone.parent)
    shutil.rmtree(others[0].parent)
    shutil.rmtree(copy_of_finished / "results" / "raw")
    ran = copy_of_finished.run(target, sweep=KEPT)
    assert ran.jobs == {"simulation": 1}, ran.text
    assert (copy_of_finished / target).read_bytes() == before
    assert not others[0].exists()
    assert copy_of_finished.run(target, sweep=KEPT).jobs == {}
    refused = copy_of_finished.run(str(target).replace(gone.parent.name, "other"), sweep=KEPT)
    assert "small has no simulation other" in refused.text

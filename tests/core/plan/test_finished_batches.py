# SPDX-License-Identifier: MIT
"""Batches of finished simulations, which run only if a person forces them."""

from pathlib import Path

import pytest

from tcpsweep.core.plan import plan
from tcpsweep.core.store import digests, layout
from tests.support.project import SMALL


@pytest.fixture
def finished(here, monkeypatch):
    """A sweep file whose simulations all have results, where no program is compiled."""
    monkeypatch.setenv("TCPSWEEP_BUILD", str(here / "empty"))
    Path("sweep.yaml").write_text(SMALL)
    planned = plan.without_work("sweep.yaml")
    for run in planned.runs:
        for measure in (None, planned.measures[run.combination]):
            folder = Path(layout.path_text(run.cell, planned.parser, measure))
            folder.mkdir(parents=True)
            digests.write(folder)
    return "sweep.yaml"


def test_they_have_a_plan_file_that_is_written_once_and_the_programs_that_they_would_need(finished):
    planned = plan.prepare(finished)
    assert (len(planned.again), sum(map(len, planned.jobs.values()))) == (1, 0)
    assert planned.compiles.keys() == {("compile", "dumbbell")}
    (stamp,) = map(Path, planned.stamps())
    inode = stamp.with_suffix(".json").stat().st_ino
    assert plan.prepare(finished).again == planned.again
    assert stamp.with_suffix(".json").stat().st_ino == inode
    assert stamp.stat().st_mtime < 2


def test_a_plan_beside_a_running_sweep_has_none(finished):
    assert plan.prepare(finished, lock=lambda _: False).again == []

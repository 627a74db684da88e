# SPDX-License-Identifier: MIT
"""Two sweeps at a time in one results/: they share cells, and if one is killed, the other takes over its cells."""

import os
import signal

import pytest

from tests.support.programs import replace
from tests.support.project import SMALL, wait_for

pytestmark = pytest.mark.long

SECOND = SMALL.replace("sweep: small", "sweep: other").replace("[5ms, 10ms]", "[10ms, 20ms]")


@pytest.fixture
def counted(project, dumbbell):
    """A project whose simulators list their starts in `begun`, and wait while `hold` exists."""
    project.own_build(dumbbell)
    program = next(project.folder.glob("build/ns*/dumbbell-*/dumbbell"))
    lines = [
        "#!/bin/sh",
        '[ "$1" != --serve ] || exit 2',
        'echo "$*" | sed s/--out=.*// >> begun',
        "sleep 1",
        "while [ -e hold ]; do sleep 0.1; done",
    ]
    replace(program, [*lines, f'exec {dumbbell} "$@"'])
    (project / "sweep.yaml").write_text(SMALL)
    (project / "other.yaml").write_text(SECOND)
    return project


def begun(project):
    file = project / "begun"
    return file.read_text().splitlines() if file.exists() else []


def scratch(project):
    """What is left of cells that were never finished, and of claims."""
    return [path for path in project.folder.glob("results/*/.*")] + list(project.folder.glob("results/claims/*"))


def test_cells_that_two_sweeps_share_are_simulated_once(counted):
    (counted / "hold").touch()
    runs = [
        counted.start(counted.tables(name), sweep=f"{file}.yaml")
        for name, file in {"small": "sweep", "other": "other"}.items()
    ]
    wait_for(lambda: begun(counted), runs[0])
    refused = counted.run(counted.tables())
    assert refused.status == 1
    assert "results/sweeps/small is in use by the sweep small, process" in refused.text
    planned = counted.run("-n")
    assert planned.status == 0, planned.text
    (counted / "hold").unlink()
    for run in runs:
        text, _ = run.communicate()
        assert run.returncode == 0, text
    assert len(begun(counted)) == len(set(begun(counted))) == 8 + 4
    assert not scratch(counted)


def test_a_sweep_takes_over_what_another_had_begun_when_it_was_killed(counted):
    killed = counted.start(counted.tables(), start_new_session=True)
    wait_for(lambda: begun(counted), killed)
    other = counted.start(counted.tables("other"), sweep="other.yaml")
    wait_for(lambda: len(begun(counted)) > 3, other)
    os.killpg(killed.pid, signal.SIGKILL)
    text, _ = other.communicate()
    assert other.returncode == 0, text
    assert len(begun(counted)) <= len(set(begun(counted))) + 2  # the two that were killed
    ran = counted.run(counted.tables())
    assert ran.status == 0, ran.text
    assert len(set(begun(counted))) == 8 + 4
    assert not scratch(counted)

# SPDX-License-Identifier: MIT
"""Real ns-3 shows each known defect that has a sweep."""

from pathlib import Path

import pytest
import yaml

from tcpsweep.core.command_line.terminal import finished_sweep
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.features.corrections import defects_file
from tcpsweep.features.expectations.expectation import expectations_of
from tests.support.project import Project

SHOWN = [each for each in defects_file.defects() if each.shown_by]
each_shown = pytest.mark.parametrize("defect", SHOWN, ids=lambda defect: defect.name.replace(" ", "-"))


def text(defect):
    head = {"sweep": "shown", "scenario": "dumbbell", "pages": False}
    return yaml.safe_dump(head | defect.shown_by, sort_keys=False)


@each_shown
def test_a_defects_sweep_is_right_and_expects_something(defect):
    sweep, problems = checked_sweep.expanded(yaml_document.parse(text(defect), "shown.yaml"))
    assert problems == [] and expectations_of(sweep)


@pytest.fixture(scope="module")
def project(tmp_path_factory, build_folder):
    return Project(tmp_path_factory.mktemp("defects"), build_folder)


@pytest.mark.long
@each_shown
def test_ns3_has_the_defect(project, defect, monkeypatch):
    ran = project.run(project.tables("shown"), sweep=text(defect))
    assert ran.status == 0, ran.text
    monkeypatch.chdir(project.folder)
    assert finished_sweep.closing_of_tables(Path("results/sweeps/shown")).unmet == ""

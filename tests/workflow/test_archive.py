# SPDX-License-Identifier: MIT
"""A finished sweep as one file: its content, and its use on another machine."""

import json
import os
import subprocess
import zipfile

import pytest

import tcpsweep
from tcpsweep.applications.archive import contents
from tests.support.project import TCPSWEEP, step

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def archived(finished, tmp_path_factory):
    """The finished small sweep's archive, in a folder of its own."""
    file = tmp_path_factory.mktemp("archive") / "small.zip"
    done = step(finished, "archive", "small", "--to", str(file), "--author", "A. Student")
    assert done.returncode == 0, done.stderr
    assert "8 simulations" in done.stdout
    return file


def elsewhere(file, build, *options):
    environment = os.environ | {"TCPSWEEP_BUILD": str(build)}
    command = [TCPSWEEP, "verify", file.name, *options]
    return subprocess.run(command, cwd=file.parent, env=environment, capture_output=True, text=True, check=False)


def test_an_archive_says_what_it_holds_and_opens_as_a_folder_does(archived, tmp_path):
    with zipfile.ZipFile(archived) as packed:
        packed.extractall(tmp_path)
        names = packed.namelist()
    graph = {entity["@id"]: entity for entity in json.loads((tmp_path / contents.METADATA).read_text())["@graph"]}
    assert graph[contents.METADATA]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    for part in graph["./"]["hasPart"]:
        assert (tmp_path / part["@id"]).exists()
        if graph[part["@id"]]["@type"] == "File":
            assert int(graph[part["@id"]]["contentSize"]) == (tmp_path / part["@id"]).stat().st_size
    assert graph[graph["./"]["author"][0]["@id"]]["name"] == "A. Student"
    assert {"reports/small.html", "study/small.yaml", "environment/requirements.txt"} <= {
        name.replace("study/sweep.yaml", "study/small.yaml") for name in names
    }
    opened = tcpsweep.open("small", tmp_path)
    assert opened.runs.collect()["run"].n_unique() == 2
    assert "8 of 8 runs finished" in repr(opened)


def test_an_archive_runs_again_elsewhere_with_equal_bytes(archived, finished):
    done = elsewhere(archived, finished.folder / "build")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 of 8 simulations run again are equal, byte for byte" in done.stdout


def test_differences_in_an_archive_are_named(archived, finished, tmp_path):
    file = tmp_path / "other.zip"
    with zipfile.ZipFile(archived) as packed, zipfile.ZipFile(file, "w") as changed:
        names = packed.namelist()
        place = next(name for name in names if name.endswith("traces.parquet"))
        for name in names:
            data = packed.read(name)
            changed.writestr(name, data[:-9] + b"x" + data[-8:] if name == place else data)
    done = elsewhere(file, finished.folder / "build", "--read")
    assert done.returncode == 1
    assert "traces.parquet: differs from its checksum" in done.stdout
    file.write_bytes(b"no archive")
    done = elsewhere(file, finished.folder / "build")
    assert (done.returncode, done.stdout) == (1, "")
    assert "other.zip: File is not a zip file; expected a file that `tcpsweep archive` wrote" in done.stderr


def test_sweeps_that_cannot_be_archived_are_reported(finished, archived):
    again = step(finished, "archive", "small", "--to", str(archived))
    assert again.returncode == 1
    assert "already exists" in again.stderr

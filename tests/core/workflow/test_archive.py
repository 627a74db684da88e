# SPDX-License-Identifier: MIT
"""A finished sweep as one file: its content, and its use on another machine."""

import json
import re

import pyarrow
import pytest

import tcpsweep
from tcpsweep.features.archive import contents
from tests.support.project import step

pytestmark = pytest.mark.long


def test_an_archive_says_what_it_holds_and_opens_as_a_folder_does(unpacked):
    graph = {entity["@id"]: entity for entity in json.loads((unpacked / contents.METADATA).read_text())["@graph"]}
    assert graph[contents.METADATA]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    for part in graph["./"]["hasPart"]:
        assert (unpacked / part["@id"]).exists()
        if graph[part["@id"]]["@type"] == "File":
            assert int(graph[part["@id"]]["contentSize"]) == (unpacked / part["@id"]).stat().st_size
    assert graph[graph["./"]["author"][0]["@id"]]["name"] == "A. Student"
    assert f"\npyarrow=={pyarrow.__version__}\n" in (unpacked / "environment" / "installed.txt").read_text()
    for name in ("reports/small.html", "study/sweep.yaml", "environment/requirements.txt"):
        assert (unpacked / name).is_file()
    opened = tcpsweep.open("small", unpacked)
    assert opened.runs.collect()["run"].n_unique() == 2
    assert "8 of 8 runs finished" in repr(opened)


def test_an_archive_runs_again_elsewhere_with_equal_bytes_and_a_folder_again_in_it_is_no_matter(
    unpacked, repacked, verified
):
    (unpacked / "again").mkdir()
    (unpacked / "again" / "x").write_text("x")
    done = verified(repacked())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 of 8 simulations run again are equal, byte for byte" in done.stdout


def test_all_that_is_damaged_is_named_also_where_digests_are(unpacked, repacked, verified):
    sweep = unpacked / "results/sweeps/small"
    traces = next(unpacked.glob("results/cells/**/traces.parquet"))
    traces.write_bytes(traces.read_bytes()[:-9] + b"x" + traces.read_bytes()[-8:])
    for name in ("SHA256SUMS", "complete"):
        (sweep / name).write_bytes((sweep / name).read_bytes()[:-2] + b"?\n")
    figure = next((sweep / "figures").glob("*.svg"))
    for path in (sweep / "summary.csv", figure):
        path.write_text(path.read_text() + " ")
    done = verified(repacked(), "--read")
    assert done.returncode == 1
    for name in ("SHA256SUMS", "complete", "summary.csv", figure.name, "traces.parquet"):
        assert re.search(rf"{re.escape(name)}: differs from its checksum", done.stdout), (name, done.stdout)
    assert "; the archive was changed or damaged after it was packed, so nothing runs again: " in done.stdout
    assert "run the sweep again" not in done.stdout


def test_files_that_are_no_archive_or_already_there_are_refused(archived, finished, verified, tmp_path):
    other = tmp_path / "other.zip"
    other.write_bytes(b"no archive")
    done = verified(other)
    assert (done.returncode, done.stdout) == (1, "")
    assert "other.zip: File is not a zip file; expected a file that `tcpsweep archive` wrote" in done.stderr
    again = step(finished, "archive", "small", "--to", str(archived))
    assert again.returncode == 1
    assert "already exists" in again.stderr

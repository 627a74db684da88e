# SPDX-License-Identifier: MIT
"""Archives and folders of strangers: nothing in them is executed unasked, and nothing false in them passes."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tcpsweep.applications.archive import contents
from tcpsweep.store import digests
from tests.support.project import TCPSWEEP, step
from tests.support.tools import PATIENCE_S

pytestmark = pytest.mark.long
TOLD = "executed"  # what foreign code writes


@pytest.fixture(scope="module")
def archived(finished, tmp_path_factory):
    """The finished small sweep's archive."""
    file = tmp_path_factory.mktemp("archive") / "small.zip"
    done = step(finished, "archive", "small", "--to", str(file))
    assert done.returncode == 0, done.stderr
    return file


@pytest.fixture
def unpacked(archived, tmp_path):
    """The archive, unpacked to be changed."""
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(archived) as packed:
        packed.extractall(folder)
    return folder


def pack(folder, file):
    """Pack a folder."""
    with zipfile.ZipFile(file, "w") as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                packed.write(path, path.relative_to(folder).as_posix())
    return file


def verified(file, finished, *options, **environment):
    """What `tcpsweep verify` does with a file, in a folder of its own."""
    work = file.parent / "work"
    work.mkdir(exist_ok=True)
    return subprocess.run(
        [TCPSWEEP, "verify", file, *options],
        cwd=work,
        env=os.environ | {"TCPSWEEP_BUILD": str((finished.folder / "build").resolve())} | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def renew(folder):
    """Write the digests of tables and of the last step again, as one does who changes a table."""
    sweep = folder / "results/sweeps/small"
    digests.write(sweep, digests.legible(sweep), made_of=digests.made_of(sweep))
    ended = json.loads((sweep / "complete").read_text())
    for files in ended["made"].values():
        for path in files:
            files[path] = hashlib.sha256((folder / path).read_bytes()).hexdigest()
    ended["digest"] = hashlib.sha256(json.dumps([ended["made"], ended["tables"]], sort_keys=True).encode()).hexdigest()
    (sweep / "complete").write_text(json.dumps(ended))


def sweep_file(folder):
    """The sweep file of an unpacked archive."""
    return next((folder / contents.STUDY).glob("*.yaml"))


def test_a_forged_summary_with_renewed_digests_is_found(unpacked, finished, tmp_path):
    table = unpacked / "results/sweeps/small/summary.csv"
    text = table.read_text()
    number = re.search(r"0\.[0-9]{4,}", text)[0]
    table.write_text(text.replace(number, "0.8", 1))
    renew(unpacked)
    file = pack(unpacked, tmp_path / "forged.zip")
    assert verified(file, finished, "--read").returncode == 0  # the digests are those of the forgery
    done = verified(file, finished)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "summary.csv: differs from what the cells give" in done.stdout
    assert re.search(r"tables +[0-9]+ +[0-9]+ +1$", done.stdout, re.MULTILINE)
    assert re.search(r"simulations, run again +8 +8 +0$", done.stdout, re.MULTILINE)
    assert "not compared: report, figures" in done.stdout


def test_forged_closing_words_are_found(unpacked, finished, tmp_path):
    ended = unpacked / "results/sweeps/small/complete"
    record = json.loads(ended.read_text())
    record["tables"]["table"] += "\nTcpCubic is best."
    ended.write_text(json.dumps(record))
    renew(unpacked)
    done = verified(pack(unpacked, tmp_path / "forged.zip"), finished)
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"claims +[0-9]+ +[0-9]+ +1$", done.stdout, re.MULTILINE)


@pytest.fixture
def foreign_ns3(unpacked, tmp_path):
    """An archive whose sweep file names an ns-3 in it, a header of which runs code when a program starts."""
    import ns3

    wheel, prefix = Path(next(iter(ns3.__path__))), unpacked / "study" / "engine"
    shutil.copytree(wheel / "include", prefix / "include")
    for folder in ("lib", "lib64"):
        if (wheel / folder).is_dir():
            shutil.copytree(wheel / folder, prefix / folder)
    header = prefix / "include/ns3/core-config.h"
    told = tmp_path / TOLD
    header.write_text(
        header.read_text() + "\n#include <cstdio>\nnamespace { struct Tell { Tell() "
        f'{{ if (auto f = std::fopen("{told}", "w")) std::fclose(f); }} }} tell; }}\n'
    )
    file = sweep_file(unpacked)
    file.write_text(file.read_text() + "\nns3: {prefix: engine}\n")
    return unpacked


def test_the_ns3_of_an_archive_runs_only_when_asked(foreign_ns3, finished, tmp_path):
    file = pack(foreign_ns3, tmp_path / "foreign.zip")
    done = verified(file, finished, "--most", "4GB")
    assert not (tmp_path / TOLD).exists(), done.stdout
    # Our own ns-3 made the cells, and makes them again; but the sweep file is not the one of which the plan was made.
    assert "8 of 8 cells run again are equal to the byte" in done.stdout, done.stdout + done.stderr
    assert "sweep.yaml: differs" in done.stdout
    assert done.returncode == 1
    asked = verified(file, finished, "--most", "4GB", "--run-code")
    assert "code that the archive's authors wrote" in asked.stdout
    assert asked.returncode == 3, asked.stdout + asked.stderr  # another header is another ns-3: none has these names
    assert "0 of 8 cells run again" in asked.stdout

# SPDX-License-Identifier: MIT
"""Archives and folders of strangers: no code in them is executed unasked, and no false content passes."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
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
    assert verified(file, finished, "--read").returncode == 0  # the digests match the forgery
    done = verified(file, finished)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "summary.csv: differs from the table made from the simulations" in done.stdout
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
    # Our own ns-3 made the cells, and makes them again; but the plan was made from another sweep file.
    assert "8 of 8 simulations run again are equal, byte for byte" in done.stdout, done.stdout + done.stderr
    assert "sweep.yaml: differs" in done.stdout
    assert done.returncode == 1
    asked = verified(file, finished, "--most", "4GB", "--run-code")
    assert "code that the archive's authors wrote" in asked.stdout
    assert asked.returncode == 3, asked.stdout + asked.stderr  # another header is another ns-3: none has these names
    assert "0 of 8 simulations run again" in asked.stdout


def tells(tmp_path):
    """Python that says that it was executed."""
    return f"open({str(tmp_path / TOLD)!r}, 'w').close()\n"


def test_code_in_the_working_folder_is_not_executed(copy_of_finished, tmp_path):
    folder = copy_of_finished.folder
    shutil.rmtree(folder / "results" / "cells")
    for name in ("tcpsweep", "profiles"):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / "tcpsweep").mkdir()
    (folder / "tcpsweep" / "__init__.py").write_text(tells(tmp_path))
    (folder / "profiles" / "default").mkdir(parents=True)
    (folder / "evil.smk").write_text(tells(tmp_path))
    (folder / "profiles" / "default" / "config.yaml").write_text("snakefile: evil.smk\nconfigfile: [evil.yaml]\n")
    environment = os.environ | {"TCPSWEEP_BUILD": str((folder / "build").resolve())}
    done = subprocess.run(
        [TCPSWEEP, "sweep", "sweep.yaml"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / TOLD).exists()


def test_modules_for_snakemake_in_the_working_folder_are_refused(here):
    Path("sweep.yaml").write_text("sweep: small\nscenario: dumbbell\nfixed: {duration: 1s, warmup: 0s}\n")
    modules = here / ".snakemake" / "pip-deployments"
    modules.mkdir(parents=True)
    done = subprocess.run([TCPSWEEP, "sweep", "sweep.yaml", "-n"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{modules} is there, and Snakemake would execute modules in it" in done.stderr


@pytest.mark.parametrize("command", [["check", "--without-ns3"], ["check"], ["sweep"], ["sweep", "-n"]])
def test_a_sweep_file_that_snakemake_would_execute_is_refused(here, command):
    told = here / TOLD
    text = f"__use_yte__: true\n? open({str(told)!r}, 'w').close()\n: 1\nsweep: small\nscenario: dumbbell\n"
    Path("sweep.yaml").write_text(text)
    name, *options = command
    arguments = [*options, "sweep.yaml"] if name == "check" else ["sweep.yaml", *options]
    done = subprocess.run([TCPSWEEP, name, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "sweep.yaml:1:1: __use_yte__: remove this key" in done.stderr
    assert not told.exists()


def test_one_cell_is_not_run_by_the_program_that_a_folder_names(copy_of_finished, tmp_path):
    table = copy_of_finished / "results/sweeps/small/commands.json"
    commands = json.loads(table.read_text())
    cell = next(iter(commands))
    evil = tmp_path / "dumbbell"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path / TOLD}\n")
    evil.chmod(0o755)
    _, _, command = commands[cell].partition(" && ")
    commands[cell] = f"tcpsweep compile dumbbell && {evil} {command.partition(' ')[2]}"
    table.write_text(json.dumps(commands))
    shutil.rmtree(copy_of_finished / "results/cells" / cell)
    shutil.rmtree(copy_of_finished / "results/raw" / cell, ignore_errors=True)
    done = step(copy_of_finished, "cell", cell)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / TOLD).exists()
    assert str(evil) not in done.stdout
    commands[cell] = commands[cell].replace(" --", f" --load={tmp_path}/libTcpEvil.so --", 1)
    table.write_text(json.dumps(commands))
    done = step(copy_of_finished, "cell", cell)
    assert done.returncode == 1
    assert "loads TcpEvil, which is not a variant here" in done.stderr


def test_digests_that_name_files_elsewhere_are_not_followed(unpacked, finished, tmp_path):
    sweep = unpacked / "results/sweeps/small"
    lines = [f"{'0' * 64}  ../../../../../../../../../../dev/zero"]
    (sweep / "SHA256SUMS").write_text(
        "".join(f"{line}\n" for line in [f"# files of sweeps/small, {digests.texts_digest(lines)}", *lines])
    )
    record = json.loads((sweep / "complete").read_text())
    record["made"]["plan"]["/dev/zero"] = "0" * 64
    (sweep / "complete").write_text(json.dumps(record))
    done = verified(pack(unpacked, tmp_path / "endless.zip"), finished, "--read")
    assert done.returncode == 1
    assert "SHA256SUMS: differs from its checksum" in done.stdout


@pytest.mark.parametrize("name", ["/etc/passwd", "../../etc/passwd", "study/../../x", "study", "nothing"])
def test_a_sweep_file_elsewhere_is_refused(unpacked, finished, tmp_path, name):
    metadata = unpacked / contents.METADATA
    graph = json.loads(metadata.read_text())
    next(entity for entity in graph["@graph"] if entity["@id"] == "#run")["object"] = [{"@id": name}]
    metadata.write_text(json.dumps(graph))
    done = verified(pack(unpacked, tmp_path / "other.zip"), finished)
    assert done.returncode == 1
    assert "names no sweep file in the archive" in done.stderr


def test_names_of_cells_lead_nowhere_else(unpacked, finished, tmp_path):
    record = unpacked / "results/sweeps/small/sweep.json"
    planned = json.loads(record.read_text())
    planned["cells"][0][1] = "../../../../" + planned["cells"][0][1]
    record.write_text(json.dumps(planned))
    done = verified(pack(unpacked, tmp_path / "other.zip"), finished, "--read")
    assert done.returncode == 1
    assert "sweep.json is damaged" in done.stderr


def test_a_folder_again_in_an_archive_is_no_matter(unpacked, finished, tmp_path):
    (unpacked / "again").mkdir()
    (unpacked / "again" / "x").write_text("x")
    done = verified(pack(unpacked, tmp_path / "again.zip"), finished)
    assert done.returncode == 0, done.stdout + done.stderr


def test_all_that_is_damaged_is_named_also_where_digests_are(unpacked, finished, tmp_path):
    sweep = unpacked / "results/sweeps/small"
    for name in ("SHA256SUMS", "complete"):
        (sweep / name).write_bytes((sweep / name).read_bytes()[:-2] + b"?\n")
    figure = next((sweep / "figures").glob("*.svg"))
    for path in (sweep / "summary.csv", figure):
        path.write_text(path.read_text() + " ")
    done = verified(pack(unpacked, tmp_path / "damaged.zip"), finished, "--read")
    assert done.returncode == 1
    for name in ("SHA256SUMS", "complete", "summary.csv", figure.name):
        assert re.search(rf"{re.escape(name)}: differs from its checksum", done.stdout), (name, done.stdout)


def test_a_signal_leaves_nothing(archived, finished, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = os.environ | {
        "TCPSWEEP_BUILD": str((finished.folder / "build").resolve()),
        "TMPDIR": str(temporary),
    }
    process = subprocess.Popen([TCPSWEEP, "verify", archived], cwd=tmp_path, env=environment, stdout=subprocess.PIPE)
    try:
        while not list(temporary.glob("tcpsweep-*/again/results/*")):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert process.returncode == 128 + signal.SIGTERM
    assert not list(temporary.iterdir())

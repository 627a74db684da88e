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
from pathlib import Path

import pytest

from tcpsweep.core.store import digests
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.archive import contents, verify_archive
from tests.support.processes import ran
from tests.support.project import TCPSWEEP, step
from tests.support.tools import PATIENCE_S

pytestmark = pytest.mark.long


@pytest.fixture
def told(tmp_path):
    """The file that foreign code writes if it is executed."""
    return tmp_path / "executed"


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


def change(path, how):
    """Change what a JSON file holds."""
    content = json.loads(path.read_text())
    how(content)
    path.write_text(json.dumps(content))


def test_a_forged_summary_and_closing_words_with_renewed_digests_are_found(unpacked, repacked, verified):
    sweep = unpacked / "results/sweeps/small"
    text = (sweep / "summary.csv").read_text()
    (sweep / "summary.csv").write_text(text.replace(re.search(r"0\.[0-9]{4,}", text)[0], "0.8", 1))
    change(
        sweep / "complete",
        lambda ended: ended["tables"].append("TcpCubic is best."),
    )
    renew(unpacked)
    file = repacked()
    assert verified(file, "--read").returncode == 0  # the digests match the forgery
    done = verified(file)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "summary.csv: differs from the table made from the simulations" in done.stdout
    for part in (r"tables +[0-9]+ +[0-9]+ +1", "simulations, run again +8 +8 +0", "claims +[0-9]+ +[0-9]+ +1"):
        assert re.search(rf"{part}$", done.stdout, re.MULTILINE), done.stdout
    assert "not compared: report, figures" in done.stdout


def test_the_ns3_of_an_archive_runs_only_when_asked(unpacked, repacked, verified, told):
    """Its sweep file names an ns-3 in the archive, a header of which runs code when a program starts."""
    import ns3

    wheel, prefix = Path(next(iter(ns3.__path__))), unpacked / "study" / "engine"
    for folder in ("include", "lib", "lib64"):
        if (wheel / folder).is_dir():
            shutil.copytree(wheel / folder, prefix / folder)
    with (prefix / "include/ns3/core-config.h").open("a") as header:
        header.write(
            "\n#ifndef TELL\n#define TELL\n#include <cstdio>\nnamespace { struct Tell { Tell() "
            f'{{ if (auto f = std::fopen("{told}", "w")) std::fclose(f); }} }} tell; }}\n#endif\n'
        )
    with next((unpacked / contents.STUDY).glob("*.yaml")).open("a") as sweep_file:
        sweep_file.write("\nns3: {prefix: engine}\n")
    file = repacked()
    done = verified(file, "--most", "4GB")
    assert not told.exists(), done.stdout
    # Our own ns-3 made the cells, and makes them again; but the plan was made from another sweep file.
    assert "8 of 8 simulations run again are equal, byte for byte" in done.stdout, done.stdout + done.stderr
    assert "sweep.yaml: differs" in done.stdout
    assert done.returncode == 1
    asked = verified(file, "--most", "4GB", "--run-code")
    assert "code that the archive's authors wrote" in asked.stdout
    assert asked.returncode == 3, asked.stdout + asked.stderr  # another header is another ns-3: none has these names
    assert "0 of 8 simulations run again" in asked.stdout


def test_code_in_the_working_folder_is_not_executed(copy_of_finished, told):
    folder, tells = copy_of_finished.folder, f"open({str(told)!r}, 'w').close()\n"
    shutil.rmtree(folder / "results" / "cells")
    for name in ("tcpsweep", "profiles"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name, text in {
        "tcpsweep/__init__.py": tells,
        "evil.smk": tells,
        "profiles/default/config.yaml": "snakefile: evil.smk\nconfigfile: [evil.yaml]\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    environment = os.environ | {"TCPSWEEP_BUILD": str((folder / "build").resolve())}
    done = ran(TCPSWEEP, "sweep", "sweep.yaml", cwd=folder, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not told.exists()


def test_modules_for_snakemake_in_the_working_folder_are_refused(here):
    Path("sweep.yaml").write_text("sweep: small\nscenario: dumbbell\nfixed: {duration: 1s, warmup: 0s}\n")
    modules = here / ".snakemake" / "pip-deployments"
    modules.mkdir(parents=True)
    done = ran(TCPSWEEP, "sweep", "sweep.yaml", "-n")
    assert done.returncode == 1
    assert f"{modules} is there, and Snakemake would execute modules in it" in done.stderr


@pytest.mark.parametrize("command", ["check --without-ns3 {}", "check {}", "sweep {}", "sweep {} -n"])
def test_a_sweep_file_that_snakemake_would_execute_is_refused(here, told, command):
    text = f"__use_yte__: true\n? open({str(told)!r}, 'w').close()\n: 1\nsweep: small\nscenario: dumbbell\n"
    Path("sweep.yaml").write_text(text)
    done = ran(TCPSWEEP, *command.format("sweep.yaml").split())
    assert done.returncode == 1
    assert "sweep.yaml:1:1: __use_yte__: remove this key" in done.stderr
    assert not told.exists()


def test_one_cell_is_not_run_by_the_program_that_a_folder_names(copy_of_finished, tmp_path, told):
    table = copy_of_finished / "results/sweeps/small/commands.json"
    commands = json.loads(table.read_text())
    cell = next(iter(commands))
    evil = tmp_path / "dumbbell"
    evil.write_text(f"#!/bin/sh\ntouch {told}\n")
    evil.chmod(0o755)
    _, _, command = commands[cell].partition(" && ")
    commands[cell] = f"tcpsweep compile dumbbell && {evil} {command.partition(' ')[2]}"
    table.write_text(json.dumps(commands))
    shutil.rmtree(copy_of_finished / "results/cells" / cell)
    shutil.rmtree(copy_of_finished / "results/raw" / cell, ignore_errors=True)
    done = step(copy_of_finished, "cell", cell)
    assert done.returncode == 0, done.stderr
    assert not told.exists()
    assert str(evil) not in done.stdout


def test_digests_that_name_files_elsewhere_are_not_followed(unpacked, repacked):
    sweep = unpacked / "results/sweeps/small"
    lines = [f"{'0' * 64}  ../../../../../../../../../../dev/zero"]
    (sweep / "SHA256SUMS").write_text(
        "".join(f"{line}\n" for line in [f"# files of sweeps/small, {digests.texts_digest(lines)}", *lines])
    )
    change(sweep / "complete", lambda ended: ended["made"]["plan"].update({"/dev/zero": "0" * 64}))
    found = verify_archive.archive(repacked(), runs=False)
    assert found.status == 1
    assert "SHA256SUMS: differs from its checksum" in found.words


def test_sweep_files_and_cells_elsewhere_are_refused(unpacked, repacked):
    def run_of(metadata):
        return next(entity for entity in metadata["@graph"] if entity["@id"] == "#run")

    for name in ("/etc/passwd", "../../etc/passwd", "study/../../x", "study", "nothing"):
        change(unpacked / contents.METADATA, lambda found, name=name: run_of(found).update(object=[{"@id": name}]))
        with pytest.raises(UserError, match="names no sweep file in the archive"):
            verify_archive.archive(repacked(), runs=True)

    def lead_up(record):
        record["cells"][0][1] = "../../../../" + record["cells"][0][1]

    change(unpacked / "results/sweeps/small/sweep.json", lead_up)
    with pytest.raises(UserError, match=r"sweep\.json is damaged"):
        verify_archive.archive(repacked(), runs=False)


def test_a_signal_leaves_nothing(archived, finished, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    own = {"TCPSWEEP_BUILD": str((finished.folder / "build").resolve()), "TMPDIR": str(temporary)}
    process = subprocess.Popen(
        [TCPSWEEP, "verify", archived], cwd=tmp_path, env=os.environ | own, stdout=subprocess.PIPE
    )
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

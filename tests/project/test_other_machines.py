# SPDX-License-Identifier: MIT
"""The container file and conda's environment agree with the project's own set-up, files and locks."""

import re
import shutil
import subprocess
import sys

import pytest
import yaml
from packaging.requirements import Requirement

from benchmarks.harness import PARTS
from tests.support.tools import ROOT

CONTAINERFILE = (ROOT / "Containerfile").read_text()


def test_the_container_copies_the_project_and_ignores_the_rest():
    copied = [line.split() for line in re.findall(r"^COPY (.*)$", CONTAINERFILE, re.MULTILINE)]
    sources = {source for *sources, _ in copied for source in sources}
    assert all((ROOT / source).exists() for source in sources)
    assert sources >= {part.partition("/")[0] for part in PARTS} | {"pyproject.toml", "Makefile", "LICENSE"}
    assert all(place == "./" or [place] == sources for *sources, place in copied)  # each folder under its own name
    # It names no registry.
    assert re.findall(r"^ARG BASE=(.*)\nFROM \$\{BASE\}$", CONTAINERFILE, re.MULTILINE) == ["debian:12-slim"]
    assert not re.search(r"\b[a-z0-9-]+\.(org|com|net|io|dev)\b", CONTAINERFILE)
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in ignored
    assert {line[1:] for line in ignored if line.startswith("!")} == sources


def test_the_container_installs_what_the_set_up_asks_for_by_names_that_ci_uses():
    ci = (ROOT / ".ci" / "run").read_text()
    listed = re.findall(r"^(?:asked|packages)=\(\n(.*?)^\)", ci, re.MULTILINE | re.DOTALL)
    known = set(re.findall(r'^ +"(\S+) ', "".join(listed), re.MULTILINE)) | {"ca-certificates", "python3"}
    named = re.findall(r"--no-install-recommends ([a-z0-9+ -]+)", CONTAINERFILE)
    installed = set(" ".join(named).split())
    assert installed <= known
    assert installed >= {"g++", "make", "python3", "python3-venv", "libns3-dev", "libtcmalloc-minimal4"}


@pytest.mark.long
def test_hadolint_finds_nothing_in_the_container_file(tmp_path):
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--target", tmp_path]
    subprocess.run([*pip, "-r", ROOT / "envs" / "trials.txt"], check=True)
    hadolint = shutil.which("hadolint", path=tmp_path / "bin")
    linted = subprocess.run([hadolint, ROOT / "Containerfile"], env={"PYTHONPATH": str(tmp_path)}, capture_output=True)
    assert (linted.returncode, linted.stdout) == (0, b""), linted.stderr


@pytest.fixture(scope="module")
def locked():
    """The locked version of each package that sweeps or their set-up need."""
    texts = [(ROOT / "envs" / f"{name}.txt").read_text() for name in ("slurm", "requirements", "build")]
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", "\n".join(texts), re.MULTILINE))


def test_condas_environment_has_the_versions_of_the_locks(locked):
    listed = yaml.safe_load((ROOT / "envs" / "conda.yaml").read_text())["dependencies"]
    versions = dict(each.split("=") for each in listed if "=" in each)
    assert re.fullmatch(r"3\.1[123]", versions.pop("python"))
    assert versions == {name: locked[name] for name in versions}
    needed = (ROOT / "envs" / "requirements.in").read_text().partition("# --- not for sweeps")[0]
    needed += (ROOT / "envs" / "slurm.in").read_text()
    lines = [line.partition("#")[0].strip() for line in needed.splitlines()]
    assert {Requirement(line).name.lower() for line in lines if line} | {"setuptools"} == versions.keys()

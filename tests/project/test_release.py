# SPDX-License-Identifier: MIT
"""The version: equal in all files, and derived from tags in real clones, in archives, and without git."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from tcpsweep.core.identity import release
from tcpsweep.core.store import table_files
from tests.support.processes import ran
from tests.support.tools import ROOT

STATED = "[project]\nversion = '0.2.0'\n"


def section():
    """The version and the date of the changelog's top section."""
    changelog = (ROOT / "CHANGELOG.md").read_text()
    return re.search(r"^## \[(.+)\] - (unreleased|[0-9]{4}-[0-9]{2}-[0-9]{2})$", changelog, re.MULTILINE).groups()


def test_changelog_citation_and_package_name_one_version_and_earlier_ones_go_down():
    version, date = section()
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert version == package == citation["version"] == release.stated_release()
    assert str(citation.get("date-released", "unreleased")) == date
    if release.version() == version and (ROOT / ".git").exists():
        assert date != "unreleased"  # a tag names this commit
    found = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert found == sorted(set(found), key=Version, reverse=True)


def test_arrow_is_as_old_as_parquet_says():
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    arrow = next(each for each in needed if each.startswith("pyarrow"))
    assert table_files.OLDEST_WRITER.decode().removeprefix("parquet-cpp-arrow version ") in SpecifierSet(arrow[7:])


VERSIONS = yaml.safe_load(Path(__file__).with_name("versions.yaml").read_text())


@pytest.mark.parametrize(("said", "version"), VERSIONS.items())
def test_what_git_says_becomes_a_version_of_pep_440(said, version):
    assert release.version_text(said, "0.2.0") == version
    assert str(Version(version)) == version


def git(folder, *arguments):
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"]
    return ran("git", *who, *arguments, cwd=folder, check=True).stdout.strip()


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_it_follows_from_tags_in_clones_and_tarballs(tmp_path):
    clone = tmp_path / "clone"
    clone.mkdir()
    git(clone, "init", "-q")
    (clone / "pyproject.toml").write_text(STATED)
    for name in (".gitattributes", ".git_archival.txt"):
        shutil.copy(ROOT / name, clone)
    git(clone, "add", ".")
    git(clone, "commit", "-qm", "one")
    commit = git(clone, "rev-parse", "--short=12", "HEAD")
    assert release.version(clone) == f"0.2.0+g{commit}"

    def of_tarball(name):
        git(clone, "archive", "--format=tar", "-o", f"../{name}.tar", "HEAD")
        shutil.unpack_archive(tmp_path / f"{name}.tar", tmp_path / name)
        return release.version(tmp_path / name)

    assert of_tarball("untagged") == f"0.2.0+g{commit}"
    git(clone, "tag", "-a", "v0.1.0", "-m", "a release")
    git(clone, "tag", "other")
    assert release.version(clone) == of_tarball("tagged") == "0.1.0"
    (clone / "more").touch()
    git(clone, "add", ".")
    git(clone, "commit", "-qm", "two")
    commit = git(clone, "rev-parse", "--short=12", "HEAD")
    assert release.version(clone) == f"0.1.0+1.g{commit}"
    assert of_tarball("later").startswith("0.1.0+1.g")
    (clone / "more").write_text("edited")
    assert release.version(clone) == f"0.1.0+1.g{commit}.edited"
    subprocess.run(["git", "clone", "-q", "--depth", "1", clone.as_uri(), "shallow"], cwd=tmp_path, check=True)
    assert release.version(tmp_path / "shallow") == f"0.2.0+g{commit}"
    shutil.rmtree(clone / ".git")
    assert release.version(clone) == "0.2.0"  # a copy without git's folder, whose file nobody filled in

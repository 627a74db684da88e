# SPDX-License-Identifier: MIT
"""The version of this code: the last tag and the number of commits since.

No step of a sweep uses it: results are identified by the code itself. The set-up does not store the version, so it
is correct after each commit.
"""

import importlib.metadata
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from tcpsweep.core.identity import source_folders

TAGS = "v[0-9]*"
ARCHIVAL = ".git_archival.txt"  # `git archive`, and so a code host's tarball, fills it in as `.gitattributes` says
_DIGITS = 12
_DESCRIBED = re.compile(r"v(?P<release>[0-9][0-9.]*)(?:-(?P<later>[0-9]+)-g(?P<commit>[0-9a-f]+))?(?P<edited>-edited)?")
_COMMIT = re.compile(r"(?P<commit>[0-9a-f]{7,})(?P<edited>-edited)?")


def version(root: Path = source_folders.ROOT) -> str:
    """The version in PEP 440's form.

    It is ``0.1.0`` at the tag ``v0.1.0``, and ``0.1.0+5.g1a2b3c4d5e6f`` five commits later. If no tag is known, as in a
    shallow clone, it is ``0.2.0+g1a2b3c4d5e6f``, with the release from `pyproject.toml`. If no commit is known either,
    it is ``0.2.0``. If files differ from the commit, ``.edited`` is appended.
    """
    return version_text(described(root), stated_release(root))


def described(root: Path) -> str:
    """The output of ``git describe --always`` for these sources, now or when their tarball or wheel was made."""
    return _described_by_git(root) if (root / ".git").exists() else _described_by_archive(root)


def version_text(said: str, stated: str) -> str:
    """The version. ``said`` is from ``git describe --always`` or a tarball; ``stated`` is in `pyproject.toml`."""
    if match := _DESCRIBED.fullmatch(said):
        release, commit = match["release"], f"g{match['commit']}" if match["commit"] else ""
        later = f"{match['later']}.{commit}" if match["later"] not in (None, "0") else ""
    elif match := _COMMIT.fullmatch(said):
        release, later = stated, f"g{match['commit'][:_DIGITS]}"
    else:
        return stated
    local = ".".join(part for part in (later, "edited" if match["edited"] else "") if part)
    return f"{release}+{local}" if local else release


def stated_release(root: Path = source_folders.ROOT) -> str:
    """The release in `pyproject.toml`: the last one, or the next one before its tag. Default: the installed release."""
    try:
        release: str = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    except OSError:
        return importlib.metadata.version("tcpsweep")
    return release


def _described_by_git(root: Path) -> str:
    """Git's description of the clone's commit; empty if git is missing or fails."""
    if not shutil.which("git"):
        return ""
    command = ["git", "--no-optional-locks", "-C", str(root), "describe", "--always", "--tags", "--long"]
    command += [f"--abbrev={_DIGITS}", "--dirty=-edited", "--match", TAGS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _described_by_archive(root: Path) -> str:
    """The commit's description by `git archive`; empty if it wrote none, or its git was too old to write one."""
    try:
        lines = (root / ARCHIVAL).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    descriptions = (fields.get("describe", ""), fields.get("commit", ""))
    return next((description for description in descriptions if description[:1] not in ("", "$", "%")), "")

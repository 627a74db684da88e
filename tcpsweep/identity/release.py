# SPDX-License-Identifier: MIT
"""The version of this code: the tag that it follows from, and how far it is from that.

No step of a sweep uses it: what was computed is told apart by the code itself. Nothing is written at the set-up, so
that the version is right after each commit.
"""

import importlib.metadata
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from tcpsweep.identity import source_folders

TAGS = "v[0-9]*"
ARCHIVAL = ".git_archival.txt"  # `git archive`, and so a host's tarball, writes into it what `.gitattributes` asks for
_DIGITS = 12
_DESCRIBED = re.compile(r"v(?P<release>[0-9][0-9.]*)(?:-(?P<later>[0-9]+)-g(?P<commit>[0-9a-f]+))?(?P<edited>-edited)?")
_COMMIT = re.compile(r"(?P<commit>[0-9a-f]{7,})(?P<edited>-edited)?")


def version(root: Path = source_folders.ROOT) -> str:
    """The version as PEP 440 writes it.

    ``0.1.0`` at the tag ``v0.1.0``; ``0.1.0+5.g1a2b3c4d5e6f`` five commits after it; ``0.2.0+g1a2b3c4d5e6f`` where no
    tag is known, as in a shallow clone, with the release that `pyproject.toml` names; ``0.2.0`` where no commit is
    known either. Files that differ from the commit add ``.edited``.
    """
    return version_text(described(root), stated_release(root))


def described(root: Path) -> str:
    """What ``git describe --always`` says of these sources, or said when a tarball or a wheel was made of them."""
    return _asked_git(root) if (root / ".git").exists() else _of_archive(root)


def version_text(said: str, stated: str) -> str:
    """The version from what ``git describe --always`` says, or a tarball, where `pyproject.toml` states a release."""
    if found := _DESCRIBED.fullmatch(said):
        release, commit = found["release"], f"g{found['commit']}" if found["commit"] else ""
        later = f"{found['later']}.{commit}" if found["later"] not in (None, "0") else ""
    elif found := _COMMIT.fullmatch(said):
        release, later = stated, f"g{found['commit'][:_DIGITS]}"
    else:
        return stated
    local = ".".join(part for part in (later, "edited" if found["edited"] else "") if part)
    return f"{release}+{local}" if local else release


def stated_release(root: Path = source_folders.ROOT) -> str:
    """The release that `pyproject.toml` names: the last one, or before its tag the next; else that installed."""
    try:
        found: str = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    except OSError:
        return importlib.metadata.version("tcpsweep")
    return found


def _asked_git(root: Path) -> str:
    """What git says of the clone's commit; empty where git is missing, or does not say."""
    if not shutil.which("git"):
        return ""
    command = ["git", "--no-optional-locks", "-C", str(root), "describe", "--always", "--tags", "--long"]
    command += [f"--abbrev={_DIGITS}", "--dirty=-edited", "--match", TAGS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _of_archive(root: Path) -> str:
    """What `git archive` wrote of the commit; empty where it wrote nothing, or its git was too old to describe it."""
    try:
        lines = (root / ARCHIVAL).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    known = dict(line.split(": ", 1) for line in lines if ": " in line)
    told = (known.get("describe", ""), known.get("commit", ""))
    return next((said for said in told if said[:1] not in ("", "$", "%")), "")

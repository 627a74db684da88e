# SPDX-License-Identifier: MIT
"""Changed archives are refused or compared: no code runs, no file is written outside, no traceback, bounded time."""

import contextlib
import io
import os
import random
import shutil
import stat
import subprocess
import tempfile
import zipfile

import pytest

from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.archive import verify_archive
from tests.mutations import damage, seeds
from tests.support.project import TCPSWEEP, step
from tests.support.tools import PATIENCE_S

pytestmark = pytest.mark.long
NAMES = [
    *("../out", "/tmp/out", "a/../../out", "..", "", ".", "con\0", "a\\..\\b", "\x1b[31m", "x" * 300, "again/x"),
    *("tcpsweep/__init__.py", "profiles/default/config.yaml", ".snakemake/pip-deployments/yaml.py", "sitecustomize.py"),
    *("results/cells/../../x", "results/damaged/x", "results", "study", "Snakefile", "conftest.py"),
    "ns3-scenarios/x.cc",
]
LINKS = ["/etc/passwd", "/dev/zero", "..", "../../..", "results", "."]
KINDS = (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK, stat.S_IFDIR)
EVIL = "open({!r}, 'w').close()\n"


@pytest.fixture(scope="module")
def archive(finished, tmp_path_factory):
    """A genuine archive: its entries with their contents, and its bytes."""
    file = tmp_path_factory.mktemp("archive") / "small.zip"
    done = step(finished, "archive", "small", "--to", str(file))
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(file) as packed:
        return [(entry, packed.read(entry)) for entry in packed.infolist()], file.read_bytes()


def written(entries):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for entry, content in entries:
            made.writestr(entry, content)
    return out.getvalue()


def renamed(entry, name, kind=stat.S_IFREG):
    """An entry of another name and kind."""
    found = zipfile.ZipInfo(name or "x")
    found.filename = name
    found.compress_type, found.external_attr = entry.compress_type, (kind | 0o644) << 16
    return found


def bytes_changed(rng, entries, data, evil):
    return damage.damaged(rng, data, damage.BINARY, rng.choice([1, 1, 3]))


def directory_changed(rng, entries, data, evil):
    """Bytes of the directory at the end, which has names, sizes and places."""
    at = data.rindex(b"PK\x01\x02") if rng.random() < 0.5 else data.rindex(b"PK\x05\x06")
    done, end = damage.damaged(rng, data[at:], damage.BINARY)
    return done, data[:at] + end


def size_changed(rng, entries, data, evil):
    heads = [at for at in range(len(data) - 46) if data[at : at + 4] == b"PK\x01\x02"]
    at = rng.choice(heads) + rng.choice([20, 24, 42])
    size = rng.choice([0, 1, 10**6, 10**9, 2**31, 2**32 - 2, 2**32 - 1])
    return ["size", at, size], data[:at] + size.to_bytes(4, "little") + data[at + 4 :]


def name_changed(rng, entries, data, evil):
    at, name = rng.randrange(len(entries)), rng.choice(NAMES)
    changed = list(entries)
    changed[at] = renamed(entries[at][0], name), entries[at][1]
    return ["name", at, name], written(changed)


def file_added(rng, entries, data, evil):
    name = rng.choice(NAMES)
    content = rng.choice([evil, f"python: {evil}", "x", "\0" * 50_000_000])
    return ["added", name, content[:40]], written([*entries, (renamed(entries[0][0], name), content)])


def linked(rng, entries, data, evil):
    """A link, a device or a pipe in place of a file."""
    at, kind = rng.randrange(len(entries)), rng.choice(KINDS)
    changed = list(entries)
    changed[at] = renamed(entries[at][0], entries[at][0].filename, kind), rng.choice(LINKS)
    return ["kind", entries[at][0].filename, oct(kind)], written(changed)


def content_changed(rng, entries, data, evil):
    """The content of a file, most often of one that says what others are."""
    telling = [at for at, (entry, _) in enumerate(entries) if entry.filename.endswith(TELLING)]
    at = rng.choice(telling if rng.random() < 0.8 else range(len(entries)))
    done, content = damage.damaged(rng, entries[at][1], rng.choice([damage.BINARY, damage.TEXT]), rng.choice([1, 3]))
    changed = list(entries)
    changed[at] = entries[at][0], content
    return [entries[at][0].filename, done], written(changed)


def removed(rng, entries, data, evil):
    at = rng.randrange(len(entries))
    return ["removed", entries[at][0].filename], written([each for each in entries if each is not entries[at]])


TELLING = ("sweep.json", "SHA256SUMS", "complete", "ro-crate-metadata.json", ".yaml", "run.json", "covered.json")
WAYS = (
    *(bytes_changed, directory_changed, size_changed, name_changed, file_added, linked),
    *(content_changed, content_changed, content_changed, removed),
)


def listed(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def run_again(work, build, temporary):
    """What `tcpsweep verify` does with the archive in a folder."""
    environment = os.environ | {"TCPSWEEP_BUILD": str(build.resolve()), "TMPDIR": str(temporary)}
    options = {"capture_output": True, "text": True, "errors": "replace", "timeout": PATIENCE_S, "check": False}
    command = [TCPSWEEP, "verify", "changed.zip"]
    return subprocess.run(command, cwd=work, env=environment, stdin=subprocess.DEVNULL, **options)


@pytest.mark.parametrize("seed", seeds(12)[:500])
def test_a_changed_archive_runs_nothing_and_writes_nothing(archive, finished, tmp_path, monkeypatch, seed):
    rng, told = random.Random(seed), tmp_path / "executed"
    work, temporary = tmp_path / "work", tmp_path / "temporary"
    for folder in (work, temporary):
        folder.mkdir()
    done, data = rng.choice(WAYS)(rng, *archive, EVIL.format(str(told)))
    (work / "changed.zip").write_bytes(data)
    if seed % 24 == 7:
        ran = run_again(work, finished.folder / "build", temporary)
        assert ran.returncode in (0, 1, 3), (done, ran)
        assert "Traceback" not in ran.stdout + ran.stderr, (done, ran.stderr[-3000:])
        assert ran.stdout + ran.stderr, done
    else:
        monkeypatch.setattr(tempfile, "tempdir", str(temporary))
        with contextlib.suppress(UserError):
            assert verify_archive.archive(work / "changed.zip", runs=False).status in (0, 1), done
    assert listed(tmp_path) == ["temporary", "work", "work/changed.zip"], done
    shutil.rmtree(work)

# SPDX-License-Identifier: MIT
"""Damaged sweep files and published numbers: each message has its place, no program hangs, no code is executed."""

import contextlib
import random
import re
import signal
import sys

import pytest

from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document
from tests.mutations import damage, seeds
from tests.support.tools import ROOT

pytestmark = pytest.mark.long
FILES = sorted([*(ROOT / "config").glob("*.yaml"), *(ROOT / "config" / "studies").glob("**/*.yaml")])
MOST_S = 20
TOGETHER = 50  # files that one test damages
PLACED = re.compile(r"(?s)[^\n]*?\.yaml:[0-9]+:[0-9]+: .+")
WHOLE = re.compile(r"[^\n]*\.yaml: and [0-9,]+ more mistakes")
_TELLTALE = ("os.system", "subprocess.Popen", "os.exec", "os.posix_spawn", "os.fork", "socket.connect", "pty.spawn")
_executed = []
_listening = False


def _hear(event, arguments):
    if _listening and event in _TELLTALE:
        _executed.append((event, arguments))


sys.addaudithook(_hear)


class Hangs(Exception):
    pass


@contextlib.contextmanager
def within(seconds):
    """Raise if a block takes longer; collect in `_executed` the programs that it starts."""
    global _listening

    def ring(number, frame):
        raise Hangs

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    _listening = True
    try:
        yield
    finally:
        _listening = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def check(path):
    """The messages about a sweep file; empty if it is valid."""
    try:
        with within(MOST_S):
            checked_sweep.without_ns3(path)
    except yaml_document.Mistakes as error:
        return str(error)
    return ""


@pytest.mark.parametrize("first", seeds(100)[::TOGETHER])
def test_a_damaged_sweep_file_is_told_with_its_places(tmp_path, monkeypatch, first):
    monkeypatch.chdir(tmp_path)
    for seed in list(seeds(100))[first : first + TOGETHER]:
        rng = random.Random(seed)
        source = rng.choice(FILES)
        numbers = re.search(r"numbers: (\S+\.csv)", source.read_text())
        content = {"sweep.yaml": source.read_bytes()}
        if numbers:
            content[numbers[1]] = (source.parent / numbers[1]).read_bytes()
        victim = rng.choice([*content])
        done, content[victim] = damage.damaged(rng, content[victim], damage.TEXT, rng.choice([1, 1, 2, 5]))
        for name, data in content.items():
            (tmp_path / name.rpartition("/")[2]).write_bytes(data)
        (tmp_path / "sweep.yaml").write_bytes(content["sweep.yaml"].replace(b"../", b""))
        said = check(tmp_path / "sweep.yaml")
        where = (seed, source.name, victim, done)
        for line in said.splitlines():
            assert PLACED.fullmatch(line) or WHOLE.fullmatch(line), (where, line)
        assert re.sub(r"[\n\t]", "", said).isprintable(), (where, said)  # the command escapes a tab in a key
        assert len(said) < 50_000, where
        assert not (tmp_path / "executed").exists(), where
        assert not _executed, (where, _executed)

# SPDX-License-Identifier: MIT
"""Claims of cells and locks of runs: one process at a time has each. If it is killed, another one takes over."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tcpsweep.core.store import claims, layout, locks, removal
from tests.support.tools import forbidden, tool

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def other():
    """Starts a process that claims a cell and keeps it until it is killed."""
    code = (
        "import sys; from tcpsweep.core.store import claims\n"
        "with claims.claimed(sys.argv[1]) as hindrance: print(hindrance, flush=True); input()"
    )
    started = []

    def other(cell):
        process = subprocess.Popen([sys.executable, "-c", code, cell], stdin=-1, stdout=-1, text=True)
        started.append(process)
        assert process.stdout.readline() == "None\n"
        return process

    yield other
    for process in started:
        process.kill()
        process.communicate()


def test_a_cell_is_claimed_by_one_process_and_by_another_when_that_is_killed(other):
    holder = other("a")
    for cell, is_free in {"a": False, "b": True}.items():
        with claims.claimed(cell) as hindrance:
            assert isinstance(hindrance, BlockingIOError) != is_free
    ours, theirs = layout.RAW / ".a.node1.1", layout.RAW / ".aa.node1.1"
    for folder in (ours, theirs, layout.CELLS / "a" / ".p.node1.1", layout.CELLS / "a" / "p"):
        folder.mkdir(parents=True)
    claims.clear()
    assert ours.is_dir()
    holder.kill()
    holder.wait()
    assert layout.names_in(layout.CLAIMS) == ["a"]
    with claims.claimed("a") as hindrance:
        assert hindrance is None
    assert [ours.is_dir(), theirs.is_dir(), layout.names_in(layout.CELLS / "a")] == [False, True, ["p"]]
    assert layout.names_in(layout.CLAIMS) == []


@pytest.mark.parametrize("is_replaced", [True, False])
def test_an_earlier_folder_comes_back_if_the_process_that_replaced_it_was_killed_in_between(other, is_replaced):
    holder = other("a")
    cell = layout.CELLS / "a"
    folders = (layout.RAW / "a", layout.RAW / ".a.node1.1-former", cell / "p", cell / ".p.node1.1-former")
    for folder in folders if is_replaced else folders[1::2]:
        folder.mkdir(parents=True)
        (folder / "age").write_text("former" if folder.name.startswith(".") else "new")
    holder.kill()
    holder.wait()
    claims.clear()
    assert [layout.names_in(layout.RAW), layout.names_in(cell)] == [["a"], ["p"]]
    assert {(folder / "age").read_text() for folder in folders[::2]} == {"new" if is_replaced else "former"}


def test_a_claim_stays_if_a_killed_processs_files_cannot_be_removed(other, monkeypatch):
    holder = other("a")
    left = layout.RAW / ".a.node1.1"
    left.mkdir(parents=True)
    holder.kill()
    holder.wait()
    with monkeypatch.context() as patched:  # root may remove anything
        patched.setattr(removal.shutil, "rmtree", lambda folder, ignore_errors, dir_fd: None)
        claims.clear()
    assert layout.names_in(layout.CLAIMS) == ["a"]
    claims.clear()
    assert not left.exists()
    assert layout.names_in(layout.CLAIMS) == []


def test_no_two_hold_a_claim_whose_file_comes_and_goes():
    held, wrong, counts = set(), [], [0] * 4

    def take(number):
        tries = 0
        while tries < 500 or sum(counts) < 20:
            tries += 1
            with claims.claimed("a") as hindrance:
                if hindrance is None:
                    wrong.extend(held)
                    held.add(number)
                    counts[number] += 1
                    os.sched_yield()
                    held.discard(number)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(take, range(4)))
    assert not wrong
    assert layout.names_in(layout.CLAIMS) == []


def test_a_claim_is_awaited_until_its_process_is_gone(other, monkeypatch):
    holder = other("a")
    monkeypatch.setattr(claims.time, "sleep", lambda seconds: (holder.kill(), holder.wait()))
    assert claims.is_held("a")
    with claims.awaited("a"):
        assert not claims.is_held("b")
    assert not claims.is_held("a")


def test_without_a_claim_or_with_a_link_to_nothing_nobody_works():
    layout.CLAIMS.parent.mkdir()
    layout.CLAIMS.write_text("no folder")
    with pytest.raises(NotADirectoryError), claims.awaited("a"):
        pass
    layout.CLAIMS.unlink()
    layout.CLAIMS.mkdir()
    (layout.CLAIMS / "a").symlink_to("nowhere")
    claims.clear()
    told = "a link to nothing; remove it: 'results/claims/a'"
    with pytest.raises(FileNotFoundError, match=told), claims.awaited("a"):
        pass


@pytest.mark.parametrize(
    ("mount", "words"),
    [
        ("rw - ext4 /dev/sda rw", ""),
        ("rw - lustre mgs:/x rw,flock,lazystatfs", ""),
        ("rw - lustre mgs:/x rw,localflock", "its Lustre is not mounted with `-o flock`"),
        ("rw - nfs4 server:/x rw,vers=4.2,local_lock=none", ""),
        ("rw - nfs server:/x rw,vers=3,nolock,local_lock=all", "its NFS is mounted with `local_lock=all`"),
        ("rw - cifs //server/x rw,nobrl", "its cifs is mounted with `nobrl`"),
        ("rw - fuse.sshfs host: rw", "its file system is fuse.sshfs, whose locks other machines may not see"),
    ],
)
def test_a_mount_says_whether_locks_hold_between_machines(tmp_path, monkeypatch, mount, words):
    (tmp_path / "mounts").write_text(f"1 1 8:1 / / rw - ext4 /dev/sda rw\n2 1 0:1 / {tmp_path}/a\\040b {mount}\n")
    monkeypatch.setattr(locks, "_MOUNTS", tmp_path / "mounts")
    assert locks.shortcoming(tmp_path / "a b" / "results") == words
    assert locks.shortcoming(tmp_path) == ""


def test_a_run_waits_for_steps_of_a_killed_one_and_clears_what_is_half_made():
    folder = layout.SWEEPS / "s"
    with locks.store(), locks.sweep("s"):
        assert locks.is_only_run()
        with locks.store(), locks.sweep("t"):
            assert not locks.is_only_run()
        assert locks.is_only_run()
        layout.submitted("s").touch()
        half = [folder / ".runs.parquet.host.1", layout.REPORTS / ".s.html.abc", layout.REPORTS / "s_files/.x.html.abc"]
        others = [folder / "runs.parquet", layout.REPORTS / "s_files/x.html"]
        others += [layout.REPORTS / name for name in (".s2.html.abc", ".s.b.html.abc", ".s.b_files.host.1")]
        for path in [*half, *others]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        began = time.monotonic()
        with locks.step(folder):
            waits = threading.Thread(target=locks.await_steps, args=("s",))
            waits.start()
            time.sleep(0.2)
            assert waits.is_alive()
            assert half[0].exists()
        waits.join()
        assert time.monotonic() - began >= 0.2
        assert [path.exists() for path in [*half, *others]] == [False] * 3 + [True] * 5
        assert sorted(layout.names_in(folder)) == [".lock", ".steps", ".submitted", "runs.parquet"]


@pytest.mark.long
def test_a_folder_mounted_by_fuse_has_locks_of_its_own(tmp_path):
    tool("bindfs")
    real, mounted = tmp_path / "real", tmp_path / "mounted"
    real.mkdir()
    mounted.mkdir()
    if subprocess.run(["bindfs", real, mounted], capture_output=True, check=False).returncode:
        forbidden("bindfs")
    try:
        assert "whose locks other machines may not see" in locks.shortcoming(mounted)
        assert "bindfs" not in locks.shortcoming(real)
    finally:
        subprocess.run(["fusermount", "-u", "-z", mounted], check=False)

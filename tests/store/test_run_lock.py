# SPDX-License-Identifier: MIT
"""The next run of a sweep waits for running steps of a killed run, and removes its unfinished files."""

import subprocess
import threading
import time

import pytest

from tcpsweep.store import layout, run_lock, shared_locks
from tests.support.tools import forbidden, tool


def test_a_run_waits_for_steps_of_a_killed_one_and_clears_what_is_half_made(here):
    folder = layout.SWEEPS / "s"
    with run_lock.store(), run_lock.sweep("s"):
        assert run_lock.is_only_run()
        with run_lock.store(), run_lock.sweep("t"):
            assert not run_lock.is_only_run()
        assert run_lock.is_only_run()
        layout.submitted("s").touch()
        half = [folder / ".runs.parquet.host.1", layout.REPORTS / ".s.html.abc", layout.REPORTS / "s_files/.x.html.abc"]
        others = [folder / "runs.parquet", layout.REPORTS / "s_files/x.html"]
        others += [layout.REPORTS / name for name in (".s2.html.abc", ".s.b.html.abc", ".s.b_files.host.1")]
        for path in [*half, *others]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        began = time.monotonic()
        with run_lock.step(folder):
            waits = threading.Thread(target=run_lock.await_steps, args=("s",))
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
        assert "whose locks other machines may not see" in shared_locks.shortcoming(mounted)
        assert "bindfs" not in shared_locks.shortcoming(real)
    finally:
        subprocess.run(["fusermount", "-u", "-z", mounted], check=False)

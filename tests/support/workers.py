# SPDX-License-Identifier: MIT
"""Files that the processes of one test run, xdist's workers, make once and share."""

import contextlib
import fcntl
import shutil


def shared_folder(config, tmp_path_factory):
    """The folder that all workers of this test run share, and no other run uses."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if hasattr(config, "workerinput") else own


@contextlib.contextmanager
def alone(lock):
    """Let processes in one at a time."""
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def made_once(folder, make):
    """A folder that the first process fills with ``make(folder)`` while the others wait."""
    done = folder.with_name(f"{folder.name}.done")
    with alone(folder.with_name(f"{folder.name}.lock")):
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder

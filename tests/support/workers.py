# SPDX-License-Identifier: MIT
"""Files that the processes of one test run, xdist's workers, make once and share."""

import contextlib
import fcntl
import shutil


def shared_folder(config, tmp_path_factory):
    """The folder that all workers of this run have, and no other run."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if hasattr(config, "workerinput") else own


@contextlib.contextmanager
def alone(lock):
    """Let one process after the other in."""
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def made_once(folder, make):
    """A folder that ``make(folder)`` fills for the first process that asks for it; the others wait."""
    done = folder.with_name(f"{folder.name}.done")
    with alone(folder.with_name(f"{folder.name}.lock")):
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder

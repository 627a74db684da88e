# SPDX-License-Identifier: MIT
"""Compiling C++ with CMake, so that what is compiled is there whole or not at all."""

import os
import shutil
import subprocess
from pathlib import Path


class BuildError(Exception):
    """What does not compile, and why; the user reads it."""


def build(source, made, definitions=()):
    """Compile a CMake project into one file, where that is not there yet.

    Parameters
    ----------
    source : Path
        The folder of its ``CMakeLists.txt``.
    made : Path
        The file, in a folder of its own, which is renamed into place when all of it is made. CMake leaves a file of
        that name in its build folder.
    definitions : list of str
        Options of CMake.

    Returns
    -------
    Path
        ``made``.

    Raises
    ------
    BuildError
        With the compiler's last lines and the log's path.
    """
    if made.is_file():
        return made
    folder = made.parent.absolute()
    work = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    log = folder.with_suffix(".log")
    commands = [["cmake", "-S", source, "-B", work, "-G", "Ninja", *definitions], ["cmake", "--build", work]]
    try:
        with log.open("w") as out:
            for command in commands:
                done = subprocess.run(
                    command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False
                )
                if done.returncode:
                    raise BuildError(f"{made.name} does not compile; {log} ends with\n{tail(log)}")
        (work / "made").mkdir()
        (work / made.name).rename(work / "made" / made.name)
        try:
            (work / "made").rename(folder)
        except OSError:
            if not made.is_file():  # another process was first: its file is as good
                raise
    except FileNotFoundError as error:
        raise BuildError(f"{error.filename} is not installed; run `make setup`") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return made


def tail(log, lines=15):
    """The last lines of a log, indented."""
    text = Path(log).read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(f"    {line}" for line in text[-lines:])


BUILD = Path("build")

# SPDX-License-Identifier: MIT
"""The locked wheel of ns-3 in the Python environment. It is installed when a sweep first needs it."""

import fcntl
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tcpsweep.core.identity import source_folders, wheel_files
from tcpsweep.core.ns3.installation import EngineError

LOCK = source_folders.ROOT / "envs" / "ns3.txt"


def find() -> Path:
    """The folder of the wheel in the Python environment. Installs the wheel first if it is missing.

    Raises `EngineError` if it cannot be installed.
    """
    folder = _folder_or_none()
    if folder is None:
        _install()
        importlib.invalidate_caches()
        folder = _folder_or_none()
    if folder is None:
        raise EngineError(f"pip installed ns-3, but {sys.executable} does not find it")
    return folder


def check(prefix: Path, paths: Iterable[Path]) -> None:
    """Compare files below ``prefix`` with the wheel's own list, if pip installed them from a wheel.

    Raises `EngineError` if a file differs. Raises `OSError`.
    """
    record = wheel_files.record(prefix, "ns3")
    if record and (path := wheel_files.damaged(record, paths)):
        name = record.parent.name.removesuffix(".dist-info").replace("-", "==", 1)
        raise EngineError(
            f"{path} differs from the file of {name}, so that simulations could have other results; to install it "
            f"again: `{sys.executable} -m pip install --no-deps --force-reinstall {name}`"
        )


def _folder_or_none() -> Path | None:
    spec = importlib.util.find_spec("ns3")
    return Path(next(iter(spec.submodule_search_locations))) if spec and spec.submodule_search_locations else None


def _install() -> None:
    """Install the wheel with pip, which checks its hash. Its dependencies are Python bindings, which nothing uses."""
    pinned = re.search(r"^ns3==\S+", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    name = pinned[0] if pinned else "ns3"
    by_hand = f"{sys.executable} -m pip install --no-deps --require-hashes -r {LOCK}"
    alternative = "or name another ns-3 in the sweep file: `ns3: {prefix: DIR}`"
    if importlib.util.find_spec("pip") is None:
        raise EngineError(
            f"this Python environment has neither {name} nor pip: add pip, or name another ns-3 in the sweep file"
        )
    try:
        lock = open(Path(sys.prefix) / ".ns3.lock", "w")  # noqa: PTH123, SIM115 (closed below)
    except OSError as error:
        raise EngineError(
            f"{name} is missing, and {sys.prefix} cannot be written ({error.strerror}): "
            f"have its owner run `{by_hand}`, {alternative}"
        ) from None
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        importlib.invalidate_caches()
        if _folder_or_none():  # another process was faster
            return
        print(f"tcpsweep: installing {name} into {sys.prefix}, once, 69 MB", file=sys.stderr, flush=True)
        pip = ["-P", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        command = [sys.executable, *pip, "--no-deps", "--require-hashes", "-r", str(LOCK)]
        if subprocess.run(command, stdout=sys.stderr, check=False).returncode:
            raise EngineError(f"pip could not install {name} (see above); try `{by_hand}`, {alternative}")

# SPDX-License-Identifier: MIT
"""A cell needs no root rights: it runs as an ordinary user, if such users may make namespaces."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tcpsweep.ns3 import simulator_environment
from tests.support.cell import Cell
from tests.support.tools import forbidden, tool

pytestmark = pytest.mark.linux
NOBODY = 65534
# Bounds of lag that need no priority: a round trip of 0.4 s and a buffer of 3 s.
CELL = ("--stack=linux", "--variant=TcpCubic", "--flows=1", "--bandwidth=4Mbps", "--delay=200ms", "--queue=1000p",
        "--start_jitter=0s", "--bytes=100000", "--duration=4s")  # fmt: skip
# Only root may use the device: put a device for everybody in its place, in a mount namespace.
AS_NOBODY = """
mount -t tmpfs none "$1" && mknod -m 666 "$1/tun" c 10 200 && mount --bind "$1/tun" /dev/net/tun && shift &&
    exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"
"""


@pytest.fixture
def ordinary():
    """An ordinary user's folder, and the prefix of a command to run as that user: empty if we are one."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        if os.geteuid() != 0:
            yield folder, []
            return
        (folder / "device").mkdir()
        tool("setpriv")
        yield folder, [tool("unshare"), "--mount", "sh", "-c", AS_NOBODY, "sh", folder / "device"]


def everybodys(program, folder):
    """A copy of a program in a folder that everybody may read, with the libraries next to ns-3's."""
    told = subprocess.run(
        ["ldd", program], env=simulator_environment.environment(), capture_output=True, text=True, check=True
    )
    for library in re.findall(r"=> (/\S+)", told.stdout):
        if not library.startswith(("/lib", "/usr/lib")):
            shutil.copy(library, folder)
    return shutil.copy(program, folder)


def test_an_ordinary_user_has_hosts_of_the_kernels(in_time, dumbbell, ordinary):
    folder, user = ordinary
    allowed = subprocess.run([*user, "unshare", "--user", "--net", "true"], capture_output=True, text=True, check=False)
    if allowed.returncode:
        forbidden(f"namespaces of an ordinary user's: {allowed.stderr.strip()}")
    (folder / "out").mkdir()
    (folder / "out").chmod(0o777)
    libraries = f"LD_LIBRARY_PATH={folder}"
    in_time([*user, "env", libraries, everybodys(dumbbell, folder), *CELL, f"--out={folder / 'out'}"])
    cell = Cell(folder / "out")
    assert (folder / "out" / "run.json").stat().st_uid == (NOBODY if user else os.geteuid())
    assert cell.record["flows"][0]["received_bytes"] == 100_000
    assert cell.record["flows"][0]["stack"] == "linux"

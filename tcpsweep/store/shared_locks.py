# SPDX-License-Identifier: MIT
"""Whether locks (``flock``) hold between all machines that share a folder, judging by the mount of its file system.

A test would need two machines: a lock that only this machine knows of does not fail.
"""

import os
import re
from pathlib import Path

# File systems of a host or a remote machine, which do not pass on this machine's locks.
_OWN_LOCKS = ("9p", "beegfs", "fuse", "fuse.bindfs", "fuse.sshfs", "vboxsf", "fuse.vmhgfs-fuse")
_MOUNTS = Path("/proc/self/mountinfo")


def shortcoming(folder: Path) -> str:
    """A phrase that says why locks in a folder may not hold between machines; empty if there is no known reason."""
    try:
        mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    place, best = Path(os.path.realpath(folder)), ("", "", frozenset[str]())  # resolve raises for a link to itself
    for line in mounts:
        mount, _, system = line.partition(" - ")
        where = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), mount.split()[4])
        if place.is_relative_to(where) and len(where) >= len(best[0]):
            kind, _, options = system.split(" ", 2)
            best = where, kind, frozenset(options.split(",")) | frozenset(mount.split()[5].split(","))
    return _words(*best[1:])


def _words(kind: str, options: frozenset[str]) -> str:
    if kind in _OWN_LOCKS:
        return f"its file system is {kind}, whose locks other machines may not see"
    if kind == "lustre" and "flock" not in options:
        return "its Lustre is not mounted with `-o flock`"
    if kind.startswith("nfs") and (found := options & {"nolock", "local_lock=flock", "local_lock=all"}):
        return f"its NFS is mounted with `{min(found)}`"
    if kind in ("cifs", "smb3") and "nobrl" in options:
        return f"its {kind} is mounted with `nobrl`"
    return ""

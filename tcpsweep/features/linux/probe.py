# SPDX-License-Identifier: MIT
"""List the congestion controls and settings of this kernel's TCP, from a new network namespace, as JSON.

Run it as a separate process, because it leaves the namespaces that it started in.
"""

import contextlib
import ctypes
import fcntl
import json
import platform
import struct
from pathlib import Path
from typing import Any

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_TUN = Path("/dev/net/tun")
_TUNSETIFF, _IFF_TUN, _IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
_IPV4 = Path("/proc/sys/net/ipv4")
# Values that change with each boot, depend only on the machine's memory, or are counters.
_NOT_SETTINGS = {"tcp_fastopen_key", "tcp_mem", "tcp_max_orphans", "tcp_max_tw_buckets", "tcp_ehash_entries"}
_NOT_SETTINGS |= {"tcp_available_congestion_control", "tcp_allowed_congestion_control", "tcp_available_ulp"}
# The hosts of a cell set these themselves.
_NOT_SETTINGS |= {"tcp_congestion_control", "tcp_no_metrics_save", "tcp_child_ehash_entries"}


def _enter() -> None:
    """Enter a new network namespace, as the hosts of a cell do."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "user and network namespaces are not allowed here")
    for file, text in (("setgroups", "deny"), ("uid_map", "0 0 1"), ("gid_map", "0 0 1")):
        Path("/proc/self", file).write_text(text, encoding="ascii")


def _make_interface() -> None:
    """Make the interface that a host of a cell has."""
    with _TUN.open("r+b", buffering=0) as tun:
        fcntl.ioctl(tun, _TUNSETIFF, struct.pack("16sH14x", b"sim0", _IFF_TUN | _IFF_NO_PI))


def asked() -> dict[str, Any]:
    """The fields of a `kernel.Kernel`; ``hindrance`` says why hosts are impossible, None if they are possible."""
    fields: dict[str, Any] = {"release": platform.release(), "controls": [], "settings": {}, "hindrance": None}
    try:
        _enter()
        fields["controls"] = (_IPV4 / "tcp_available_congestion_control").read_text(encoding="ascii").split()
        settings = {path.name: path for path in sorted(_IPV4.glob("tcp_*")) if path.name not in _NOT_SETTINGS}
        for name, path in settings.items():
            with contextlib.suppress(OSError):
                fields["settings"][f"net.ipv4.{name}"] = " ".join(path.read_text(encoding="ascii").split())
        _make_interface()
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return fields | {"hindrance": f"{place}{error.strerror}"}
    return fields


if __name__ == "__main__":
    print(json.dumps(asked()))

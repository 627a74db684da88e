# SPDX-License-Identifier: MIT
"""Whether a kernel has the settings of TCP that a sweep file names."""

from collections.abc import Iterator

from tcpsweep.core.words import spelling
from tcpsweep.features.linux.kernel import Kernel

NONE = "none"
_PREFIX = "net.ipv4.tcp_"
# Settings that follow from the sweep, and what to write instead.
_ADVICE_BY_DERIVED_SETTING = {
    "net.ipv4.tcp_ecn": "the parameter `ecn`",
    "net.ipv4.tcp_sack": "the attribute ns3::TcpSocketBase::Sack",
    "net.ipv4.tcp_timestamps": "the attribute ns3::TcpSocketBase::Timestamp",
    "net.ipv4.tcp_window_scaling": "the attribute ns3::TcpSocketBase::WindowScaling",
    "net.ipv4.tcp_congestion_control": "the parameter `variant`",
    "net.ipv4.tcp_no_metrics_save": "nothing: it is always 1",
}


def problems(text: str, linux: Kernel) -> Iterator[str]:
    """Why a kernel's hosts cannot have these settings, a value of the parameter `sysctls`."""
    for part in () if text == NONE else text.split(","):
        name, _, value = part.partition("=")
        if not value or " " in part:
            yield (
                f"expected name=value, as in {_PREFIX}reordering=10, without spaces and with colons in lists, as in "
                f"{_PREFIX}rmem=4096:32768:32768, or {NONE}; got {part!r}"
            )
        elif name in _ADVICE_BY_DERIVED_SETTING:
            yield f"{name} follows from the sweep; instead, write {_ADVICE_BY_DERIVED_SETTING[name]}"
        elif name not in linux.settings or not name.startswith(_PREFIX):
            near = spelling.did_you_mean(name, [setting for setting in linux.settings if setting.startswith(_PREFIX)])
            example = "" if near else f", such as {_PREFIX}reordering"
            yield f"this kernel, {linux.release}, has no setting {name!r} of TCP{near}{example}"

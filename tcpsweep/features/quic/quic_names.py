# SPDX-License-Identifier: MIT
"""Names of QUIC's congestion controls in sweep files: ``quic:STACK/CONTROL``, such as ``quic:noq/cubic``."""

from tcpsweep.core.words import spelling

PREFIX = "quic:"
# Each stack, a folder of `quic-stacks/`, and its congestion controls.
STACKS = {"ngtcp2": ("bbr", "bbr2", "cubic", "reno"), "noq": ("bbr3", "cubic", "newreno")}
EXAMPLE = "quic:noq/cubic"
# The variants of TCP with the same algorithm.
COUNTERPARTS = {
    "quic:ngtcp2/bbr": "TcpBbr",
    "quic:ngtcp2/cubic": "TcpCubic",
    "quic:ngtcp2/reno": "TcpLinuxReno",
    "quic:noq/cubic": "TcpCubic",
    "quic:noq/newreno": "TcpLinuxReno",
}


def is_quic(variant: str) -> bool:
    """Whether a variant is one of QUIC's."""
    return variant.startswith(PREFIX)


def checked(variant: str) -> str:
    """The variant, if there are such a stack and such a control. Raises `ValueError` with the nearest valid name."""
    stack, slash, control = variant.removeprefix(PREFIX).partition("/")
    if not slash:
        raise ValueError(f"expected quic:STACK/CONTROL, such as {EXAMPLE}, got {variant!r}")
    if stack not in STACKS:
        message = f"tcpsweep has no QUIC stack {stack!r}"
        raise ValueError(spelling.none_of_these(message, "it has", stack, STACKS))
    if control not in STACKS[stack]:
        message = f"the QUIC stack {stack} has no congestion control {control!r}"
        raise ValueError(spelling.none_of_these(message, "it has", control, STACKS[stack]))
    return variant


def stack_of(variant: str) -> str:
    """The stack of a variant of QUIC."""
    return variant.removeprefix(PREFIX).partition("/")[0]

# SPDX-License-Identifier: MIT
"""Names of QUIC's congestion controls in sweep files: ``quic:STACK/CONTROL``, such as ``quic:noq/cubic``."""

from tcpsweep.core.words import field_names, spelling

QUIC = "quic"  # the implementation
# Each stack, a folder of `quic-stacks/`, and its congestion controls.
STACKS = {"ngtcp2": ("bbr", "bbr2", "cubic", "reno"), "noq": ("bbr3", "cubic", "newreno")}
EXAMPLE = "quic:noq/cubic"


def is_quic(variant: str) -> bool:
    """Whether a variant is one of QUIC's."""
    return field_names.implementation(variant) == QUIC


def checked(variant: str) -> str:
    """The variant, if it is not QUIC's, or there are such a stack and such a control.

    Raises `ValueError` with the nearest valid name.
    """
    if not is_quic(variant):
        return variant
    stack, slash, control = variant.removeprefix(f"{QUIC}:").partition("/")
    if not slash:
        raise ValueError(f"expected quic:STACK/CONTROL, such as {EXAMPLE}, got {variant!r}")
    if stack not in STACKS:
        message = f"tcpsweep has no QUIC stack {stack!r}"
        raise ValueError(spelling.none_of_these(message, "it has", stack, STACKS))
    if control not in STACKS[stack]:
        message = f"the QUIC stack {stack} has no congestion control {control!r}"
        raise ValueError(spelling.none_of_these(message, "it has", control, STACKS[stack]))
    return variant

# SPDX-License-Identifier: MIT
"""Which flows of a combination have the TCP of the machine's kernel instead of ns-3's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tcpsweep.words import kernel_names
from tcpsweep.words.mixes import Mix

OF_KERNEL = "linux"  # the value of the parameter `stack`


def variants_of(row: Mapping[str, Any]) -> list[str]:
    """The variants of a combination whose flows have the kernel's TCP: all with its stack, else those of its own."""
    named = Mix.of(str(row["variant"])).variants
    return [variant for variant in named if row.get("stack") == OF_KERNEL or kernel_names.is_kernels(variant)]


def is_asked_for(row: Mapping[str, Any]) -> bool:
    """Whether flows of a combination have the kernel's TCP, so that it is simulated in real time."""
    return bool(variants_of(row))

# SPDX-License-Identifier: MIT
"""Congestion controls by Linux' own names, written ``linux:NAME``: those of the kernel of the machine."""

import re

PREFIX = "linux:"
_KERNELS = re.compile(re.escape(PREFIX) + r"[a-z][a-z0-9_-]{0,14}")  # TCP_CA_NAME_MAX, with the end of the text


def is_kernels(variant: str) -> bool:
    """Whether a variant is written as one of Linux'."""
    return _KERNELS.fullmatch(variant) is not None

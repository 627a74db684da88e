# SPDX-License-Identifier: MIT
"""The labels of captured flows: their numbers and ends."""

from collections.abc import Mapping
from typing import Any


def label(flow: Mapping[str, Any]) -> str:
    """A flow's number and ends."""
    ends = (f"{_bracketed(flow[end])}:{flow[f'{end}_port']}" for end in ("source", "destination"))
    return f"{flow['flow']} {' → '.join(ends)}"


def back_label(flow: Mapping[str, Any]) -> str:
    """A flow's number and ends, in the direction in which less payload goes."""
    ends = (f"{_bracketed(flow[end])}:{flow[f'{end}_port']}" for end in ("destination", "source"))
    return f"{flow['flow']} back {' → '.join(ends)}"


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address

# SPDX-License-Identifier: MIT
"""The variants that a sweep compares with each other in all mixes of two; `pair_key` reads them from the file."""

from __future__ import annotations

from tcpsweep.core.sweep.sweep_record import Sweep

KEY = "pairs"


def of(sweep: Sweep) -> list[str]:
    """The variants under `pairs`, in the file's order; empty if the file lacks the key."""
    return sweep.question(KEY, list[str]) or []

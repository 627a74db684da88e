# SPDX-License-Identifier: MIT
"""Numbers of a page's charts in few bytes: as finely as a screen shows them, and as text for JSON."""

from __future__ import annotations

import base64
from typing import TypedDict

import numpy as np
import numpy.typing as npt

STEPS = 2**16 - 1


class Packed(TypedDict):
    """Numbers from ``low`` in units of ``step``: ``steps`` is base64 of unsigned 16-bit integers, little-endian."""

    low: float
    step: float
    steps: str


def packed(numbers: npt.NDArray[np.float64]) -> Packed:
    """Finite numbers for a page's script, within half a 65,535th of their range; integers of a smaller one exactly."""
    if not len(numbers):
        return {"low": 0, "step": 1, "steps": ""}
    low, high = float(numbers.min()), float(numbers.max())
    whole = high - low <= STEPS and bool((numbers % 1 == 0).all())
    step = 1 if whole else (high - low) / STEPS
    steps = ((numbers - low) / (step or 1)).round().astype("<u2")
    return {"low": int(low) if whole else low, "step": step, "steps": base64.b64encode(steps.tobytes()).decode()}

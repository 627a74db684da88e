# SPDX-License-Identifier: MIT
"""The precision that a sweep file requests, as a record; `precision_key` reads it from the file."""

from __future__ import annotations

from dataclasses import dataclass

from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.sweep.sweep_record import Sweep

KEY = "precision"


@dataclass(frozen=True)
class Precision:
    """A request for precision: a half-width by metric, and the most runs of a combination."""

    asked: dict[str, ShareOrValue]
    at_most: int


def of(sweep: Sweep) -> Precision | None:
    """The precision that a sweep requests; None if its file names the runs."""
    return sweep.question(KEY, Precision)

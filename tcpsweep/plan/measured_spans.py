# SPDX-License-Identifier: MIT
"""What of a simulation counts: the time after the warm-up, and the rate that the bottleneck had in it."""

import msgspec

from tcpsweep.identity import hashing, steps
from tcpsweep.sweep.span import Span
from tcpsweep.words import units


def of(row):
    """What a run of a combination is measured by.

    Parameters
    ----------
    row : dict
        The combination: every parameter's normal form.

    Returns
    -------
    Span
    """
    end_s = float(units.si(row["duration"], "time"))
    rates = [(0.0, float(units.si(row["bandwidth"], "rate")))]
    if row["step_bandwidth"] != "none":
        rates.append((float(units.si(row["step_time"], "time")), float(units.si(row["step_bandwidth"], "rate"))))
    from_s = None if row["warmup"] == "auto" else float(units.si(row["warmup"], "time"))
    return Span(from_s, end_s, rates)


def identity(span):
    """The identity of a cell's metrics: what they are measured by, and the code that does and that audits."""
    return hashing.short_hash(steps.code_id("measure"), msgspec.json.encode(span).decode())

# SPDX-License-Identifier: MIT
"""The part of a simulation that counts: the time after the warm-up."""

import functools

import msgspec

from tcpsweep.identity import hashing, steps
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.span import Span
from tcpsweep.words import quantities


def of(row: Settings) -> Span:
    """The span that a combination's runs are measured over.

    Parameters
    ----------
    row : dict
        The combination: every parameter's normal form.

    Returns
    -------
    Span
    """
    end_s = float(quantities.si(row["duration"], "time"))
    from_s = None if row["warmup"] == "auto" else float(quantities.si(row["warmup"], "time"))
    own_s = None if row["flow_warmup"] == "auto" else float(quantities.si(row["flow_warmup"], "time"))
    return Span(from_s, end_s, own_s)


def identity(span: Span) -> str:
    """The identity of a cell's metrics: their span, and the code that measures and audits."""
    return _hash(steps.code_id("measure"), msgspec.json.encode(span).decode())


_hash = functools.cache(hashing.short_hash)  # thousands of combinations share a few spans

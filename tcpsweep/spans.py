# SPDX-License-Identifier: MIT
"""What of a simulation counts: the time after the warm-up, and the rate that the bottleneck had in it."""

import json

from tcpsweep import codeid, units


def of(row):
    """What a run of a combination is measured by.

    Parameters
    ----------
    row : dict
        The combination: every parameter's normal form.

    Returns
    -------
    dict
        ``from_s`` and ``to_s``, the time that counts, and ``capacity_bps``, the bottleneck's mean rate in it.
    """
    from_s, to_s = (units.si(row[name], "time") for name in ("warmup", "duration"))
    before = float(units.si(row["bandwidth"], "rate"))
    after = before if row["step_bandwidth"] == "none" else units.si(row["step_bandwidth"], "rate")
    step_s = min(max(units.si(row["step_time"], "time"), from_s), to_s)
    share = (to_s - step_s) / (to_s - from_s)
    return {"from_s": from_s, "to_s": to_s, "capacity_bps": before + (after - before) * share}


def identity(span):
    """The identity of a cell's metrics: what they are measured by, and the code that does and that audits."""
    return codeid.short_hash(codeid.python_id("measure", "audit"), json.dumps(span, sort_keys=True))

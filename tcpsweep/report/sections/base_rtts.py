# SPDX-License-Identifier: MIT
"""The round-trip times without queues of a sweep's networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tcpsweep.store import cell_files
from tcpsweep.sweep.sweep_record import PlannedSweep, Run


def base_rtts_s(sweep: PlannedSweep, finished: Sequence[Run]) -> Mapping[int, float]:
    """Each combination's longest round-trip time without queues, in s, as a run of it recorded."""
    found: dict[int, float] = {}
    for cell, combination, _ in finished:
        if combination in found or combination >= len(sweep.combinations):
            continue
        rtts = cell_files.record(sweep.parquet(cell)).get("derived", {}).get("base_rtt_s") or []
        if rtts and max(rtts) > 0:
            found[combination] = max(rtts)
    return found

# SPDX-License-Identifier: MIT
"""A sweep's finished runs by their combination, and the round-trip times without queues that they recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tcpsweep.core.report import page_parts
from tcpsweep.core.store import cell_files
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run


def by_combination(sweep: PlannedSweep, finished: Sequence[Run]) -> dict[int, list[Run]]:
    """The runs of each of the sweep's own combinations; ``finished`` may also have runs of later numbers."""
    runs: dict[int, list[Run]] = {}
    for run in finished:
        if run.combination < len(sweep.combinations):
            runs.setdefault(run.combination, []).append(run)
    return runs


def links(sweep: PlannedSweep, finished: Sequence[Run]) -> dict[int, list[tuple[int, str | None]]]:
    """The runs of each combination: a run's number, and the link to its cell's page or None."""
    runs = by_combination(sweep, finished)
    return {
        number: [(run.run, page_parts.link_to_cell(sweep, run.cell)) for run in repetitions]
        for number, repetitions in runs.items()
    }


def base_rtts_s(sweep: PlannedSweep, finished: Sequence[Run]) -> Mapping[int, float]:
    """Each combination's longest round-trip time without queues, in s, from the record of one of its runs."""
    rtts_s: dict[int, float] = {}
    for combination, runs in by_combination(sweep, finished).items():
        every = (cell_files.record(sweep.parquet(run.cell)).get("derived", {}).get("base_rtt_s") for run in runs)
        longest = next((max(rtts) for rtts in every if rtts and max(rtts) > 0), None)
        if longest is not None:
            rtts_s[combination] = longest
    return rtts_s

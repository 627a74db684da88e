# SPDX-License-Identifier: MIT
"""What cells cost, and how many of them a job takes: few when they are long, many when they are short."""

import json
import statistics
from dataclasses import dataclass
from pathlib import Path

from tcpsweep import store, units

# The least and the most that a job takes: it is worth its start, and the others need not wait for it long. A start is a
# Python here; on a cluster it is two Snakemakes and the scheduler's round.
LOCAL_SECONDS = (4, 60)
CLUSTER_SECONDS = (120, 900)
MOST_JOBS = 2000  # Snakemake plans a job in about 2 ms
SAMPLE = 40


@dataclass(frozen=True)
class Costs:
    """What a packet of the bottleneck costs, in CPU time and in bytes of Parquet, and what a cell costs besides.

    The defaults were measured with ns-3 3.44 from its wheel and all traces, on one core of a common server.
    """

    seconds_per_packet: float = 5e-5
    bytes_per_packet: float = 50
    seconds_per_cell: float = 0.3  # a simulator's start, and writing the Parquet
    bytes_per_cell: float = 30_000

    def seconds(self, row):
        """The CPU seconds of one run of a combination, roughly."""
        return self.seconds_per_cell + self.seconds_per_packet * packets(row)

    def bytes(self, row):
        """The bytes of Parquet of one run of a combination, roughly."""
        return self.bytes_per_cell + self.bytes_per_packet * packets(row)


def packets(row):
    """How many packets cross the bottleneck, both ways but without pure ACKs, in a run whose flows fill it."""
    link_bytes = units.si(row["bandwidth"], "rate") / 8 * units.si(row["duration"], "time")
    asked = row["bytes"] if isinstance(row["bytes"], list) else [row["bytes"]]
    flows, reverse = row["flows"], row["reverse_flows"]
    filled = 0
    for among in (range(flows), range(flows, flows + reverse)):
        limits = [asked[flow % len(asked)] for flow in among]
        filled += min(link_bytes, sum(limits)) if all(limits) else link_bytes
    return filled / (row["segment_size"] + 54)


def calibrated(scenario, parser):
    """The costs that a sample of the scenario's finished cells had; the defaults where there are too few."""
    try:
        names = sorted(path.name for path in store.CELLS.iterdir() if path.name.startswith(f"{scenario}-"))
    except FileNotFoundError:
        return Costs()
    seconds, sizes = [], []
    for name in names[:: len(names) // SAMPLE + 1]:
        folder = store.parquet(name, parser)
        try:
            record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
            sent = sum(record.get(way, {}).get("sent_packets", 0) for way in ("bottleneck", "bottleneck_reverse"))
            size = sum(Path(file).stat().st_size for file in folder.iterdir())
            if sent >= 1000:  # fewer say more of the start than of packets
                seconds.append(float(record["cpu_s"]) / sent)
                sizes.append(size / sent)
        except (OSError, ValueError, KeyError):
            continue
    if len(seconds) < 3:
        return Costs()
    return Costs(statistics.median(seconds), statistics.median(sizes))


def deal(costs, slots, seconds=LOCAL_SECONDS):
    """Deal work into jobs by guided self-scheduling (Polychronopoulos and Kuck, 1987).

    Each job takes a share of what is left, so that starts are few while all slots are busy anyway, and they end
    together. Long work goes first.

    Parameters
    ----------
    costs : dict
        Work to its seconds.
    slots : int
        How many jobs run at a time.
    seconds : (float, float)
        The least and the most that a job takes, as far as a cell of work allows.

    Returns
    -------
    list of list
        The work of each job.
    """
    left = sum(costs.values())
    least = max(seconds[0], left / MOST_JOBS)
    jobs, job, size = [], [], 0.0
    share = None
    for work in sorted(costs, key=costs.get, reverse=True):
        share = share or max(least, min(seconds[1], left / (4 * slots)))
        job.append(work)
        size += costs[work]
        if size >= share:
            jobs.append(job)
            left -= size
            job, size, share = [], 0.0, None
    return [*jobs, job] if job else jobs

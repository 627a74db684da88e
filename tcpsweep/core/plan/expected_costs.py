# SPDX-License-Identifier: MIT
"""The expected costs of cells: an estimate from packets, corrected by finished cells of the same kind.

The constants were measured with ns-3 3.44 from its wheel. They count until a cell of the scenario has finished.
"""

import functools
import math
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import NamedTuple

from tcpsweep.core.plan import packet_counts
from tcpsweep.core.store import layout, state_files
from tcpsweep.core.sweep import assignment, network_graph
from tcpsweep.core.sweep.cost import Cost, Kind, Measured, RunRecord
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_parts import Capture, InputFile
from tcpsweep.core.sweep.sweep_record import Run, Sweep
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.sweepfile.keys.sweep_fields import ALL_TRACES

SAMPLE = 200  # the most cells that are read
# CPU seconds of a cell, of a flow, of each link that a packet crosses, of a connection, of a packet of a Linux kernel,
# and of a frame at each radio that hears it.
_START_S, _FLOW_S, _CROSSING_S, _CONNECTION_S, _KERNEL_S = 0.02, 1.5e-3, 1.2e-5, 3e-4, 3.2e-4
_FRAME_S = {"wifi-dumbbell": 1e-5, "lrwpan-dumbbell": 1.1e-6}
_BEACONS_PER_S = 1 / 0.1024  # of a Wi-Fi access point
# Bytes of memory: of a cell, a flow, a packet on its way. Bytes of raw files: of a cell, of a packet in all traces and
# in a queue's, of a packet in each kind of capture. Bytes of Parquet: of a cell, of a flow; and its share of raw text.
_MEMORY, _FLOW, _IN_FLIGHT = 1.7e8, 3e5, 3e3
_RAW, _TRACED, _QUEUED, _PCAP, _ASCII, _ANIM = 2e4, 105, 45, 180, 1900, 155
_PARQUET, _PARQUET_FLOW, _PARQUET_SHARE = 4e4, 2e3, 0.1


class Expected(NamedTuple):
    """The expected cost of a run of a combination, with its kind, and the estimate from only the parameters."""

    kind: Kind
    estimated: Cost
    cost: Cost


def expected(sweep: Sweep, finished: Iterable[Run], parser: str) -> list[Expected]:
    """The expected cost of a run of each combination.

    A combination with a finished run is expected to cost as much. For others, an estimate from the parameters is
    corrected by finished cells of its kind: the sweep's own, and others of the scenario.
    """
    cells = {combination: cell for cell, combination, _ in sorted(finished, reverse=True)}
    others = [cell for cell in layout.names_in(layout.CELLS) if cell.startswith(f"{schema.slug_name(sweep.scenario)}-")]
    measured: dict[str, Measured] = {}
    for names in (sorted(cells.values()), sorted(others)):
        for name in random.Random(0).sample(names, min(SAMPLE, len(names))):
            if cost := read(layout.parquet(name, parser)):
                measured[name] = cost
    costs = list(measured.values())
    ratio = [
        ratios((cost.kind, astuple(cost.estimated)[n], astuple(cost.taken)[n]) for cost in costs) for n in range(4)
    ]
    expected_costs = []
    for number, row in enumerate(sweep.combinations):
        kind, estimated = estimate(row, sweep.capture, sweep.inputs)
        own = measured.get(cells.get(number, ""))
        corrected = Cost(*(value * by(kind) for value, by in zip(astuple(estimated), ratio, strict=True)))
        expected_costs.append(Expected(kind, estimated, own.taken if own else corrected))
    return expected_costs


def read(folder: Path) -> Measured | None:
    """The cost of a finished cell, by the folder of its Parquet; None without a valid record."""
    run = state_files.read(folder / "run.json", RunRecord)
    costs = (*astuple(run.cost.estimated), *astuple(run.cost.taken)) if run else (0,)
    return run.cost if run and min(costs) > 0 else None


def ratios(measured: Iterable[tuple[Kind, float, float]]) -> Callable[[Kind], float]:
    """The ratio of actual to expected costs, as a function of a kind: of its finished cells, else of similar kinds.

    ``measured`` lists each finished cell's kind, expected cost and actual cost, all in one unit.
    """
    sums: dict[Kind, tuple[float, float]] = {}
    for kind, before, taken in measured:
        for length in range(1, len(kind) + 1):
            former = sums.get(kind[:length], (0.0, 0.0))
            sums[kind[:length]] = (former[0] + before, former[1] + taken)

    @functools.cache
    def ratio(kind: Kind) -> float:
        before, taken = next((sums[kind[:n]] for n in range(len(kind), 0, -1) if kind[:n] in sums), (1.0, 1.0))
        return taken / before

    return ratio


def estimate(row: Combination, capture: Capture, inputs: Mapping[str, InputFile]) -> tuple[Kind, Cost]:
    """A combination's kind, the most important part first, and a run's cost, estimated from only the parameters."""
    load, has_kernel = packet_counts.load(row, inputs), assignment.is_kernel_asked(row)
    frames, flows = _radio_frames(row, load.packets), assignment.flow_count(row)
    seconds = _START_S + _FLOW_S * flows + _CROSSING_S * load.crossings + _CONNECTION_S * load.connections
    seconds += _FRAME_S.get(schema.program(row.scenario), 0) * frames + _KERNEL_S * has_kernel * load.packets
    traced = _TRACED * len(capture.traces) / len(ALL_TRACES) + _QUEUED * capture.queue
    text, headers = traced * load.packets, {"none": 0, "bottleneck": load.packets}
    captured = headers.get(capture.pcap, 2 * load.crossings + frames / 2)
    with_payload = headers.get(capture.pcap, 2 * load.crossings + frames / 8)  # of four frames, one has data
    payload = float({"headers": 0, "full": row["segment_size"]}.get(str(capture.snaplen), capture.snaplen))
    raw = _RAW + text * (1 + capture.text) + _PCAP * captured + payload * with_payload
    raw += (_ASCII * capture.ascii + _ANIM * capture.anim) * load.crossings
    parquet = _PARQUET + _PARQUET_FLOW * flows + _PARQUET_SHARE * (text + _PCAP * captured)
    memory = _MEMORY + _FLOW * flows + _IN_FLIGHT * load.window + 3 * text
    traffic = {network_graph.value(row, "traffic", name, "kind") for name in network_graph.things(row, "traffic")}
    kind = (
        schema.slug_name(row.scenario),
        f"{row.get('standard', '')}{'+'.join(sorted(traffic))}",
        f"{len(capture.traces)} {capture.queue} {capture.pcap} {capture.snaplen} {capture.ascii} {capture.anim}",
        f"{'linux' * has_kernel} {row.get('corrections')}",
        str(round(math.log10(1 + load.window))),
        "+".join(sorted(set(assignment.flow_variants(row, 1)))),
    )
    return kind, Cost(seconds, memory, raw, parquet)


def _radio_frames(row: Combination, packets: float) -> float:
    """The frames that all radios together send and receive.

    On each side, a packet and its ACK need a frame each, and another frame acknowledges each of these. A station needs
    as many to join. All radios of a side hear all frames.
    """
    if "stations" not in row:
        return 0
    beacons = row.duration_s * _BEACONS_PER_S if "standard" in row else 0
    sent = 4 * (packets + row["stations"]) * packet_counts.radio_sends(row)
    return float(2 * (1 + row["stations"]) * (sent + beacons))

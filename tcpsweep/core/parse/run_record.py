# SPDX-License-Identifier: MIT
"""Read and check the simulator's record, `run.json`: later steps rely on its structure."""

import json
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from tcpsweep.core.parse.simulator_files import Damaged, SimulatorFiles
from tcpsweep.core.words import table_columns

_Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
_Port: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=2**16)]
_Direction: TypeAlias = Literal["forward", "reverse"]
_FileName: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^program-[0-9]+-(sender|receiver)\.(out|err)$")]


class _Counted(msgspec.Struct):
    tx_packets: _Count
    tx_bytes: _Count
    rx_packets: _Count
    rx_bytes: _Count
    lost_packets: _Count
    delay_sum_s: float
    jitter_sum_s: float
    ack_tx_packets: _Count
    ack_tx_bytes: _Count
    ack_rx_packets: _Count
    ack_rx_bytes: _Count
    ack_lost_packets: _Count
    ack_delay_sum_s: float


class _Step(msgspec.Struct):
    link: str
    direction: _Direction
    bandwidth_bps: _Count
    delay_s: float
    jitter_s: float
    varies: bool


class _Program(msgspec.Struct):
    end: Literal["sender", "receiver"]
    command: str
    stdout: _FileName | None
    stderr: _FileName | None


class _Flow(msgspec.Struct):
    flow: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    variant: str
    direction: _Direction
    source: str
    source_port: _Port
    destination: str
    destination_port: _Port
    start_s: float
    bytes: _Count | None
    finish_s: float | None
    received_bytes: _Count
    waiting_bytes: _Count
    path: list[_Step]
    group: str | None = None
    stop_s: float | None = None
    counted: _Counted | None = None
    programs: list[_Program] | None = None


class _Capture(msgspec.Struct):
    file: str
    bytes: _Count
    interface: str | None = None


class _Derived(msgspec.Struct):
    base_rtt_s: list[float]
    lost_after_s: float
    forgets_packets: bool


class _From(msgspec.Struct):
    from_s: float
    bandwidth_bps: _Count
    delay_s: float


_OverTime: TypeAlias = Annotated[list[_From], msgspec.Meta(min_length=1)]


class _Way(msgspec.Struct):
    bandwidth_bps: _Count
    jitter_s: float
    queue_packets: _Count | None
    queue_bytes: _Count | None
    queue_disc: str | None
    device_queue_packets: _Count | None
    device_queue_bytes: _Count | None
    sent_packets: _Count
    sent_bytes: _Count
    drop_packets: _Count
    mark_packets: _Count
    loss_packets: _Count
    over_time: _OverTime | None = None


class _Link(msgspec.Struct):
    link: str
    left: str
    right: str
    over_time: _OverTime
    forward: _Way | None
    reverse: _Way | None


class _Queue(msgspec.Struct):
    link: str
    direction: _Direction
    rows: _Count


class _Player(msgspec.Struct):
    startup_delay_s: float | None
    stalls: _Count
    stalled_s: float
    stalled_share: float | None
    mean_bitrate_bps: float | None
    switches: _Count


class _Call(msgspec.Struct):
    sent_packets: _Count
    received_packets: _Count
    late_packets: _Count
    lost_packets: _Count
    mean_delay_s: float | None
    longest_delay_s: float


class _Traffic(msgspec.Struct):
    name: str
    kind: Literal["arrivals", "incast", "on-off", "web", "video", "realtime"]
    variant: str
    begun: _Count
    finished: _Count
    unfinished: _Count
    senders: _Count | None = None
    players: list[_Player] | None = None
    flows: list[_Call] | None = None


class _Record(msgspec.Struct):
    scenario: str
    parameters: dict[str, str]
    derived: _Derived
    flows: list[_Flow]
    captures: list[_Capture]
    links: list[_Link]
    traces: dict[str, _Count]
    queue: list[_Queue]
    cpu_s: float
    peak_rss_bytes: _Count | None
    traffic: list[_Traffic] = []
    transfers: _Count = 0
    node_names: list[str] = []


_OWN_FIELD = {
    "incast": "senders",
    "video": "players",
    "realtime": "flows",
}  # the field that only this kind of traffic has


def read(files: SimulatorFiles, name: str) -> dict[str, Any]:
    """Read and check a simulator's record. Raises `Damaged`.

    Returns
    -------
    dict
        The whole record. All fields of `_Record` are present and have the right types.
    """
    path, data = files.folder / name, files.read(name)
    try:
        record = msgspec.json.decode(data, type=_Record)
        unknown_traces = [trace for trace in record.traces if trace not in table_columns.TRACES]
        if unknown_traces:
            raise Damaged(f"{path}: not a simulator's record: unknown trace {unknown_traces[0]!r}")
        crossed = {(link.link, way) for link in record.links for way in ("forward", "reverse") if getattr(link, way)}
        queues = [(queue.link, queue.direction) for queue in record.queue]
        if len({*queues}) < len(queues) or not crossed.issuperset(queues):
            raise Damaged(f"{path}: not a simulator's record: a queue without a link, or listed twice, in {queues}")
        if any(group.kind in _OWN_FIELD and getattr(group, _OWN_FIELD[group.kind]) is None for group in record.traffic):
            raise Damaged(f"{path}: not a simulator's record: traffic without its senders, players or flows")
        if record.parameters.get("flow_monitor") == "false" and not all(flow.counted for flow in record.flows):
            raise Damaged(
                f"{path}: not a simulator's record: a flow without `counted`, although there is no FlowMonitor"
            )
        run: dict[str, Any] = json.loads(data)
    except (ValueError, RecursionError) as error:  # includes msgspec's errors, which name the place
        raise Damaged(f"{path}: not a simulator's record: {error}") from None
    return run


def program_files(run: dict[str, Any]) -> list[str]:
    """The names of the files with what the programs of a record's flows wrote."""
    programs = [program for flow in run["flows"] for program in flow.get("programs") or ()]
    return [program[stream] for program in programs for stream in ("stdout", "stderr") if program[stream]]

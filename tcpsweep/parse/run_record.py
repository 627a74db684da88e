# SPDX-License-Identifier: MIT
"""The simulator's record, `run.json`, in the shape that later steps take for granted."""

import json
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from tcpsweep.parse.simulator_files import Damaged, SimulatorFiles
from tcpsweep.words import table_columns

_Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
_Port: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=2**16)]
_Direction: TypeAlias = Literal["forward", "reverse"]


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
    stop_s: float | None = None
    counted: _Counted | None = None


class _Capture(msgspec.Struct):
    file: str
    bytes: _Count
    interface: str | None = None


class _Derived(msgspec.Struct):
    base_rtt_s: list[float]


class _Record(msgspec.Struct):
    scenario: str
    parameters: dict[str, str]
    derived: _Derived
    flows: list[_Flow]
    captures: list[_Capture]
    traces: dict[str, _Count]
    queue: dict[_Direction, _Count]
    cpu_s: float
    peak_rss_bytes: _Count | None


def read(files: SimulatorFiles, name: str) -> dict[str, Any]:
    """A simulator's record.

    Parameters
    ----------
    files : SimulatorFiles
    name : str
        The name of its file.

    Returns
    -------
    dict
        All that it says; what `_Record` lists is there, and of its type.

    Raises
    ------
    Damaged
    """
    path, data = files.folder / name, files.read(name)
    try:
        record = msgspec.json.decode(data, type=_Record)
        unknown = [trace for trace in record.traces if trace not in table_columns.TRACES]
        if unknown:
            raise Damaged(f"{path}: not a simulator's record: unknown trace {unknown[0]!r}")
        if record.parameters.get("flow_monitor") == "false" and not all(flow.counted for flow in record.flows):
            raise Damaged(f"{path}: not a simulator's record: a flow without `counted`, and no FlowMonitor")
        run: dict[str, Any] = json.loads(data)
    except (ValueError, RecursionError) as error:  # of msgspec, whose errors name the place, among them
        raise Damaged(f"{path}: not a simulator's record: {error}") from None
    return run

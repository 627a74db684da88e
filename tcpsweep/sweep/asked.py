# SPDX-License-Identifier: MIT
"""All figures and tables that a sweep file asks for, from planning to the step that draws them."""

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tcpsweep.sweep.figure_request import FigureRequest
from tcpsweep.sweep.metric_figure_request import MetricFigureRequest
from tcpsweep.sweep.table_request import TableRequest

FILE = "asked.json"


@dataclass(frozen=True)
class Asked:
    """What a sweep file asks for: figures of traces over time, figures of metrics, tables."""

    traces: list[FigureRequest] = field(default_factory=list)
    metrics: list[MetricFigureRequest] = field(default_factory=list)
    tables: list[TableRequest] = field(default_factory=list)


def text_of(asked: Asked) -> str:
    """The file of what a sweep file asks for, as JSON."""
    return msgspec.json.encode(asked).decode()


def read(folder: Path | str) -> Asked:
    """What the sweep in a folder asks for."""
    return msgspec.json.decode((Path(folder) / FILE).read_bytes(), type=Asked)

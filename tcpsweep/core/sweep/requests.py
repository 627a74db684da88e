# SPDX-License-Identifier: MIT
"""The figures and tables that a sweep file requests: the cells in each figure over time, and its lines."""

from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec

from tcpsweep.core.sweep import assignment, axes, matching
from tcpsweep.core.sweep.matching import Combination, Wanted
from tcpsweep.core.sweep.network_part import Part
from tcpsweep.core.sweep.sweep_record import Run, Sweep, value_text
from tcpsweep.core.words import metrics

COLUMN_PT = 252.0  # a column of a two-column paper
RATES = ("goodput", "throughput")


QUEUE = ("queue", "queueing_delay")


# Each panel to its traces, each with its substitutes; the other panels show the queue's table.
TRACES: dict[str, list[tuple[str, ...]]] = {
    "window": [("cwnd_bytes",), ("ssthresh_bytes",), ("congestion_state",)],
    "cwnd": [("cwnd_bytes",)],
    "rtt": [("rtt_s", "srtt_s")],
    "acked": [("acked_bytes",)],
    "goodput": [("received_bytes",)],
    "throughput": [("ip_received_bytes",)],
    "in_flight": [("in_flight_bytes",)],
}


@dataclass(frozen=True)
class FigureRequest:
    """A figure over time that a sweep file requests."""

    title: str
    show: list[str]  # its panels, from top to bottom
    where: Wanted  # the condition that its cells meet
    each: list[str]  # the axes with a separate picture for each value
    run: int | None  # the run that it shows; None for each combination's first
    published: bool  # whether it shows the runs in the setting of the published study
    from_s: float
    to_s: float | None  # None for the end of the simulation
    interval_s: float | None  # the interval of rates; None for a hundredth of the time shown
    width_pt: float = COLUMN_PT  # its width on paper, in LaTeX's points


@dataclass(frozen=True)
class Line:
    """A line of a figure: its label, the index of its cell in the figure, and its flow, None for the bottleneck."""

    label: str
    cell: int
    flow: int | None
    said: str = ""  # the label with variants' names for print


def chosen_cells(figure: FigureRequest, runs: Iterable[Run], sweep: Sweep) -> dict[tuple[str, ...], list[Run]]:
    """The runs in each picture of a figure, by the values of the axes in ``each``.

    Each combination that meets the condition contributes the requested run, or its first. Combinations are the sweep's
    own, or those in a published setting.
    """
    runs_by_values: dict[tuple[str, ...], dict[int, Run]] = {}
    for run in runs:
        _, combination, number = run
        is_meant = combination >= sweep.published.first if figure.published else combination < sweep.swept
        row = sweep.combinations[combination]
        if is_meant and matching.is_met(figure.where, row) and figure.run in (None, number):
            values = tuple(value_text(row, name) for name in figure.each)
            runs_by_values.setdefault(values, {}).setdefault(combination, run)
    return {values: list(by_combination.values()) for values, by_combination in runs_by_values.items()}


def figure_lines(
    show: Sequence[str],
    rows: Sequence[Combination],
    runs: Sequence[int],
    beside: Collection[str] = (),
    printed: Mapping[str, str] = MappingProxyType({}),
) -> list[Line]:
    """The lines of a figure in the order of cells and flows, labelled by the values that differ between its cells.

    A bottleneck with a single flow has that flow's label. Settings of variants, ``beside`` from `axes.beside_variant`,
    are not in the labels, because the variant's name implies them. ``printed`` has names for print of variants and
    series, from `axes.names_for_print`.
    """
    differing = differences(rows)
    label_axes = [name for name in differing if name != "variant" and not ("variant" in differing and name in beside)]
    names_by_cell = [_flow_names(row, run, differing) for row, run in zip(rows, runs, strict=True)]
    names = {name for flow_names in names_by_cell for name in flow_names}
    lines = []
    for cell, (row, flow_names) in enumerate(zip(rows, names_by_cell, strict=True)):
        axis_texts = [f"{axes.title(name, row)} {value_text(row, name)}" for name in label_axes]
        flows_by_name = Counter(flow_names)
        labels, printed_labels = [], []
        forward = assignment.forward_count(row)
        for flow, name in enumerate(flow_names):
            parts = [name] if len(names) > 1 or not (axis_texts or flows_by_name[name] > 1) else []
            parts += (
                axis_texts
                + ([f"flow {flow}"] if flows_by_name[name] > 1 else [])
                + (["reverse"] if flow >= forward else [])
            )
            labels.append(", ".join(parts))
            printed_labels.append(", ".join(printed.get(part, part) for part in parts))
        if set(show) - set(QUEUE):
            lines += [
                Line(label, cell, flow, printed_label)
                for flow, (label, printed_label) in enumerate(zip(labels, printed_labels, strict=True))
            ]
        if set(show) & set(QUEUE):
            parts = ["bottleneck", *([row["variant"]] if "variant" in differing else []), *axis_texts]
            printed_label = ", ".join(printed.get(part, part) for part in parts)
            own_label = (labels[0], printed_labels[0]) if len(labels) == 1 else (", ".join(parts), printed_label)
            lines.append(Line(own_label[0], cell, None, own_label[1]))
    return lines


def differences(rows: Sequence[Combination]) -> list[str]:
    """The names of the parameters and attributes that differ between combinations."""
    names = dict.fromkeys(name for row in rows for name in row)
    return [name for name in names if len({value_text(row, name) for row in rows}) > 1]


def _flow_names(row: Combination, run: int, differing: Sequence[str]) -> list[str]:
    """The labels of a combination's flows, with the mix's name if the figure shows other variants too."""
    variants = assignment.flow_variants(row, run)
    return [axes.series(name, row["variant"]) for name in variants] if "variant" in differing else variants


def end_s(rows: Iterable[Combination]) -> float:
    """The end of the longest simulation among combinations, in s."""
    return max(row.duration_s for row in rows)


@dataclass(frozen=True)
class MetricFigureRequest:
    """A figure of a metric that a sweep file requests."""

    title: str  # empty for the metric's own
    # The metric, and the parameter, attribute or other metric on the axis
    metric: str
    axis: str
    where: Wanted  # the condition that its combinations meet
    panels: list[str]  # the axes of its columns and rows; at most two
    scale: Literal["auto", "linear", "log", "cut"]  # the scale of the metric's axis
    width_pt: float  # its width on paper, in LaTeX's points
    part: Part | None = None  # its link or group of traffic; None for the network


def is_plane(figure: MetricFigureRequest, axes: Container[str]) -> bool:
    """Whether a figure shows a metric over another metric; ``axes`` are the names of the sweep's axes."""
    return figure.axis not in axes and figure.axis in metrics.METRICS


@dataclass(frozen=True)
class TableRequest:
    """A table of means that a sweep file requests."""

    title: str
    columns: list[str]  # parameters, attributes and metrics, from left to right
    where: Wanted  # the condition that its combinations meet
    # A metric to its number of decimals, in its shown unit; others have two digits of their interval's half-width
    digits: dict[str, int]
    intervals: bool  # whether means have intervals


ASKED_FILE = "asked.json"


@dataclass(frozen=True)
class Asked:
    """A sweep file's requests: figures of traces over time, figures of metrics, tables."""

    traces: list[FigureRequest] = field(default_factory=list)
    metrics: list[MetricFigureRequest] = field(default_factory=list)
    tables: list[TableRequest] = field(default_factory=list)


def asked_text(asked: Asked) -> str:
    """A sweep file's requests as JSON."""
    return msgspec.json.encode(asked).decode()


def read_asked(folder: Path | str) -> Asked:
    """The requests of the sweep in a folder."""
    return msgspec.json.decode((Path(folder) / ASKED_FILE).read_bytes(), type=Asked)
